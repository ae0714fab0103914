"""The endgame table: the exact values of states for every role."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

import gdl
from ggp.search.core.choices import Choices, Joint, choices_in, deciders_of, goals_in, random_index
from ggp.search.core.result import BEST, WORST, MoveValue, SearchResult
from ggp.search.evaluation.book.retrograde import WORD_BITS, Graph, Solution, Values, decide
from ggp.search.kernels.arrays import IntArray, Words

Keys = NDArray[np.bytes_]
"""`[N]` keys of 8 bytes per word. Comparisons ignore zero bytes at the end."""


class StateCode:
    """A code that assigns a bit to each fact, and so a key to each state."""

    def __init__(self, facts: Sequence[str], *, ignores_others: bool) -> None:
        self.facts = tuple(facts)  # the facts, as KIF; fact b has bit `b % 64` of word `b // 64`
        # Whether to ignore facts without a bit. Otherwise a state with such a fact has no key.
        self.ignores_others = ignores_others
        self.num_words = max(1, -(-len(self.facts) // WORD_BITS))  # W
        self._bits = {fact: 1 << number for number, fact in enumerate(self.facts)}
        self._of_term: dict[gdl.Term, int] = {}  # cache: the bit of each term, 0 if it has none

    def key(self, facts: Iterable[gdl.Term]) -> bytes | None:
        """Return the key of the state with these facts.

        Return None if a fact has no bit, unless `ignores_others` is set.
        """
        bits = 0
        for fact in facts:
            bit = self._of_term.get(fact)
            if bit is None:
                bit = self._of_term[fact] = self._bits.get(str(fact), 0)
            if not bit and not self.ignores_others:
                return None
            bits |= bit
        return bits.to_bytes(8 * self.num_words, "little")


def keys_of(states: Words) -> Keys:
    """Return the keys, `[N]`, of packed states, `[N, W]`."""
    # Little-endian on every machine, so that files are the same everywhere.
    ordered = np.ascontiguousarray(states, "<u8")
    return ordered.view(f"S{8 * states.shape[1]}").reshape(-1)


def place_of(keys: Keys, key: bytes) -> int | None:
    """Return the index of `key` in the sorted `keys`, or None if it is not there."""
    place = int(np.searchsorted(keys, np.bytes_(key)))
    # Numpy strips zero bytes from the end of its elements.
    is_there = place < len(keys) and keys[place] == key.rstrip(b"\0")
    return place if is_there else None


LONGEST = 65_535  # plies; longer lengths are clamped to this


class ExactValue(NamedTuple):
    """The exact value of a state."""

    values: tuple[float, ...]  # the goal of every role, in role order
    length: int  # plies to the end of the game


@dataclass(frozen=True, slots=True)
class EndgameTable:
    """The values of `N` states that are not terminal, for `R` roles."""

    code: StateCode
    keys: Keys  # [N] the keys of the states, ascending
    values: NDArray[np.generic]  # [N, R] uint8 if all are whole numbers, else float32
    lengths: NDArray[np.uint16]  # [N] plies to the end of the game

    @property
    def num_states(self) -> int:
        """Number of states, N."""
        return len(self.keys)

    def look_up(self, machine: gdl.StateMachine, state: gdl.State) -> ExactValue | None:
        """Return the exact value of a state; None if the table does not have it."""
        if not self.num_states:
            return None
        key = self.code.key(machine.facts(state))
        place = None if key is None else place_of(self.keys, key)
        if place is None:
            return None
        return ExactValue(tuple(map(float, self.values[place])), int(self.lengths[place]))

    def result(
        self, machine: gdl.StateMachine, state: gdl.State, role: gdl.Role
    ) -> SearchResult | None:
        """Rank a role's moves in a state that is not terminal by the values of the next states.

        Among moves with equal values, prefer the one that wins soonest or loses latest, then the
        first. Return None if the table lacks one of the next states.
        """
        choices = choices_in(machine, state)
        known = self._values_after(machine, state, choices)
        if not known:
            return None
        own, chance = machine.roles.index(role), random_index(machine)
        others = [index for index in deciders_of(choices) if index not in {own, chance}]
        shape = tuple(map(len, choices))
        values = np.array([each.values for each in known]).reshape(*shape, len(shape))
        lengths = np.array([each.length for each in known], np.int32).reshape(shape)
        moves = []
        for index, move in enumerate(choices[own]):
            part = (slice(None),) * own + (slice(index, index + 1),)
            best, length = decide(values[part][np.newaxis], lengths[part][np.newaxis], chance)
            value = float(best[0, own])
            upper = BEST if others else value
            moves.append(MoveValue(move, value, 0, value, upper, int(length[0])))
        return SearchResult.ranked(sorted(moves, key=_preference), visits=0)

    def _values_after(
        self, machine: gdl.StateMachine, state: gdl.State, choices: Choices
    ) -> list[ExactValue]:
        """Return the value after each joint move; an empty list if the table lacks any of them."""
        found: list[ExactValue] = []
        for joint in product(*choices) if choices and self.num_states else ():
            value = self._value_after(machine, state, joint)
            if value is None:
                return []
            found.append(value)
        return found

    def _value_after(
        self, machine: gdl.StateMachine, state: gdl.State, joint: Joint
    ) -> ExactValue | None:
        after = machine.next_state(state, joint)
        if machine.is_terminal(after):
            return ExactValue(goals_in(machine, after), 0)
        return self.look_up(machine, after)


def _preference(move: MoveValue) -> tuple[float, int]:
    length = move.length or 0
    return -move.value, -length if move.value == WORST else length


class Solved:
    """The solved states of one or more graphs, collected to make one endgame table of them."""

    def __init__(self, num_roles: int) -> None:
        self._states: list[Words] = []
        self._values: list[Values] = [np.empty((0, num_roles))]
        self._lengths: list[IntArray] = [np.empty(0, np.int32)]

    def add(self, graph: Graph, solution: Solution) -> None:
        """Add the solved states of a graph, except terminal ones."""
        rows = np.flatnonzero(solution.is_solved & ~graph.is_terminal)
        self._states.append(graph.states[rows])
        self._values.append(solution.values[rows])
        self._lengths.append(solution.lengths[rows])

    def table(self, code: StateCode) -> EndgameTable:
        """Return the table, which contains each state once.

        Args:
            code: The code of the last graph. Codes of earlier graphs may lack its last facts.
        """
        missing = [(0, code.num_words - states.shape[1]) for states in self._states]
        padded = [
            np.pad(states, ((0, 0), columns))
            for states, columns in zip(self._states, missing, strict=True)
        ]
        keys = keys_of(np.concatenate([np.empty((0, code.num_words), np.uint64), *padded]))
        keys, rows = np.unique(keys, return_index=True)
        values = np.concatenate(self._values)[rows]
        is_whole = bool(((values == np.round(values)) & (values >= 0) & (values <= 255)).all())
        lengths = np.concatenate(self._lengths)[rows]
        return EndgameTable(
            code=code,
            keys=keys,
            values=values.astype(np.uint8 if is_whole else np.float32),
            lengths=np.minimum(lengths, LONGEST).astype(np.uint16),
        )
