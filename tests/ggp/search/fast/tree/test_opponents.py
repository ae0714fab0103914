"""Other roles that err: what is believed of them, what it changes, what equal moves bring then."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

import pytest

import gdl
from ggp import games
from ggp.clock import Deadline
from ggp.search.core.choices import Joint
from ggp.search.fast.lanes import LaneSettings
from ggp.search.fast.tree.nodes import Pool
from ggp.search.fast.tree.opponents import AT_RANDOM, BY_ORDER
from ggp.search.fast.tree.search import LaneSearch
from tests.ggp.search.fast.tree.test_search import MEBIBYTE, machine_of, run, search_in

pytestmark = pytest.mark.usefixtures("kernels")

THREE = "threePlayerTicTacToe"

# `they` may give the match to `we` or to `third`, and gain nothing by either; `third` would win by
# answering x.
THIRD = """
(role we) (role they) (role third) (init start)
(<= (legal we ?m) (true start) (choice ?m)) (choice a) (choice b)
(<= (legal we noop) (true (after ?c)))
(<= (legal they noop) (role they))
(<= (legal third noop) (true start))
(<= (legal third ?m) (true (after ?c)) (answer ?m)) (answer x) (answer y) (answer z)
(<= (next (after ?c)) (does we ?c))
(<= (next (end ?c ?m)) (true (after ?c)) (does third ?m))
(<= terminal (true (end ?c ?m)))
(<= (goal we 40) (true (end a ?m)))
(<= (goal we 0) (true (end b x))) (<= (goal we 100) (true (end b y)))
(<= (goal we 100) (true (end b z))) (<= (goal they 0) terminal)
(<= (goal third 0) (true (end a ?m)))
(<= (goal third 100) (true (end b x))) (<= (goal third 0) (true (end b y)))
(<= (goal third 0) (true (end b z)))
"""


def follow(
    search: LaneSearch, choose: Callable[[Sequence[gdl.Move]], gdl.Move], plies: int
) -> None:
    """Play on: the search for its own role, all others by a rule."""
    machine = search.game
    for _ in range(plies):
        run(search, 60)
        legal = [machine.legal_moves(search.state, role) for role in machine.roles]
        moves = [choose(each) for each in legal]
        moves[search.own] = search.result().move
        search.advance(tuple(moves), machine.next_state(search.state, moves))


def test_a_role_that_makes_the_first_legal_move_is_found_out() -> None:
    """Three such moves are enough; what it may do next is not proven any more."""
    search = search_in(THREE)

    follow(search, lambda legal: legal[0], 4)

    beliefs = search._opponents.beliefs
    assert (beliefs.erring[1:, BY_ORDER] > 0.3).all()
    assert search._opponents.untrusted == [1, 2]
    assert not beliefs.erring[0].any()


def test_a_role_that_does_not_think_makes_the_others_doubtful() -> None:
    """They are probably of the same kind, though nothing else is known of them."""
    search = search_in(THREE)
    before = search._opponents.beliefs.erring[2].sum()

    search._opponents._likelihoods[1][:] = (0, 0, 1)
    search._opponents.apply_to(search._pool)

    assert search._opponents.beliefs.erring[2].sum() > 0.6 > before
    assert search._opponents.untrusted == [1, 2]


def test_a_role_that_moves_as_the_tree_would_is_trusted() -> None:
    """Another tree of the same kind plays for the others."""
    search = search_in(THREE)
    before = search._opponents.beliefs.erring.sum(axis=1)
    machine = search.game
    for _ in range(3):
        run(search, 50)
        moves = []
        for role in machine.roles:
            legal = machine.legal_moves(search.state, role)
            other = LaneSearch(machine, search.state, role, seed=7, settings=search.settings)
            moves.append(run(other, 50).move if len(legal) > 1 else legal[0])
        search.advance(tuple(moves), machine.next_state(search.state, moves))

    assert (search._opponents.beliefs.erring.sum(axis=1)[1:] < before[1:]).all()


def test_a_tree_that_relied_on_a_role_in_doubt_is_kept_until_the_search_continues(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """So it shows what further moves say about the others, if they follow without a pause."""
    search = search_in(THREE)
    machine, opponents = search.game, search._opponents

    def find_out(pool: Pool, node: int, moves: Joint) -> None:
        opponents._likelihoods[1][:] = (0, 0, 1)
        opponents.apply_to(pool)

    monkeypatch.setattr(opponents, "observe", find_out)
    run(search, 50)
    trusted = not opponents.untrusted
    moves = [machine.legal_moves(search.state, role)[0] for role in machine.roles]
    search.advance(tuple(moves), machine.next_state(search.state, moves))
    before = search.effort.num_nodes
    search.step(Deadline.never())

    assert trusted
    assert opponents.untrusted == [1, 2]
    assert search.effort.num_nodes < before


@pytest.mark.parametrize("name", ["ticTacToe", "connectFour", "goofspiel"])
def test_between_two_players_no_role_is_doubted(name: str) -> None:
    """There a good reply to a perfect player is good enough against any."""
    search = search_in(name)

    follow(search, lambda legal: legal[0], 3)

    assert not search._opponents.beliefs.erring.any()
    assert search._opponents.untrusted == []


@pytest.mark.parametrize(("thinks", "best"), [(True, "a"), (False, "b")])
def test_a_role_that_does_not_think_is_given_the_chance_to_err(thinks: bool, best: str) -> None:
    """After b the third role wins by one answer of three; if it draws lots, b is better."""
    machine = gdl.load(THIRD, "lanes")
    search = LaneSearch(machine, machine.initial_state(), machine.roles[0], seed=1)
    search._opponents._likelihoods[2][:] = (1, 0, 0) if thinks else (0, 1, 0)
    search._opponents._likelihoods[1][:] = (1, 0, 0)
    search._opponents.apply_to(search._pool)

    result = run(search, 50)

    assert str(result.move) == best
    assert result.upper == (40 if thinks else 100)


def test_games_of_one_role_have_no_others() -> None:
    """Nothing to doubt, and no bit set."""
    search = LaneSearch(*_single(), seed=1)

    assert search._opponents.untrusted == []
    assert search._opponents.beliefs.erring.shape == (1, AT_RANDOM + 2)


def _single() -> tuple[gdl.Game, gdl.State, gdl.Role]:
    machine = machine_of("lightsOut")
    return machine, machine.initial_state(), machine.roles[0]


# With a number of rounds the clock has no say: the same seed gives the same matches.
SETTINGS = LaneSettings(memory=16 * MEBIBYTE, rounds=4)


def settled(search: LaneSearch) -> LaneSearch:
    """A search that has nothing left to learn for its move."""
    for _ in range(3000):
        if search.is_decided or not search.step(Deadline.never()):
            break
    assert search.is_decided
    return search


def points_against_random(machine: gdl.Game, seat: int, num_matches: int) -> list[int]:
    """Goals of matches of ticTacToe against a player that moves at random."""
    rng, goals = random.Random(seat), []
    for number in range(num_matches):
        state = machine.initial_state()
        search = LaneSearch(machine, state, machine.roles[seat], number, SETTINGS)
        while not machine.is_terminal(state):
            moves = [rng.choice(machine.legal_moves(state, role)) for role in machine.roles]
            if len(machine.legal_moves(state, machine.roles[seat])) > 1:
                moves[seat] = settled(search).result().move
            state = machine.next_state(state, tuple(moves))
            search.advance(tuple(moves), state)
        goals.append(machine.goal(state, machine.roles[seat]))
    return goals


@pytest.mark.parametrize(
    ("seat", "least", "num_matches"),
    [
        (1, 85, 4),
        pytest.param(0, 93, 12, marks=pytest.mark.thorough),
        pytest.param(1, 85, 12, marks=pytest.mark.thorough),
    ],
)
def test_who_errs_is_beaten(seat: int, least: int, num_matches: int) -> None:
    """A drawn game is won against a role that moves at random, and never lost."""
    goals = points_against_random(gdl.load(games.text("ticTacToe")), seat, num_matches)

    assert min(goals) >= 50
    assert sum(goals) / num_matches >= least


def test_all_moves_of_equal_value_are_known() -> None:
    """All nine first moves of ticTacToe draw; the search ends when that is proven of each."""
    result = settled(search_in("ticTacToe", settings=SETTINGS)).result()

    assert {(each.lower, each.upper) for each in result.moves} == {(50, 50)}
    # A middle or a corner leaves more ways to go wrong than an edge.
    assert str(result.move) not in {"(mark 1 2)", "(mark 2 1)", "(mark 2 3)", "(mark 3 2)"}


def test_where_all_is_lost_the_longest_way_is_taken() -> None:
    """In ticTacToe x threatens two rows: the move that blocks one of them lasts no less."""
    plies = (
        "(mark 1 1),noop",
        "noop,(mark 1 2)",
        "(mark 2 2),noop",
        "noop,(mark 3 3)",
        "(mark 2 1),noop",
    )
    search = settled(search_in("ticTacToe", *plies, role=1, settings=SETTINGS))
    best = search.result().moves[0]

    assert best.upper == 0
    assert best.length == max(each.length or 0 for each in search.result().moves)
    assert machine_of("ticTacToe").roles[1] == search.game.roles[search.own]
