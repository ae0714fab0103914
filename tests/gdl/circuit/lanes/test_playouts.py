"""Playouts end where the game ends, begin anew, and are counted exactly."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from gdl.circuit.lanes.playouts.kernels import CUT_GOAL
from gdl.circuit.lanes.playouts.lanes import Lanes
from gdl.circuit.lanes.tables import make_tables
from gdl.circuit.schedule import schedule
from tests.gdl.circuit.lanes.random_netlists import random_netlist, three_moves

pytestmark = pytest.mark.usefixtures("kernels")


def test_a_lane_that_is_over_begins_anew() -> None:
    """A game of three moves shows its end in every fourth step, in all lanes."""
    lanes = Lanes([schedule(three_moves())])

    result = lanes.playouts(steps=12)

    assert result.count == 3 * lanes.num_lanes
    assert result.states == 12 * lanes.num_lanes
    assert result.mean_length == 3
    assert result.cut == 0


def test_goals_are_those_of_the_last_state() -> None:
    """The last move decides, left or right with equal chance; the witness always gets its goal."""
    lanes = Lanes([schedule(three_moves())], seed=1)

    result = lanes.playouts(steps=400)

    deviation = 3.72 * 50 / np.sqrt(result.count)
    assert abs(result.mean_goals[0] - 50) < deviation
    assert result.mean_goals[1] == 70


def test_playouts_go_on_where_they_stood() -> None:
    """Two calls make the playouts that one call makes."""
    lanes = Lanes([schedule(three_moves())])

    first, second = lanes.playouts(steps=6), lanes.playouts(steps=6)

    assert first.count == lanes.num_lanes
    assert second.count == 2 * lanes.num_lanes


def test_a_playout_without_end_is_cut() -> None:
    """The depth limit ends it, and its goal says nothing about who wins."""
    lanes = Lanes([schedule(three_moves(ends=False))])

    result = lanes.playouts(steps=160, limit=32)

    assert result.count == result.cut == 5 * lanes.num_lanes
    assert result.mean_goals == (CUT_GOAL, CUT_GOAL)


def test_a_playout_that_ends_is_not_cut() -> None:
    """Age begins anew with each playout."""
    lanes = Lanes([schedule(three_moves())])

    result = lanes.playouts(steps=4000, limit=16)

    assert result.cut == 0


def test_finish_plays_one_playout_in_each_lane() -> None:
    """Lanes that are over wait for the others; each playout counts once."""
    lanes = Lanes([schedule(three_moves())])
    lanes.playouts(steps=2)

    result = lanes.finish()

    assert result.count == lanes.num_lanes
    assert result.states == 2 * lanes.num_lanes


def test_equal_seeds_make_equal_playouts() -> None:
    """The seed decides everything, and another seed makes other playouts."""
    plan = schedule(three_moves())

    first, same, other = (Lanes([plan], seed=seed) for seed in (1, 1, 2))

    goals = [lanes.playouts(steps=400).mean_goals for lanes in (first, same, other)]
    assert goals[0] == goals[1] != goals[2]


def test_a_refilled_lane_returns_to_its_own_state() -> None:
    """Lanes that were loaded with different states keep them apart."""
    lanes = Lanes([schedule(three_moves())])
    states = np.where(np.arange(lanes.num_lanes) < 16, 0b00001, 0b00100).astype(np.uint64)
    lanes.load(states[:, np.newaxis])

    result = lanes.playouts(steps=12)

    # Four steps for a whole game, two for one that begins with two of three moves made.
    assert result.count == 16 * 3 + (lanes.num_lanes - 16) * 6


def test_playing_for_seconds_takes_no_less() -> None:
    """It ends by the clock, which is looked at often."""
    lanes = Lanes([schedule(three_moves())])
    lanes.playouts(steps=1)

    result = lanes.playouts(seconds=0.02)

    assert 0.02 <= result.seconds < 60
    assert result.count > lanes.num_lanes


@pytest.mark.parametrize("number", [1, 2])
def test_goals_may_be_found_later(number: int) -> None:
    """Goals that wait for others are the same goals, in one phase and in several."""
    plans = [schedule(random_netlist(5))] * number
    at_once, later = (Lanes(plans, seed=3) for _ in range(2))
    at_once.tables = at_once.tables._replace(goals_wait=np.zeros(number, np.bool_))
    later.tables = later.tables._replace(goals_wait=np.ones(number, np.bool_))

    for steps in (1, 40):
        results = [lanes.playouts(steps=steps) for lanes in (at_once, later)]
        assert results[0].mean_goals == results[1].mean_goals
        assert results[0].count == results[1].count > 0

    assert at_once.finish().mean_goals == later.finish().mean_goals
    assert (at_once.read() == later.read()).all()


def test_goals_wait_where_they_cost_most() -> None:
    """Goals of a gate or two are found at once; thousands of gates wait."""
    cheap = random_netlist(5)
    dear = replace(schedule(cheap), segments=np.array([0, 0, 0, 0, 0, 1, 1], np.int32))
    dear = replace(dear, runs=np.array([[0, 0, 9999, 0]], np.int32))

    assert not make_tables([schedule(cheap)], 1).goals_wait[0]
    assert make_tables([dear], 1).goals_wait[0]
