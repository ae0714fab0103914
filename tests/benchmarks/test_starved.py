"""A player that is given next to no time of a core answers legal moves, for a whole match."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.shared import REPOSITORY


@pytest.mark.thorough
def test_two_percent_of_a_core_are_enough_for_legal_moves() -> None:
    """However many of them are not the search's own choice."""
    clocks = ("--startclock", "15", "--playclock", "5", "--settle", "10")
    command = [sys.executable, "benchmarks/starved.py", "ticTacToe", "--matches", "1", *clocks]

    told = subprocess.run(
        command, cwd=REPOSITORY, capture_output=True, text=True, timeout=300, check=False
    )

    row = next(line for line in told.stdout.splitlines() if line.startswith("ticTacToe"))
    _, _, matches, answers, _, illegal, *_ = row.split()
    assert told.returncode == 0, told.stdout + told.stderr
    assert int(matches) == 1
    assert int(answers) >= 5
    assert int(illegal) == 0
