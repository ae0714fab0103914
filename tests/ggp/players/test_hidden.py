"""The player of hidden information, by each of its methods, and by the solution of small games."""

from __future__ import annotations

import random
from collections import Counter

import pytest

import gdl
from ggp import games
from ggp.belief import Belief
from ggp.clock import Deadline
from ggp.players import Player, create

pytestmark = pytest.mark.usefixtures("kernels")

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
        match(phantom, seated(phantom, 1, method=method, iterations="60"), seed=7) for _ in range(2)
    ]

    assert found[0] == found[1]


@pytest.mark.parametrize("method", METHODS)
def test_rounds_are_counted(phantom: gdl.Game, method: str) -> None:
    """As many as were asked for, or nearly."""
    player = seated(phantom, 0, method=method, iterations="200")
    player.choose(phantom.initial_state(), Deadline.never())

    assert 0 < int(str(player.thoughts["iterations"])) <= 200
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


def prepared(game: gdl.Game, role: int, **options: str) -> Player:
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
    player = prepared(kuhn, 1)
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


def test_other_searches_call_nothing_proven() -> None:
    """They search one state that agrees with what was seen; there may be others."""
    game = gdl.load(
        "(role me) (role you) (init start) (legal me win) (legal me lose) (legal you noop)"
        "(<= (next won) (does me win)) (<= (next over) (true start)) (<= terminal (true over))"
        "(<= (goal me 100) (true won)) (<= (goal me 0) (not (true won))) (goal you 0)"
        "(<= (sees me won) (true won))",
        "interpreter",
    )
    told = []
    for belief in (None, Belief(game, game.roles[0])):
        player = create("mcts", game, game.roles[0], {"iterations": "50"}, seed=1)
        player.belief = belief
        assert str(player.choose(game.initial_state(), Deadline.never())) == "win"
        told.append([player.thoughts.get(key) for key in ("solved", "lower", "upper", "plies")])

    assert told == [[True, 100.0, 100.0, 1], [False, 0.0, 100.0, None]]
