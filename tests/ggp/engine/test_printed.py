"""What a player prints: the beginning is kept, a little more logged, and all of it counted."""

from __future__ import annotations

import io
import sys

import pytest

from ggp.engine.worker.printed import MAX_CHARACTERS, MAX_LOGGED, PrintedLines


def test_what_is_beyond_the_bounds_is_counted_and_written_nowhere(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Writing it took a second of the turn: so many writes to a pipe."""
    log = io.StringIO()
    monkeypatch.setattr("sys.stderr", log)
    told: list[tuple[str, int, int]] = []
    printed = PrintedLines(lambda *what: told.append(what))

    with printed.taking():
        for number in range(20_000):
            sys.stdout.write(f"line {number}\n")
        sys.stdout.write("é")

    kept = "".join(text for text, _, _ in told)
    assert kept.startswith("line 0\nline 1\n")
    assert kept.endswith("... (more is in the log)\n")
    assert len(kept) < MAX_CHARACTERS + 50
    assert MAX_LOGGED < len(log.getvalue()) < MAX_LOGGED + 50
    assert sum(lines for _, lines, _ in told) == 20_001
    assert sum(size for _, _, size in told) == sum(len(f"line {n}\n") for n in range(20_000)) + 2

    printed.renew()
    with printed.taking():
        sys.stdout.write("next turn\n")

    assert told[-1] == ("next turn\n", 1, 10)
    assert log.getvalue().endswith("next turn\n")
