"""Stacks of things, recognised by facts that say which thing is on which: `(on a b)`.

>>> stacks = find_stacks([["(on a b)", "(table b)", "(table c)"], ["(on a c)"], ["(on b c)"]])
>>> stacks.towers(["(on a b)"])
[['b', 'a'], ['c']]
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from ggp.boards.board import Words, facts_by_relation
from ggp.boards.grids import natural
from ggp.term_text import terms_of, words_of

MIN_THINGS, MAX_THINGS = 3, 30


@dataclass(frozen=True, slots=True)
class Stacks:
    """Stacks of things, and the facts that say which thing is on which.

    Attributes:
        relation: Relation of the facts `(on UPPER LOWER)`.
        things: All things, sorted by name.
        bases: Things that are never on top of another, such as pillars.
        num_towers: The largest number of towers in any state seen.
    """

    relation: str
    things: tuple[str, ...]
    bases: frozenset[str]
    num_towers: int = 1

    def is_fact(self, fact: str) -> bool:
        """Return whether a fact is part of these stacks."""
        words = words_of(fact)
        return len(words) == 3 and words[0] == self.relation

    def towers(self, facts: Collection[str]) -> list[list[str]]:
        """Return the towers in a state. Each is a list of things from bottom to top."""
        above = {words[2]: words[1] for words in map(terms_of, filter(self.is_fact, facts))}
        lying = set(above.values())
        things = dict.fromkeys([*self.things, *sorted(above)])
        return [_tower(thing, above) for thing in things if thing not in lying][:MAX_THINGS]


def find_stacks(states: Sequence[Collection[str]]) -> Stacks | None:
    """Find stacks in facts that change. No thing may be on two others or under two others."""
    for relation, mine in facts_by_relation(states, 3):
        upper = {words[1] for facts in mine for words in facts}
        lower = {words[2] for facts in mine for words in facts}
        things = upper | lower
        if not MIN_THINGS <= len(things) <= MAX_THINGS or not upper & lower:
            continue
        if all(map(_is_place, things)):
            continue
        if all(name.isdecimal() for name in lower) or not all(_is_stacked(facts) for facts in mine):
            continue
        if len({frozenset(facts) for facts in mine}) > 1:
            ordered = tuple(sorted(things, key=natural))
            found = Stacks(relation, ordered, frozenset(lower - upper))
            return replace(found, num_towers=max(len(found.towers(facts)) for facts in states))
    return None


def _is_place(name: str) -> bool:
    """Return whether a thing looks like a place, as in `(line (dot 1 1) (dot 2 1))`."""
    words = words_of(name)
    return len(words) == 3 and words[1].isdecimal() and words[2].isdecimal()


def _is_stacked(facts: Sequence[Words]) -> bool:
    """Return whether no thing is on or under two things, or above itself."""
    above = {words[2]: words[1] for words in facts}
    if len(above) < len(facts) or len(set(above.values())) < len(facts):
        return False
    return all(_tower(name, above)[-1] not in above for name in above)


def _tower(lowest: str, above: dict[str, str]) -> list[str]:
    """Return the tower from `lowest` upwards. In a cycle, include each thing once."""
    tower = [lowest]
    while tower[-1] in above and above[tower[-1]] not in tower:
        tower.append(above[tower[-1]])
    return tower
