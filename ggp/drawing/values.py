"""Numbers in facts: between which bounds they were seen."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from ggp.boards.layout import Words
from ggp.term_text import terms_of

_NUMBER = re.compile(r"[a-z]{0,2}(\d{1,9})", re.ASCII | re.IGNORECASE)


class Ranges:
    """The least and the largest number at the end of the facts with the same other words."""

    def __init__(self, states: Iterable[Collection[str]]) -> None:
        """PieceStyle at the facts of positions."""
        seen: dict[Words, set[int]] = {}
        several: set[Words] = set()
        for facts in states:
            here: set[Words] = set()
            for fact in facts:
                words = terms_of(fact) if fact.startswith("(") else ()
                number = _number(words)
                if number is not None:
                    head = words[:-1]
                    seen.setdefault(head, set()).add(number)
                    (several if head in here else here).add(head)
        # Where two facts differ in the number only it is no amount.
        self._bounds = {
            head: (min(0, *numbers), max(numbers))
            for head, numbers in seen.items()
            if head not in several and len(numbers) > 1
        }

    def part(self, words: Words) -> float | None:
        """Position of a fact's number from the least to the largest one, 0 to 1, if it has one."""
        number, bounds = _number(words), self._bounds.get(words[:-1])
        if number is None or bounds is None:
            return None
        least, largest = bounds
        return min(1.0, max(0.0, (number - least) / max(1, largest - least)))


def _number(words: Words) -> int | None:
    found = _NUMBER.fullmatch(words[-1]) if len(words) > 1 else None
    return int(found[1]) if found else None
