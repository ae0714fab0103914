"""Monte Carlo tree search: what it samples, what it proves, and what it then plays."""

from __future__ import annotations

import random
from collections.abc import Mapping

import pytest

from gdl import Constant
from ggp.clock import Deadline
from ggp.search.core import SearchResult, search_until
from ggp.search.textbook.mcts.search import DEFAULTS, MctsSearch, MctsSettings
from ggp.search.textbook.mcts.tree import ucb1
from tests.fakes.gametree import GameTreeMachine, Place, decision, meeting, terminal

NEVER = Deadline.never()


def end(goal: int) -> Place:
    """The end of a game of two in which what one wins the other loses."""
    return terminal(goal, 100 - goal)


def corridor(length: int, last: Place, roles: tuple[str, ...] = ("max", "min")) -> Place:
    """A place from which every joint choice of `roles` leads on, `length` times, to `last`."""
    place = last
    for _ in range(length):
        moves: Mapping[str, tuple[str, ...]] = dict.fromkeys(roles, ("l", "r"))
        keys = [("l", "l"), ("l", "r"), ("r", "l"), ("r", "r")]
        place = meeting(moves, dict.fromkeys(keys, place))
    return place


def run(
    machine: GameTreeMachine, rounds: int, *, seed: int = 1, settings: MctsSettings = DEFAULTS
) -> SearchResult:
    """The result for the first role after some rounds from the initial state."""
    state, role = machine.initial_state(), machine.roles[0]
    search = MctsSearch(machine, state, role, random.Random(seed), settings)
    return search_until(search, NEVER, rounds)


def test_ucb1_has_the_values_of_the_walk_through() -> None:
    """Two moves with the values 20 and 10 after one visit each; from the fourth visit on by UCB1.

    Value 10 (of 1) and two visits of three, constant 2: 10 + 2 * sqrt(ln 3 / 2) = 11.48; value 10
    and one visit: 12.10.
    """
    scores = [ucb1(1000, visits, 3, 2) for visits in (2, 1)]

    assert scores == pytest.approx([11.48, 12.10], abs=0.005)


def test_a_move_never_made_comes_first() -> None:
    """Nothing is known about it, so its bound is infinite."""
    assert ucb1(50, 0, 10, 0.7) == float("inf")


def test_a_search_to_the_end_finds_the_minimax_value_and_says_that_it_is_proven() -> None:
    """The opponent's best reply decides what a move is worth: a 50, b 20, c 10."""
    root = decision(
        "max",
        a=decision("min", x=end(50), y=end(80)),
        b=decision("min", x=end(90), y=end(20)),
        c=decision("min", x=end(10), y=end(100)),
    )
    machine = GameTreeMachine(("max", "min"), root)

    result = run(machine, 200)

    assert (str(result.move), result.value) == ("a", 50)
    assert (result.lower, result.upper, result.is_proven) == (50, 50, True)


def test_a_win_in_one_is_seen_before_any_playout() -> None:
    """Each own move is looked at once at the root, and a guaranteed win ends the search."""
    moves = {f"m{index}": corridor(3, end(50)) for index in range(9)} | {"win": end(100)}
    machine = GameTreeMachine(("max", "min"), decision("max", **moves))

    result = run(machine, 1)

    assert (str(result.move), result.value, result.is_proven) == ("win", 100, True)


def test_a_move_that_lets_the_opponent_win_at_once_is_proven_lost() -> None:
    """One winning reply suffices, though most replies are good for us."""
    replies = {f"m{index}": end(100) for index in range(8)} | {"blow": end(0)}
    risky = decision("min", **replies)
    root = decision("max", risky=risky, dull=corridor(2, end(10)))

    result = run(GameTreeMachine(("max", "min"), root), 60)

    upper = {str(each.move): each.upper for each in result.moves}
    assert str(result.move) == "dull"
    assert upper["risky"] == 0


@pytest.mark.parametrize("seed", range(5))
def test_of_lost_moves_the_one_that_lasts_longest_is_made(seed: int) -> None:
    """The opponent may yet overlook how to win, even if the other move was looked at more."""
    slips = {f"m{index}": corridor(3, end(100)) for index in range(9)}
    long = decision("min", go=decision("max", go=decision("min", go=end(0))))
    root = decision("max", short=decision("min", **slips, win=end(0)), long=long)

    result = run(GameTreeMachine(("max", "min"), root), 300, seed=seed)

    assert (str(result.move), result.lower, result.upper) == ("long", 0, 0)


def test_a_guarantee_is_played_when_the_unproven_move_is_thought_to_be_worse() -> None:
    """A sure 50 beats a branch that may hold more but mostly gave 0."""
    poor = {f"m{index}": corridor(2, end(0)) for index in range(9)} | {"good": corridor(2, end(60))}
    root = decision("max", sure=end(50), gamble=decision("min", **poor))

    result = run(GameTreeMachine(("max", "min"), root), 150)

    assert (str(result.move), result.lower) == ("sure", 50)


def test_each_of_three_roles_follows_its_own_rewards() -> None:
    """The third role takes its own 90 and leaves us 80, though it could leave us nothing."""
    third = decision("third", kind=terminal(80, 10, 90), cruel=terminal(0, 0, 20))
    root = decision("max", trust=third, leave=terminal(30, 0, 0))

    result = run(GameTreeMachine(("max", "min", "third"), root), 200)

    assert str(result.move) == "trust"
    assert result.value > 60


def test_what_a_careless_role_could_do_is_not_guaranteed_away() -> None:
    """The third role is expected to take its 90, but only the worst is certain."""
    third = decision("third", kind=terminal(80, 10, 90), cruel=terminal(10, 0, 20))
    root = decision("max", trust=third, leave=terminal(30, 0, 0))

    result = run(GameTreeMachine(("max", "min", "third"), root), 200)

    assert (result.lower, result.upper) == (10, 80)


