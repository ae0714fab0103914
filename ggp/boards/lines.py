"""Boards of one row: facts such as `(num 3 white)`, known by their shape, not their name.

>>> [line] = find_lines([["(num 1 free)", "(num 2 free)", "(num 3 mine)"]])
>>> line.columns, line.cells(["(num 3 mine)"])
(('1', '2', '3'), {('3', ''): ['mine']})
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass

from ggp.boards.board import Board
from ggp.boards.layout import Cell, Layout, Words
from ggp.term_text import terms_of

MIN_PLACES, MAX_PLACES, MAX_LINES = 3, 30, 6
MIN_NUMBERED = 0.8
"""Of the places; others, such as the stores of Kalaha, come last."""
_PLACE = re.compile(r"(?P<prefix>[a-z]*?)(?P<number>\d{1,2}|(?<![a-z])[a-z])")


@dataclass(frozen=True, slots=True)
class LineLayout(Layout):
    """Layout of facts of two words: their place and what is there."""

    def cell(self, words: Words) -> Cell | None:
        """The cell that a fact names; all are in one row without a name."""
        if len(words) != self.num_words or words[0] != self.relation:
            return None
        return Cell(words[self.column], "", words[2])


def find_lines(states: Collection[Collection[str]]) -> tuple[Board, ...]:
    """The lines of a game in which these states occur: every place is there in each of them, once.

    Args:
        states: Lists of facts.
    """
    split = [[terms_of(fact) for fact in facts if fact.startswith("(")] for facts in states]
    pairs = [[words for words in facts if len(words) == 3] for facts in split]
    relations = sorted({words[0] for words in pairs[0]}) if pairs else []
    found = [
        _line([[one for one in facts if one[0] == name] for facts in pairs], name)
        for name in relations
    ]
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
