"""Which examples of a law every run shows, and which only a run of the thorough tests.

    @pytest.mark.parametrize("name", all_but(KINDS, games.names()))

Of a law that is shown on many games, `pytest` alone tries a few of different kinds. What is
marked `thorough` is run by `pytest -m thorough`, as `.ci/run` does after all others: a third of the
examples where there are many, or all where each is a subject of its own, such as a trace or a
bundled game. With GGP_TEST_WHOLE=1 in the environment it is all of them everywhere.
That reads only the files of tests that have the word `thorough`, and those of the manager.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable
from typing import Any, Final

import pytest

KINDS: Final = ("goofspiel", "hex", "lightsOut", "pig", "threePlayerTicTacToe", "ticTacToe")
"""Bundled games, one of each kind: moves at the same time, recursion within a state, a puzzle,
chance, three roles, two roles in turns."""


IS_WHOLE: Final = bool(os.environ.get("GGP_TEST_WHOLE"))
FEW: Final = 12
"""So many examples are not sampled,"""
EACH: Final = 3
"""of more every so manyth is taken."""


def all_but(
    quick: Collection[Any], values: Iterable[Any], *, is_whole: bool = IS_WHOLE
) -> list[Any]:
    """Values for `parametrize`: those that are not among the quick ones are marked `thorough`.

    Args:
        is_whole: Whether each value is to be tried, however many there are.
    """
    values = list(values)
    strangers = [value for value in quick if value not in values]
    assert not strangers, f"these are to be quick, but are none of the values: {strangers}"
    rest = [value for value in values if value not in quick]
    skipped = () if is_whole or len(rest) <= FEW else [*rest[1::EACH], *rest[2::EACH]]
    return [
        value if value in quick else pytest.param(value, marks=pytest.mark.thorough)
        for value in values
        if value not in skipped
    ]
