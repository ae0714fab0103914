"""A player that is given next to no time of a core plays a whole match, and knows its guesses."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.shared import REPOSITORY


@pytest.mark.thorough
def test_with_two_percent_of_a_core_only_a_guess_is_illegal() -> None:
    """On some machines a process gets no time for seconds: no position is known, or it is late."""
    clocks = ("--startclock", "15", "--playclock", "5", "--settle", "10")
    command = [sys.executable, "benchmarks/starved.py", "ticTacToe", "--matches", "1", *clocks]

    told = subprocess.run(
        command, cwd=REPOSITORY, capture_output=True, text=True, timeout=300, check=False
    )

    row = next(line for line in told.stdout.splitlines() if line.startswith("ticTacToe"))
    _, _, matches, answers, *_ = row.split()
    assert told.returncode == 0, told.stdout + told.stderr
    assert int(matches) == 1
    assert int(answers) >= 5
