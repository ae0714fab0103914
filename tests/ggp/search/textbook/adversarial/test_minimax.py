"""Minimax finds the values that a hand finds."""

from __future__ import annotations

import pytest

from gdl import Constant, StateMachine
from ggp.clock import Deadline
from ggp.errors import GgpError
from ggp.search.core.result import DepthResult, OutOfTime
from ggp.search.evaluation.evaluation import EvenEvaluation, GoalEvaluation
from ggp.search.textbook.adversarial import minimax
from ggp.search.textbook.adversarial.trace import Recorder
from tests.fakes.gametree import GameTreeMachine, Place, decision, meeting, terminal
from tests.ggp.search.textbook.adversarial.positions import NEVER, machine_of

pytestmark = pytest.mark.usefixtures("kernels")

SIDES = ("max", "min")


def end(goal: int) -> Place:
    """The end of a game of two in which what one wins the other loses."""
    return terminal(goal, 100 - goal)


def run(machine: StateMachine, depth: int | None = None, *, paranoid: bool = False) -> DepthResult:
    """The result for the first role from the initial state."""
    return minimax.search(
        machine,
        machine.initial_state(),
        machine.roles[0],
        depth=depth,
        evaluate=GoalEvaluation(machine),
        deadline=NEVER,
        paranoid=paranoid,
    )


def test_the_best_of_the_worst_is_chosen() -> None:
    """Three moves, each worth its worst answer: a 50, b 20, c 10."""
    root = decision(
        "max",
        a=decision("min", x=end(50), y=end(80)),
        b=decision("min", x=end(90), y=end(20)),
        c=decision("min", x=end(10), y=end(100)),
    )

    found = run(GameTreeMachine(SIDES, root))

    assert [(str(each.move), each.value) for each in found.result.moves] == [
        ("a", 50),
        ("b", 20),
        ("c", 10),
    ]
    assert [" ".join(map(str, joint)) for joint in found.result.line] == ["a noop", "noop x"]
    assert (found.nodes, found.evaluations, found.depth, found.is_complete) == (10, 0, 2, True)


def test_where_it_stops_the_evaluation_counts_and_nothing_is_proven() -> None:
    """One ply shows the states' own goals only."""
    deep = decision("min", x=end(0), y=end(10))
    root = decision("max", a=Place((70, 30), deep.moves, deep.after), b=end(60))

    found = run(GameTreeMachine(SIDES, root), depth=1)

    assert (str(found.result.move), found.value) == ("a", 70)
    assert (found.result.lower, found.result.upper) == (0, 100)
    assert (found.nodes, found.evaluations, found.is_complete) == (3, 1, False)


def test_a_win_is_proven_whatever_else_is_not() -> None:
    """Nothing beats the best goal, so the moves that were not followed to the end do not matter."""
    deep = decision("min", x=end(0), y=end(10))
    root = decision("max", a=Place((100, 0), deep.moves, deep.after), b=end(100))

    found = run(GameTreeMachine(SIDES, root), depth=1)

    assert str(found.result.move) == "b"
    assert (found.result.lower, found.result.upper, found.result.length) == (100, 100, 1)
    assert found.is_complete


def test_simultaneous_moves_are_worth_what_they_guarantee() -> None:
    """In matching pennies each move may meet the answer to it."""
    coins = {"max": ("heads", "tails"), "min": ("heads", "tails", "edge")}
    root = meeting(
        coins,
        {
            ("heads", "heads"): end(100),
            ("heads", "tails"): end(20),
            ("heads", "edge"): end(60),
            ("tails", "heads"): end(10),
            ("tails", "tails"): end(100),
            ("tails", "edge"): end(90),
        },
    )

    found = run(GameTreeMachine(SIDES, root))

    assert (str(found.result.move), found.value) == ("heads", 20)


def test_chance_is_an_adversary() -> None:
    """The `random` role takes the worst for us, however unlikely."""
    root = decision(
        "max",
        safe=terminal(30, 70, 0),
        dice=decision(
            "random", one=terminal(0, 100, 0), two=terminal(90, 10, 0), six=terminal(90, 10, 0)
        ),
    )

    found = run(GameTreeMachine(("max", "min", "random"), root))

    assert (str(found.result.move), found.value) == ("safe", 30)


