"""Alpha-beta cuts off where the slides do, and what it does not see cannot matter."""

from __future__ import annotations

import random

import pytest

import gdl
from gdl import Constant
from ggp.clock import Deadline
from ggp.search.core.result import DepthResult, OutOfTime
from ggp.search.evaluation.evaluation import EvenEvaluation, GoalEvaluation
from ggp.search.textbook.adversarial import alphabeta, minimax
from ggp.search.textbook.adversarial.alphabeta import AlphaBetaOptions
from ggp.search.textbook.adversarial.bounded_value import BoundedValue
from ggp.search.textbook.adversarial.ordering import Action, Foreseen, LearnedOrder, Shuffled
from ggp.search.textbook.adversarial.scope import DEEPEST
from ggp.search.textbook.adversarial.table import TranspositionTable
from ggp.search.textbook.adversarial.trace import Recorder
from tests.fakes.gametree import GameTreeMachine, Place, decision, terminal
from tests.ggp.search.textbook.adversarial.positions import NEVER, machine_of

pytestmark = pytest.mark.usefixtures("kernels")

SIDES = ("max", "min")


def end(goal: int) -> Place:
    """The end of a game of two in which what one wins the other loses."""
    return terminal(goal, 100 - goal)


def run(
    root: Place, means: AlphaBetaOptions = alphabeta.PLAIN, depth: int | None = None
) -> DepthResult:
    """The result for MAX from the root of a tree."""
    machine = GameTreeMachine(SIDES, root)
    return alphabeta.search(
        machine,
        machine.initial_state(),
        machine.roles[0],
        depth=depth,
        evaluate=GoalEvaluation(machine),
        deadline=NEVER,
        means=means,
    )


def alpha_tree() -> Place:
    """The lecture's first case: 100 is safe, so a reply of 20 refutes the other move."""
    return decision(
        "max",
        a=decision("min", c=end(100), d=end(100)),
        b=decision("min", f=end(20), g=end(90)),
    )


def test_a_move_with_one_bad_answer_needs_no_other() -> None:
    """Alpha cut-off at a MIN node: g is never visited."""
    recorder = Recorder()

    found = run(alpha_tree(), AlphaBetaOptions(trace=recorder))

    [cut] = recorder.cuts
    assert (cut.kind, cut.value, cut.bound) == ("alpha", 20, 100)
    assert [" ".join(map(str, joint)) for joint in cut.pruned] == ["noop g"]
    assert (found.nodes, found.cutoffs, len(recorder.visited)) == (6, 1, 6)
    assert [(str(each.move), each.value) for each in found.result.moves] == [("a", 100), ("b", 20)]


def test_a_reply_that_gives_us_more_is_not_looked_at_further() -> None:
    """Beta cut-off at a MAX node: MIN has 20 by b, so 25 at c is enough to know."""
    recorder = Recorder()
    root = decision(
        "min",
        b=decision("max", d=end(20), e=end(10)),
        c=decision("max", g=end(25), h=end(90)),
    )

    found = run(root, AlphaBetaOptions(trace=recorder))

    [cut] = recorder.cuts
    assert (cut.kind, cut.value, cut.bound) == ("beta", 25, 20)
    assert [" ".join(map(str, joint)) for joint in cut.pruned] == ["h noop"]
    assert (found.value, found.nodes) == (20, 6)


def test_what_is_pruned_leaves_proven_bounds() -> None:
    """The refuted move is worth at most 20, and that is enough to know all of the root."""
    found = run(alpha_tree())

    best, refuted = found.result.moves
    assert (best.lower, best.upper, best.length) == (100, 100, 2)
    assert (refuted.lower, refuted.upper) == (0, 20)
    assert found.is_complete


def test_a_trace_does_not_change_the_search() -> None:
    """A watcher sees what happens without one."""
    watched = run(alpha_tree(), AlphaBetaOptions(trace=Recorder()))

    assert watched == run(alpha_tree())


def random_tree(rng: random.Random, depth: int, role: int = 0) -> Place:
    """Three moves everywhere, and goals that no two ends share."""
    if depth == 0:
        return end(rng.randrange(101))
    after = {name: random_tree(rng, depth - 1, 1 - role) for name in "abc"}
    return decision(SIDES[role], **after)


