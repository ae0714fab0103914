"""Rows in one fact: `(order p6 p4 p5)` names what lies in the first place, and so on.

>>> [row] = find_sequences([["(order c a b d)"], ["(order a c b d)"]])
>>> row.columns, row.cells(["(order a c b d)"])[("2", "")]
(('1', '2', '3', '4'), ['c'])
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from ggp.boards.board import Board, Cells
from ggp.boards.layout import Layout, Words
from ggp.term_text import terms_of

MIN_PLACES, MAX_PLACES = 4, 40


@dataclass(frozen=True, slots=True)
class RowBoard(Board):
    """A row whose places are the arguments of one fact, in their order."""

    def is_cell(self, fact: str) -> bool:
        """Whether a fact is this row."""
        return bool(self._words(fact))

    def cells(self, facts: Iterable[str]) -> Cells:
        """Things in each place."""
        found: Cells = {}
        for fact in facts:
            for at, word in enumerate(self._words(fact), start=1):
                found.setdefault((str(at), ""), []).append(word)
        return found

    def _words(self, fact: str) -> Words:
        words = terms_of(fact) if fact.startswith("(") else ()
        is_mine = len(words) == self.layout.num_words and words[0] == self.layout.relation
        return words[1:] if is_mine else ()


def find_sequences(states: Sequence[Collection[str]]) -> tuple[Board, ...]:
    """The rows of a game: relations with one fact in each state, of things that change places.

    Args:
        states: Facts of positions, the initial one first.
    """
    split = [[terms_of(fact) for fact in facts if fact.startswith("(")] for facts in states]
    kinds = Counter((words[0], len(words)) for words in (split[0] if split else ()))
    found = []
    for first in split[0] if split else ():
        if kinds[first[0], len(first)] > 1:
            continue
        mine = [
            [words for words in facts if words[0] == first[0] and len(words) == len(first)]
            for facts in split
        ]
        if MIN_PLACES < len(first) <= MAX_PLACES + 1 and _are_rows(mine):
            columns = tuple(str(at) for at in range(1, len(first)))
            contents = frozenset(word for facts in mine for words in facts for word in words[1:])
            layout = Layout(first[0], len(first), 1, 1)
            found.append(RowBoard(layout, columns, ("",), contents, None))
    return tuple(found)


def _are_rows(states: Sequence[Sequence[Words]]) -> bool:
    """Whether there is one each time, and what lies in a place was or will be in another."""
    if not all(len(facts) == 1 for facts in states):
        return False
    seen = [{facts[0][at] for facts in states} for at in range(1, len(states[0][0]))]
    everywhere = set[str]().union(*seen)
    moved = [one for one in everywhere if sum(one in names for names in seen) > 1]
    return 2 * len(moved) > len(everywhere)
