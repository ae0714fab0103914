"""A value network where alpha-beta stops: the same values in arrays and state by state."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

import gdl
from ggp import games
from ggp.clock import Deadline
from ggp.players.options import PlayerSpecError
from ggp.players.registry import create
from ggp.search.evaluation.network.file import write_network
from ggp.search.evaluation.network.network import NetworkEvaluation
from ggp.search.fast.alphabeta.search import make_search
from ggp.search.textbook.adversarial.depth_searches import MinimaxToDepth
from tests.ggp.search.evaluation.network.random_networks import game_of, random_network

pytestmark = pytest.mark.usefixtures("kernels")


def states_of(game: gdl.Game, num: int) -> list[gdl.State]:
    """The first states of a random game."""
    rng, states = random.Random(3), [game.initial_state()]
    while len(states) < num:
        joint = [rng.choice(game.legal_moves(states[-1], role)) for role in game.roles]
        states.append(game.next_state(states[-1], joint))
    return states


@pytest.mark.parametrize("is_shared", [False, True])
@pytest.mark.parametrize("depth", [1, 2])
def test_arrays_find_what_the_textbook_finds(depth: int, is_shared: bool) -> None:
    """For both roles, in states of both phases."""
    game = game_of("connectFour")
    network = replace(random_network(game), is_shared=is_shared)
    evaluate = NetworkEvaluation(network, game)
    minimax = MinimaxToDepth(evaluate)
    for role in game.roles:
        arrays = make_search(game, role, evaluate, 1 << 10)
        assert arrays is not None
        for state in states_of(game, 4):
            found = arrays.look(state, depth=depth, deadline=Deadline.never())
            known = minimax(game, state, role, depth=depth, deadline=Deadline.never())
            assert found.value == pytest.approx(known.value, abs=1e-3)


def test_players_that_value_states_take_a_network(tmp_path: Path) -> None:
    """But not besides another evaluation."""
    game, file = game_of("connectFour"), tmp_path / "some.network"
    write_network(random_network(game), file)
    state, role = game.initial_state(), game.roles[0]
    player = create(f"alphabeta:network={file},depth=2", game, role, {}, 1)
    player.set_up()
    search = player.new_search(state)  # type: ignore[attr-defined]  # of players that search
    while search.step(Deadline.never()):
        pass
    assert search.result().move in game.legal_moves(state, role)
    with pytest.raises(PlayerSpecError, match="cannot be combined with eval"):
        create(f"alphabeta:network={file},eval=even", game, role, {}, 1).set_up()


def test_a_network_needs_a_compiled_game(tmp_path: Path) -> None:
    """A file that is named is refused then; what would be looked for is not."""
    file = tmp_path / "some.network"
    write_network(random_network(game_of("connectFour")), file)
    game = gdl.load(games.text("connectFour"), "interpreter")

    create("alphabeta:network=auto", game, game.roles[0], {}, 1).set_up()
    with pytest.raises(PlayerSpecError, match="expected a compiled game"):
        create(f"alphabeta:network={file}", game, game.roles[0], {}, 1).set_up()