def value_of(place: Place) -> float:
    """The minimax value for MAX of a place in a tree."""
    if not place.moves:
        return place.goals[0]
    values = [value_of(after) for after in place.after.values()]
    return max(values) if "max" in place.moves else min(values)


def foreseen(*, worst_first: bool) -> AlphaBetaOptions:
    """The order of the true values."""

    def value(state: object, action: Action) -> float:
        assert isinstance(state, Place)
        name = next(str(move) for move in _moves(action) if str(move) != "noop")
        return value_of(state.after[name,])

    return AlphaBetaOptions(Foreseen(value, worst_first=worst_first))


def _moves(action: Action) -> tuple[object, ...]:
    return action if isinstance(action, tuple) else (action,)


@pytest.mark.parametrize("seed", range(5))
def test_the_better_the_order_the_less_is_visited(seed: int) -> None:
    """The value is the same; the work goes from best first to worst first."""
    root = random_tree(random.Random(seed), depth=4)

    best = run(root, foreseen(worst_first=False))
    listed = run(root)
    shuffled = run(root, AlphaBetaOptions(Shuffled(random.Random(seed))))
    worst = run(root, foreseen(worst_first=True))

    assert best.value == listed.value == shuffled.value == worst.value == value_of(root)
    assert best.nodes <= min(listed.nodes, shuffled.nodes) <= worst.nodes <= 1 + 3 + 9 + 27 + 81


def test_killers_and_history_bring_a_refutation_to_the_front() -> None:
    """The move that refuted b is tried first against c, where it is listed last."""
    root = decision(
        "max",
        a=decision("min", x=end(50), y=end(50), z=end(50)),
        b=decision("min", x=end(90), z=end(10), y=end(90)),
        c=decision("min", x=end(90), y=end(90), z=end(10)),
    )

    plain = run(root)
    by_killers = run(root, AlphaBetaOptions(LearnedOrder(history=False)))
    by_history = run(root, AlphaBetaOptions(LearnedOrder(killers=False)))

    assert (plain.nodes, by_killers.nodes, by_history.nodes) == (12, 10, 10)


def test_a_state_met_twice_is_searched_once() -> None:
    """Two orders of the same moves lead to one place; the table knows it."""
    shared = decision("min", x=end(40), y=end(60))
    root = decision(
        "max",
        a=decision("max", b=shared, c=end(0)),
        b=decision("max", a=shared, c=end(0)),
    )

    plain = run(root)
    remembered = run(root, AlphaBetaOptions(table=TranspositionTable()))

    assert remembered.value == plain.value == 40
    assert plain.nodes - remembered.nodes == 1


def test_a_table_never_holds_more_than_it_may() -> None:
    """The older half makes room, and what was stored last is known."""
    table = TranspositionTable(max_entries=4)
    exact = BoundedValue(40, 40, 40)

    for state in range(7):
        table.store(state, 1, exact, alpha=0, beta=100)

    known = [state for state in range(7) if table.probe(state, 1, 0, 100) is not None]
    assert known == [4, 5, 6]
    assert len(table) <= 4


@pytest.mark.parametrize(
    ("window", "is_known"), [((0, 50), False), ((0, 30), True), ((60, 100), False)]
)
def test_a_lower_bound_answers_only_where_it_is_enough(
    window: tuple[float, float], is_known: bool
) -> None:
    """A value of at least 40 settles a window that ends at 30."""
    table = TranspositionTable()
    table.store("state", 2, BoundedValue(40), alpha=10, beta=40)

    found = table.probe("state", 2, *window)

    assert (found is not None) is is_known


def test_a_deeper_value_answers_no_shallower_question_unless_asked_at_its_depth() -> None:
    """It is a better value, but another one; proven bounds hold from their depth on."""
    table = TranspositionTable()
    table.store("guessed", 3, BoundedValue(40), alpha=0, beta=100)
    table.store("proven", 3, BoundedValue(40, 40, 40), alpha=0, beta=100)

    assert [table.probe("guessed", depth, 0, 100) is not None for depth in (2, 3, 4)] == [
        False,
        True,
        False,
    ]
    assert [table.probe("proven", depth, 0, 100) is not None for depth in (2, 3, 4)] == [
        False,
        True,
        True,
    ]


