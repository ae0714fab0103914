"""Which examples of a law every run shows, and which only a run of the thorough tests.

    @pytest.mark.parametrize("name", all_but(KINDS, games.names()))

Of a law that is shown on many games, `pytest` alone tries a few of different kinds. What is
marked `thorough` is run by `pytest -m thorough`, as `.ci/run` does after all others.
That reads only the files of tests that have the word `thorough`, and those of the manager.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any, Final

import pytest

KINDS: Final = ("goofspiel", "hex", "lightsOut", "pig", "threePlayerTicTacToe", "ticTacToe")
"""Bundled games, one of each kind: moves at the same time, recursion within a state, a puzzle,
chance, three roles, two roles in turns."""


def all_but(quick: Collection[Any], values: Iterable[Any]) -> list[Any]:
    """Values for `parametrize`: those that are not among the quick ones are marked `thorough`."""
    values = list(values)
    strangers = [value for value in quick if value not in values]
    assert not strangers, f"these are to be quick, but are none of the values: {strangers}"
    return [
        value if value in quick else pytest.param(value, marks=pytest.mark.thorough)
        for value in values
    ]
