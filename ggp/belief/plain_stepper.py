"""Carry the worlds of a game that is not compiled forward by joint moves, one world at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

import gdl
from ggp.belief.information import first_information
from ggp.belief.worlds import Counts, Model, Numbers, TurnPercepts, Worlds
from ggp.clock import Deadline

Legal = tuple[tuple[gdl.Move, ...], ...]  # the moves of each role; empty if the game is over


class PlainStepper:
    """A stepper with the methods of `LaneStepper` that uses a state machine.

    The stepper numbers states and moves in the order in which they appear. It does not track what
    the roles know, because computing percepts for each role would take too long. So worlds with
    equal states are the same world.
    """

    num_at_once = 8
    room = 1 << 14

    def __init__(self, machine: gdl.StateMachine, own: int) -> None:
        self._machine = machine
        self._own = own
        self._states: dict[int, gdl.State] = {}
        self._numbers: dict[gdl.State, int] = {}
        self._legal: dict[int, Legal] = {}
        self._num_states = 0
        self._moves: list[gdl.Move] = []
        self._move_numbers: dict[gdl.Move, int] = {}
        self.model: Model | None = None  # ignored, because a model needs what the roles know

    def begin(self, state: gdl.State) -> Worlds:
        """Return a single world in `state`, without knowledge of earlier turns."""
        num_roles = len(self._machine.roles)
        known = [first_information(role) for role in range(num_roles)]
        nothing = np.full((1, num_roles), -1, np.int32)
        return self._worlds([state], np.array([known], np.uint64), np.ones(1), nothing)

    def count_legal(self, worlds: Worlds, deadline: Deadline) -> Counts:
        """Return the number of legal moves of each role in each world, `[N, R]`.

        The numbers are 0 in worlds where the game is over. Return fewer rows if the deadline comes
        first.
        """
        counts = np.zeros((worlds.num, len(self._machine.roles)), np.int64)
        for row, number in enumerate(worlds.keys[:, 0].tolist()):
            if row and deadline.is_over():
                return counts[:row]
            legal = self._legal_moves(number)
            counts[row] = [len(moves) for moves in legal] or 0
        return counts

    def follow(self, worlds: Worlds, ranks: Counts, turn: TurnPercepts) -> Worlds:
        """Make one joint move in each world. Return the resulting worlds that agree with `turn`.

        See `LaneStepper.follow`.
        """
        machine = self._machine
        rows, states, joint_moves = [], [], []
        for row, state, moves in self._made(worlds, ranks, turn):
            if self._percepts(state, moves) != turn.percepts:
                continue
            following = machine.next_state(state, moves)
            if turn.is_over is not None and machine.is_terminal(following) != turn.is_over:
                continue
            rows.append(row)
            states.append(following)
            joint_moves.append([self._number_of(move) for move in moves])
        numbers = np.array(joint_moves, np.int32).reshape(len(rows), len(machine.roles))
        return self._worlds(states, worlds.known[rows], worlds.weights[rows], numbers)

    def count_strangers(self, worlds: Worlds, ranks: Counts, turn: TurnPercepts) -> Counts:
        """Count the percepts that our role would see after a joint move but did not see, `[N]`.

        Args:
            worlds: At most `num_at_once` worlds.
            ranks: `[N, R]` the joint move in each world, see `LaneStepper.follow`.
            turn: Our own move, and the percepts that our role saw.

        Returns:
            The number of such percepts for each world, or -1 if our move is not legal there.
        """
        strangers = np.full(worlds.num, -1)
        for row, state, moves in self._made(worlds, ranks, turn):
            strangers[row] = len(self._percepts(state, moves) - turn.percepts)
        return strangers

    def is_legal(self, worlds: Worlds, moves: Sequence[gdl.Move], deadline: Deadline) -> bool:
        """Return whether a joint move is legal in one of the worlds that can be checked in time."""
        for row, number in enumerate(worlds.keys[:, 0].tolist()):
            if row and deadline.is_over():
                return False
            legal = self._legal_moves(number)
            if legal and all(move in known for move, known in zip(moves, legal, strict=True)):
                return True
        return False

    def joint_move(self, moves: Numbers) -> tuple[gdl.Move, ...] | None:
        """Return the joint move that a row of `Worlds.moves` stands for.

        Return None if the world has no last move.
        """
        numbers = moves.tolist()
        return None if min(numbers) < 0 else tuple(self._moves[number] for number in numbers)

    def move_numbers(self, moves: Sequence[gdl.Move]) -> Numbers | None:
        """Return the numbers of a joint move, `[R]`."""
        return np.array([self._number_of(move) for move in moves], np.int32)

    def keep_only(self, parts: Sequence[Worlds]) -> None:
        """Forget the states of all worlds except those in `parts`."""
        kept = {number for part in parts for number in part.keys[:, 0].tolist()}
        self._states = {number: self._states[number] for number in kept}
        self._numbers = {state: number for number, state in self._states.items()}
        self._legal = {n: legal for n, legal in self._legal.items() if n in kept}

    def _made(
        self, worlds: Worlds, ranks: Counts, turn: TurnPercepts
    ) -> Iterator[tuple[int, gdl.State, tuple[gdl.Move, ...]]]:
        for row, number in enumerate(worlds.keys[:, 0].tolist()):
            legal = self._legal_moves(number)
            if not legal or turn.own_move not in legal[self._own]:
                continue
            chosen = ranks[row].tolist()
            chosen[self._own] = legal[self._own].index(turn.own_move)
            moves = tuple(known[rank] for known, rank in zip(legal, chosen, strict=True))
            yield row, self._states[number], moves

    def _percepts(self, state: gdl.State, moves: tuple[gdl.Move, ...]) -> frozenset[gdl.Term]:
        machine = self._machine
        return frozenset(machine.percepts(state, moves, machine.roles[self._own]))

    def _worlds(
        self,
        states: Sequence[gdl.State],
        known: NDArray[np.uint64],
        weights: NDArray[np.float64],
        moves: Numbers,
    ) -> Worlds:
        keys = np.array([self._state_number(state) for state in states], np.uint64)
        return Worlds(keys.reshape(-1, 1), known, weights, moves, False, self._to_states)

    def _to_states(self, keys: NDArray[np.uint64]) -> list[gdl.State]:
        return [self._states[number] for number in keys[:, 0].tolist()]

    def _state_number(self, state: gdl.State) -> int:
        number = self._numbers.get(state)
        if number is None:
            number = self._numbers[state] = self._num_states
            self._states[number] = state
            self._num_states += 1
        return number

    def _number_of(self, move: gdl.Move) -> int:
        number = self._move_numbers.get(move)
        if number is None:
            number = self._move_numbers[move] = len(self._moves)
            self._moves.append(move)
        return number

    def _legal_moves(self, number: int) -> Legal:
        legal = self._legal.get(number)
        if legal is None:
            machine, state = self._machine, self._states[number]
            is_over = machine.is_terminal(state)
            roles = () if is_over else machine.roles
            legal = tuple(machine.legal_moves(state, role) for role in roles)
            self._legal[number] = legal
        return legal
