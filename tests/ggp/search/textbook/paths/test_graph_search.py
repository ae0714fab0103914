"""The textbook's searches for a path, on mazes drawn by hand and on all bundled puzzles."""

from __future__ import annotations

import random

import numpy as np
import pytest

import gdl
from ggp import games
from ggp.clock import Deadline
from ggp.search.core import repeat
from ggp.search.fast.puzzles.board import Board
from ggp.search.fast.puzzles.store import make_store, plant
from ggp.search.textbook.paths.frontier import (
    Frontier,
    FrontierState,
    Queue,
    Ranked,
    Stack,
)
from ggp.search.textbook.paths.graph_search import GraphSearch, PathProblem
from ggp.search.textbook.paths.lanes import LaneWays
from ggp.search.textbook.paths.planner import (
    LANE_METHODS,
    METHODS,
    PathSettings,
    Planning,
    WaySearch,
    facts_missing,
    nothing,
)
from tests.fakes.gametree import decision, game_tree, terminal
from tests.thorough import all_but

pytestmark = pytest.mark.usefixtures("kernels")

NEVER = Deadline.never()
PUZZLES = ("eightPuzzle", "lightsOut", "maze", "towersOfHanoi")


def finished(machine: gdl.Game, method: str, heuristic: str = "facts") -> WaySearch:
    """A search from the initial state, gone to its end."""
    problem = PathProblem(machine, machine.roles[0])
    ways = Planning(problem, method, PathSettings(heuristic)).begin(machine.initial_state())
    repeat(ways.step, NEVER)
    return ways


def length_of(ways: WaySearch) -> int:
    """The moves of its best line, which must be perfect."""
    assert ways.best_line is not None
    assert ways.best_line.goal == 100
    return len(ways.best_line.moves)


def test_the_frontier_decides_what_is_next() -> None:
    """The oldest, the newest, the closest, and the least sum of way and distance."""
    far = {"a": 5.0, "b": 1.0, "c": 2.0}
    places = [FrontierState("a", 0), FrontierState("b", 9), FrontierState("c", 1)]
    frontiers: dict[str, Frontier] = {
        "bfs": Queue(),
        "dfs": Stack(),
        "bestfirst": Ranked(lambda state: far[str(state)], weight_of_way=0),
        "astar": Ranked(lambda state: far[str(state)], weight_of_way=1),
    }

    order = {}
    for name, frontier in frontiers.items():
        for place in places:
            frontier.push(place)
        order[name] = "".join(str(frontier.pop().state) for _ in places)

    assert order == {"bfs": "abc", "dfs": "cba", "bestfirst": "bca", "astar": "cab"}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("game", all_but(("eightPuzzle",), PUZZLES))
def test_every_method_solves_the_puzzle_by_legal_moves(game: str, method: str) -> None:
    """The line ends the game, with the goal that it claims."""
    machine = gdl.load(games.text(game))

    ways = finished(machine, method)

    assert length_of(ways) > 0
    assert ways.best_line is not None
    state = machine.initial_state()
    for (move,) in ways.best_line.moves:
        assert move in machine.legal_moves(state, machine.roles[0])
        state = machine.next_state(state, (move,))
    assert machine.is_terminal(state)
    assert machine.goal(state, machine.roles[0]) == 100


@pytest.mark.parametrize("game", all_but(("maze", "towersOfHanoi"), PUZZLES))
def test_three_searches_find_a_shortest_way(game: str) -> None:
    """Breadth-first, iterative deepening, and A* that is told nothing; no other one is shorter."""
    machine = gdl.load(games.text(game))

    shortest = length_of(finished(machine, "bfs"))

    assert length_of(finished(machine, "ids")) == shortest
    assert length_of(finished(machine, "astar", "none")) == shortest
    assert length_of(finished(machine, "dfs")) >= shortest
    assert length_of(finished(machine, "bestfirst")) >= shortest


def test_a_distance_saves_states() -> None:
    """A* makes a fraction of the states that breadth-first search makes."""
    machine = gdl.load(games.text("eightPuzzle"))

    assert finished(machine, "astar").num_states < finished(machine, "bfs").num_states / 3


