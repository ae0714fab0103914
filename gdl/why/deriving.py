"""Why a fact holds: a derivation from the state, the moves and the facts of the rules.

For a relation that does not depend on itself, compare a few ways to derive the fact and choose the
smallest derivation. For relations that depend on each other, collect all ways and derive facts from
those already derived, the smallest derivation first. This is the algorithm of D. E. Knuth, "A
generalization of Dijkstra's algorithm", 1977. It ensures that no fact is its own reason.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count, islice

from gdl.errors import EvaluationLimitError
from gdl.rulesheet import Disjunction, Item, Literal, Relation, Rule
from gdl.rulesheet.graph import DOES, TRUE
from gdl.terms import Term
from gdl.why.reason import Condition, Kind, Reason
from gdl.why.scene import (
    Bindings,
    Choice,
    Scene,
    SpentError,
    Work,
    at,
    body_for,
    positive_atoms,
    shown,
)

WAYS = 4  # number of ways to derive a fact that are compared
MAX_WAYS = (50, 2_000)
"""Limits on the ways to derive a recursive fact: at first, and if the first ones do not suffice."""
MAX_FACTS = 20_000  # number of recursive facts to examine for one fact


@dataclass(slots=True, eq=False)
class _Way:
    """Instance of a rule that derives `fact`.

    `needs` are the recursive atoms among its conditions that are not derived yet.
    """

    fact: Term
    rule: Rule
    body: tuple[Item, ...]
    values: Bindings
    chosen: Choice
    needs: set[Term]
    cost: int


@dataclass(slots=True)
class _Recursion:
    ways: dict[Term, list[_Way]] = field(default_factory=dict)
    users: dict[Term, list[_Way]] = field(default_factory=dict)


class Derivations:
    """Derivations of facts in one scene. Each is computed once."""

    def __init__(self, scene: Scene, work: Work) -> None:
        self._scene = scene
        self._work = work
        self._known: dict[tuple[Term, int], tuple[Reason, int]] = {}

    def of(self, fact: Term, turn: int) -> Reason:
        """Return the derivation of a ground fact that holds after `turn` joint moves."""
        return self._derived(fact, turn)[0]

    def _derived(self, fact: Term, turn: int) -> tuple[Reason, int]:
        known = self._known.get((fact, turn))
        if known is None:
            try:
                known = self._made(fact, turn)
            except (SpentError, EvaluationLimitError):
                known = Reason(shown(fact), Kind.LARGE, turn), 1
            self._known[fact, turn] = known
        return self._known[fact, turn]

    def _made(self, fact: Term, turn: int) -> tuple[Reason, int]:
        relation = Relation.of(fact)
        if relation == TRUE:
            return Reason(shown(fact), Kind.STATE, turn), 1
        if relation == DOES:
            return Reason(shown(fact), Kind.MOVE, turn), 1
        rules = self._scene.rules.definitions.get(relation, ())
        for rule in rules:
            if rule.head is fact and rule.is_fact:
                return Reason(shown(fact), Kind.FACT, turn, rule.span), 1
        if self._scene.rules.graph.is_recursive(relation):
            return self._of_recursive(fact, turn)
        best: tuple[int, _Way] | None = None
        for num, way in enumerate(self._ways(fact, rules, turn), start=1):
            size = 1 + sum(
                self._derived(atom, turn)[1] for atom in positive_atoms(way.chosen, way.values)
            )
            if best is None or size < best[0]:
                best = size, way
            if num == WAYS:
                break
        if best is None:
            raise SpentError
        return self._reason(best[1], turn), best[0]

    def _ways(self, fact: Term, rules: Sequence[Rule], turn: int) -> Iterator[_Way]:
        running = []
        for rule in rules:
            body = body_for(rule, fact)
            if body is None:
                continue
            running.append(self._ways_of_rule(fact, rule, body, turn))
        while running:
            going_on = []
            for ways in running:
                way = next(ways, None)
                if way is not None:
                    yield way
                    going_on.append(ways)
            running = going_on

    def _ways_of_rule(
        self, fact: Term, rule: Rule, body: tuple[Item, ...], turn: int
    ) -> Iterator[_Way]:
        for values, chosen in self._scene.solutions(body, {}, turn, self._work):
            yield _Way(fact, rule, body, values, chosen, set(), 1)

    def _reason(self, way: _Way, turn: int) -> Reason:
        kind = Kind.RULE if way.body else Kind.FACT
        conditions = self._conditions(way.body, way.values, way.chosen, turn)
        return Reason(shown(way.fact), kind, turn, way.rule.span, conditions)

    def _conditions(
        self, body: Sequence[Item], values: Bindings, chosen: Choice, turn: int
    ) -> tuple[Condition, ...]:
        return tuple(self._condition(item, values, chosen, turn) for item in body)

    def _condition(self, item: Item, values: Bindings, chosen: Choice, turn: int) -> Condition:
        here = at(item, values)
        reason = None
        if isinstance(here, Literal) and here.is_positive:
            reason = self.of(here.atom, turn)
        elif isinstance(item, Disjunction):
            branch = next(one for one in item.branches if any(one is part for part in chosen))
            conditions = self._conditions(branch, values, chosen, turn)
            reason = Reason(shown(here), Kind.CHOICE, turn, item.span, conditions)
        return Condition(shown(here), item.span, True, reason)

    def _of_recursive(self, fact: Term, turn: int) -> tuple[Reason, int]:
        for most_ways in MAX_WAYS:
            recursion = self._collected(fact, turn, most_ways)
            if self._forward(recursion, turn, fact):
                return self._known[fact, turn]
        raise SpentError

    def _collected(self, fact: Term, turn: int, most_ways: int) -> _Recursion:
        found = _Recursion()
        waiting, seen = [fact], {fact}
        while waiting and len(seen) < MAX_FACTS:
            one = waiting.pop()
            rules = self._scene.rules.definitions.get(Relation.of(one), ())
            ways = list(islice(self._ways(one, rules, turn), most_ways))
            found.ways[one] = ways
            for way in ways:
                new = self._missing_premises(way, found, turn) - seen
                seen |= new
                waiting.extend(sorted(new, key=str))
        return found

    def _missing_premises(self, way: _Way, recursion: _Recursion, turn: int) -> set[Term]:
        share = self._scene.rules.graph.share_component
        for atom in dict.fromkeys(positive_atoms(way.chosen, way.values)):
            is_own = share(Relation.of(atom), Relation.of(way.fact))
            if is_own and (atom, turn) not in self._known:
                way.needs.add(atom)
                recursion.users.setdefault(atom, []).append(way)
            else:
                way.cost += self._derived(atom, turn)[1]
        return way.needs

    def _forward(self, recursion: _Recursion, turn: int, wanted: Term) -> bool:
        number = count()
        ready = [
            (way.cost, next(number), way)
            for ways in recursion.ways.values()
            for way in ways
            if not way.needs
        ]
        heapq.heapify(ready)
        while ready:
            cost, _, way = heapq.heappop(ready)
            if (way.fact, turn) in self._known:
                continue
            self._known[way.fact, turn] = self._reason(way, turn), cost
            if way.fact is wanted:
                return True
            for user in recursion.users.get(way.fact, ()):
                user.needs.discard(way.fact)
                user.cost += cost
                if not user.needs:
                    heapq.heappush(ready, (user.cost, next(number), user))
        return False