def test_a_narrow_window_tells_on_which_side_the_value_is() -> None:
    """Outside of it the value is a bound on the right side."""
    machine = GameTreeMachine(SIDES, random_tree(random.Random(3), depth=4))
    exact = run(random_tree(random.Random(3), depth=4)).value

    below, above = (
        alphabeta.search(
            machine,
            machine.initial_state(),
            machine.roles[0],
            depth=4,
            evaluate=GoalEvaluation(machine),
            deadline=NEVER,
            window=window,
        ).value
        for window in [(exact + 1, exact + 2), (exact - 2, exact - 1)]
    )

    assert below <= exact + 1
    assert above >= exact - 1


def test_one_may_choose_among_some_of_the_moves() -> None:
    """The others are not looked at."""
    machine = GameTreeMachine(SIDES, alpha_tree())

    found = alphabeta.search(
        machine,
        machine.initial_state(),
        machine.roles[0],
        depth=2,
        evaluate=GoalEvaluation(machine),
        deadline=NEVER,
        among=[Constant("b")],
    )

    assert [(str(each.move), each.value) for each in found.result.moves] == [("b", 20)]


def test_tictactoe_is_solved_from_the_start_with_a_table() -> None:
    """A draw; every state is searched once, instead of half a million lines."""
    machine = machine_of("ticTacToe")

    found = alphabeta.search(
        machine,
        machine.initial_state(),
        machine.roles[0],
        depth=None,
        evaluate=EvenEvaluation(machine),
        deadline=NEVER,
        means=AlphaBetaOptions(LearnedOrder(), TranspositionTable()),
    )

    assert (found.value, found.result.is_proven, found.is_complete) == (50, True, True)
    assert found.nodes < 6000


def test_nim_is_won_by_who_leaves_a_balanced_board() -> None:
    """The first to move in 1, 3, 5, 7 is lost (Bouton 1901)."""
    machine = machine_of("nim")

    found = alphabeta.search(
        machine,
        machine.initial_state(),
        machine.roles[0],
        depth=None,
        evaluate=EvenEvaluation(machine),
        deadline=NEVER,
        means=AlphaBetaOptions(LearnedOrder(), TranspositionTable()),
    )

    assert (found.value, found.is_complete) == (0, True)


def test_it_stops_when_the_time_is_over() -> None:
    """And its table holds nothing half-done: the next search finds the same as a fresh one."""
    machine = machine_of("connectFour")
    means = AlphaBetaOptions(LearnedOrder(), TranspositionTable())
    state, role, even = machine.initial_state(), machine.roles[0], EvenEvaluation(machine)

    with pytest.raises(OutOfTime):
        alphabeta.search(
            machine,
            state,
            role,
            depth=30,
            evaluate=even,
            deadline=Deadline.after(0.05),
            means=means,
        )

    after = alphabeta.search(
        machine, state, role, depth=3, evaluate=even, deadline=NEVER, means=means
    )
    fresh = minimax.search(machine, state, role, depth=3, evaluate=even, deadline=NEVER)
    assert after.value == fresh.value


ENDLESS = """
(role a) (role b) (init (round 0)) (legal a stay) (legal b stay)
(<= (next (round 0)) (true (round 0)))
(<= terminal (true (round 1)))
(goal a 50) (goal b 50)
"""


def test_a_game_that_never_ends_is_searched_to_a_bound() -> None:
    """One line of moves for ever: the evaluation counts at the deepest ply, nothing is proven."""
    machine = gdl.load(ENDLESS, "interpreter")

    for search in (minimax.search, alphabeta.search):
        found = search(
            machine,
            machine.initial_state(),
            machine.roles[0],
            depth=None,
            evaluate=EvenEvaluation(machine),
            deadline=NEVER,
        )

        assert (found.value, found.depth, found.evaluations) == (50, DEEPEST, 1)
        assert not found.is_complete
