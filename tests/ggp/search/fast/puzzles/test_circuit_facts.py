"""Facts about a puzzle from its circuit: clocks, latches, and goals that are out of reach."""

from __future__ import annotations

import random

import numpy as np
import pytest

import gdl
from ggp import games
from ggp.search.fast.puzzles.board import Board, clock_of
from ggp.search.fast.puzzles.store import make_store, plant

pytestmark = pytest.mark.usefixtures("kernels")


def netlists_of(rules: str) -> list[gdl.Netlist]:
    """The netlist of each phase."""
    circuit = gdl.load(rules, "lanes").circuit
    assert circuit is not None
    return [phase.netlist for phase in circuit.phases]


def facts_where(netlists: list[gdl.Netlist], which: np.ndarray) -> set[str]:
    """The names of some bases."""
    return {str(fact) for fact, wanted in zip(netlists[0].bases, which, strict=True) if wanted}


def test_a_step_counter_is_a_clock_that_only_ends_the_game() -> None:
    """In the eightPuzzle nothing but the steps is the same after as many moves."""
    netlists = netlists_of(games.text("eightPuzzle"))

    clock = clock_of(netlists)

    facts = facts_where(netlists, clock.is_clock)
    assert {f"(step {n})" for n in range(1, 17)} <= facts
    assert not any(fact.startswith("(cell") for fact in facts)
    assert clock.only_ends
    assert clock.may_end


def test_a_counter_that_is_worth_something_is_more_than_a_clock_that_ends() -> None:
    """The knight's squares are the goal, so they belong to the position."""
    netlists = netlists_of(games.text("knightsTour"))

    clock = clock_of(netlists)

    assert "(squares 7)" in facts_where(netlists, clock.is_clock)
    assert not clock.only_ends


def test_what_is_visited_stays_visited() -> None:
    """And a knight goes away again."""
    game = gdl.load(games.text("knightsTour"), "lanes")
    assert game.latches is not None
    netlists = netlists_of(games.text("knightsTour"))

    stays_true = game.latches.true

    facts = facts_where(netlists, stays_true)
    assert "(cell 3 3 visited)" in facts
    assert "(cell 3 3 knight)" not in facts


@pytest.mark.parametrize("game", ["eightPuzzle", "lightsOut", "knightsTour", "maze"])
def test_latches_hold_in_random_games(game: str) -> None:
    """No move changes a base that is latched."""
    machine = gdl.load(games.text(game), "lanes")
    board = Board(machine, seed=1)
    netlists = netlists_of(games.text(game))
    stays_false, stays_true = (
        board.expander.pack(f for f, x in zip(netlists[0].bases, which, strict=True) if x)
        for which in machine.latches or ()
    )
    rng = random.Random(1)
    for _ in range(20):
        state = machine.initial_state()
        while not machine.is_terminal(state):
            before = board.pack(state)
            move = rng.choice(machine.legal_moves(state, machine.roles[0]))
            state = machine.next_state(state, (move,))
            after = board.pack(state)
            assert not (before & ~after & stays_true).any()
            assert not (~before & after & stays_false).any()


@pytest.mark.parametrize("game", ["eightPuzzle", "lightsOut", "knightsTour", "maze"])
def test_no_game_ends_better_than_its_states_promise(game: str) -> None:
    """Whatever end a random game comes to, each state before it was bounded by no less."""
    machine = gdl.load(games.text(game), "lanes")
    board = Board(machine, seed=1)
    rng = random.Random(2)
    for _ in range(20):
        state, bounds = machine.initial_state(), []
        while not machine.is_terminal(state):
            store = make_store(1 << 20, board.whole, 1)
            plant(store, board.pack(state))
            bounds.append(int(board.measured(store, np.zeros(1, np.int32))[1][0]))
            move = rng.choice(machine.legal_moves(state, machine.roles[0]))
            state = machine.next_state(state, (move,))
        assert min(bounds) >= machine.goal(state, machine.roles[0])