@pytest.mark.parametrize(("paranoid", "move", "value"), [(False, "a", 60), (True, "b", 40)])
def test_three_roles_maximise_their_own_goals_or_minimise_ours(
    paranoid: bool, move: str, value: float
) -> None:
    """After a, the second would win by x, and the third by nothing: only spite makes them hurt."""
    root = decision(
        "one",
        a=decision("two", x=terminal(60, 40, 0), y=terminal(10, 20, 70)),
        b=decision("three", x=terminal(40, 0, 60), y=terminal(90, 0, 10)),
    )

    found = run(GameTreeMachine(("one", "two", "three"), root), paranoid=paranoid)

    assert (str(found.result.move), found.value, found.is_complete) == (move, value, True)


def test_who_does_not_care_is_expected_to_hurt() -> None:
    """Of answers worth the same to who makes them, max^n expects the one that is worst for us."""
    root = decision(
        "one",
        a=decision("two", x=terminal(80, 50, 0), y=terminal(10, 50, 0)),
        b=decision("two", x=terminal(20, 50, 0), y=terminal(90, 40, 0)),
    )

    found = run(GameTreeMachine(("one", "two", "three"), root))

    assert [each.value for each in found.result.moves] == [20, 10]


def test_one_role_alone_maximises() -> None:
    """There is nobody to fear."""
    root = decision("solo", a=decision("solo", x=terminal(30), y=terminal(0)), b=terminal(20))

    found = run(GameTreeMachine(("solo",), root))

    assert (str(found.result.move), found.value) == ("a", 30)


def test_who_waits_at_the_root_has_a_value_too() -> None:
    """The only move is the answer; the value is that of the others' best answers."""
    root = decision("min", x=decision("max", a=end(30), b=end(40)), y=end(80))

    found = run(GameTreeMachine(SIDES, root))

    assert (str(found.result.move), found.value, len(found.result.line)) == ("noop", 40, 2)


def test_tictactoe_is_a_draw() -> None:
    """From two plies into the game all lines are followed to their ends."""
    machine = machine_of("ticTacToe")
    role = machine.roles[0]
    state = machine.initial_state()
    for indices in [(4, 0), (0, 0)]:  # the centre, then a corner; who waits has one move
        moves = [
            machine.legal_moves(state, each)[index]
            for each, index in zip(machine.roles, indices, strict=True)
        ]
        state = machine.next_state(state, moves)

    found = minimax.search(
        machine, state, role, depth=None, evaluate=EvenEvaluation(machine), deadline=NEVER
    )

    assert (found.value, found.result.is_proven, found.evaluations) == (50, True, 0)


def test_the_first_move_is_looked_at_first_and_wins_ties() -> None:
    """Of moves worth the same the first one is the best one."""
    machine = GameTreeMachine(SIDES, decision("max", a=end(50), b=end(50), c=end(40)))
    recorder = Recorder()

    found = minimax.search(
        machine,
        machine.initial_state(),
        machine.roles[0],
        depth=1,
        evaluate=GoalEvaluation(machine),
        deadline=NEVER,
        first=Constant("b"),
        trace=recorder,
    )

    assert [str(each.move) for each in found.result.moves] == ["b", "a", "c"]
    assert [machine.goal(state, machine.roles[0]) for state in recorder.visited] == [50, 50, 40]


def test_it_stops_when_the_time_is_over() -> None:
    """There is no half-done result."""
    machine = machine_of("connectFour")
    deadline = Deadline.after(0.05)

    with pytest.raises(OutOfTime, match="before depth 30 was searched"):
        minimax.search(
            machine,
            machine.initial_state(),
            machine.roles[0],
            depth=30,
            evaluate=EvenEvaluation(machine),
            deadline=deadline,
        )


def test_where_the_game_is_over_there_is_nothing_to_search() -> None:
    """The message says what was expected."""
    with pytest.raises(GgpError, match="expected a state that is not terminal"):
        run(GameTreeMachine(SIDES, end(50)))


def test_a_depth_of_nothing_is_refused() -> None:
    """A search looks at least one ply ahead."""
    with pytest.raises(ValueError, match="of at least 1"):
        run(GameTreeMachine(SIDES, decision("max", a=end(1), b=end(2))), depth=0)
