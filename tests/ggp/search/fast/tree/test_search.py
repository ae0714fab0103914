"""The search on lanes: what it finds, proves, keeps and forgets."""

from __future__ import annotations

from functools import cache

import pytest

import gdl
from ggp import games
from ggp.clock import Deadline
from ggp.search.core.result import SearchResult
from ggp.search.fast.lanes import LaneSettings, has_lanes
from ggp.search.fast.tree.search import LaneSearch
from tests.thorough import KINDS, all_but

pytestmark = pytest.mark.usefixtures("kernels")

MEBIBYTE = 1 << 20
SMALL = LaneSettings(memory=64 * MEBIBYTE)

# The first role wins by taking the only good one of three moves; the second by answering b with x.
TRAP = """
(role we) (role they) (init start)
(<= (legal we ?m) (true start) (choice ?m)) (choice a) (choice b) (choice c)
(<= (legal they noop) (true start))
(<= (legal they ?m) (true (after ?c)) (answer ?m)) (answer x) (answer y)
(<= (legal we noop) (true (after ?c)))
(<= (next (after ?c)) (does we ?c))
(<= (next (end ?c ?m)) (true (after ?c)) (does they ?m))
(<= terminal (true (end ?c ?m)))
(<= (goal we 100) (true (end c ?m))) (<= (goal they 0) (true (end c ?m)))
(<= (goal we 100) (true (end b y))) (<= (goal they 0) (true (end b y)))
(<= (goal we 0) (true (end b x))) (<= (goal they 100) (true (end b x)))
(<= (goal we 50) (true (end a ?m))) (<= (goal they 50) (true (end a ?m)))
"""


@cache
def machine_of(name: str) -> gdl.Game:
    """A bundled game, or rules, compiled."""
    return gdl.load(TRAP if name == "trap" else games.text(name), "lanes")


def search_in(name: str, *plies: str, role: int = 0, settings: LaneSettings = SMALL) -> LaneSearch:
    """A search after some joint moves, each written as its moves with commas between."""
    machine = machine_of(name)
    state = machine.initial_state()
    rules = gdl.read_rules(TRAP if name == "trap" else games.text(name))
    for ply in plies:
        state = machine.next_state(state, [gdl.read_term(m, rules) for m in ply.split(",")])
    return LaneSearch(machine, state, machine.roles[role], seed=1, settings=settings)


def run(search: LaneSearch, steps: int) -> SearchResult:
    """Take so many steps, fewer if nothing is left to learn."""
    for _ in range(steps):
        if not search.step(Deadline.never()):
            break
    return search.result()


def test_a_forced_win_is_proven_and_played() -> None:
    """Move c wins whatever they do; b would win only if they err, and averages well."""
    result = run(search_in("trap"), 50)

    assert str(result.move) == "c"
    assert (result.lower, result.upper) == (100, 100)


def test_a_small_game_is_solved_to_the_end() -> None:
    """The game ticTacToe is a draw, and the search stops when it knows that."""
    search = search_in("ticTacToe")

    result = run(search, 5000)

    assert (result.lower, result.upper) == (50, 50)
    assert search.is_decided
    assert not search.step(Deadline.never())


def test_a_loss_that_threatens_is_seen() -> None:
    """Every other answer than the blocking one loses at once."""
    plies = ("(mark 1 1),noop", "noop,(mark 2 2)", "(mark 1 2),noop")

    result = run(search_in("ticTacToe", *plies, role=1), 200)

    assert str(result.move) == "(mark 1 3)"


@pytest.mark.parametrize("name", all_but(KINDS, games.names()))
def test_every_bundled_game_can_be_searched(name: str) -> None:
    """One, two and three roles, turns or not, chance or not: a legal move, a value in range."""
    search = search_in(name)
    machine = machine_of(name)

    result = run(search, 10)

    assert result.move in machine.legal_moves(machine.initial_state(), machine.roles[0])
    assert 0 <= result.lower <= result.value <= result.upper <= 100
    assert search.effort.num_nodes > 1


def test_what_is_below_a_move_is_kept() -> None:
    """After the move the tree has the visits that it had below it, and its rounds go on."""
    search = search_in("connectFour")
    before = run(search, 100)
    machine = machine_of("connectFour")
    best = before.moves[0]

    search.advance(before.line[0], machine.next_state(search.state, before.line[0]))

    after = search.result()
    assert after.visits > 0.9 * best.visits
    assert run(search, 10).visits > after.visits


def test_a_move_that_was_never_looked_at_begins_a_new_tree() -> None:
    """Also when the manager made another move than anybody thought of."""
    search = search_in("connectFour")
    machine = machine_of("connectFour")
    state = machine.initial_state()
    moves = tuple(machine.legal_moves(state, role)[-1] for role in machine.roles)

    search.advance(moves, machine.next_state(state, moves))

    assert search.state == machine.next_state(state, moves)
    result = run(search, 5)
    assert result.move in machine.legal_moves(search.state, machine.roles[0])


def test_a_full_tree_forgets_and_goes_on() -> None:
    """Memory is bounded: the tree never grows past it, and the best moves stay known."""
    search = search_in("connectFour", settings=LaneSettings(memory=2 * MEBIBYTE))
    most = 0
    for _ in range(400):
        search.step(Deadline.never())
        most = max(most, search.effort.num_nodes)

    assert search.effort.num_iterations > 2 * most
    assert search.effort.num_nodes <= most
    assert search.result().visits > 5000


def test_games_that_are_not_compiled_cannot_be_searched() -> None:
    """The interpreter has no lanes."""
    interpreter = gdl.load(games.text("nim"), "interpreter")

    assert not has_lanes(interpreter)
    assert has_lanes(machine_of("nim"))


def test_batches_are_large_where_many_are_to_come() -> None:
    """One of 128 is small beside a whole turn; where the turn is over at once it is not."""
    long, short = search_in("breakthrough"), search_in("breakthrough")

    for _ in range(3):
        long.step(Deadline.never())
        short.step(Deadline.after(0))

    assert long.effort.num_iterations > 2 * short.effort.num_iterations


def test_a_batch_that_would_end_late_does_not_begin() -> None:
    """A new search takes its first batch in any case."""
    search = search_in("breakthrough")

    assert search.step(Deadline.after(0))
    search._last_two = 10.0, 10.0  # seconds of the last two batches, as in a very large game
    before = search.effort.num_iterations

    assert search.step(Deadline.after(5))
    assert search.effort.num_iterations == before
    assert search.step(Deadline.after(30))
    assert search.effort.num_iterations > before


def test_a_result_does_not_wait_for_playouts() -> None:
    """Iterations whose leaves are not played out yet are dropped."""
    search = search_in("breakthrough")
    run(search, 50)
    search.step(Deadline.never())
    before = search.num_playouts

    result = search.result()

    assert search.num_playouts == before
    assert result.visits == search.effort.num_iterations
