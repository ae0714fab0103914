"""The player of hidden information, by each of its methods."""

from __future__ import annotations

import random

import pytest

import gdl
from ggp import games
from ggp.belief import Belief
from ggp.clock import Deadline
from ggp.players import Player, create

METHODS = ("determinised", "ismcts")


def seated(game: gdl.Game, seat: int, seed: int = 1, **options: str) -> Player:
    """The player `hidden` with a belief."""
    player = create("hidden", game, game.roles[seat], options, seed=seed)
    player.belief = Belief(game, game.roles[seat], seed=seed)
    return player


def match(game: gdl.Game, player: Player, seed: int) -> list[gdl.Move]:
    """The moves of a player against others who play at random; all are legal."""
    rng = random.Random(seed)
    state, chosen = game.initial_state(), []
    assert player.belief is not None
    while not game.is_terminal(state):
        moves = [rng.choice(game.legal_moves(state, role)) for role in game.roles]
        seat = game.roles.index(player.role)
        moves[seat] = player.choose(player.belief.sample().state, Deadline.never())
        assert moves[seat] in game.legal_moves(state, player.role)
        chosen.append(moves[seat])
        percepts = frozenset(game.percepts(state, moves, player.role))
        state = game.next_state(state, moves)
        player.belief.advance(moves[seat], percepts, is_over=game.is_terminal(state))
    return chosen


@pytest.fixture(scope="module")
def phantom() -> gdl.Game:
    """Phantom tic-tac-toe."""
    return gdl.load(games.text("phantomTicTacToe"), "scalar")


@pytest.mark.parametrize("method", METHODS)
def test_moves_are_legal_and_the_same_for_the_same_seed(phantom: gdl.Game, method: str) -> None:
    """Whole matches, with rounds that are counted."""
    found = [
        match(phantom, seated(phantom, 1, method=method, iterations="200"), seed=7)
        for _ in range(2)
    ]

    assert found[0] == found[1]


@pytest.mark.parametrize("method", METHODS)
def test_rounds_are_counted(phantom: gdl.Game, method: str) -> None:
    """As many as were asked for, or nearly."""
    player = seated(phantom, 0, method=method, iterations="500")
    player.choose(phantom.initial_state(), Deadline.never())

    assert 0 < int(str(player.thoughts["iterations"])) <= 500
    assert player.thoughts["worlds"] == 1
    assert player.thoughts["complete"] is True


def test_an_interpreted_game_is_played_by_worlds() -> None:
    """Information-set search needs a compiled game."""
    game = gdl.load(games.text("phantomTicTacToe"), "interpreter")
    player = seated(game, 0, iterations="20")

    chosen = player.choose(game.initial_state(), Deadline.never())

    assert chosen in game.legal_moves(game.initial_state(), player.role)
    assert int(str(player.thoughts["iterations"])) > 0


def test_where_nothing_is_hidden_it_plays_as_mcts() -> None:
    """Without a belief."""
    game = gdl.load(games.text("ticTacToe"), "scalar")
    player = create("hidden", game, game.roles[0], {"iterations": "100"}, seed=1)
    player.prepare(game.initial_state(), Deadline.after(0.0))

    chosen = player.choose(game.initial_state(), Deadline.never())

    assert chosen in game.legal_moves(game.initial_state(), player.role)
    assert "worlds" not in player.thoughts
