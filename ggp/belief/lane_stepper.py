"""Carry the worlds of a compiled game forward by joint moves, hundreds of worlds at once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

import gdl
from ggp.belief.information import Words, first_information, informations
from ggp.belief.worlds import Counts, Model, Numbers, TurnPercepts, Worlds
from ggp.clock import Deadline

ROOM: Final = 1 << 18
BLOCK: Final = 512  # states evaluated together
MAX_BLOCKS: Final = 16
GATES_AT_ONCE: Final = 400_000  # approximate number of gates between two checks of the clock


class LaneStepper:
    """A stepper for the worlds of the role with index `own`, on lanes. Not thread-safe."""

    def __init__(self, game: gdl.Game, own: int) -> None:
        assert game.circuit is not None
        assert game.numbering is not None
        num_blocks = GATES_AT_ONCE // max(1, game.circuit.netlist.num_gates)
        # Maximum number of worlds in one call of `follow`.
        self.num_at_once = BLOCK * min(MAX_BLOCKS, max(1, num_blocks))
        self._batch = game.batch(self.num_at_once, "disabled")
        self._numbering = game.numbering
        self.room = ROOM  # number of worlds that may be kept, including worlds of earlier turns
        self._own = own
        # A model of the moves of the other players. If None, all their moves are equally likely.
        self.model: Model | None = None
        self._numbers = [_numbers_of(moves) for moves in self._batch.moves]
        self._percepts = _numbers_of(self._batch.percept_terms[own])

    def begin(self, state: gdl.State) -> Worlds:
        """Return a single world in `state`, without knowledge of earlier turns."""
        assert isinstance(state, bytes)
        num_roles = len(self._batch.roles)
        return Worlds(
            keys=self._numbering.packed([state]),
            known=np.array([[first_information(role) for role in range(num_roles)]], np.uint64),
            weights=np.ones(1),
            moves=np.full((1, num_roles), -1, np.int32),
            is_packed=True,
            to_states=self._states,
        )

    def count_legal(self, worlds: Worlds, deadline: Deadline) -> Counts:
        """Return the number of legal moves of each role in each world, `[N, R]`.

        The numbers are 0 in worlds where the game is over. Return fewer rows if the deadline comes
        first.
        """
        counts = np.zeros((worlds.num, len(self._batch.roles)), np.int64)
        for first in range(0, worlds.num, self.num_at_once):
            if first and deadline.is_over():
                return counts[:first]
            part = slice(first, min(worlds.num, first + self.num_at_once))
            num = self._put(worlds.keys[part])
            is_live = ~self._batch.is_terminal[:num]
            counts[part] = self._batch.num_legal[:num] * is_live[:, None]
        return counts

    def follow(self, worlds: Worlds, ranks: Counts, turn: TurnPercepts) -> Worlds:
        """Make one joint move in each world. Return the resulting worlds that agree with `turn`.

        Args:
            worlds: At most `num_at_once` worlds. The game must not be over in any of them.
            ranks: `[N, R]` the index of each role's move among its legal moves. Our own column is
                ignored.
        """
        batch, own, num = self._batch, self._own, worlds.num
        move, wanted = self._numbers[own].get(turn.own_move), self._wanted(turn.percepts)
        if move is None or wanted is None:
            return worlds.take(slice(0, 0))
        fits = self._make(worlds, ranks, move) & (batch.percepts[own][:num] == wanted).all(axis=1)
        if turn.is_over is not None:
            fits &= batch.is_terminal[:num] == turn.is_over
        rows = np.flatnonzero(fits)
        moves: Numbers = batch.actions[rows]
        weights = worlds.weights[rows]
        if self.model is not None:
            for role, name in enumerate(batch.roles):
                if role != own and not gdl.is_random(name):
                    weights = weights * self.model(role, worlds.known[rows, role], moves[:, role])
        known = np.empty((len(rows), len(batch.roles)), np.uint64)
        for role, percepts in enumerate(batch.percepts):
            known[:, role] = informations(worlds.known[rows, role], moves[:, role], percepts[rows])
        return Worlds(
            keys=batch.packed[rows],
            known=known,
            weights=weights,
            moves=moves,
            is_packed=True,
            to_states=self._states,
        )

    def count_strangers(self, worlds: Worlds, ranks: Counts, turn: TurnPercepts) -> Counts:
        """Count the percepts that our role would see after a joint move but did not see, `[N]`.

        Args:
            worlds: At most `num_at_once` worlds.
            ranks: `[N, R]` the joint move in each world, see `LaneStepper.follow`.
            turn: Our own move, and the percepts that our role saw.

        Returns:
            The number of such percepts for each world, or -1 if our move is not legal there.
        """
        move, wanted = self._numbers[self._own].get(turn.own_move), self._wanted(turn.percepts)
        if move is None or wanted is None:
            return np.full(worlds.num, -1)
        is_made = self._make(worlds, ranks, move)
        strangers = np.bitwise_count(self._batch.percepts[self._own][: worlds.num] & ~wanted)
        return np.where(is_made, strangers.sum(axis=1, dtype=np.int64), -1)

    def is_legal(self, worlds: Worlds, moves: Sequence[gdl.Move], deadline: Deadline) -> bool:
        """Return whether a joint move is legal in one of the worlds that can be checked in time."""
        numbers = self.move_numbers(moves)
        if numbers is None:
            return False
        for first in range(0, worlds.num, self.num_at_once):
            if first and deadline.is_over():
                return False
            num = self._put(worlds.keys[first : first + self.num_at_once])
            are_legal = ~self._batch.is_terminal[:num]
            for mask, number in zip(self._batch.masks, numbers.tolist(), strict=True):
                are_legal &= mask[:num, number].view(np.bool_)
            if are_legal.any():
                return True
        return False

    def joint_move(self, moves: Numbers) -> tuple[gdl.Move, ...] | None:
        """Return the joint move that a row of `Worlds.moves` stands for.

        Return None if the world has no last move.
        """
        numbers = moves.tolist()
        if min(numbers) < 0:
            return None
        return tuple(
            known[number] for known, number in zip(self._batch.moves, numbers, strict=True)
        )

    def move_numbers(self, moves: Sequence[gdl.Move]) -> Numbers | None:
        """Return the numbers of a joint move, `[R]`, or None if a role can never make its move."""
        numbers = [known.get(move, -1) for known, move in zip(self._numbers, moves, strict=True)]
        return None if min(numbers) < 0 else np.array(numbers, np.int32)

    def keep_only(self, parts: Sequence[Worlds]) -> None:
        """Do nothing, because this stepper keeps no data about worlds."""

    def _make(self, worlds: Worlds, ranks: Counts, move: int) -> NDArray[np.bool_]:
        batch, num = self._batch, self._put(worlds.keys)
        which = np.zeros(batch.num, np.bool_)
        which[:num] = batch.masks[self._own][:num, move].view(np.bool_) & ~batch.is_terminal[:num]
        room = np.full((batch.num, len(batch.roles)), -1, np.int32)
        room[:num] = ranks
        actions = batch.select(room)
        actions[:, self._own] = move
        batch.step(actions, which)
        return which[:num]

    def _put(self, keys: Words) -> int:
        """Put packed states into the first rows of the batch. Return the number of states."""
        self._batch.put(slice(0, len(keys)), keys)
        return len(keys)

    def _wanted(self, percepts: Iterable[gdl.Term]) -> Words | None:
        """Return packed percepts, `[W]`, or None if our role can never see one of them."""
        numbers = [self._percepts.get(percept, -1) for percept in percepts]
        if min(numbers, default=0) < 0:
            return None
        words = np.zeros(self._batch.percepts[self._own].shape[1], np.uint64)
        for number in numbers:
            words[number >> 6] |= np.uint64(1 << (number & 63))
        return words

    def _states(self, keys: NDArray[np.uint64]) -> list[gdl.State]:
        return list(self._numbering.states(keys))


def _numbers_of(terms: Sequence[gdl.Term]) -> dict[gdl.Term, int]:
    return {term: number for number, term in enumerate(terms)}
