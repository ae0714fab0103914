"""Pure Monte Carlo finds what random games show, on written-down trees and real games."""

from __future__ import annotations

import math
import random

import pytest

import gdl
from ggp import games
from ggp.clock import Deadline
from ggp.players import create
from ggp.search.core import repeat, search_until
from ggp.search.textbook.monte_carlo import (
    SHARES,
    DepthCharge,
    MonteCarloSearch,
    MonteCarloSettings,
    best_arm,
    ucb1,
)
from tests.fakes.gametree import decision, game_tree, terminal
from tests.ggp.search.textbook.chance.trees import bins
from tests.thorough import all_but

pytestmark = pytest.mark.usefixtures("kernels")

NEVER = Deadline.never()


def sampling(machine: gdl.Game, settings: MonteCarloSettings) -> MonteCarloSearch:
    """A search for the first role from the initial state."""
    state, role = machine.initial_state(), machine.roles[0]
    return MonteCarloSearch(machine, state, role, random.Random(1), settings)


def test_each_move_gets_k_playouts() -> None:
    """No more and no less, and then the search is over."""
    tree = sampling(bins(), MonteCarloSettings(k=40))

    made = repeat(tree.step, NEVER)

    assert (made, tree.counts, tree.step(NEVER)) == (120, [40, 40, 40], False)


def test_the_means_are_those_of_random_replies() -> None:
    """The bins are worth 50, 52 and 55 to one whose opponent does not look."""
    tree = sampling(bins(), MonteCarloSettings(k=2000))

    repeat(tree.step, NEVER)

    means = {str(each.move): each.value for each in tree.result().moves}
    assert means == pytest.approx({"a": 50, "b": 52, "c": 55}, abs=4)
    assert str(tree.result().move) == "c"


def test_a_bandit_plays_more_where_it_goes_well() -> None:
    """Of the same number of playouts most go to the best move, and every move has some."""
    machine = game_tree(
        ("me",), decision("me", bad=terminal(0), good=terminal(90), poor=terminal(10))
    )
    tree = sampling(machine, MonteCarloSettings(k=50, share="ucb1"))

    repeat(tree.step, NEVER)

    assert sum(tree.counts) == 150
    assert min(tree.counts) > 0
    assert tree.counts[1] > 100
    assert str(tree.result().move) == "good"


@pytest.mark.parametrize("share", SHARES)
def test_a_win_in_one_is_taken(share: str) -> None:
    """Three in a row on the real board."""
    machine = gdl.load(games.text("ticTacToe"))
    state = machine.initial_state()
    for move in ("(mark 1 1)", "(mark 3 1)", "(mark 1 2)", "(mark 3 2)"):
        joint = [
            next((m for m in machine.legal_moves(state, role) if str(m) == move), None)
            or machine.legal_moves(state, role)[0]
            for role in machine.roles
        ]
        state = machine.next_state(state, joint)
    settings = MonteCarloSettings(k=30, share=share)

    search = MonteCarloSearch(machine, state, machine.roles[0], random.Random(1), settings)
    found = search_until(search, NEVER)

    assert (str(found.move), found.value) == ("(mark 1 3)", 100)


@pytest.mark.parametrize(
    "game", all_but(["ticTacToe"], ["ticTacToe", "pig", "threePlayerTicTacToe"])
)
def test_the_compiled_machine_plays_the_same_games(game: str) -> None:
    """The mean goal of its random games is that of games played move by move."""
    compiled, plain = gdl.load(games.text(game)), gdl.load(games.text(game), "interpreter")
    charges = [
        DepthCharge(machine, machine.roles[0], random.Random(3), horizon=500)
        for machine in (compiled, plain)
    ]
    nums = (4000, 100)

    means = []
    for machine, charge, num in zip((compiled, plain), charges, nums, strict=True):
        state = machine.initial_state()
        means.append(sum(charge(state, NEVER) or 0 for _ in range(num)) / num)

    assert [charge._playing is not None for charge in charges] == [True, False]
    assert means[0] == pytest.approx(means[1], abs=14)  # about three standard errors of the second


@pytest.mark.parametrize("engine", ["scalar", "interpreter"])
def test_a_game_that_is_too_long_is_undecided(engine: gdl.Engine) -> None:
    """On either machine."""
    machine = gdl.load(games.text("connectFour"), engine)
    charge = DepthCharge(machine, machine.roles[0], random.Random(1), horizon=3)

    assert charge(machine.initial_state(), NEVER) == 50


@pytest.mark.parametrize("engine", ["scalar", "interpreter"])
def test_it_returns_before_its_deadline(engine: gdl.Engine) -> None:
    """With a legal move, also if there was no time at all."""
    machine = gdl.load(games.text("connectFour"), engine)
    player = create("montecarlo", machine, machine.roles[0], {}, seed=1)
    legal = machine.legal_moves(machine.initial_state(), player.role)
    deadline = Deadline.after(0.1)

    moves = [player.choose(machine.initial_state(), each) for each in (Deadline.after(0), deadline)]

    assert set(moves) <= set(legal)
    assert Deadline(deadline.moment + 30).remaining() > 0  # a safety net


def test_the_same_seed_makes_the_same_moves() -> None:
    """Rounds that are counted do not hang on the clock."""
    spec = "montecarlo:bandit=ucb1,iterations=50"

    values = []
    for _ in range(2):
        machine = gdl.load(games.text("connectFour"))
        player = create(spec, machine, machine.roles[0], {}, seed=4)
        player.choose(machine.initial_state(), NEVER)
        values.append(player.thoughts["moves"])

    assert values[0] == values[1]


@pytest.mark.parametrize(
    ("mean", "visits", "parent_visits", "expected"),
    [(20, 1, 1, 20.0), (10, 2, 3, 11.48), (10, 1, 3, 12.10), (0, 0, 3, math.inf)],
)
def test_ucb1_has_the_values_of_the_walk_through(
    mean: float, visits: int, parent_visits: int, expected: float
) -> None:
    """The lecture's four iterations, C = 2: 20 alone, then 11.48 against 12.10; new ones first."""
    assert round(ucb1(mean, visits, parent_visits, c=2), 2) == expected


def test_the_next_arm_is_the_one_with_the_highest_bound() -> None:
    """S2 in the fourth iteration; without exploration the first of equal means."""
    assert best_arm([20, 10], [2, 1], c=2) == 1
    assert best_arm([20, 10], [2, 1], c=0) == 0
    assert best_arm([100, 0], [1, 0], c=2) == 1
