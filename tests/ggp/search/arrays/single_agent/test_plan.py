"""Breadth-first search and A* by themselves."""

from __future__ import annotations

import gdl
from ggp import games
from ggp.clock import Deadline
from ggp.search.arrays.single_agent.plan import astar, bfs


def test_breadth_first_search_is_exact_and_a_star_is_quick() -> None:
    """Both solve the eightPuzzle; A* makes fewer states, and claims less."""
    machine = gdl.load(games.text("eightPuzzle"), "lanes")
    state = machine.initial_state()

    plain = bfs(machine, state, Deadline.never())
    led = astar(machine, state, Deadline.never())

    assert plain is not None
    assert led is not None
    assert (plain.goal, len(plain.moves), plain.is_best, plain.is_shortest) == (100, 8, True, True)
    assert (led.goal, led.is_best, led.is_shortest) == (100, True, False)
    assert led.num_states < plain.num_states


def test_a_star_without_a_distance_finds_the_shortest_way() -> None:
    """With weight 0 it is a breadth-first search in other words."""
    machine = gdl.load(games.text("towersOfHanoi"), "lanes")

    plan = astar(machine, machine.initial_state(), Deadline.never(), weight=0)

    assert plan is not None
    assert (plan.goal, len(plan.moves), plan.is_shortest) == (100, 7, True)


def test_without_time_there_is_no_plan() -> None:
    """And nothing is claimed."""
    machine = gdl.load(games.text("lightsOut"), "lanes")

    assert bfs(machine, machine.initial_state(), Deadline.after(0)) is None
