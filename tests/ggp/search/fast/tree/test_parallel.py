"""Several trees in threads of their own: one search to the outside."""

from __future__ import annotations

import threading
import time

import pytest

import gdl
from ggp import games
from ggp.clock import Deadline
from ggp.search.fast.lanes import LaneSettings
from ggp.search.fast.tree.parallel import ParallelSearch
from ggp.search.fast.tree.search import LaneSearch

pytestmark = pytest.mark.usefixtures("kernels")

SMALL = LaneSettings(memory=16 << 20)


@pytest.fixture(scope="module")
def machine() -> gdl.Game:
    """A game that is not solved at once."""
    return gdl.load(games.text("connectFour"), "lanes")


def trees_of(machine: gdl.Game, num: int) -> list[LaneSearch]:
    """Trees from the initial state, for the first role."""
    state, role = machine.initial_state(), machine.roles[0]
    return [LaneSearch(machine, state, role, seed, SMALL) for seed in range(num)]


def tree_threads() -> list[threading.Thread]:
    """The threads in which trees grow."""
    return [thread for thread in threading.enumerate() if thread.name.startswith("tree")]


def test_all_trees_grow_and_count(machine: gdl.Game) -> None:
    """Visits are those of all trees, for each move and in all."""
    trees = trees_of(machine, 3)
    search = ParallelSearch(trees)

    assert search.step(Deadline.never())

    alone = [tree.result() for tree in trees]
    together = search.result()
    assert min(result.visits for result in alone) > 0
    assert together.visits == sum(result.visits for result in alone)
    assert sum(move.visits for move in together.moves) == sum(
        move.visits for result in alone for move in result.moves
    )
    assert search.effort.num_nodes == sum(tree.effort.num_nodes for tree in trees)
    assert search.effort.num_playouts > max(tree.effort.num_playouts for tree in trees)


def test_one_step_each_repeats_itself(machine: gdl.Game) -> None:
    """Without a slice of time each tree takes one step, whatever the machine is doing."""
    first, second = (ParallelSearch(trees_of(machine, 2), slice_seconds=0) for _ in range(2))

    first.step(Deadline.never())
    second.step(Deadline.never())

    assert first.effort.num_iterations == second.effort.num_iterations
    assert first.result() == second.result()


def test_the_trees_go_on_below_the_move_made(machine: gdl.Game) -> None:
    """After a joint move all trees stand at the state that it leads to, with what they knew."""
    search = ParallelSearch(trees_of(machine, 2))
    while search.effort.num_iterations < 300:
        search.step(Deadline.never())
    best = search.result().moves[0].move  # the line is empty if each tree prefers another move
    start = machine.initial_state()
    moves = (best, machine.legal_moves(start, machine.roles[1])[0])
    following = machine.next_state(start, moves)

    search.advance(moves, following)

    assert search.state == following
    assert 0 < search.result().visits < search.effort.num_iterations
    assert search.step(Deadline.never())


def test_what_one_tree_solves_is_solved() -> None:
    """The search stops when any tree has proven the value of the root."""
    search = ParallelSearch(trees_of(gdl.load(games.text("ticTacToe"), "lanes"), 2))

    while search.step(Deadline.after(60)):
        pass

    result = search.result()
    assert search.is_decided
    assert (result.lower, result.upper) == (50, 50)


def test_a_deadline_ended_elsewhere_ends_the_step(machine: gdl.Game) -> None:
    """A step as long as a minute is over soon after its deadline was ended by another thread."""
    search = ParallelSearch(trees_of(machine, 2), slice_seconds=60)
    deadline = Deadline.never()
    search.step(Deadline.after(0))
    threading.Timer(0.05, deadline.end).start()
    start = time.monotonic()

    search.step(deadline)

    assert time.monotonic() - start < 60


class BrokenTree(LaneSearch):
    """A tree that cannot grow."""

    def step(self, deadline: Deadline) -> bool:
        """Fail."""
        raise MemoryError("no room")


@pytest.mark.parametrize("place", [0, 1])
def test_what_a_tree_raises_is_raised(machine: gdl.Game, place: int) -> None:
    """An error in any thread is one of the step, and all threads have stopped then."""
    trees = trees_of(machine, 2)
    broken = BrokenTree(machine, machine.initial_state(), machine.roles[0], 3, SMALL)
    trees.insert(place, broken)
    search = ParallelSearch(trees, slice_seconds=0.05)

    with pytest.raises(MemoryError, match="no room"):
        search.step(Deadline.after(60))


def test_the_threads_end_with_the_search(machine: gdl.Game) -> None:
    """Nothing is left of a search that is dropped."""
    before = set(tree_threads())
    search = ParallelSearch(trees_of(machine, 3))
    search.step(Deadline.never())
    begun = [thread for thread in tree_threads() if thread not in before]

    del search

    assert begun
    for thread in begun:
        thread.join(timeout=60)
        assert not thread.is_alive()
