"""Patterns of facts: what a board looks like, counted without knowing what it is.

A pattern is a fact with some arguments left open: `(cell ? ? white)` matches as many facts as
white has pieces, `(cell ? 5 white)` those of them on row 5. Which relations, positions and
constants there are is read off the states of random games, so no name means anything here. See
Kuhlmann, Dresner, Stone, Automatic Heuristic Construction in a Complete General Game Player, 2006.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations

import gdl

OPEN = gdl.Variable("?")
"""Stands for any argument."""
MOST_ARGUMENTS = 8
"""A fact with more arguments is matched by the patterns that leave all or none of them open."""


def patterns_of(fact: gdl.Term) -> Iterator[gdl.Term]:
    """All patterns that match a fact, from the most open one to the fact itself."""
    if not isinstance(fact, gdl.Compound):
        yield fact
        return
    places = range(len(fact.args))
    sizes = places if len(places) <= MOST_ARGUMENTS else (0,)
    for size in sizes:
        for fixed in combinations(places, size):
            args = [fact.args[place] if place in fixed else OPEN for place in places]
            yield gdl.Compound(fact.name, tuple(args))
    yield fact


def find_patterns(
    machine: gdl.StateMachine, states: Sequence[gdl.State], most: int
) -> tuple[gdl.Term, ...]:
    """The patterns whose counts differ between the states, the most general first.

    Of patterns that match the same facts only the most general is kept.

    Args:
        most: How many patterns at most; the most specific ones are left out first.
    """
    facts_of = [machine.facts(state) for state in states]
    matched: dict[gdl.Term, list[gdl.Term]] = {}
    for fact in dict.fromkeys(fact for facts in facts_of for fact in facts):
        for pattern in patterns_of(fact):
            matched.setdefault(pattern, []).append(fact)
    widest: dict[frozenset[gdl.Term], gdl.Term] = {}
    for pattern in sorted(matched, key=_openness):
        widest.setdefault(frozenset(matched[pattern]), pattern)
    varying = _varying(list(widest.values()), facts_of)
    return tuple(varying[:most])


def _openness(pattern: gdl.Term) -> tuple[int, str]:
    args = pattern.args if isinstance(pattern, gdl.Compound) else ()
    return sum(arg is not OPEN for arg in args), str(pattern)


def _varying(
    patterns: Sequence[gdl.Term], facts_of: Sequence[tuple[gdl.Term, ...]]
) -> list[gdl.Term]:
    counts = [
        Counter(pattern for fact in facts for pattern in patterns_of(fact)) for facts in facts_of
    ]
    return [p for p in patterns if len({count[p] for count in counts}) > 1]
