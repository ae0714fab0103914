"""A turn that was never told, because a PLAY was lost on its way: what must have been played in it.

A joint move is told that is not legal now. If it is after one more turn, and only one history leads
there, that is what has happened.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Final

import gdl
from ggp import clock

MOST_SECONDS: Final = 0.5
"""For a look at all histories: there may be many, and something must be left of the turn."""


def missed_turn(
    machine: gdl.StateMachine,
    state: gdl.State,
    place: int,
    answered: gdl.Move | None,
    moves: Sequence[gdl.Move],
) -> tuple[gdl.Move, ...] | None:
    """The joint move of a turn after which these moves are legal; None if that is not certain.

    At first it is assumed that our answer was played. Of histories that lead to the same state any
    will do.

    Args:
        place: Of our role.
        answered: Our answer in the present state; None if there was none.
    """
    end = clock.now() + MOST_SECONDS
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
