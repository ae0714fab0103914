"""Advice after an install, while the kernels of reasoner and searches are being compiled."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from ggp.warming import SLOWER_MESSAGE

PROGRAM = """
import subprocess
from gdl.circuit.native import kernel_cache
from ggp.cli import main

def start_apart(module, lock):  # a compiler that is not done before this process ends
    return subprocess.Popen(["cat"], stdin=subprocess.PIPE)

kernel_cache._start_apart = start_apart
main()
"""


def run(cache: Path, *args: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    """Run `ggp` where nothing is compiled yet, nor will be."""
    cache.chmod(0o700)
    command = [sys.executable, "-c", PROGRAM, *args]
    environment = os.environ | {"NUMBA_CACHE_DIR": str(cache)}
    return subprocess.run(
        command, env=environment, input=typed, capture_output=True, text=True, check=True
    )


def test_hints_come_by_a_slower_search_and_say_so_once(tmp_path: Path) -> None:
    """They do not wait for the compiler, however often they are asked for."""
    typed = "hint 0.2\nanalyze 0.2\nquit\n"

    done = run(tmp_path, "play", "ticTacToe", "--against", "legal", typed=typed)

    assert done.stdout.count("hint: ") == 1
    assert "visits" in done.stdout
    assert done.stderr.count(SLOWER_MESSAGE) == 1


def test_analyze_searches_on_the_interpreter(tmp_path: Path) -> None:
    """And says it, also to programs."""
    done = run(tmp_path, "analyze", "ticTacToe", "--seconds", "0.2", "--json")

    assert json.loads(done.stdout)["engine"] == "interpreter"
    assert done.stderr.count(SLOWER_MESSAGE) == 1


def test_what_a_person_may_know_is_worked_out_meanwhile(tmp_path: Path) -> None:
    """In a game of hidden information each turn needs it."""
    done = run(tmp_path, "play", "kuhnPoker", "--against", "legal", typed="quit\n")

    assert "You have left the match" in done.stdout
    assert done.stderr.count(SLOWER_MESSAGE) == 1
