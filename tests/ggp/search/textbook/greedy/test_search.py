"""The greedy search finds the values that a hand finds, and says which of them are guaranteed."""

from __future__ import annotations

import pytest

from gdl import Constant, StateMachine
from ggp.clock import Deadline
from ggp.search.core import SearchResult, search_until
from ggp.search.textbook.greedy.search import GreedySearch, GreedySettings
from ggp.search.textbook.greedy.tree import RULES
from tests.fakes.gametree import GameTreeMachine, Place, decision, meeting, terminal

MAX, MIN = Constant("max"), Constant("min")


def end(goal: int) -> Place:
    """The end of a game of two in which what one wins the other loses."""
    return terminal(goal, 100 - goal)


@pytest.fixture
def lecture_tree() -> GameTreeMachine:
    """Three moves; the opponent answers with the worst reply: a is worth 50, b 20, c 10."""
    root = decision(
        "max",
        a=decision("min", x=end(50), y=end(80)),
        b=decision("min", x=end(90), y=end(20)),
        c=decision("min", x=end(10), y=end(100)),
    )
    return GameTreeMachine(("max", "min"), root)


class EndsAfter(Deadline):
    """A deadline that comes when it was looked at so many times."""

    def __init__(self, looks: int) -> None:
        super().__init__(float("inf"))
        self.looks = looks

    def is_over(self) -> bool:
        """False for the first looks."""
        self.looks -= 1
        return self.looks < 0


def run(machine: StateMachine, rule: str = "uct", rounds: int = 100) -> SearchResult:
    """The result for the first role after some rounds from the initial state."""
    state, role = machine.initial_state(), machine.roles[0]
    search = GreedySearch(machine, state, role, GreedySettings(select=rule))
    return search_until(search, Deadline.never(), rounds)


@pytest.mark.parametrize("rule", RULES)
def test_every_selection_rule_finds_the_minimax_value(
    lecture_tree: GameTreeMachine, rule: str
) -> None:
    """The rules order the work; the answer of a finished search is the same."""
    result = run(lecture_tree, rule)

    assert result.move is Constant("a")
    assert (result.value, result.lower, result.upper) == (50, 50, 50)


def test_a_finished_branch_is_not_searched_again(lecture_tree: GameTreeMachine) -> None:
    """Four expansions settle the tree of nine states; further rounds do nothing."""
    result = run(lecture_tree, rounds=1000)

    assert result.visits == 4
    assert lecture_tree.num_steps == 9


def test_the_expected_line_follows_both_sides_best_moves(lecture_tree: GameTreeMachine) -> None:
    """The line holds joint moves: ours with the other's `noop`, then the other's reply."""
    result = run(lecture_tree)

    assert [" ".join(map(str, joint)) for joint in result.line] == ["a noop", "noop x"]


def test_estimates_before_the_end_are_the_goal_values_of_states() -> None:
    """After one round nothing is proven, and the state worth most as it stands is preferred."""
    deep = decision("max", go=end(0))
    root = decision(
        "max",
        a=Place((30, 0), deep.moves, deep.after),
        b=Place((60, 0), deep.moves, deep.after),
    )

    result = run(GameTreeMachine(("max", "min"), root), rounds=1)

    assert (str(result.move), result.value) == ("b", 60)
    assert (result.lower, result.upper, result.is_proven) == (0, 100, False)


@pytest.mark.parametrize(("goal", "chosen"), [(100, "known"), (50, "known"), (0, "unknown")])
def test_a_guaranteed_gain_comes_before_an_equal_estimate_and_a_guaranteed_loss_after_it(
    goal: int, chosen: str
) -> None:
    """Estimated and guaranteed values that are equal are not worth the same."""
    more = decision("max", x=end(0), y=end(100))
    root = decision("max", unknown=Place((goal, 0), more.moves, more.after), known=end(goal))

    result = run(GameTreeMachine(("max", "min"), root), rounds=1)

    assert str(result.move) == chosen


def test_a_win_guaranteed_by_one_move_ends_the_search() -> None:
    """The other branch cannot be better, so it is never expanded."""
    root = decision("max", a=end(100), b=decision("min", x=end(0), y=end(100)))
    machine = GameTreeMachine(("max", "min"), root)

    result = run(machine)

    assert (str(result.move), result.is_proven, result.visits) == ("a", True, 1)