def test_the_random_role_is_averaged_and_proven() -> None:
    """A die with the goals 0, 30 and 90 is worth 40, which beats a sure 39."""
    die = decision("random", one=terminal(0, 0), two=terminal(30, 0), three=terminal(90, 0))
    root = decision("max", sure=terminal(39, 0), roll=die)

    result = run(GameTreeMachine(("max", "random"), root), 400)

    assert str(result.move) == "roll"
    assert (result.lower, result.upper) == (40, 40)


def test_matching_pennies_is_played_both_ways() -> None:
    """Decoupled UCT finds no better side: both get about half of the visits, and the value is 50.

    The coins meet deep in a corridor, so that nothing is proven early.
    """
    moves = {"max": ("heads", "tails"), "min": ("heads", "tails")}
    after = {
        (own, other): corridor(3, end(100 if own == other else 0))
        for own in moves["max"]
        for other in moves["min"]
    }

    result = run(GameTreeMachine(("max", "min"), meeting(moves, after)), 3000)

    shares = [each.visits / result.visits for each in result.moves]
    assert shares == pytest.approx([0.5, 0.5], abs=0.1)
    assert result.value == pytest.approx(50, abs=5)


def test_at_a_simultaneous_move_a_dominant_move_is_found() -> None:
    """In the prisoners' dilemma defecting is better, whatever the other does."""
    goals = {("c", "c"): (60, 60), ("c", "d"): (0, 100), ("d", "c"): (100, 0), ("d", "d"): (20, 20)}
    after = {key: terminal(*values) for key, values in goals.items()}
    root = meeting({"max": ("c", "d"), "min": ("c", "d")}, after)

    result = run(GameTreeMachine(("max", "min"), root), 500)

    assert str(result.move) == "d"
    assert result.moves[0].lower == 20


@pytest.mark.parametrize(("final", "chosen"), [("visits", "steady"), ("value", "lucky")])
def test_the_final_rule_decides_between_visits_and_value(final: str, chosen: str) -> None:
    """A move with more visits and one with a better mean, as a search might leave them."""
    root = decision("max", steady=corridor(9, end(50)), lucky=corridor(9, end(50)))
    machine = GameTreeMachine(("max", "min"), root)
    search = MctsSearch(
        machine, root, machine.roles[0], random.Random(1), MctsSettings(final=final)
    )
    search.root.counts[0][:] = [30, 10]
    search.root.totals[0][:] = [30 * 55.0, 10 * 70.0]

    assert str(search.result().move) == chosen


def test_a_move_not_yet_tried_comes_before_one_that_failed_once() -> None:
    """With one visit or none for each move, the mean decides; unknown is 50."""
    root = decision("max", failed=corridor(9, end(50)), unknown=corridor(9, end(50)))
    machine = GameTreeMachine(("max", "min"), root)
    search = MctsSearch(machine, root, machine.roles[0], random.Random(1))
    search.root.counts[0][:] = [1, 0]

    assert str(search.result().move) == "unknown"


def test_figures_are_kept_when_a_move_is_made() -> None:
    """The subtree of the joint move becomes the tree, with its visits."""
    root = decision("max", a=corridor(5, end(70)), b=corridor(5, end(30)))
    machine = GameTreeMachine(("max", "min"), root)
    search = MctsSearch(machine, root, machine.roles[0], random.Random(1))
    for _ in range(100):
        search.step(NEVER)
    child = search.root.children[0,]
    visits, num_nodes = child.visits, search.num_nodes

    search.advance((Constant("a"), Constant("noop")), child.state)

    assert search.root is child
    assert search.root.visits == visits > 10
    assert 1 < search.num_nodes < num_nodes


def test_an_unknown_move_starts_a_new_tree() -> None:
    """A joint move never looked at leads to a root without figures."""
    root = decision("max", a=corridor(5, end(70)), b=corridor(5, end(30)))
    machine = GameTreeMachine(("max", "min"), root)
    search = MctsSearch(machine, root, machine.roles[0], random.Random(1))
    joint = (Constant("b"), Constant("noop"))
    state = machine.next_state(root, joint)

    search.advance(joint, state)

    assert (search.state, search.root.visits, search.num_nodes) == (state, 0, 1)


def test_the_tree_stops_growing_at_its_bound_but_is_still_searched() -> None:
    """With room for five nodes the visits go on."""
    root = decision("max", a=corridor(5, end(70)), b=corridor(5, end(30)))
    machine = GameTreeMachine(("max", "min"), root)
    settings = MctsSettings(max_nodes=5)
    search = MctsSearch(machine, root, machine.roles[0], random.Random(1), settings)

    for _ in range(50):
        search.step(NEVER)

    assert (search.num_nodes, search.root.visits) == (5, 50)


def test_the_same_seed_gives_the_same_figures() -> None:
    """All randomness comes from the generator passed in."""
    root = decision("max", a=corridor(5, end(70)), b=corridor(5, end(30)))

    first, second = (run(GameTreeMachine(("max", "min"), root), 50, seed=3) for _ in range(2))

    assert first == second


def test_without_time_the_first_legal_move_is_the_answer() -> None:
    """A deadline in the past leaves nothing but the legal moves."""
    root = decision("max", a=corridor(5, end(70)), b=corridor(5, end(30)))
    machine = GameTreeMachine(("max", "min"), root)

    search = MctsSearch(machine, root, machine.roles[0], random.Random(1))
    result = search_until(search, Deadline.after(-1))

    assert (str(result.move), result.visits, machine.num_steps) == ("a", 0, 0)
