"""One role's knowledge in a game with hidden information: its moves, percepts and certain facts.

A fact is certain if it is true in every state that the role considers possible. All possible states
are tracked, not a sample, so an observation depends only on what the role did and saw. Once there
are too many states, no fact counts as certain for the rest of the game, but observations still show
the moves and percepts.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from itertools import zip_longest
from typing import Final, NamedTuple

import numpy as np

import gdl
from ggp.belief.filtering import Filter, Stepper
from ggp.belief.lane_stepper import LaneStepper
from ggp.belief.plain_stepper import PlainStepper
from ggp.belief.worlds import TurnPercepts, Worlds
from ggp.clock import Deadline
from ggp.environments.encoding import Encoding, Facts

MAX_STATES: Final = 1 << 14
NUM_HASHED: Final = 256
"""Number of places for hashed moves, and also for hashed percepts, if the game is not compiled."""


class SeenTurn(NamedTuple):
    """A role's knowledge of one turn: its own move, and its percepts."""

    move: gdl.Move
    percepts: tuple[gdl.Term, ...]


Seen = Sequence[SeenTurn]


class Knowledge:
    """The facts that a role can be certain of, updated turn by turn."""

    def __init__(self, game: gdl.Game, role: int) -> None:
        self._game = game
        self._stepper: Stepper = (
            PlainStepper(game.machine, role) if game.circuit is None else LaneStepper(game, role)
        )
        self._filter = Filter(self._stepper, role, np.random.default_rng(0))
        self._turns: list[SeenTurn] = []
        self._states: Worlds | None = None
        self.begin()

    def begin(self) -> None:
        """Forget the last game, and begin a new one in the initial state."""
        self._turns = []
        self._states = self._stepper.begin(self._game.initial_state())

    def follow(self, seen: Seen, is_over: bool) -> tuple[gdl.Term, ...]:
        """Return the facts that are certain after the turns in `seen`.

        Return an empty tuple if there are too many states.

        Args:
            seen: All turns of the game. If they do not continue those of the last call, a new game
                has begun.
            is_over: Whether the last turn has ended the game.
        """
        if self._turns != list(seen[: len(self._turns)]):
            self.begin()
        for number in range(len(self._turns), len(seen)):
            self._add(seen[number], is_over and number == len(seen) - 1)
        return () if self._states is None else self._in_all(self._states)

    def _add(self, turn: SeenTurn, is_over: bool) -> None:
        self._turns.append(turn)
        if self._states is None:
            return
        known = TurnPercepts(turn.move, frozenset(turn.percepts), is_over)
        states, is_exhaustive = self._filter.carry_on(
            self._states, known, MAX_STATES, Deadline.never()
        )
        is_known = is_exhaustive and states.num > 0
        self._states = states.merged(by_state=True) if is_known else None
        self._stepper.keep_only([] if self._states is None else [self._states])

    def _in_all(self, states: Worlds) -> tuple[gdl.Term, ...]:
        numbering = self._game.numbering
        if states.packed is None or numbering is None:
            first, *others = (set(self._game.facts(state)) for state in states.states)
            return tuple(sorted(first.intersection(*others), key=str))
        words = np.bitwise_and.reduce(states.packed, axis=0)
        bits = np.unpackbits(words.view(np.uint8), bitorder="little")
        return tuple(numbering.facts[number] for number in np.flatnonzero(bits).tolist())


class KnowledgeLayout:
    """The layout of a role's knowledge as an array of 0 and 1: certain facts, moves and percepts.

    After the certain facts come the move and the percepts of the last turn, then the moves and
    percepts of all earlier turns together. The layout has the same length for all roles, so it has
    room for the moves of the role with most moves, and the percepts of the role with most percepts.
    """

    def __init__(self, game: gdl.Game, encoding: Encoding, players: Sequence[int]) -> None:
        numbering = game.numbering
        self._numbers: list[tuple[dict[gdl.Term, int], dict[gdl.Term, int]]] | None = None
        self._num_moves = self._num_percepts = NUM_HASHED
        moves = percepts = tuple(f"hash {number}" for number in range(NUM_HASHED))
        if numbering is not None:
            self._numbers = [
                (_numbers_of(moves), _numbers_of(percepts))
                for moves, percepts in zip(numbering.moves, numbering.percepts, strict=True)
            ]
            moves = _names_of([numbering.moves[role] for role in players])
            percepts = _names_of([numbering.percepts[role] for role in players])
            self._num_moves, self._num_percepts = len(moves), len(percepts)
        self.shape = (encoding.num_facts + 2 * (self._num_moves + self._num_percepts),)
        turn = [*(f"move {move}" for move in moves), *(f"percept {seen}" for seen in percepts)]
        last, before = (tuple(f"{when} {each}" for each in turn) for when in ("last", "earlier"))
        self.names = (*encoding.fact_names(), *last, *before)

    def write(self, facts: Facts, seen: Seen, role: int) -> Facts:
        """Return the knowledge of a role as a new array of 0 and 1.

        Args:
            facts: 1 for each fact that is certain, and 0 for all others, `[B]`.
            seen: The turns that the role has seen.
        """
        found = np.zeros(self.shape, np.uint8)
        found[: len(facts)] = facts
        size = self._num_moves + self._num_percepts
        for number, turn in enumerate(seen):
            start = len(facts) + (0 if number == len(seen) - 1 else size)
            found[start + self._place(turn.move, role, is_percept=False)] = 1
            for percept in turn.percepts:
                found[start + self._num_moves + self._place(percept, role, is_percept=True)] = 1
        return found

    def _place(self, term: gdl.Term, role: int, *, is_percept: bool) -> int:
        if self._numbers is None:
            return zlib.crc32(str(term).encode()) % NUM_HASHED
        return self._numbers[role][is_percept][term]


def _names_of(terms: Sequence[Sequence[gdl.Term]]) -> tuple[str, ...]:
    """Return a name for each index of `terms`, which lists all terms that roles have there."""
    columns = zip_longest(*terms)
    return tuple(
        " or ".join(dict.fromkeys(str(term) for term in column if term is not None))
        for column in columns
    )


def _numbers_of(terms: Sequence[gdl.Term]) -> dict[gdl.Term, int]:
    return {term: number for number, term in enumerate(terms)}
