"""Iterative deepening answers with the last completed depth."""

from __future__ import annotations

from functools import partial

import pytest

import gdl
from ggp import games
from ggp.clock import Deadline
from ggp.search.core import repeat
from ggp.search.evaluation.evaluation import GoalEvaluation
from ggp.search.textbook.chance import expectiminimax
from ggp.search.textbook.deepening import DeepeningSearch

pytestmark = pytest.mark.usefixtures("kernels")

NEVER = Deadline.never()


def deepening(game: str, max_depth: int | None = None) -> DeepeningSearch:
    """Expectiminimax, deeper and deeper, for the first role."""
    machine = gdl.load(games.text(game))
    search_to_depth = partial(expectiminimax.search, evaluate=GoalEvaluation(machine))
    state, role = machine.initial_state(), machine.roles[0]
    return DeepeningSearch(machine, state, role, search_to_depth, max_depth)


def test_the_answer_is_that_of_the_last_completed_depth() -> None:
    """Three steps are as good as a search to depth three."""
    search = deepening("ticTacToe")

    repeat(search.step, NEVER, rounds=3)

    direct = expectiminimax.search(
        search.machine,
        search.state,
        search.role,
        depth=3,
        evaluate=GoalEvaluation(search.machine),
        deadline=NEVER,
    )
    assert search.completed == direct
    assert search.effort.depth == 3
    assert search.effort.num_iterations > direct.nodes


def test_a_depth_that_takes_too_long_changes_nothing() -> None:
    """The earlier result stays, and the search returns in time."""
    search = deepening("connectFour")
    search.step(NEVER)
    before = search.completed
    deadline = Deadline.after(0.1)

    while search.step(deadline):
        before = search.completed

    assert search.completed is before
    assert Deadline(deadline.moment + 30).remaining() > 0  # a safety net


def test_without_time_there_is_a_legal_move() -> None:
    """The first one, and nothing is claimed of it."""
    search = deepening("ticTacToe")

    assert not search.step(Deadline.after(0))
    result = search.result()
    assert result.move is search.machine.legal_moves(search.state, search.role)[0]
    assert not result.is_proven


def test_it_stops_at_the_greatest_depth_and_where_all_was_seen() -> None:
    """No step makes sense beyond the option, or beyond the end of the game."""
    limited, complete = deepening("ticTacToe", max_depth=2), deepening("prisonersDilemma", 50)

    assert repeat(limited.step, NEVER) == 2
    assert not limited.is_decided
    repeat(complete.step, NEVER)
    assert complete.is_decided
    assert complete.depth < 50


def test_a_move_made_begins_a_new_search() -> None:
    """The earlier result belongs to another state."""
    search = deepening("ticTacToe")
    search.step(NEVER)
    joint = tuple(search.machine.legal_moves(search.state, r)[0] for r in search.machine.roles)
    after = search.machine.next_state(search.state, joint)

    search.advance(joint, after)

    assert (search.state, search.depth) == (after, 0)
