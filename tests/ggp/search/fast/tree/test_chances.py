"""Moves of equal proven value: the one that brings most against those who err."""

from __future__ import annotations

import random

import pytest

import gdl
from ggp import games
from ggp.clock import Deadline
from ggp.search.fast.lanes import LaneSettings
from ggp.search.fast.tree.search import LaneSearch
from tests.ggp.search.fast.tree.test_search import MEBIBYTE, machine_of, search_in

# With a number of rounds the clock has no say: the same seed gives the same matches.
SETTINGS = LaneSettings(memory=16 * MEBIBYTE, rounds=4)
MATCHES = 12


def settled(search: LaneSearch) -> LaneSearch:
    """A search that has nothing left to learn for its move."""
    for _ in range(3000):
        if search.is_decided or not search.step(Deadline.never()):
            break
    assert search.is_decided
    return search


def points_against_random(machine: gdl.Game, seat: int) -> list[int]:
    """Goals of matches of ticTacToe against a player that moves at random."""
    rng, goals = random.Random(seat), []
    for number in range(MATCHES):
        state = machine.initial_state()
        search = LaneSearch(machine, state, machine.roles[seat], number, SETTINGS)
        while not machine.is_terminal(state):
            moves = [rng.choice(machine.legal_moves(state, role)) for role in machine.roles]
            if len(machine.legal_moves(state, machine.roles[seat])) > 1:
                moves[seat] = settled(search).result().move
            state = machine.next_state(state, tuple(moves))
            search.advance(tuple(moves), state)
        goals.append(machine.goal(state, machine.roles[seat]))
    return goals


@pytest.mark.parametrize(("seat", "least"), [(0, 93), (1, 85)])
def test_who_errs_is_beaten(seat: int, least: int) -> None:
    """A drawn game is won against somebody who moves at random, and never lost."""
    goals = points_against_random(gdl.load(games.text("ticTacToe")), seat)

    assert min(goals) >= 50
    assert sum(goals) / MATCHES >= least


def test_all_moves_of_equal_value_are_known() -> None:
    """All nine first moves of ticTacToe draw; the search ends when that is proven of each."""
    result = settled(search_in("ticTacToe", settings=SETTINGS)).result()

    assert {(each.lower, each.upper) for each in result.moves} == {(50, 50)}
    # A middle or a corner leaves more ways to go wrong than an edge.
    assert str(result.move) not in {"(mark 1 2)", "(mark 2 1)", "(mark 2 3)", "(mark 3 2)"}


def test_where_all_is_lost_the_longest_way_is_taken() -> None:
    """In ticTacToe x threatens two rows: the move that blocks one of them lasts no less."""
    plies = (
        "(mark 1 1),noop",
        "noop,(mark 1 2)",
        "(mark 2 2),noop",
        "noop,(mark 3 3)",
        "(mark 2 1),noop",
    )
    search = settled(search_in("ticTacToe", *plies, role=1, settings=SETTINGS))
    best = search.result().moves[0]

    assert best.upper == 0
    assert best.length == max(each.length or 0 for each in search.result().moves)
    assert machine_of("ticTacToe").roles[1] == search.game.roles[search.own]
