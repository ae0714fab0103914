"""Numbers of information sets: hashes of a role's own moves and percepts since the start.

Two histories that a role cannot tell apart belong to one information set of that role and have the
same number. Moves and percepts are given by their numbers in `gdl.Game.numbering`. The hash uses
the finaliser of splitmix64 (Steele, Lea and Flood 2014). In a game with a million information sets,
the chance that two have the same number is less than one in ten million.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np
from numpy.typing import NDArray

Words = NDArray[np.uint64]

STEP: Final = 0x9E3779B97F4A7C15
"""Increment of splitmix64. Added to the number of a percept to distinguish it from a move."""

_FIRST_FACTOR: Final = 0xBF58476D1CE4E5B9
_SECOND_FACTOR: Final = 0x94D049BB133111EB
_MASK: Final = (1 << 64) - 1


def first_information(role: int) -> int:
    """Return the hash of what a role knows before the first turn."""
    return mix(role + 1)


def information(previous: int, move: int, percepts: Iterable[int]) -> int:
    """Return the hash of what a role knows after a turn.

    Args:
        previous: The hash before the turn.
        move: The number of its own move.
        percepts: The numbers of its percepts, in any order.
    """
    known = mix(previous ^ mix(move + 1))
    for percept in sorted(percepts):
        known = mix(known ^ mix(percept + STEP & _MASK))
    return known


def mix(number: int) -> int:
    """Apply the finaliser of splitmix64 to a number."""
    number = (number ^ number >> 30) * _FIRST_FACTOR & _MASK
    number = (number ^ number >> 27) * _SECOND_FACTOR & _MASK
    return number ^ number >> 31


def informations(previous: Words, moves: NDArray[np.integer], percepts: Words) -> Words:
    """Return the result of `information` for `N` worlds at once, `[N]`.

    Args:
        previous: `[N]` the hashes before the turn.
        moves: `[N]` the number of the role's own move in each world.
        percepts: `[N, W]` the percepts in each world; percept p is bit `p % 64` of word `p // 64`.
    """
    known = mixed(previous ^ mixed(moves.astype(np.uint64) + np.uint64(1)))
    for word in range(percepts.shape[1]):
        column = np.ascontiguousarray(percepts[:, word])
        seen = int(np.bitwise_or.reduce(column)) if len(column) else 0
        while seen:
            bit = (seen & -seen).bit_length() - 1
            seen &= seen - 1
            rows = np.flatnonzero(column >> np.uint64(bit) & np.uint64(1))
            percept = np.uint64(mix(64 * word + bit + STEP & _MASK))
            known[rows] = mixed(known[rows] ^ percept)
    return known


def mixed(numbers: Words) -> Words:
    """Apply `mix` to many numbers at once."""
    numbers = (numbers ^ (numbers >> np.uint64(30))) * np.uint64(_FIRST_FACTOR)
    numbers = (numbers ^ (numbers >> np.uint64(27))) * np.uint64(_SECOND_FACTOR)
    return numbers ^ (numbers >> np.uint64(31))


def row_hashes(*tables: Words) -> Words:
    """Return a hash of each row, `[N]`, of the table that all `tables`, `[N, W]`, form in a row."""
    hashes = np.zeros(len(tables[0]), np.uint64)
    for table in tables:
        for column in range(table.shape[1]):
            hashes = mixed(hashes ^ table[:, column]) + np.uint64(STEP)
    return hashes
