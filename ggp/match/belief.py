"""The belief of a role in a game of incomplete information (GDL-II).

A belief is a sample of the worlds: states that agree with our own moves and with all we have seen.
Each turn every world is carried on by moves of the others that would have been seen so: all of them
where they are few, random ones where they are many. If no world survives, whole matches are drawn
again from the start. All of that is bounded in time; when it fails, a world is made up in which our
own moves are right, so that there is always a state to play in.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import gdl
from ggp.clock import Deadline

MAX_WORLDS: Final = 40
MAX_JOINT_MOVES: Final = 64
"""Most continuations of a world that are tried."""
SECONDS_PER_TURN: Final = 0.5


@dataclass(frozen=True, slots=True)
class World:
    """A state that may be the true one, and the joint move that would have led to it."""

    state: gdl.State
    joint_move: tuple[gdl.Move, ...] | None


@dataclass(frozen=True, slots=True)
class TurnPercepts:
    """A role's knowledge of one turn: its own move, and what it saw."""

    own_move: gdl.Move
    percepts: frozenset[gdl.Term]


class Belief:
    """The worlds that one role holds possible.

    Attributes:
        is_consistent: Whether the worlds agree with all that was seen; otherwise one is made up.
    """

    def __init__(self, machine: gdl.StateMachine, role: gdl.Role, seed: int | None = None) -> None:
        self._machine = machine
        self._role = role
        self._own = machine.roles.index(role)
        self._rng = random.Random(seed)
        self.is_consistent = True
        self.know(machine.initial_state())

    @property
    def worlds(self) -> tuple[World, ...]:
        """The worlds held possible; at least one."""
        return tuple(self._worlds)

    def know(self, state: gdl.State) -> None:
        """From now on there is no doubt: this is the state."""
        self._start = state
        self._turns: list[TurnPercepts] = []
        self._worlds = [World(state, None)]
        self.is_consistent = True

    def advance(self, own_move: gdl.Move, percepts: frozenset[gdl.Term]) -> None:
        """A turn is over in which our role made a move and saw something."""
        turn = TurnPercepts(own_move, percepts)
        self._turns.append(turn)
        deadline = Deadline.after(SECONDS_PER_TURN)
        worlds = self._carried_on(self._worlds, turn, deadline)
        if not worlds:
            worlds = self._drawn_again(Deadline.after(SECONDS_PER_TURN))
        self.is_consistent = bool(worlds)
        self._worlds = worlds or [self._made_up(own_move)]

    def is_possible(self, moves: tuple[gdl.Move, ...]) -> bool:
        """Whether a joint move is legal in one of the worlds."""
        return any(
            all(
                move in self._machine.legal_moves(world.state, role)
                for role, move in zip(self._machine.roles, moves, strict=True)
            )
            for world in self._worlds
        )

    def sample(self) -> World:
        """One of the worlds at random."""
        return self._rng.choice(self._worlds)

    def _carried_on(
        self, worlds: list[World], turn: TurnPercepts, deadline: Deadline
    ) -> list[World]:
        found: dict[gdl.State, World] = {}
        # By turns, so that the first world does not take all the places.
        successors = [self._successors(world.state, turn) for world in worlds]
        for world in itertools.chain.from_iterable(itertools.zip_longest(*successors)):
            if world is not None:
                found.setdefault(world.state, world)
            if len(found) >= MAX_WORLDS or (found and deadline.is_over()):
                break
            if deadline.remaining() <= 0:
                break
        return list(found.values())

    def _successors(self, state: gdl.State, turn: TurnPercepts) -> Iterator[World | None]:
        """The worlds that may follow; None for one that would have looked different."""
        if self._machine.is_terminal(state):
            return
        for moves in self._joint_moves(state, turn.own_move):
            seen = frozenset(self._machine.percepts(state, moves, self._role))
            fits = seen == turn.percepts
            yield World(self._machine.next_state(state, moves), moves) if fits else None

    def _joint_moves(self, state: gdl.State, own_move: gdl.Move) -> list[tuple[gdl.Move, ...]]:
        """Joint moves with ours in it: all in random order, or a sample where they are many."""
        legal = [self._machine.legal_moves(state, role) for role in self._machine.roles]
        if own_move not in legal[self._own] or not all(legal):
            return []
        legal[self._own] = (own_move,)
        if math.prod(map(len, legal)) <= MAX_JOINT_MOVES:
            joint_moves = list(itertools.product(*legal))
            self._rng.shuffle(joint_moves)
            return joint_moves
        return [tuple(map(self._rng.choice, legal)) for _ in range(MAX_JOINT_MOVES)]

    def _drawn_again(self, deadline: Deadline) -> list[World]:
        while not deadline.is_over():
            world = self._drawn_match(deadline)
            if world is not None:
                return [world]
        return []

    def _drawn_match(self, deadline: Deadline) -> World | None:
        """A random match in which all turns look as ours did; None if it comes to a dead end."""
        world: World | None = World(self._start, None)
        for turn in self._turns:
            if world is None or deadline.is_over():
                return None
            world = next(filter(None, self._successors(world.state, turn)), None)
        return world

    def _made_up(self, own_move: gdl.Move) -> World:
        state = self.sample().state
        legal = [self._machine.legal_moves(state, role) for role in self._machine.roles]
        if not all(legal):
            return World(state, None)
        legal[self._own] = (own_move,)
        moves = tuple(map(self._rng.choice, legal))
        return World(self._machine.next_state(state, moves), moves)
