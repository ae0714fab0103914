"""Tests of the tools on standard input and output."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import suppress
from typing import Any

import pytest
from typer.testing import CliRunner

from ggp.cli import app

WHO = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "test", "version": "1"},
}
ASKED = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": WHO}) + "\n"


def test_a_client_that_is_gone_is_no_fault(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Nobody reads the answer; the server ends, and has nothing to complain about."""
    from ggp.mcp_server.server import run_stdio

    (asked, ask), (hear, answered) = os.pipe(), os.pipe()
    os.write(ask, ASKED.encode())
    os.close(ask)
    os.close(hear)
    with (
        suppress(BrokenPipeError),  # of what it could not write
        os.fdopen(asked, encoding="utf-8") as said,
        os.fdopen(answered, "w", encoding="utf-8") as told,
    ):
        monkeypatch.setattr(sys, "stdin", said)
        monkeypatch.setattr(sys, "stdout", told)
        run_stdio(hides_legal=False)
        monkeypatch.undo()

    assert not caplog.records


@pytest.mark.thorough
def test_a_process_whose_client_dies_ends_well() -> None:
    """Likewise, of a process of its own: its exit code is 0."""
    server = subprocess.Popen(
        [sys.executable, "-m", "ggp", "mcp"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert server.stdin is not None
    assert server.stdout is not None
    server.stdout.close()
    _, errors = server.communicate(ASKED.encode(), timeout=120)

    assert (server.returncode, errors) == (0, b"")


@pytest.mark.parametrize("hides_legal", [False, True])
def test_the_verb_serves_with_its_option(
    hides_legal: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`--hide-legal` reaches the server."""
    served: list[dict[str, Any]] = []
    monkeypatch.setattr("ggp.mcp_server.server.run_stdio", lambda **given: served.append(given))

    done = CliRunner().invoke(app, ["mcp", *(["--hide-legal"] if hides_legal else [])])

    assert (done.exit_code, done.stdout) == (0, "")
    assert served == [{"hides_legal": hides_legal}]
