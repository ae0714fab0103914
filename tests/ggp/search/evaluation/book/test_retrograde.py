"""The value of a state, computed from what follows it."""

from __future__ import annotations

import numpy as np
import pytest

import gdl
from ggp.clock import Deadline
from ggp.search.core.choices import random_index
from ggp.search.evaluation.book.retrograde import decide, solve
from ggp.training.books.building import LaneWorld, SlowWorld
from ggp.training.books.exploring import ExploreLimits, silent
from tests.ggp.training.books.shelf import machine_of

pytestmark = pytest.mark.usefixtures("kernels")

CIRCLE = """
(role me) (init (at a)) (legal me stay) (legal me leave)
(<= (next (at a)) (does me stay)) (<= (next (at b)) (does me leave))
(<= terminal (true (at b))) (goal me 70)
"""


def test_who_decides_takes_the_best_and_others_the_worst_of_what_is_left() -> None:
    """Two moves are worth 60 to the first role; the second gets the worse of theirs."""
    values = np.array([[[[60.0, 40.0]], [[60.0, 10.0]], [[50.0, 0.0]]]])
    lengths = np.array([[[4], [2], [1]]], np.int32)

    worth, length = decide(values, lengths, None)

    assert worth.tolist() == [[60.0, 10.0]]
    assert length.tolist() == [3]


def test_who_can_only_lose_loses_late() -> None:
    """All moves are worth the least there is."""
    values = np.array([[[[0.0, 100.0]], [[0.0, 100.0]]]])
    lengths = np.array([[[1], [5]]], np.int32)

    assert decide(values, lengths, None)[1].tolist() == [6]


def test_where_both_decide_each_counts_on_what_is_sure() -> None:
    """Matching pennies is worth nothing for certain, to neither."""
    values = np.array([[[[100.0, 0.0], [0.0, 100.0]], [[0.0, 100.0], [100.0, 0.0]]]])

    worth, _ = decide(values, np.zeros((1, 2, 2), np.int32), None)

    assert worth.tolist() == [[0.0, 0.0]]


def test_chance_takes_the_mean() -> None:
    """Each move of the random role is as likely as the others."""
    values = np.array([[[[100.0, 0.0], [40.0, 0.0], [10.0, 0.0]]]])

    worth, _ = decide(values, np.zeros((1, 1, 3), np.int32), 1)

    assert worth.tolist() == [[50.0, 0.0]]


def test_states_that_may_go_on_for_ever_are_not_solved() -> None:
    """A role that can stay for ever need not come to an end."""
    machine = gdl.load(CIRCLE, "interpreter")
    world = SlowWorld(machine)
    places = [(machine.initial_state(), 0)]
    graph = world.graph(places, ExploreLimits(), Deadline.never(), silent)

    solution = solve(graph, None)

    assert graph.is_complete
    assert solution.is_solved.tolist() == [False, True]


@pytest.mark.parametrize("name", ["chomp", "goofspiel", "prisonersDilemma"])
def test_lanes_see_what_the_machine_sees(name: str) -> None:
    """The same states and moves, and the same worth of each state, by its facts."""
    machine = machine_of(name)
    lanes = LaneWorld(machine)
    matter, found = set(lanes.code.facts), []

    for world in (lanes, SlowWorld(machine)):
        places = [(machine.initial_state(), 0)]
        graph = world.graph(places, ExploreLimits(), Deadline.never(), silent)
        solution = solve(graph, random_index(machine))
        assert graph.is_complete
        assert solution.is_solved.all()
        names = world.code.facts
        facts = [
            frozenset(matter.intersection(names[bit] for bit in bits))
            for bits in unpacked(graph.states)
        ]
        rows = zip(solution.values.tolist(), solution.lengths.tolist(), strict=True)
        found.append((dict(zip(facts, rows, strict=True)), len(graph.children)))

    assert found[0] == found[1]


def unpacked(states: np.ndarray[tuple[int, int], np.dtype[np.uint64]]) -> list[list[int]]:
    """The numbers of the bits that are set in each state."""
    bits = np.unpackbits(states.astype("<u8").view(np.uint8), axis=1, bitorder="little")
    return [np.flatnonzero(row).tolist() for row in bits]


def test_tic_tac_toe_has_its_known_number_of_states() -> None:
    """5,478 reachable positions, 958 of them ends."""
    machine = machine_of("ticTacToe")
    places = [(machine.initial_state(), 0)]

    graph = LaneWorld(machine).graph(places, ExploreLimits(), Deadline.never(), silent)

    assert (graph.num_states, int(graph.is_terminal.sum())) == (5478, 958)
