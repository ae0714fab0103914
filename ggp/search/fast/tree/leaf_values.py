"""The seam for an evaluation: what leaves are worth, found without playing from them to the end.

A search that is given leaf values takes a share of each leaf's value from them and the rest from
playouts, which may be short then (`LaneSettings.horizon`): one that is cut says 50, which moves no
move before another.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

import gdl
from gdl import kernel
from ggp.search.fast.tree.growing import Found
from ggp.search.fast.tree.hashing import copy_words
from ggp.search.fast.tree.pool import wide
from ggp.search.kernels.arrays import NONE, IntArray


class LeafValues(Protocol):
    """An evaluation of states."""

    @property
    def share(self) -> float:
        """Its part of a leaf's value, above 0 and at most 1; at 1 nothing is played out."""
        ...

    def values(self, states: NDArray[np.uint64], phase: int) -> NDArray[np.float64]:
        """`[num, R]` the goals to be expected from each state, 0..100.

        Args:
            states: `[num, W]` packed as `gdl.Expander` has them; some may be terminal, and what is
                said of those is not looked at.
            phase: Theirs.
        """
        ...


def mix_in(
    totals: NDArray[np.int64],
    num_playouts: int,
    share: float,
    values: NDArray[np.float64],
    is_terminal: NDArray[np.uint8],
) -> None:
    """Replace a share of what playouts brought by what leaf values say.

    Args:
        totals: `[num, R]` sums of goals over the playouts of each leaf; changed in place.
        num_playouts: Of each leaf.
        share: Of the leaf values.
        values: `[num, R]` what they say.
        is_terminal: `[num]` leaves whose goals are known.
    """
    mixed = (1 - share) * totals + share * num_playouts * values
    np.copyto(totals, np.rint(mixed).astype(np.int64), where=(is_terminal == 0)[:, None])


PARTS_OF_A_POINT = 1000  # to which values are rounded


class _Moves(NamedTuple):
    """The moves of a batch of leaves, one after the other. `M` of them, `L` leaves, `R` roles."""

    leaves: IntArray  # [M] whose each is
    places: IntArray  # [M] in `Found.legal`
    movers: IntArray  # [L] who makes them; NONE where they are not looked at
    best: NDArray[np.float64]  # [L, R] what the best one is worth


class ChildValues:
    """Values the moves of a batch of leaves."""

    def __init__(self, game: gdl.Game, found: Found, judge: LeafValues, seed: int) -> None:
        """An expander of its own.

        Args:
            game: It is compiled.
            found: Its `priors` and `totals` are written.
            judge: What the children are worth.
            seed: Of the expander, which plays nothing.
        """
        simulator = game.simulator
        assert simulator is not None
        self._expander = simulator.expander(seed)
        self._found = found
        self._judge = judge
        self._moves = _Moves(
            np.zeros(len(found.legal), np.int32),
            np.zeros(len(found.legal), np.int32),
            np.zeros(len(found.states), np.int32),
            np.zeros(found.lower.shape),
        )

    @property
    def share(self) -> float:
        """The part of a leaf's value that is the judge's."""
        return self._judge.share

    def look(self, num: int, phase: int, foresight: gdl.Expander | None) -> int:
        """Write what the moves of so many leaves are worth, and the leaves; the unit of totals.

        Args:
            num: How many.
            phase: Theirs.
            foresight: Its expander, if there is one: it sees which children are decided.
        """
        found, expander = self._found, foresight or self._expander
        moves, most = self._moves, expander.num_leaves_max
        following = (phase + 1) % expander.num_phases
        num_moves = _list_moves(found, num, moves)
        for first in range(0, num_moves, most):
            part = min(most, num_moves - first)
            _prepare(found, moves, first, part, expander.parents, expander.moves)
            expander.expand(part, phase)
            said = self._judge.values(expander.children[:part], following)
            _note(found, moves, first, said, expander.is_terminal, expander.goals)
        _total(found, moves, self._judge.values(found.states[:num], phase))
        return PARTS_OF_A_POINT


@kernel
def _list_moves(found: Found, num: int, moves: _Moves) -> int:
    """List the moves of so many leaves in which one role has the choice, if any; how many."""
    num_roles, num_moves = found.lower.shape[1], 0
    for leaf in range(num):
        moves.movers[leaf] = mover = _mover(found, leaf)
        if mover == NONE:
            continue
        for role in range(num_roles):
            moves.best[leaf, role] = -1.0
        start = leaf * num_roles + mover
        for place in range(found.legal_starts[start], found.legal_starts[start + 1]):
            moves.leaves[num_moves], moves.places[num_moves] = leaf, place
            num_moves += 1
    return num_moves


@kernel
def _mover(found: Found, leaf: int) -> int:
    """The role with most moves in a leaf; NONE if several have a choice, or the goals are known."""
    if found.is_terminal[leaf] or _is_proven(found, leaf):
        return NONE
    num_roles = found.lower.shape[1]
    mover, most, num_choosing = 0, wide(0), 0
    for role in range(num_roles):
        start = leaf * num_roles + role
        count = wide(found.legal_starts[start + 1]) - wide(found.legal_starts[start])
        if count == 0:
            return NONE
        num_choosing += count > 1
        if count > most:
            mover, most = role, count
    return mover if num_choosing <= 1 else NONE


@kernel
def _is_proven(found: Found, leaf: int) -> bool:
    for role in range(found.lower.shape[1]):
        if found.lower[leaf, role] != found.upper[leaf, role]:
            return False
    return True


@kernel
def _prepare(
    found: Found, moves: _Moves, first: int, num: int, parents: NDArray[np.uint64], joint: IntArray
) -> None:
    """Write the states and joint moves of so many moves of the list."""
    num_roles = found.lower.shape[1]
    for index in range(num):
        leaf, place = wide(moves.leaves[first + index]), wide(moves.places[first + index])
        copy_words(found.states[leaf], parents[index])
        for role in range(num_roles):
            joint[index, role] = found.legal[found.legal_starts[leaf * num_roles + role]]
        joint[index, moves.movers[leaf]] = found.legal[place]


@kernel
def _note(
    found: Found,
    moves: _Moves,
    first: int,
    said: NDArray[np.float64],
    is_terminal: NDArray[np.uint8],
    goals: NDArray[np.int16],
) -> None:
    """Note what moves of the list are worth; what is said of them is changed if they end it."""
    for index in range(len(said)):
        leaf, place = wide(moves.leaves[first + index]), wide(moves.places[first + index])
        values, mover = said[index], wide(moves.movers[leaf])
        if is_terminal[index]:
            for role in range(len(values)):
                values[role] = goals[index, role]
        found.priors[place] = values[mover]
        if values[mover] > moves.best[leaf, mover]:
            for role in range(len(values)):
                moves.best[leaf, role] = values[role]


@kernel
def _total(found: Found, moves: _Moves, said: NDArray[np.float64]) -> None:
    """Write what leaves are worth: what is known, their best move, or what is said of them."""
    for leaf in range(len(said)):
        is_proven = _is_proven(found, leaf)
        for role in range(said.shape[1]):
            worth = said[leaf, role]
            if found.is_terminal[leaf]:
                worth = float(found.goals[leaf, role])
            elif is_proven:
                worth = float(found.lower[leaf, role])
            elif moves.movers[leaf] != NONE:
                worth = moves.best[leaf, role]
            found.totals[leaf, role] = round(PARTS_OF_A_POINT * worth)
