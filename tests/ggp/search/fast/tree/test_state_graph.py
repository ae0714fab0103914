"""The graph of all states that can be reached: its values are exact, and it gives up in time."""

from __future__ import annotations

import random
from functools import reduce
from operator import xor

import pytest

import gdl
from ggp import games
from ggp.clock import Deadline
from ggp.search.fast.lanes import LaneSettings
from ggp.search.fast.tree.search import LaneSearch
from ggp.search.fast.tree.state_graph import MAX_BYTES, StateGraph
from tests.ggp.search.random_trees import RandomTree

pytestmark = pytest.mark.usefixtures("kernels")

SETTINGS = LaneSettings(memory=64 << 20, rounds=1)
MAX_BATCHES = 10_000

CIRCLE = """
(role left) (role right) (init (at 1)) (init (control left))
(<= (legal ?r stay) (true (control ?r)))
(<= (legal ?r end) (true (control ?r)))
(<= (legal ?r noop) (role ?r) (true (control ?other)) (distinct ?r ?other))
(<= (next (control left)) (true (control right)))
(<= (next (control right)) (true (control left)))
(<= (next (at 1)) (does left stay))
(<= (next (at 1)) (does right stay))
(<= (next (over ?r)) (does ?r end))
(<= terminal (true (over ?r)))
(<= (goal ?r 0) (true (over ?r)))
(<= (goal ?r 100) (role ?r) (true (over ?other)) (distinct ?r ?other))
"""


def search_of(game: gdl.Game, settings: LaneSettings = SETTINGS) -> LaneSearch:
    """A search from the initial state."""
    return LaneSearch(game, game.initial_state(), game.roles[0], 1, settings)


def planted(game: gdl.Game, num_bytes: int = MAX_BYTES) -> StateGraph:
    """A graph that contains only the initial state."""
    search = search_of(game)
    graph = StateGraph(search._expander, search._leaves, num_bytes)
    search._expander.children[0] = search._expander.initial
    search._expander.look(1, 0)
    graph.plant(0)
    return graph


def graph_of(game: gdl.Game, num_bytes: int = MAX_BYTES) -> StateGraph:
    """The graph below the initial state, complete unless it was given up."""
    graph = planted(game, num_bytes)
    for _ in range(MAX_BATCHES):
        if graph.grow(0.0, Deadline.never()) or graph.is_given_up:
            return graph
    raise AssertionError("the graph grows without end")


def test_no_batch_begins_after_the_deadline() -> None:
    """Except the first, so the graph grows by one batch per call, however much time it may take."""
    game = gdl.load(games.text("connectFour"), "lanes")
    graph, most = planted(game), search_of(game)._expander.num_leaves_max

    for num in range(1, 6):
        assert not graph.grow(1000.0, Deadline.after(0))
        assert graph.num_nodes <= 1 + num * most


def test_each_state_is_listed_once() -> None:
    """The number of states of tic-tac-toe is well known."""
    graph = graph_of(gdl.load(games.text("ticTacToe"), "lanes"))

    assert graph.is_solved
    assert graph.num_nodes == 5478


def test_the_search_knows_every_position_of_nim() -> None:
    """The player to move loses if the exclusive or of the heaps is 0, and only then (Bouton)."""
    game = gdl.load(games.text("nim"), "lanes")
    search, rng = search_of(game), random.Random(1)
    for _ in range(20):
        state = game.initial_state()
        while not game.is_terminal(state):
            search.go_to(state)
            while search.step(Deadline.never()):
                pass
            facts = [str(fact).strip("()").split() for fact in game.facts(state)]
            heaps = [int(words[2]) for words in facts if words[0] == "heap"]
            mover = next(words[1] for words in facts if words[0] == "control")
            is_won_by_mover = reduce(xor, heaps) != 0
            best = search.result_of(next(role for role in game.roles if str(role) == mover))
            assert best.value == (100 if is_won_by_mover else 0)
            joint = tuple(rng.choice(game.legal_moves(state, role)) for role in game.roles)
            state = game.next_state(state, joint)


def test_a_move_is_known_as_soon_as_the_values_are() -> None:
    """The tree begins again then, and the time may be over."""
    search = search_of(gdl.load(games.text("ticTacToe"), "lanes"))
    while not search._graph.is_solved:
        assert search.step(Deadline.never())

    result = search.result()

    assert result.line
    assert all(move.visits for move in result.moves)


@pytest.mark.parametrize("seed", range(3))
def test_values_between_win_and_loss_are_exact(seed: int) -> None:
    """Each of the first moves has its value, and so do the moves after it."""
    tree = RandomTree(seed, is_shared=True, long=0.3)
    game = gdl.load(tree.rules, "lanes")
    search = search_of(game)
    while search.step(Deadline.never()):
        pass

    values = {str(each.move): (each.lower, each.upper) for each in search.result().moves}

    assert values == {
        f"(go {child.number})": (child.values[0], child.values[0]) for child in tree.root.children
    }


@pytest.mark.parametrize(
    "rules",
    [
        CIRCLE,
        games.text("tron"),
        games.text("threePlayerTicTacToe"),
        RandomTree(1, is_shared=False).rules,
    ],
    ids=["a circle", "simultaneous moves", "three roles", "goals without a fixed sum"],
)
def test_it_gives_up_where_it_cannot_know(rules: str) -> None:
    """The search goes on without it."""
    search = search_of(gdl.load(rules, "lanes"))
    for _ in range(100):
        search.step(Deadline.never())

    graph = search._graph
    assert graph.is_given_up
    assert not graph.is_solved
    assert search.result().visits > 0


def test_it_gives_up_when_its_memory_is_full() -> None:
    """And begins again at the next state."""
    game = gdl.load(games.text("ticTacToe"), "lanes")
    graph = graph_of(game, num_bytes=1)

    assert graph.is_given_up
    assert graph.num_bytes == 0


def test_it_waits_until_there_is_time_to_compute_the_values() -> None:
    """With all states listed, the values are computed in one go."""
    game = gdl.load(games.text("ticTacToe"), "lanes")
    search = search_of(game)
    graph = search._graph

    assert not any(graph.grow(0.0, Deadline.after(0)) for _ in range(MAX_BATCHES // 10))
    assert graph.grow(0.0, Deadline.never())
