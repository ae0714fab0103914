"""Moves made at once: lots are drawn in the right shares, and drawn only where they should be."""

from __future__ import annotations

from functools import cache

import pytest

import gdl
from ggp import games
from ggp.clock import Deadline
from ggp.search.core.root import drawn_first
from ggp.search.fast.lanes import LaneSettings
from ggp.search.fast.tree.search import LaneSearch

pytestmark = pytest.mark.usefixtures("kernels")

SMALL = LaneSettings(memory=8 << 20, rounds=2)
NUM_MATCHES = 500

ROCK_PAPER_SCISSORS = {"rr": 50, "rp": 0, "rs": 100, "pr": 100, "pp": 50, "ps": 0}
ROCK_PAPER_SCISSORS |= {"sr": 0, "sp": 100, "ss": 50}
# The row that wins much is made seldom: x 1 in 3, y 2 in 3; the columns x 1 in 3, y 2 in 3.
UNEVEN = {"xx": 100, "xy": 0, "yx": 0, "yy": 50}
COORDINATION = {"xx": 100, "xy": 0, "yx": 0, "yy": 60}
DILEMMA = {"cc": 60, "cd": 0, "dc": 100, "dd": 20}


def rules_of(payoffs: dict[str, int], is_shared: bool) -> str:
    """A game of one step: what the first role gets; the second gets the rest, or the same."""
    moves = sorted({pair[0] for pair in payoffs})
    lines = ["(role one) (role two) (init first)"]
    lines += [f"(<= (legal ?r {move}) (role ?r))" for move in moves]
    lines += ["(<= (next (made ?r ?m)) (does ?r ?m))", "(<= terminal (true (made one ?m)))"]
    for pair, goal in payoffs.items():
        both = f"(true (made one {pair[0]})) (true (made two {pair[1]}))"
        other = 100 - goal if is_shared else payoffs[pair[::-1]]
        lines += [f"(<= (goal one {goal}) {both})", f"(<= (goal two {other}) {both})"]
    return "\n".join(lines)


@cache
def shares(rules: str, role: int = 0, seed: int = 1, steps: int = 40) -> dict[str, float]:
    """The share of each move."""
    machine = gdl.load(rules, "lanes")
    start = machine.initial_state()
    search = LaneSearch(machine, start, machine.roles[role], seed=seed, settings=SMALL)
    for _ in range(steps):
        if not search.step(Deadline.never()):
            break
    return {str(each.move): each.share for each in search.result().moves}


def gain(payoffs: dict[str, int], mine: dict[str, float]) -> float:
    """The rest for the first role against an opponent who knows its shares."""
    answers = {pair[1] for pair in payoffs}
    return min(sum(mine[x] * payoffs[x + y] for x in mine) for y in answers)


def test_nobody_gains_by_knowing_how_we_play_rock_paper_scissors() -> None:
    """In one round, and in the first of the five of the bundled game: all three as often."""
    one = shares(rules_of(ROCK_PAPER_SCISSORS, is_shared=True))
    five = shares(games.text("rockPaperScissors"))

    assert gain(ROCK_PAPER_SCISSORS, one) >= 50 - 0.5
    assert list(five.values()) == pytest.approx([1 / 3] * 3, abs=0.02)


def test_uneven_shares_are_found() -> None:
    """Both moves are worth as much to an opponent who knows them."""
    mine = shares(rules_of(UNEVEN, is_shared=True))

    assert mine["x"] == pytest.approx(1 / 3, abs=0.01)
    assert gain(UNEVEN, mine) == pytest.approx(100 / 3, abs=0.5)


def test_a_best_answer_over_500_rounds_gains_less_than_two_points() -> None:
    """The opponent answers the moves made so far, counted; lots are drawn anew in each round."""
    mine = shares(rules_of(ROCK_PAPER_SCISSORS, is_shared=True))
    moves, made, total = list(mine), dict.fromkeys(mine, 0), 0.0

    for number in range(NUM_MATCHES):
        move = drawn_first(moves, [mine[each] for each in moves], lot=number)[0]
        answer = min(moves, key=lambda y: sum(made[x] * ROCK_PAPER_SCISSORS[x + y] for x in moves))
        total += ROCK_PAPER_SCISSORS[move + answer]
        made[move] += 1

    assert total / NUM_MATCHES >= 50 - 2


def test_who_is_better_off_by_one_move_whatever_comes_makes_it() -> None:
    """In the prisoner's dilemma of one round that is to defect."""
    assert shares(rules_of(DILEMMA, is_shared=False))["d"] > 0.99


@pytest.mark.parametrize("role", [0, 1])
def test_two_who_want_the_same_meet(role: int) -> None:
    """Where both gain by the same choice they take the one that brings more, each by itself."""
    assert shares(rules_of(COORDINATION, is_shared=False), role)["x"] > 0.99


def test_lots_are_not_drawn_for_what_is_hardly_ever_right() -> None:
    """Rare moves are dropped; without shares the order stays."""
    drawn = {drawn_first("abc", [0.5, 0.46, 0.04], lot=number)[0] for number in range(200)}

    assert drawn == {"a", "b"}
    assert drawn_first("abc", [0.0, 0.0, 0.0], lot=1) == ["a", "b", "c"]
