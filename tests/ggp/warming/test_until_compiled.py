"""Advice after an install, while the kernels of reasoner and searches are being compiled."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Event

import pytest
from typer.testing import CliRunner

from ggp.cli import app
from ggp.terminal import person_match
from ggp.warming import SLOWER_MESSAGE, kernels

PROGRAM = """
import subprocess
from gdl.native import kernel_cache
from ggp.cli import main

def start_apart(module, lock):  # a compiler that is not done before this process ends
    return subprocess.Popen(["cat"], stdin=subprocess.PIPE)

kernel_cache._start_apart = start_apart
main()
"""


@pytest.fixture
def _compiler(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Nothing is compiled yet, and the process that compiles is not done before the test ends."""
    end = Event()
    person_match._say_once.cache_clear()
    monkeypatch.setattr(kernels, "is_compiled", lambda: False)
    monkeypatch.setattr(kernels, "compile_apart", end.wait)
    kernels._begun_apart.cache_clear()
    yield
    end.set()
    kernels._begun_apart().join()
    kernels._begun_apart.cache_clear()


def play(patch: pytest.MonkeyPatch, typed: str, game: str) -> None:
    """Run `ggp play` with these lines from a pipe."""
    reading, writing = os.pipe()
    os.write(writing, typed.encode())
    os.close(writing)
    with os.fdopen(reading) as stdin:
        patch.setattr(sys, "stdin", stdin)
        with pytest.raises(SystemExit) as left:
            app(["play", game, "--against", "legal"])
    assert left.value.code == 0


@pytest.mark.usefixtures("_compiler")
def test_hints_come_by_a_slower_search_and_say_so_once(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """They do not wait for the compiler, however often they are asked for."""
    play(monkeypatch, "hint 0.1\nanalyze 0.1\nquit\n", "ticTacToe")

    written = capsys.readouterr()
    assert written.out.count("hint: ") == 1
    assert "visits" in written.out
    assert written.err.count(SLOWER_MESSAGE) == 1


@pytest.mark.usefixtures("_compiler")
def test_analyze_searches_on_the_interpreter() -> None:
    """And says it, also to programs."""
    done = CliRunner().invoke(app, ["analyze", "ticTacToe", "--seconds", "0.1", "--json"])

    assert json.loads(done.stdout)["engine"] == "interpreter"
    assert done.stderr.count(SLOWER_MESSAGE) == 1


@pytest.mark.usefixtures("_compiler")
def test_what_a_person_may_know_is_worked_out_meanwhile(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In a game of hidden information each turn needs it."""
    play(monkeypatch, "quit\n", "kuhnPoker")

    written = capsys.readouterr()
    assert "You have left the match" in written.out
    assert written.err.count(SLOWER_MESSAGE) == 1


@pytest.mark.thorough
def test_without_kernels_on_the_disk_hints_come_by_a_slower_search(tmp_path: Path) -> None:
    """In a process of its own, with an empty cache."""
    tmp_path.chmod(0o700)

    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, "play", "ticTacToe", "--against", "legal"],
        env=os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)},
        input="hint 0.2\nanalyze 0.2\nquit\n",
        capture_output=True,
        text=True,
        check=True,
    )

    assert done.stdout.count("hint: ") == 1
    assert "visits" in done.stdout
    assert done.stderr.count(SLOWER_MESSAGE) == 1
