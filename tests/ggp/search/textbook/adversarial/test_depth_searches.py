"""Looks that remember: secondary search, and iterative deepening with both searches."""

from __future__ import annotations

import pytest

from gdl import Constant
from ggp import games
from ggp.clock import Deadline
from ggp.search.core import repeat
from ggp.search.core.result import DepthResult
from ggp.search.evaluation.evaluation import GoalEvaluation
from ggp.search.textbook.adversarial import minimax
from ggp.search.textbook.adversarial.alphabeta import AlphaBetaOptions
from ggp.search.textbook.adversarial.depth_searches import (
    AlphaBetaToDepth,
    MinimaxToDepth,
    secondary_search,
)
from ggp.search.textbook.adversarial.ordering import LearnedOrder
from ggp.search.textbook.adversarial.scope import Quiescence
from ggp.search.textbook.adversarial.table import TranspositionTable
from ggp.search.textbook.deepening import DeepeningSearch
from tests.fakes.gametree import GameTreeMachine, Place, decision, terminal
from tests.fakes.scattered import ScatteredEvaluation
from tests.ggp.search.textbook.adversarial.positions import NEVER, depth_of, machine_of, position_of
from tests.thorough import KINDS, all_but

pytestmark = pytest.mark.usefixtures("kernels")

SIDES = ("max", "min")


def end(goal: int) -> Place:
    """The end of a game of two in which what one wins the other loses."""
    return terminal(goal, 100 - goal)


def looks_like(goal: int, place: Place) -> Place:
    """A place that the evaluation takes for so much."""
    return Place((goal, 100 - goal), place.moves, place.after)


def deepening(name: str) -> DeepeningSearch:
    """Alpha-beta with everything, for the role that moves, to the depth of the laws."""
    machine = machine_of(name)
    look = AlphaBetaToDepth(
        ScatteredEvaluation(machine),
        AlphaBetaOptions(LearnedOrder(), TranspositionTable()),
    )
    return DeepeningSearch(
        machine, position_of(name), machine.roles[0], look, max_depth=depth_of(name)
    )


@pytest.mark.parametrize("name", all_but(KINDS, games.names()))
def test_deepening_finds_what_the_last_completed_depth_finds(name: str) -> None:
    """Whatever was remembered on the way."""
    search = deepening(name)

    repeat(search.step, NEVER)

    direct = minimax.search(
        search.machine,
        search.state,
        search.role,
        depth=search.depth,
        evaluate=ScatteredEvaluation(search.machine),
        deadline=NEVER,
        paranoid=True,
    )
    assert search.depth == depth_of(name) or search.is_decided
    assert search.result().value == direct.value


@pytest.mark.parametrize("is_pruned", [False, True])
def test_a_look_returns_by_its_deadline_and_keeps_the_last_depth(is_pruned: bool) -> None:
    """The bound is generous for a busy machine; the clock is looked at in every state."""
    machine = machine_of("connectFour")
    evaluate = GoalEvaluation(machine)
    look = (
        AlphaBetaToDepth(evaluate, AlphaBetaOptions(LearnedOrder(), TranspositionTable()))
        if is_pruned
        else MinimaxToDepth(evaluate)
    )
    search = DeepeningSearch(machine, machine.initial_state(), machine.roles[0], look)
    search.step(Deadline.never())
    deadline = Deadline.after(0.1)

    repeat(search.step, deadline)

    assert Deadline(deadline.moment + 30).remaining() > 0  # a safety net
    assert search.depth >= 1
    assert search.completed is not None


def test_a_win_is_made_in_the_fewest_plies() -> None:
    """Both moves win; deepening meets the shorter way first and stops there."""
    longer = decision("max", x=decision("max", y=end(100), z=end(0)), w=end(0))
    root = decision("max", slow=looks_like(50, longer), fast=end(100))
    machine = GameTreeMachine(SIDES, root)
    look = AlphaBetaToDepth(GoalEvaluation(machine), AlphaBetaOptions())
    search = DeepeningSearch(machine, root, machine.roles[0], look)

    repeat(search.step, NEVER)

    assert (str(search.result().move), search.result().length, search.depth) == ("fast", 1, 1)
    assert search.is_decided


def test_of_lost_moves_the_one_that_held_longest_is_kept() -> None:
    """At depth 1 a is lost, at depth 2 b too: the best move of the depth before stays."""
    root = decision("max", a=end(0), b=looks_like(50, decision("min", x=end(0), y=end(90))))
    machine = GameTreeMachine(SIDES, root)

    for look in (
        MinimaxToDepth(GoalEvaluation(machine)),
        AlphaBetaToDepth(GoalEvaluation(machine), AlphaBetaOptions()),
    ):
        search = DeepeningSearch(machine, root, machine.roles[0], look)
        repeat(search.step, NEVER)

        assert (str(search.result().move), search.result().value) == ("b", 0)


