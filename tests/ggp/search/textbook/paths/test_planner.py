"""A planner keeps its plan and follows it; as a player it answers in any game."""

from __future__ import annotations

import random

import pytest

import gdl
from ggp import games
from ggp.clock import Deadline
from ggp.players import create
from ggp.search.core import repeat, search_until
from ggp.search.textbook.paths.planner import METHODS, PathSearch, PathSettings
from tests.fakes.gametree import Place, decision, game_tree, meeting, terminal
from tests.thorough import all_but

pytestmark = pytest.mark.usefixtures("kernels")

NEVER = Deadline.never()


def maze() -> Place:
    """70 at the door, 100 two moves away."""
    way = decision("me", on=terminal(100), off=terminal(20))
    return decision("me", near=terminal(70), far=way)


def planner(machine: gdl.Game, method: str) -> PathSearch:
    """A search for the first role from the initial state."""
    return PathSearch(machine, machine.initial_state(), machine.roles[0], method)


@pytest.mark.parametrize("method", METHODS)
def test_a_plan_is_kept_and_followed(method: str) -> None:
    """After its first move the rest is known, without another look."""
    tree = maze()
    search = planner(game_tree(("me",), tree), method)
    repeat(search.step, NEVER)
    first = search.result()

    search.advance(first.line[0], tree.after[("far",)])

    assert [str(joint[0]) for joint in first.line] == ["far", "on"]
    assert search.is_decided
    assert (search.result().line, search.result().is_proven) == (first.line[1:], True)


def test_off_the_plan_another_one_is_made() -> None:
    """A plan is of no use where it was not followed."""
    machine = gdl.load(games.text("eightPuzzle"))
    search = planner(machine, "bfs")
    repeat(search.step, NEVER)
    state, role = machine.initial_state(), machine.roles[0]
    planned = search.result().move
    other = next(move for move in machine.legal_moves(state, role) if move is not planned)

    search.advance((other,), machine.next_state(state, (other,)))

    assert search.best_line is None
    repeat(search.step, NEVER)
    assert search.result().value == 100


def test_where_others_move_nothing_is_proven() -> None:
    """The plan counts on the first legal move of the other, who may well make the second."""
    game = meeting(
        {"me": ("a", "b"), "you": ("c", "d")},
        {
            ("a", "c"): terminal(10, 0),
            ("a", "d"): terminal(100, 0),
            ("b", "c"): terminal(60, 0),
            ("b", "d"): terminal(0, 0),
        },
    )
    search = planner(game_tree(("me", "you"), game), "bfs")

    repeat(search.step, NEVER)

    result = search.result()
    assert (str(result.move), result.value, result.is_proven) == ("b", 60, False)


def test_without_an_end_it_goes_where_the_goal_seems_closest() -> None:
    """A few states of the eightPuzzle show no end, but a better board."""
    machine = gdl.load(games.text("eightPuzzle"))
    state, role = machine.initial_state(), machine.roles[0]
    search = PathSearch(machine, state, role, "astar", PathSettings(max_states=8))

    repeat(search.step, NEVER)

    assert search.best_line is None
    assert search.result().line
    assert search.result().move in machine.legal_moves(state, role)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    "game", all_but(["pig"], ["knightsTour", "ticTacToe", "rockPaperScissors", "pig"])
)
def test_a_player_answers_within_its_time(game: str, method: str) -> None:
    """In puzzles that it does not solve, and in games with others or with dice."""
    machine = gdl.load(games.text(game))
    state = machine.initial_state()
    player = create(method, machine, machine.roles[0], {}, seed=1)
    player.prepare(state, Deadline.after(0.02))
    deadline = Deadline.after(0.05)

    moves = [player.choose(state, Deadline.after(0)), player.choose(state, deadline)]

    assert set(moves) <= set(machine.legal_moves(state, player.role))
    assert Deadline(deadline.moment + 30).remaining() > 0  # a safety net


@pytest.mark.parametrize("spec", all_but(["bfs", "bfs:tree=lanes"], [*METHODS, "bfs:tree=lanes"]))
def test_a_player_plays_its_plan_to_the_end(spec: str) -> None:
    """A whole game of the eightPuzzle."""
    machine = gdl.load(games.text("eightPuzzle"))
    player = create(spec, machine, machine.roles[0], {}, seed=1)
    state = machine.initial_state()

    player.prepare(state, Deadline.after(20))
    while not machine.is_terminal(state):
        joint = (player.choose(state, Deadline.after(20)),)
        state = machine.next_state(state, joint)
        player.advance(joint, state)

    assert machine.goal(state, player.role) == 100


def test_a_player_plays_on_when_others_cross_its_plan() -> None:
    """A whole game of ticTacToe against random moves."""
    machine = gdl.load(games.text("ticTacToe"))
    player = create("bfs", machine, machine.roles[0], {}, seed=1)
    rng = random.Random(5)
    state = machine.initial_state()

    while not machine.is_terminal(state):
        own = player.choose(state, Deadline.after(1))
        joint = (own, rng.choice(machine.legal_moves(state, machine.roles[1])))
        state = machine.next_state(state, joint)
        player.advance(joint, state)

    assert machine.goal(state, player.role) in {0, 50, 100}


def test_the_function_searches_until_the_path_is_found() -> None:
    """And returns before its deadline."""
    machine = gdl.load(games.text("towersOfHanoi"))

    search = PathSearch(machine, machine.initial_state(), machine.roles[0], "bfs")
    found = search_until(search, Deadline.after(20))

    assert (found.value, len(found.line), found.is_proven) == (100, 7, True)