def test_a_star_mends_a_way_that_was_too_long() -> None:
    """The short way looks bad at first: its state is reached by the long way before."""
    goal = decision("me", end=terminal(100), stop=terminal(0))
    machine = game_tree(
        ("me",),
        root := decision(
            "me",
            long=(first := decision("me", on=(second := decision("me", on=goal, x=terminal(0))))),
            short=(detour := decision("me", on=goal, x=terminal(0))),
        ),
    )
    far = {root: 0.0, first: 0.0, second: 0.0, goal: 2.0, detour: 3.5}
    frontier = Ranked(lambda state: far[state], weight_of_way=1)  # type: ignore[index]
    ways = GraphSearch(PathProblem(machine, machine.roles[0]), root, frontier, max_states=100)

    repeat(ways.step, NEVER)

    assert ways.best_line is not None
    assert [str(move) for (move,) in ways.best_line.moves] == ["short", "on", "end"]


@pytest.mark.parametrize("method", METHODS)
def test_an_exhausted_game_has_no_better_end(method: str) -> None:
    """The search ends by itself where 70 is all there is, and says so."""
    tree = decision("me", a=terminal(30), b=decision("me", c=terminal(70), d=terminal(10)))

    ways = finished(game_tree(("me",), tree), method)

    assert ways.best_line is not None
    assert (ways.best_line.goal, ways.is_done) == (70, True)


def test_the_explored_set_saves_the_second_look() -> None:
    """Two ways to one state: breadth-first search looks at it once, iterative deepening twice."""
    hub = decision("me", x=terminal(1), y=terminal(2), z=terminal(3))
    machine = game_tree(("me",), decision("me", p=decision("me", on=hub), q=decision("me", on=hub)))

    assert finished(machine, "bfs").num_states == 2 + 2 + 3
    assert finished(machine, "ids").num_states == 2 + (2 + 2) + (2 + 2 + 6)


@pytest.mark.parametrize("game", all_but(("eightPuzzle", "maze"), PUZZLES))
def test_lanes_find_what_the_textbook_finds(game: str) -> None:
    """The slow twin and the fast one: as short a way breadth-first, a perfect end by a distance."""
    machine = gdl.load(games.text(game))
    problem, state = PathProblem(machine, machine.roles[0]), machine.initial_state()
    settings = PathSettings(on_lanes=True)

    found = {}
    for method in LANE_METHODS:
        found[method] = Planning(problem, method, settings).begin(state)
        assert isinstance(found[method], LaneWays)
        repeat(found[method].step, NEVER)

    assert length_of(found["bfs"]) == length_of(finished(machine, "bfs"))
    assert length_of(found["bestfirst"]) >= length_of(found["bfs"])
    assert length_of(found["astar"]) >= length_of(found["bfs"])
    assert all(ways.is_done for ways in found.values())


def test_a_distance_is_that_of_the_lanes() -> None:
    """State by state, along a random game."""
    machine = gdl.load(games.text("eightPuzzle"))
    missing, board = facts_missing(machine), Board(machine, seed=0)
    rng, state = random.Random(3), machine.initial_state()
    assert missing is not None

    for _ in range(8):
        store = make_store(1, board.whole, board.expander.num_phases)
        plant(store, board.pack(state))
        far, _ = board.measured(store, np.zeros(1, np.int32))
        assert missing(state) == far[0]
        state = machine.next_state(
            state, (rng.choice(machine.legal_moves(state, machine.roles[0])),)
        )


def test_a_heuristic_is_had_of_compiled_games_of_one_role_only() -> None:
    """It is 0 at the goal's facts only, so it tells states apart."""
    puzzle = gdl.load(games.text("eightPuzzle"))
    missing = facts_missing(puzzle)

    assert missing is not None
    assert missing(puzzle.initial_state()) > 0 == nothing(puzzle.initial_state())
    assert facts_missing(gdl.load(games.text("eightPuzzle"), "interpreter")) is None
    assert facts_missing(gdl.load(games.text("ticTacToe"))) is None
