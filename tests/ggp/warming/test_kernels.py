"""Warming up: what is loaded before the clock of a match runs."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.ggp.warming.matches import HIDDEN, SECONDS, fetched_in_matches
from tests.shared import REPOSITORY

pytestmark = pytest.mark.usefixtures("kernels")


def test_nothing_is_compiled_or_fetched_from_the_disk_in_a_match() -> None:
    """Not for chance, and not for one role."""
    assert fetched_in_matches(["pig", "eightPuzzle"]) == []


@pytest.mark.thorough
def test_nothing_is_compiled_or_fetched_in_a_match_of_a_new_process() -> None:
    """Not for one role, its parts, two or chance, with a full tree or a network, or in the dark."""
    command = [sys.executable, "-m", "tests.ggp.warming.matches", *SECONDS, *HIDDEN]

    done = subprocess.run(command, check=True, capture_output=True, text=True, cwd=REPOSITORY)

    assert done.stdout == "[]\n"
