"""Targets of the two ways of learning, on numbers that can be checked by hand."""

from __future__ import annotations

import numpy as np
import pytest

from ggp.training.weights.selfplay import PlayedGame
from ggp.training.weights.targets import samuel_targets, td_targets

VALUES = np.array([[0.5, 0.5], [0.6, 0.4], [0.8, 0.2]])
WON = np.array([1.0, 0.0])


def test_with_lambda_1_only_the_end_counts() -> None:
    """Every state should have been worth what came out."""
    found = td_targets(VALUES, WON, 1)

    assert found == pytest.approx(np.array([WON, WON, WON]))


def test_with_lambda_0_the_next_value_counts() -> None:
    """And after the last state the end."""
    found = td_targets(VALUES, WON, 0)

    assert found == pytest.approx(np.array([[0.6, 0.4], [0.8, 0.2], WON]))


def test_lambda_mixes_the_two_ply_by_ply() -> None:
    """G(t) = (1 - lambda) V(t+1) + lambda G(t+1)."""
    found = td_targets(VALUES, WON, 0.5)

    assert found[:, 0] == pytest.approx([0.5 * 0.6 + 0.5 * 0.9, 0.5 * 0.8 + 0.5 * 1, 1])


def test_samuel_aims_at_what_the_search_backed_up() -> None:
    """There is nothing to learn where nobody searched."""
    game = PlayedGame(("a", "b", "c"), ((80, None), (None, None), (None, 70)), (100, 0))

    found = samuel_targets(game, is_tug_of_war=False)

    assert found == pytest.approx(
        np.array([[0.8, np.nan], [np.nan, np.nan], [np.nan, 0.7]]), nan_ok=True
    )


def test_in_a_tug_of_war_one_value_tells_the_other() -> None:
    """A state that is good for one is as bad for the other."""
    game = PlayedGame(("a", "b", "c"), ((80, None), (None, None), (None, 70)), (100, 0))

    found = samuel_targets(game, is_tug_of_war=True)

    assert found == pytest.approx(np.array([[0.8, 0.2], [np.nan, np.nan], [0.3, 0.7]]), nan_ok=True)
