"""Finding the joint move of a turn that was never reported because a PLAY was lost.

A sign of such a turn is a reported joint move that is not legal now. If there is exactly one state
that one turn can reach and in which the reported move is legal, the missed turn led to that state.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Final

import gdl
from ggp import clock

MAX_SECONDS: Final = 0.5
"""Time limit for trying all joint moves. There may be many, and the turn needs some time too."""


def missed_turn(
    machine: gdl.StateMachine,
    state: gdl.State,
    place: int,
    answered: gdl.Move | None,
    moves: Sequence[gdl.Move],
) -> tuple[gdl.Move, ...] | None:
    """Return the joint move after which `moves` are legal, or None if it is uncertain.

    First assume that our answer was played. If several joint moves lead to the same state, return
    any of them.

    Args:
        place: Index of our role.
        answered: Our answer in the current state. None if there was none.
    """
    end = clock.now() + MAX_SECONDS
    legal = [machine.legal_moves(state, role) for role in machine.roles]
    assumptions = [legal[place]]
    if answered in legal[place]:
        assumptions.insert(0, (answered,))
    for own in assumptions:
        found: dict[frozenset[gdl.Term], tuple[gdl.Move, ...]] = {}
        for joint in itertools.product(*legal[:place], own, *legal[place + 1 :]):
            if clock.now() > end:
                return None
            after = machine.next_state(state, joint)
            if _are_legal(machine, after, moves):
                found[frozenset(machine.facts(after))] = joint
        if found:
            return next(iter(found.values())) if len(found) == 1 else None
    return None


def _are_legal(machine: gdl.StateMachine, state: gdl.State, moves: Sequence[gdl.Move]) -> bool:
    return not machine.is_terminal(state) and all(
        move in machine.legal_moves(state, role)
        for role, move in zip(machine.roles, moves, strict=True)
    )
