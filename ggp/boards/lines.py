"""Boards of a single row, in two forms: one fact for each place, or one fact for all places.

>>> [line] = find_lines([["(num 1 free)", "(num 2 free)", "(num 3 mine)"]])
>>> line.columns, line.cells(["(num 3 mine)"])
(('1', '2', '3'), {('3', ''): ['mine']})
>>> [row] = find_sequences([["(order c a b d)"], ["(order a c d b)"]])
>>> row.columns, row.cells(["(order a c d b)"])[("2", "")]
(('1', '2', '3', '4'), ['c'])
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from ggp.boards.board import Board, Cell, Cells, Layout, Words, facts_by_relation, split_facts
from ggp.term_text import words_of

MIN_PLACES, MAX_PLACES, MAX_LINES = 3, 30, 6
MIN_NUMBERED = 0.8
"""Minimum share of places that are named by numbers.

Other places, such as the stores of Kalaha, come last.
"""
_PLACE = re.compile(r"(?P<prefix>[a-z]*?)(?P<number>\d{1,2}|(?<![a-z])[a-z])")


@dataclass(frozen=True, slots=True)
class LineLayout(Layout):
    """Layout of facts with two arguments: a place in an unnamed row, and its content."""

    def _cell(self, words: Words) -> Cell | None:
        return Cell(words[self.column], "", words[2])


def find_lines(states: Collection[Collection[str]]) -> tuple[Board, ...]:
    """Find boards of a single row that have one fact for each place.

    In every state, a relation has exactly one fact `(NAME PLACE CONTENT)` for each place.
    """
    found = [_line(facts, relation) for relation, facts in facts_by_relation(states, 3)]
    return tuple(line for line in found if line is not None)[:MAX_LINES]


def _line(states: list[list[Words]], relation: str) -> Board | None:
    places = {words[1] for words in states[0]}
    is_full = all(
        len(facts) == len(places) and {words[1] for words in facts} == places for facts in states
    )
    if not is_full or not MIN_PLACES <= len(places) <= MAX_PLACES:
        return None
    matches = {place: _PLACE.fullmatch(place) for place in places}
    prefixes = Counter(match["prefix"] for match in matches.values() if match)
    prefix, count = prefixes.most_common(1)[0] if prefixes else ("", 0)
    if count < MIN_NUMBERED * len(places):
        return None
    others = {place for place, match in matches.items() if not match or match["prefix"] != prefix}
    columns = tuple(sorted(places, key=lambda place: (place in others, len(place), place)))
    contents = frozenset(words[2] for facts in states for words in facts)
    return Board(LineLayout(relation, 3, 1, 1), columns, ("",), contents, None)


MIN_SEQUENCE, MAX_SEQUENCE = 4, 40


@dataclass(frozen=True, slots=True)
class RowBoard(Board):
    """Row of places that are the arguments of a single fact, in order."""

    def is_cell(self, fact: str) -> bool:
        """Return whether a fact is the one that describes this row."""
        return bool(self._words(fact))

    def cells(self, facts: Iterable[str]) -> Cells:
        """Return the content of each place in a state."""
        found: Cells = {}
        for fact in facts:
            for at, word in enumerate(self._words(fact), start=1):
                found.setdefault((str(at), ""), []).append(word)
        return found

    def _words(self, fact: str) -> Words:
        words = words_of(fact)
        is_mine = len(words) == self.layout.num_words and words[0] == self.layout.relation
        return words[1:] if is_mine else ()


def find_sequences(states: Sequence[Collection[str]]) -> tuple[Board, ...]:
    """Find boards of a single row that have one fact for all places.

    In each state, a relation has exactly one fact, and most of its arguments change places.
    """
    split = split_facts(states)
    kinds = Counter((words[0], len(words)) for words in (split[0] if split else ()))
    found = []
    for first in split[0] if split else ():
        if kinds[first[0], len(first)] > 1:
            continue
        mine = [
            [words for words in facts if words[0] == first[0] and len(words) == len(first)]
            for facts in split
        ]
        if MIN_SEQUENCE < len(first) <= MAX_SEQUENCE + 1 and _are_rows(mine):
            columns = tuple(str(at) for at in range(1, len(first)))
            contents = frozenset(word for facts in mine for words in facts for word in words[1:])
            layout = Layout(first[0], len(first), 1, 1)
            found.append(RowBoard(layout, columns, ("",), contents, None))
    return tuple(found)


def _are_rows(states: Sequence[Sequence[Words]]) -> bool:
    """Return whether facts are a row: one in each state, and most words change places over time."""
    if not all(len(facts) == 1 for facts in states):
        return False
    seen = [{facts[0][at] for facts in states} for at in range(1, len(states[0][0]))]
    everywhere = set[str]().union(*seen)
    moved = [one for one in everywhere if sum(one in names for names in seen) > 1]
    return 2 * len(moved) > len(everywhere)