def test_the_random_role_averages() -> None:
    """A die with the goals 0, 30 and 90 is worth 40, which beats a sure 39."""
    die = decision("random", one=terminal(0, 0), two=terminal(30, 0), three=terminal(90, 0))
    root = decision("max", sure=terminal(39, 0), roll=die)

    result = run(GameTreeMachine(("max", "random"), root))

    assert (str(result.move), result.value, result.is_proven) == ("roll", 40, True)


def test_at_a_simultaneous_move_the_others_are_taken_to_answer_ours() -> None:
    """Matching pennies guarantees nothing to one who shows the coin first; a safe move does."""
    moves = {"max": ("heads", "tails", "safe"), "min": ("heads", "tails")}
    after = {
        (own, other): end(40 if own == "safe" else 100 if own == other else 0)
        for own in moves["max"]
        for other in moves["min"]
    }

    result = run(GameTreeMachine(("max", "min"), meeting(moves, after)))

    assert (str(result.move), result.value, result.is_proven) == ("safe", 40, True)


def test_other_roles_are_against_us_also_where_there_are_several() -> None:
    """The third role would rather have 90 for itself, but we count with its worst for us."""
    third = decision("third", kind=terminal(80, 10, 90), cruel=terminal(20, 0, 0))
    root = decision("max", trust=third, leave=terminal(30, 0, 0))

    result = run(GameTreeMachine(("max", "min", "third"), root))

    assert (str(result.move), result.value) == ("leave", 30)


def test_the_subtree_of_the_move_made_is_kept(lecture_tree: GameTreeMachine) -> None:
    """All that was learned below a move is not computed again."""
    state = lecture_tree.initial_state()
    search = GreedySearch(lecture_tree, state, MAX)
    for _ in range(4):
        search.step(Deadline.never())
    joint = (Constant("b"), Constant("noop"))
    before = lecture_tree.num_steps

    search.advance(joint, lecture_tree.next_state(state, joint))

    assert (search.root.utility, search.root.is_final, search.num_nodes) == (20, True, 3)
    assert lecture_tree.num_steps == before + 1  # the one above


def test_a_move_that_the_tree_does_not_hold_starts_a_new_tree(
    lecture_tree: GameTreeMachine,
) -> None:
    """The lecture's `subtree` would go on from the old state here."""
    search = GreedySearch(lecture_tree, lecture_tree.initial_state(), MAX)
    joint = (Constant("c"), Constant("noop"))
    state = lecture_tree.next_state(lecture_tree.initial_state(), joint)

    search.advance(joint, state)

    assert search.state is state
    assert search.root.visits == 0


def test_no_node_is_made_beyond_the_bound(lecture_tree: GameTreeMachine) -> None:
    """The bound is looked at before each expansion, so it is passed by one expansion at most."""
    state = lecture_tree.initial_state()
    search = GreedySearch(lecture_tree, state, MAX, GreedySettings(max_nodes=3))

    steps = [search.step(Deadline.never()) for _ in range(3)]

    assert steps == [True, False, False]
    assert search.num_nodes == 4


def test_an_expansion_cut_short_goes_on_where_it_stopped(lecture_tree: GameTreeMachine) -> None:
    """The children made in time stay, and already tell the moves apart."""
    state = lecture_tree.initial_state()
    search = GreedySearch(lecture_tree, state, MAX)
    deadline = EndsAfter(looks=2)

    cut_short = search.step(deadline)
    moves = [str(each.move) for each in search.result().moves]
    search.step(Deadline.never())

    assert (cut_short, moves) == (False, ["a", "b"])
    assert [str(each.move) for each in search.result().moves] == ["a", "b", "c"]
    assert lecture_tree.num_steps == 3


def test_a_deadline_in_the_past_leaves_the_first_legal_move(lecture_tree: GameTreeMachine) -> None:
    """Without any time there is still an answer, and no half-made node."""
    search = GreedySearch(lecture_tree, lecture_tree.initial_state(), MAX)
    result = search_until(search, Deadline.after(-1))

    assert str(result.move) == "a"
    assert lecture_tree.num_steps == 0
