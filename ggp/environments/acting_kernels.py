"""The kernels that find who chooses in many games, and bring actions and masks together."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

import gdl

Array = NDArray[Any]
IntArray = NDArray[np.int32]

NONE: Final = -1


@gdl.kernel
def find_choosing(
    num_legal: Array, facts: Array, players: IntArray, controls: IntArray, roles: Array
) -> int:
    """Find the role that chooses in each game; where none does, the one in control.

    Args:
        num_legal: `[N, R]` how many legal moves each role has.
        facts: `[N, B]` as 0 and 1.
        players: `[P]` the roles that may choose.
        controls: `[P]` the facts that say that they are in control; NONE where there is none.
        roles: `[N]` is written.

    Returns:
        How many games there are in which several roles choose; of these the last one is written.
    """
    contested = 0
    for row in range(len(roles)):
        num_choosing, role = 0, players[0]
        for index in range(len(players)):
            if num_legal[row, players[index]] > 1:
                num_choosing += 1
                role = players[index]
        if num_choosing > 1:
            contested += 1
        elif num_choosing == 0:
            role = in_control(facts, row, players, controls)
        roles[row] = role
    return contested


@gdl.kernel
def in_control(facts: Array, row: int, players: IntArray, controls: IntArray) -> int:
    """The last player that is in control by a game's facts; the first player if none is."""
    role = int(players[0])
    for index in range(len(players)):
        if controls[index] != NONE and facts[row, controls[index]]:
            role = int(players[index])
    return role


@gdl.kernel
def join(actions: Array, roles: Array, joint: Array) -> None:
    """Put the action of each game in its role's place.

    Args:
        actions: `[N]` numbers.
        roles: `[N]` whose they are.
        joint: `[N, R]` is written there.
    """
    for row in range(len(roles)):
        joint[row, roles[row]] = actions[row]


@gdl.kernel
def take_masks(masks: Array, role: int, roles: Array, out: Array) -> None:
    """Copy the masks of one role, where it chooses.

    Args:
        masks: `[N, M]` of the role.
        role: Its number.
        roles: `[N]` the roles that choose.
        out: `[N, A]` is written; beyond M with 0.
    """
    num_actions = masks.shape[1]
    for row in range(len(roles)):
        if roles[row] == role:
            for action in range(num_actions):
                out[row, action] = masks[row, action]
            for action in range(num_actions, out.shape[1]):
                out[row, action] = 0


@gdl.kernel
def count_stuck(num_legal: Array, is_terminal: Array) -> int:
    """In how many games that are not over a role has no legal move.

    Args:
        num_legal: `[N, R]` how many each role has.
        is_terminal: `[N]` whether the game is over.
    """
    found = 0
    for row in range(len(is_terminal)):
        for role in range(num_legal.shape[1]):
            found += num_legal[row, role] == 0 and not is_terminal[row]
    return found
