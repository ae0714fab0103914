"""Plays at random and compares a ground program with the interpreter in every state."""

from __future__ import annotations

import random
import time

import gdl
from gdl.ground.program import GroundProgram
from tests.gdl.ground.evaluate import Evaluator, is_true


def assert_agrees(
    rulesheet: gdl.Rulesheet, program: GroundProgram, *, plies: int, seconds: float = 60.0
) -> int:
    """Compare states of seeded random playouts; the number of states that were compared."""
    machine = gdl.Interpreter(rulesheet)
    evaluator = Evaluator(program)
    assert program.roles == machine.roles
    assert evaluator.initial() == machine.initial_state()
    rng = random.Random(1)
    end = time.monotonic() + seconds
    state = machine.initial_state()
    for ply in range(plies):
        true = evaluator.model(state)
        _assert_same_state(machine, evaluator, state, true)
        choices = [machine.legal_moves(state, role) for role in machine.roles]
        if machine.is_terminal(state) or not all(choices):
            state = machine.initial_state()
            if len(program.heads) == 0 or time.monotonic() > end:
                return ply + 1
            continue
        moves = [rng.choice(moves) for moves in choices]
        after = evaluator.model(state, moves)
        following = machine.next_state(state, moves)
        assert evaluator.next(after) == following
        for index, role in enumerate(machine.roles):
            assert evaluator.percepts(after, index) == set(machine.percepts(state, moves, role))
        state = following
        if time.monotonic() > end:
            return ply + 1
    return plies


def _assert_same_state(
    machine: gdl.Interpreter, evaluator: Evaluator, state: gdl.State, true: set[int]
) -> None:
    assert is_true(evaluator.program.terminal, true) == machine.is_terminal(state)
    for index, role in enumerate(machine.roles):
        assert evaluator.legal(true, index) == set(machine.legal_moves(state, role))
        assert evaluator.goals(true, index) == machine.goals(state, role)
