"""What a search thinks is told in figures, and those in words."""

from __future__ import annotations

import json

import pytest

import gdl
from ggp import games
from ggp.clock import Deadline
from ggp.players import create
from ggp.players.thoughts import Turn, bounds, expectation, thoughts_on, verdict
from ggp.search import Effort, MoveValue, SearchResult

NEVER = Deadline.never()
FIGURES = {"seconds", "iterations", "iterations_per_second", "playouts", "playouts_per_second"}
MOVE = gdl.Constant("go")


def result(lower: float, upper: float, length: int | None) -> SearchResult:
    """What a search says of a game with one move."""
    best = MoveValue(MOVE, lower, 9, lower, upper, length)
    return SearchResult(MOVE, lower, 9, lower, upper, ((MOVE, MOVE),), (best,))


@pytest.mark.parametrize("spec", ["mcts:iterations=40", "greedy:iterations=40"])
def test_a_player_tells_what_it_did_on_this_turn(spec: str) -> None:
    """Rounds of an earlier turn are not counted again; nodes and visits are those of the tree."""
    machine = gdl.load(games.text("ticTacToe"), "interpreter")
    player = create(spec, machine, machine.roles[0], {}, seed=1)
    state = machine.initial_state()
    player.prepare(state, NEVER)

    player.choose(state, NEVER)

    thoughts = player.thoughts
    assert {*FIGURES, "depth", "nodes", "solved", "value", "line", "moves"} <= set(thoughts)
    assert (thoughts["iterations"], thoughts["visits"]) == (40, 80)
    assert thoughts["solved"] is False
    assert int(str(thoughts["depth"])) >= 2
    assert json.loads(json.dumps(thoughts)) == thoughts


def test_a_rate_is_what_was_done_in_the_time() -> None:
    """Playouts of this turn by its seconds; what a search cannot know is left out."""
    turn = Turn(Effort(num_iterations=10, num_playouts=100, num_nodes=5, depth=1))

    figures = turn.figures(Effort(num_iterations=20, num_playouts=400, num_nodes=9, depth=3))

    assert (figures["iterations"], figures["playouts"], figures["depth"]) == (10, 300, 3)
    assert 0 < int(str(figures["playouts_per_second"])) <= 300 / 0.001
    assert "memory" not in figures


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (result(100, 100, 7), "proven win in 7 plies"),
        (result(100, 100, 1), "proven win in 1 ply"),
        (result(100, 100, None), "proven win"),
        (result(0, 0, 4), "proven loss in 4 plies"),
        (result(50, 50, 4), "proven: 50"),
        (result(0, 100, None), ""),
    ],
)
def test_a_solved_position_says_so(found: SearchResult, words: str) -> None:
    """A win and a loss with the plies to the end, where they are known."""
    assert verdict(thoughts_on(found)) == words


def test_bounds_are_told_where_something_is_proven() -> None:
    """From 0 to 100 is nothing."""
    assert bounds(thoughts_on(result(0, 100, None))) == ""
    assert bounds(thoughts_on(result(50, 100, None))) == "50 to 100"


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ([["(mark 1 1)", "noop"], ["noop", "(mark 2 2)"]], "(mark 1 1), (mark 2 2)"),
        ([["rock", "paper"]], "rock paper"),
        ([["noop", "noop"]], "noop"),
        ([], ""),
        ("much", ""),
        (None, ""),
        ([7, ["a"]], "a"),
    ],
)
def test_the_expected_moves_are_told_without_those_who_wait(line: object, words: str) -> None:
    """Whatever a player of one's own says is bearable."""
    assert expectation({"line": line}) == words
