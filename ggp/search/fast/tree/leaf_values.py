"""Knowledge about leaves that needs no playouts: values, bounds and decisive moves.

A search with leaf values takes a share of each leaf's value from them and the rest from playouts.
Then the playouts may be short (`LaneSettings.horizon`). A playout that is cut off counts as 50,
which favours no move.

A leaf is proven if `gdl.Game.decisive` says who wins. So the tree sees a win two plies before it
happens. In playouts, roles make winning moves and avoid moves that let another role win.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

import gdl
from gdl import kernel
from ggp.search.fast.tree.expansion import LeafBatch
from ggp.search.fast.tree.nodes import BEST, WORST, copy_words, wide
from ggp.search.kernels.arrays import NONE, ByteArray, FloatArray, IntArray, LongArray, Words


class LeafValues(Protocol):
    """An evaluation of packed states, such as a value network."""

    @property
    def share(self) -> float:
        """The evaluation's share of a leaf's value, above 0. If it is 1, there are no playouts."""
        ...

    def values(self, states: Words, phase: int) -> FloatArray:
        """Return the expected goal of each role from each state, `[num, R]`, 0..100.

        Args:
            states: `[num, W]` packed as in `gdl.Expander`. Some may be terminal; their values are
                ignored.
            phase: The phase of the states.
        """
        ...


def mix_in(
    totals: LongArray,
    num_playouts: int,
    share: float,
    values: FloatArray,
    is_terminal: ByteArray,
) -> None:
    """Replace a share of the playouts' totals by leaf values, except in terminal leaves.

    Args:
        totals: `[num, R]` sums of goals over the playouts of each leaf; changed in place.
        num_playouts: Playouts of each leaf.
        values: `[num, R]` the leaf values.
    """
    mixed = (1 - share) * totals + share * num_playouts * values
    np.copyto(totals, np.rint(mixed).astype(np.int64), where=(is_terminal == 0)[:, None])


PARTS_OF_A_POINT = 1000  # values are rounded to this fraction of a point


class _Moves(NamedTuple):
    """The `M` moves in a batch of `L` leaves, leaf by leaf, for `R` roles."""

    leaves: IntArray  # [M] the leaf of each move
    places: IntArray  # [M] places in `LeafBatch.legal`
    movers: IntArray  # [L] the role that moves; NONE if the moves are not evaluated
    best: FloatArray  # [L, R] the values after the best move


class ChildValues:
    """An evaluation of all moves in a batch of leaves. It writes the batch's `priors` and `totals`.

    Attributes:
        share: The evaluator's share of a leaf's value.
    """

    def __init__(self, game: gdl.Game, leaves: LeafBatch, evaluator: LeafValues, seed: int) -> None:
        simulator = game.simulator
        assert simulator is not None
        self._expander = simulator.expander(seed)
        self._leaves = leaves
        self._evaluator = evaluator
        self.share = evaluator.share
        self._moves = _Moves(
            np.zeros(len(leaves.legal), np.int32),
            np.zeros(len(leaves.legal), np.int32),
            np.zeros(len(leaves.states), np.int32),
            np.zeros(leaves.lower.shape),
        )

    def value_by(self, evaluator: LeafValues) -> None:
        """Switch to another evaluator."""
        self._evaluator, self.share = evaluator, evaluator.share

    def look(self, num: int, phase: int, decisive: gdl.Expander | None) -> int:
        """Write the values of `num` leaves and of their moves.

        Return the number to divide the totals of the leaves by.

        Args:
            decisive: The expander of `DecisiveMoves`, which detects that a role wins at once in a
                child; or None.
        """
        leaves, expander = self._leaves, decisive or self._expander
        moves, most = self._moves, expander.num_leaves_max
        following = (phase + 1) % expander.num_phases
        num_moves = _list_moves(leaves, num, moves)
        for first in range(0, num_moves, most):
            part = min(most, num_moves - first)
            _prepare(leaves, moves, first, part, expander.parents, expander.moves)
            expander.expand(part, phase)
            predictions = self._evaluator.values(expander.children[:part], following)
            _note(leaves, moves, first, predictions, expander.is_terminal, expander.goals)
        _total(leaves, moves, self._evaluator.values(leaves.states[:num], phase))
        return PARTS_OF_A_POINT


@kernel
def _list_moves(leaves: LeafBatch, num: int, moves: _Moves) -> int:
    """List the moves of leaves in which at most one role has a choice, and return how many."""
    num_roles, num_moves = leaves.lower.shape[1], 0
    for leaf in range(num):
        moves.movers[leaf] = mover = _mover(leaves, leaf)
        if mover == NONE:
            continue
        for role in range(num_roles):
            moves.best[leaf, role] = -1.0
        start = leaf * num_roles + mover
        for place in range(leaves.legal_starts[start], leaves.legal_starts[start + 1]):
            moves.leaves[num_moves], moves.places[num_moves] = leaf, place
            num_moves += 1
    return num_moves


@kernel
def _mover(leaves: LeafBatch, leaf: int) -> int:
    """Return the only role with a choice in a leaf, or the first role if none has a choice.

    Return NONE if several roles have a choice, if a role has no move, or if the leaf is proven.
    """
    if leaves.is_terminal[leaf] or _is_proven(leaves, leaf):
        return NONE
    num_roles = leaves.lower.shape[1]
    mover, most, num_choosing = 0, wide(0), 0
    for role in range(num_roles):
        start = leaf * num_roles + role
        count = wide(leaves.legal_starts[start + 1]) - wide(leaves.legal_starts[start])
        if count == 0:
            return NONE
        num_choosing += count > 1
        if count > most:
            mover, most = role, count
    return mover if num_choosing <= 1 else NONE


@kernel
def _is_proven(leaves: LeafBatch, leaf: int) -> bool:
    for role in range(leaves.lower.shape[1]):
        if leaves.lower[leaf, role] != leaves.upper[leaf, role]:
            return False
    return True


@kernel
def _prepare(
    leaves: LeafBatch, moves: _Moves, first: int, num: int, parents: Words, joint: IntArray
) -> None:
    num_roles = leaves.lower.shape[1]
    for index in range(num):
        leaf, place = wide(moves.leaves[first + index]), wide(moves.places[first + index])
        copy_words(leaves.states[leaf], parents[index])
        for role in range(num_roles):
            joint[index, role] = leaves.legal[leaves.legal_starts[leaf * num_roles + role]]
        joint[index, moves.movers[leaf]] = leaves.legal[place]


@kernel
def _note(
    leaves: LeafBatch,
    moves: _Moves,
    first: int,
    predictions: FloatArray,
    is_terminal: ByteArray,
    goals: NDArray[np.int16],
) -> None:
    """Write the values of listed moves. If a move ends the game, replace its prediction."""
    for index in range(len(predictions)):
        leaf, place = wide(moves.leaves[first + index]), wide(moves.places[first + index])
        values, mover = predictions[index], wide(moves.movers[leaf])
        if is_terminal[index]:
            for role in range(len(values)):
                values[role] = goals[index, role]
        leaves.priors[place] = values[mover]
        if values[mover] > moves.best[leaf, mover]:
            for role in range(len(values)):
                moves.best[leaf, role] = values[role]


@kernel
def _total(leaves: LeafBatch, moves: _Moves, predictions: FloatArray) -> None:
    """Write the values of leaves: known values, values of best moves, or predictions."""
    for leaf in range(len(predictions)):
        is_proven = _is_proven(leaves, leaf)
        for role in range(predictions.shape[1]):
            value = predictions[leaf, role]
            if leaves.is_terminal[leaf]:
                value = float(leaves.goals[leaf, role])
            elif is_proven:
                value = float(leaves.lower[leaf, role])
            elif moves.movers[leaf] != NONE:
                value = moves.best[leaf, role]
            leaves.totals[leaf, role] = round(PARTS_OF_A_POINT * value)


PATIENCE = 0.05  # seconds to wait; enough if the data is on disk or was made by another search


class DecisiveMoves:
    """Proofs for leaves in which a role wins at once, and an expander whose playouts win at once.

    For a new game, the preparation takes up to a second. Until it is done, the search works without
    them.

    Attributes:
        expander: The expander in whose playouts roles win at once if they can. None until it is
            ready, or if the game does not support it.
    """

    def __init__(
        self,
        game: gdl.Game,
        leaves: LeafBatch,
        seed: int,
        *,
        counts_moves: bool = False,
        kinds: gdl.MoveKinds | None = None,
    ) -> None:
        """Begin to prepare.

        Args:
            counts_moves: Whether the expander counts moves.
            kinds: If given, the expander's moves are divided by kind.
        """
        self.expander: gdl.Expander | None = None
        self._counts_moves = counts_moves
        self._kinds = kinds
        self._game = game
        self._leaves = leaves
        self._seed = seed
        self._decisive: gdl.Decisive | None = None
        self._made: gdl.Expander | None = None  # set last by the maker
        self._maker = threading.Thread(target=self._make, name="decisive moves", daemon=True)
        self._maker.start()
        self._maker.join(PATIENCE)

    def wait(self) -> None:
        """Wait until the expander is ready."""
        self._maker.join()

    def look(self, num: int, phase: int, untrusted: Sequence[int]) -> None:
        """Write the bounds of those of `num` leaves of a phase in which a role wins at once.

        A win of an untrusted role proves nothing, because the role may miss it.
        """
        self.expander = expander = self._made
        leaves = self._leaves
        if expander is None or self._decisive is None:
            return
        expander.children[:num] = leaves.states[:num]
        expander.look(num, phase)
        leaves.lengths[:num] = 0
        is_decided = expander.is_terminal[:num] > leaves.is_terminal[:num]
        for role in untrusted:
            is_decided &= expander.goals[:num, role] != BEST
        decided = np.flatnonzero(is_decided)
        if len(decided):
            goals = expander.goals[decided]
            leaves.lower[decided] = leaves.upper[decided] = goals
            is_mover = goals[:, self._decisive.movers[phase], None] == BEST
            leaves.lengths[decided] = np.where(is_mover, 1, 2)

    def _make(self) -> None:
        self._decisive = decisive = self._game.decisive
        if decisive is None:
            return
        simulator = decisive.simulator if self._kinds is None else self._kinds.decisive
        if simulator is not None:  # its machine code is also compiled in this thread
            self._made = simulator.expander(self._seed, counts_moves=self._counts_moves)


TRIED = 512  # number of leaves after which to check whether bounds are worthwhile
FEWEST = 1 / 64  # minimum share of these leaves whose bounds must be narrowed
REST = 16 * TRIED  # leaves to skip if the share is smaller


class LeafGoalBounds:
    """The bounds of leaves according to the rules alone, if the game is not too large for that.

    Attributes:
        has_solved: Whether these bounds have proven the value of any leaf that is not terminal.
    """

    def __init__(self, game: gdl.Game, leaves: LeafBatch) -> None:
        limits = game.reachable_goals
        self._limits = None if limits is None else limits.twin()
        self._leaves = leaves
        self.has_solved = False
        self.begin_turn()

    def begin_turn(self) -> None:
        """Try bounds again, even if they were given up as useless in the previous turn."""
        self._num_tried = self._num_narrowed = self._num_left_off = 0

    def look(self, num: int) -> None:
        """Narrow the bounds of `num` leaves, which must have the widest bounds before."""
        if self._limits is None:
            return
        if self._num_left_off > 0:
            self._num_left_off -= num
            return
        leaves = self._leaves
        self._limits.limit(leaves.states, num, leaves.lower, leaves.upper)
        is_open = leaves.is_terminal[:num] == 0
        narrowed = (leaves.lower[:num] > WORST) | (leaves.upper[:num] < BEST)
        is_solved = (leaves.lower[:num] == leaves.upper[:num]).all(axis=1)
        self.has_solved |= bool((is_solved & is_open).any())
        self._num_narrowed += int((narrowed.any(axis=1) & is_open).sum())
        self._num_tried += num
        if self._num_tried >= TRIED:
            is_worth_it = self._num_narrowed >= FEWEST * self._num_tried
            self.begin_turn()
            if not is_worth_it:
                self._num_left_off = REST


def leaf_batch_of(expander: gdl.Expander) -> LeafBatch:
    """Create a leaf batch from the arrays of an expander, with the widest bounds."""
    shape = expander.num_leaves_max, expander.num_roles
    return LeafBatch(
        expander.children,
        expander.is_terminal,
        expander.goals,
        expander.legal_starts,
        expander.legal,
        expander.totals,
        np.full(shape, WORST, np.float32),
        np.full(shape, BEST, np.float32),
        np.zeros(shape, np.int16),
        # Zeros that are never accessed take no time and no memory.
        np.zeros(len(expander.legal), np.float32),
        np.zeros(len(expander.legal), np.float32),
    )