def horizon_tree() -> Place:
    """By b a disaster lurks just beyond one ply; by c it does not."""
    return decision(
        "max",
        b=looks_like(90, decision("min", x=end(10), y=end(90))),
        c=looks_like(60, decision("min", x=end(58), y=end(70))),
        d=looks_like(40, decision("min", x=end(80), y=end(80))),
    )


def look_at(
    root: Place, *, secondary: int = 0, quiescence: Quiescence | None = None
) -> DepthResult:
    """One look one ply deep."""
    machine = GameTreeMachine(SIDES, root)
    look = AlphaBetaToDepth(
        GoalEvaluation(machine), AlphaBetaOptions(quiescence=quiescence), secondary
    )
    return look(machine, root, machine.roles[0], depth=1, deadline=NEVER)


def test_without_more_the_horizon_deceives() -> None:
    """One ply sees the bait."""
    assert str(look_at(horizon_tree()).result.move) == "b"


def test_secondary_search_takes_the_next_best_move_where_the_best_fails() -> None:
    """Steps 1 to 3: b falls from 90 to 10, c from 60 to 58 only; d is not looked at again."""
    found = look_at(horizon_tree(), secondary=1)

    assert [(str(each.move), each.value) for each in found.result.moves] == [
        ("c", 58),
        ("b", 10),
        ("d", 40),
    ]
    assert (found.value, found.depth) == (58, 1)


def test_secondary_search_takes_what_looks_best_if_all_fail() -> None:
    """The least bad of those verified, once nothing left looks better."""
    root = decision(
        "max",
        b=looks_like(90, decision("min", x=end(30), y=end(90))),
        c=looks_like(60, decision("min", x=end(10), y=end(70))),
        d=looks_like(20, decision("min", x=end(80), y=end(80))),
    )

    found = look_at(root, secondary=1)

    assert (str(found.result.move), found.value) == ("b", 30)


def test_secondary_search_spares_itself_where_all_is_known() -> None:
    """At the ends of the game there is nothing beyond."""
    looks: list[int] = []
    root = decision("max", a=end(50), b=end(40))
    machine = GameTreeMachine(SIDES, root)

    def look(moves: object, depth: int) -> DepthResult:
        looks.append(depth)
        return minimax.search(
            machine,
            root,
            machine.roles[0],
            depth=depth,
            evaluate=GoalEvaluation(machine),
            deadline=NEVER,
        )

    found = secondary_search(look, [Constant("a"), Constant("b")], depth=1, beyond=2)

    assert (str(found.result.move), looks) == ("a", [1])


def test_quiescence_looks_on_while_the_evaluation_swings() -> None:
    """The root looks like 0, every move like a swing: all of it is followed to its end."""
    found = look_at(horizon_tree(), quiescence=Quiescence(threshold=20, plies=2))

    assert (str(found.result.move), found.value) == ("d", 80)


def test_quiescence_stops_where_the_game_is_quiet_and_at_its_bound() -> None:
    """A swing no larger than the threshold, and no further than the plies allowed."""
    calm = look_at(horizon_tree(), quiescence=Quiescence(threshold=90, plies=2))
    deep = looks_like(90, decision("max", x=looks_like(10, horizon_tree()), y=end(0)))
    bounded = look_at(
        decision("max", a=deep, b=end(1)), quiescence=Quiescence(threshold=20, plies=1)
    )

    assert (str(calm.result.move), calm.value) == ("b", 90)
    assert (str(bounded.result.move), bounded.value) == ("a", 10)


def test_what_was_learned_serves_the_next_turn() -> None:
    """After a joint move the table still knows the states below it."""
    search = deepening("connectFour")
    repeat(search.step, NEVER)
    joint = search.result().line[0]
    state = search.machine.next_state(search.state, joint)

    search.advance(joint, state)
    repeat(search.step, NEVER, rounds=2)

    fresh = DeepeningSearch(
        search.machine,
        state,
        search.role,
        AlphaBetaToDepth(
            ScatteredEvaluation(search.machine),
            AlphaBetaOptions(LearnedOrder(), TranspositionTable()),
        ),
    )
    repeat(fresh.step, NEVER, rounds=2)
    assert search.result().value == fresh.result().value
    assert search.completed is not None
    assert fresh.completed is not None
    assert search.completed.nodes < fresh.completed.nodes
