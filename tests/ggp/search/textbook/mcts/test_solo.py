"""A player that is alone finds a whole line, the best one, and follows it."""

from __future__ import annotations

import random

import pytest

import gdl
from gdl import Constant
from ggp import games
from ggp.clock import Deadline
from ggp.search.core import repeat
from ggp.search.textbook.mcts.search import MctsSettings
from ggp.search.textbook.mcts.solo import SoloSearch
from ggp.search.textbook.paths.planner import breadth_first
from tests.fakes.gametree import Place, decision, game_tree, terminal

pytestmark = pytest.mark.usefixtures("kernels")

NEVER = Deadline.never()


def maze() -> Place:
    """100 can be had in three moves and in two; a 70 lies at the door."""
    long_way = decision("me", on=decision("me", on=terminal(100), off=terminal(0)), off=terminal(0))
    short_way = decision("me", on=terminal(100), off=terminal(20))
    return decision("me", near=terminal(70), long=long_way, short=short_way)


def solo(root: Place) -> SoloSearch:
    """A search of a game that `me` plays alone."""
    return SoloSearch(game_tree(("me",), root), root, random.Random(1))


def test_the_shortest_way_to_the_best_goal_is_found() -> None:
    """Breadth-first order meets the two moves before the three."""
    machine = game_tree(("me",), maze())
    search = breadth_first(machine, machine.initial_state(), max_states=100)

    repeat(search.step, NEVER)

    assert search.best_line is not None
    assert [str(joint[0]) for joint in search.best_line.moves] == ["short", "on"]


def test_a_line_to_a_perfect_end_decides_the_move() -> None:
    """Nothing is better than 100, so the search is over and its value proven."""
    search = solo(maze())

    repeat(search.step, NEVER)

    result = search.result()
    assert search.is_decided
    assert (result.value, result.is_proven) == (100, True)


def test_an_exhausted_game_proves_a_goal_below_the_best() -> None:
    """The goal 70, if it is all there is, is known to be the best."""
    search = solo(decision("me", a=terminal(30), b=decision("me", c=terminal(70), d=terminal(10))))

    repeat(search.step, NEVER)

    result = search.result()
    assert (str(result.move), result.lower, result.upper) == ("b", 70, 70)


def test_a_line_is_followed_and_forgotten_when_left() -> None:
    """On the line its rest stays the plan; off the line another one is looked for."""
    machine = game_tree(("me",), maze())
    root = machine.initial_state()
    on, off = (SoloSearch(machine, root, random.Random(1)) for _ in range(2))
    repeat(on.step, NEVER)
    repeat(off.step, NEVER)
    assert on.best_line is not None
    first, aside = on.best_line.moves[0], (Constant("near"),)

    on.advance(first, machine.next_state(root, first))
    off.advance(aside, machine.next_state(root, aside))

    assert on.best_line is not None
    assert on.best_line.goal == 100
    assert off.best_line is None


def test_equal_states_are_one_node() -> None:
    """Two ways to the same place share what is known about it."""
    shared = decision("me", x=terminal(10), y=terminal(20))
    root = decision("me", a=shared, b=shared)
    search = solo(root)

    repeat(search.step, NEVER)

    assert search.num_nodes <= 4 + 6  # four places in the tree, six steps of breadth-first search


@pytest.mark.parametrize(("game", "num_moves"), [("eightPuzzle", 8), ("lightsOut", 4)])
def test_breadth_first_search_solves_bundled_puzzles_in_the_fewest_moves(
    game: str, num_moves: int
) -> None:
    """The number of moves is the one that the rulesheet's own comment claims."""
    machine = gdl.load(gdl.read_kif(games.text(game)))
    search = breadth_first(machine, machine.initial_state(), max_states=100_000)

    repeat(search.step, NEVER)

    assert search.best_line is not None
    assert (search.best_line.goal, len(search.best_line.moves)) == (100, num_moves)


def test_breadth_first_search_stops_at_its_bound() -> None:
    """A space larger than the bound is given up, not exhausted."""
    machine = gdl.load(gdl.read_kif(games.text("eightPuzzle")))
    search = breadth_first(machine, machine.initial_state(), max_states=10)

    repeat(search.step, NEVER)

    assert search.num_states < 20
    assert not search.is_exhausted


def test_playouts_alone_find_a_line_too() -> None:
    """With no room for breadth-first search the best playout is the plan."""
    machine = game_tree(("me",), maze())
    settings = MctsSettings(max_nodes=0)
    search = SoloSearch(machine, machine.initial_state(), random.Random(1), settings)

    repeat(search.step, NEVER, rounds=50)

    assert search.best_line is not None
    assert search.best_line.goal == 100
