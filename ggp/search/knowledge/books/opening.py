"""The opening book: moves that a long search preferred in states near the start."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import gdl
from ggp.search.knowledge.books.codes import StateCode
from ggp.search.result import MoveValue, SearchResult

MOST_MOVES = 8  # of a state that are kept, the best ones


class Tried(NamedTuple):
    """A search's estimate of one move."""

    move: str
    value: float
    """Estimated goal of the role that moves, 0..100."""
    visits: int


Entries = Mapping[bytes, Mapping[int, tuple[Tried, ...]]]
"""By the key of a state and the index of a role: its moves, the best first."""


class OpeningBook:
    """States near the start, and for each role that has a choice there its best moves."""

    def __init__(self, code: StateCode, entries: Entries) -> None:
        self.code = code
        self.entries = entries

    @property
    def num_states(self) -> int:
        """Number of states that have an entry."""
        return len(self.entries)

    def result(
        self, machine: gdl.StateMachine, state: gdl.State, role: gdl.Role
    ) -> SearchResult | None:
        """The move that the book has for a role in a state; None if it has none."""
        key = self.code.key(machine.facts(state)) if self.entries else None
        found = self.entries.get(key, {}) if key is not None else {}
        legal = {str(move): move for move in machine.legal_moves(state, role)}
        moves = tuple(
            MoveValue(legal[tried.move], tried.value, tried.visits)
            for tried in found.get(machine.roles.index(role), ())
            if tried.move in legal
        )
        if not moves:
            return None
        visits = sum(move.visits for move in moves)
        return SearchResult(moves[0].move, moves[0].value, visits, moves=moves)


def kept(result: SearchResult) -> tuple[Tried, ...]:
    """The part of a search result that the book keeps."""
    best = [each for each in result.moves if each.move is result.move]
    others = [each for each in result.moves if each.move is not result.move]
    return tuple(
        Tried(str(each.move), round(each.value, 2), each.visits)
        for each in [*best, *others][:MOST_MOVES]
    )
