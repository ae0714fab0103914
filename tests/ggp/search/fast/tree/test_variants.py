"""Variants of the search on lanes: what playouts tell of moves, and what is made of it."""

from __future__ import annotations

import random

import numpy as np
import pytest

import gdl
from ggp.clock import Deadline
from ggp.search.fast.lanes import BIASED, PLAIN, LaneSettings
from ggp.search.fast.tree.search import LaneSearch
from tests.ggp.search.fast.tree.test_search import MEBIBYTE, machine_of, run, search_in

pytestmark = pytest.mark.usefixtures("kernels")


def settings_of(variant: str) -> LaneSettings:
    """Small, and such that a seed repeats a search."""
    return LaneSettings(memory=16 * MEBIBYTE, rounds=1, variant=variant)


def playing(rounds: int) -> tuple[gdl.Expander, dict[str, int]]:
    """What plays the game of the trap and tells the moves, and the inputs of the first role."""
    simulator = machine_of("trap").simulator
    assert simulator is not None
    expander = simulator.expander(1, counts_moves=True)
    expander.children[0] = expander.initial
    expander.play(1, 0, rounds, 10)
    return expander, {
        str(move): number for number, (role, move) in enumerate(expander.inputs) if role == 0
    }


def test_playouts_tell_which_moves_were_made_and_what_they_brought() -> None:
    """One of a, b, c begins each; they bring 50, 0 or 100 by chance, and 100."""
    expander, inputs = playing(rounds=4)

    made = {name: expander.move_counts[inputs[name]] for name in "abc"}
    means = {name: expander.move_goals[inputs[name]] / made[name] for name in "abc"}
    assert sum(made.values()) == expander.num_playouts_per_leaf
    assert (means["a"], means["c"]) == (50, 100)
    assert 40 < means["b"] < 60


NO_RULE_FOR_LOSING = """
(role p) (role q)
(init start)
(<= (legal p a) (true start))
(<= (legal p b) (true start))
(legal q wait)
(<= (next (chosen ?m)) (does p ?m))
(<= terminal (true (chosen ?m)))
(<= (goal p 100) (true (chosen a)))
(<= (goal q 100) (true (chosen b)))
"""


def test_a_move_after_which_no_rule_gives_a_goal_brings_nothing() -> None:
    """It once counted only where it had brought something, so that each move seemed to win."""
    simulator = gdl.load(NO_RULE_FOR_LOSING, "lanes").simulator
    assert simulator is not None
    expander = simulator.expander(1, counts_moves=True)
    expander.children[0] = expander.initial
    expander.play(1, 0, 1, 10)
    number = {str(move): number for number, (role, move) in enumerate(expander.inputs) if role == 0}

    made = {name: expander.move_counts[number[name]] for name in "ab"}
    goals = {name: expander.move_goals[number[name]] for name in "ab"}
    assert min(made.values()) > 0
    assert made["a"] + made["b"] == expander.num_playouts_per_leaf
    assert goals == {"a": 100 * made["a"], "b": 0}


@pytest.mark.parametrize(
    ("bias", "shares"), [(0, (1 / 3, 1 / 3, 1 / 3)), (1, (1 / 6, 1 / 3, 1 / 2))]
)
def test_playouts_prefer_moves_with_a_high_score(
    bias: int, shares: tuple[float, float, float]
) -> None:
    """The better half of what is legal is chosen three times as often as the other."""
    expander, inputs = playing(rounds=1)
    scores = np.zeros(len(expander.inputs))
    for score, name in enumerate("bca"):
        scores[inputs[name]] = score

    expander.prefer(scores, bias)
    expander.play(1, 0, 40, 10)

    made = [expander.move_counts[inputs[name]] for name in "bca"]
    assert np.array(made) / sum(made) == pytest.approx(shares, abs=0.02)


def test_a_forced_win_is_proven_and_played() -> None:
    """Whatever playouts say of it."""
    result = run(search_in("trap", settings=settings_of(BIASED)), 50)

    assert (str(result.move), result.lower) == ("c", 100)


def test_the_same_seed_repeats_a_search_that_is_not_the_plain_one() -> None:
    """Also after a move, and whether or not who wins at once is seen."""

    def visits(name: str) -> list[int]:
        search = search_in("connectFour", settings=settings_of(name))
        line = run(search, 30).line[0]
        search.advance(line, search.game.next_state(search.state, line))
        return [each.visits for each in run(search, 30).moves]

    assert visits(BIASED) == visits(BIASED)
    assert visits(BIASED) != visits(PLAIN)


def test_a_move_that_did_well_elsewhere_has_an_advantage() -> None:
    """Over the other legal moves of its role, before it is made."""
    search = search_in("trap", settings=settings_of(BIASED))
    history, leaves = search._history, search._leaves
    _, inputs = playing(rounds=1)
    history._scores[[inputs[name] for name in "abc"]] = 30, 60, 90

    history.write_advantages(leaves, 1)

    places = slice(*leaves.legal_starts[:2])
    legal, advantages = leaves.legal[places].tolist(), leaves.advantages[places].tolist()
    found = dict(zip(legal, advantages, strict=True))
    assert found == {inputs["a"]: -30, inputs["b"]: 0, inputs["c"]: 30}


@pytest.mark.parametrize("seed", range(4))
def test_what_is_proven_does_not_depend_on_the_variant(seed: int) -> None:
    """Late positions of a game whose moves are divided by kind."""
    game, rng = machine_of("breakthroughSmall"), random.Random(seed)
    assert game.move_kinds is not None
    state = game.initial_state()
    for _ in range(22):
        if not game.is_terminal(state):
            before = state
            moves = tuple(rng.choice(game.legal_moves(state, role)) for role in game.roles)
            state = game.next_state(state, moves)

    results = []
    for variant in (PLAIN, BIASED):
        search = LaneSearch(game, before, game.roles[0], 1, settings_of(variant))
        for _ in range(2000):
            if not search.step(Deadline.never()):
                break
        results.append(search.result())

    assert all(result.is_settled for result in results)
    assert results[0].value == results[1].value


def test_the_plain_search_counts_no_moves() -> None:
    """It does not pay for what it does not use."""
    search = search_in("connectFour", settings=settings_of(PLAIN))

    assert search.step(Deadline.never())
    assert not search._expander.move_counts.any()
