"""Images of states: the same board, turned."""

from __future__ import annotations

import numpy as np
import pytest

import gdl
from ggp.training.network.batch_play import Images
from tests.ggp.search.fast.tree.test_search import machine_of

pytestmark = pytest.mark.usefixtures("kernels")


def after(game: gdl.Game, move: str) -> np.ndarray:
    """The packed state after the first role's move."""
    state, role = game.initial_state(), game.roles[0]
    chosen = next(found for found in game.legal_moves(state, role) if str(found) == move)
    rest = [game.legal_moves(state, other)[0] for other in game.roles[1:]]
    assert game.simulator is not None
    return game.simulator.expander(1).pack(game.facts(game.next_state(state, (chosen, *rest))))


def test_the_board_of_connect_four_is_seen_in_the_mirror() -> None:
    """Each state stays or is mirrored, by lot."""
    game = machine_of("connectFour")
    images = Images(game)
    states = np.repeat(after(game, "(drop 1)")[None], 50, axis=0)

    found = images.drawn(states, np.random.default_rng(1))

    assert len(images) == 2
    assert {tuple(row) for row in found} == {
        tuple(after(game, "(drop 1)")),
        tuple(after(game, "(drop 7)")),
    }


def test_a_game_without_symmetries_keeps_its_states() -> None:
    """Nothing is drawn by lot."""
    game = machine_of("connectFour")
    images = Images(game)
    del images._becomes[1:]
    states = after(game, "(drop 1)")[None]

    assert images.drawn(states, np.random.default_rng(1)) is states
