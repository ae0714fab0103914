"""The player of hidden information solves small games, and plays by what it found."""

from __future__ import annotations

from collections import Counter

import pytest

import gdl
from ggp import games
from ggp.belief import Belief
from ggp.clock import Deadline
from ggp.players import Player, create


def seated(game: gdl.Game, role: int, **options: str) -> Player:
    """The player `hidden`, after the startclock."""
    player = create("hidden", game, game.roles[role], options, seed=1)
    player.belief = Belief(game, game.roles[role], seed=1)
    player.prepare(game.initial_state(), Deadline.after(20.0))
    return player


def tell(player: Player, own_move: str, *percepts: str) -> None:
    """Let the player know what it sees in a turn."""
    assert player.belief is not None
    seen = frozenset(map(gdl.read_term, percepts))
    player.belief.advance(gdl.read_term(own_move), seen, is_over=False)


def choices(player: Player, num: int) -> Counter[str]:
    """What it chooses so many times."""
    assert player.belief is not None
    state = player.belief.sample().state
    return Counter(str(player.choose(state, Deadline.after(5.0))) for _ in range(num))


@pytest.fixture(scope="module")
def kuhn() -> gdl.Game:
    """Kuhn poker."""
    return gdl.load(games.text("kuhnPoker"), "scalar")


def test_a_bluff_is_made_as_often_as_it_should_be(kuhn: gdl.Game) -> None:
    """With a jack, after a pass: a third of the time. The thoughts say so."""
    player = seated(kuhn, 1)
    tell(player, "noop", "(got jack)")
    tell(player, "noop", "(says first pass)")

    found = choices(player, 600)

    assert found["bet"] / 600 == pytest.approx(1 / 3, abs=0.08)
    assert player.thoughts["shares"] == {
        "pass": pytest.approx(2 / 3, abs=0.03),
        "bet": pytest.approx(1 / 3, abs=0.03),
    }
    assert player.thoughts["worlds"] == 2


def test_a_large_game_is_searched() -> None:
    """It is not solved, and what is known of its size costs no startclock."""
    game = gdl.load(games.text("phantomTicTacToe"), "scalar")
    player = create("hidden", game, game.roles[0], {"iterations": "100"}, seed=1)
    player.belief = Belief(game, game.roles[0], seed=1)
    player.prepare(game.initial_state(), Deadline.never())

    chosen = player.choose(game.initial_state(), Deadline.never())

    assert chosen in game.legal_moves(game.initial_state(), game.roles[0])
    assert "shares" not in player.thoughts


def test_without_time_nothing_is_solved(kuhn: gdl.Game) -> None:
    """A legal move there is all the same."""
    player = create("hidden", kuhn, kuhn.roles[1], {"iterations": "100"}, seed=1)
    player.belief = Belief(kuhn, kuhn.roles[1], seed=1)
    player.prepare(kuhn.initial_state(), Deadline.after(0.0))
    tell(player, "noop", "(got jack)")
    tell(player, "noop", "(says first pass)")

    assert set(choices(player, 3)) <= {"pass", "bet"}
    assert "shares" not in player.thoughts
