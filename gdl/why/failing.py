"""Why a fact does not hold: the conditions that fail in each statement that could make it.

The answer shows a statement with those values of its variables that satisfy most of its conditions.
The search evaluates conditions in the same order as the interpreter, each with the values that
earlier ones have bound. If a condition fails, the search skips it and tries the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from gdl.errors import EvaluationLimitError
from gdl.rulesheet import Body, Comparison, Disjunction, Item, Literal, Relation
from gdl.rulesheet.graph import DOES, TRUE
from gdl.rulesheet.rules import item_variables
from gdl.terms import Compound, Term, Variable
from gdl.why.deriving import Derivations
from gdl.why.reason import Attempt, Condition, Kind, Reason
from gdl.why.scene import (
    Bindings,
    Scene,
    SpentError,
    Work,
    at,
    body_for,
    compared,
    matched,
    nearest_to,
    shown,
)

STEPS_OF_BODY = 3_000  # limit on the values to try in one body
MAX_ENDS = 200  # limit on the ways to fail that are compared in one body
MAX_ATTEMPTS = 12
"""Maximum number of statements to show and explain for one fact."""
MAX_INNER_ATTEMPTS = 4  # the same for a fact that is a missing condition of another fact
NUM_NEAR = 3
MAX_EARLIER = 100  # number of earlier states to search for a fact that is gone


@dataclass(slots=True)
class _Nearest:
    """Best values found so far: those that satisfy most conditions of a body.

    Attributes:
        held: Whether each condition holds, by index. Conditions with unbound variables are missing.
        score: Minus the number of conditions that fail, then the number that hold. More is better.
    """

    values: Bindings = field(default_factory=dict)  # values of the variables
    held: dict[int, bool] = field(default_factory=dict)
    score: tuple[int, int] = (-1_000_000, 0)
    num_ends: int = 0


class Failures:
    """Finder of the reasons why facts do not hold in one scene."""

    def __init__(self, scene: Scene, derivations: Derivations, work: Work) -> None:
        self._scene = scene
        self._derivations = derivations
        self._work = work
        self._known: dict[tuple[Term, int], tuple[int, Reason]] = {}
        self._above: set[tuple[Term, int]] = set()

    def of(self, fact: Term, turn: int, depth: int, most: int = MAX_ATTEMPTS) -> Reason:
        """Return why no instance of a fact holds, with the reasons for `depth` levels of rules."""
        known = self._known.get((fact, turn))
        if known is not None and known[0] >= depth:
            return known[1]
        if (fact, turn) in self._above:
            return Reason(shown(fact), Kind.ABOVE, turn)
        self._above.add((fact, turn))
        try:
            found = self._made(fact, turn, depth, most)
        finally:
            self._above.discard((fact, turn))
        self._known[fact, turn] = depth, found
        return found

    def _made(self, fact: Term, turn: int, depth: int, most: int) -> Reason:
        relation = Relation.of(fact)
        if relation == TRUE:
            return self._absent(fact, turn, depth)
        if relation == DOES:
            return Reason(shown(fact), Kind.NOT_MADE, turn)
        if depth <= 0:
            return Reason(shown(fact), Kind.DEEP, turn)
        rules = self._scene.rules.definitions.get(relation, ())
        tried, num_fitting = [], 0
        for rule in rules:
            body = body_for(rule, fact)
            if body is None:
                continue
            num_fitting += 1
            nearest = self._nearest(body, turn)
            num_failed = sum(not held for held in nearest.held.values())
            if num_failed:
                tried.append((num_failed, -sum(nearest.held.values()), rule, body, nearest))
        if not tried:
            unknown = Kind.DEEP if fact.is_ground else Kind.UNLISTED
            return Reason(shown(fact), unknown if num_fitting else Kind.NO_RULE, turn)
        tried.sort(key=lambda one: one[:2])
        attempts = tuple(
            Attempt(rule.span, self._conditions(body, nearest, turn, depth, relation))
            for _, _, rule, body, nearest in tried[:most]
        )
        num_more = num_fitting - len(attempts)
        return Reason(shown(fact), Kind.FAILED, turn, None, (), attempts, num_more)

    def _absent(self, atom: Term, turn: int, depth: int) -> Reason:
        assert isinstance(atom, Compound)
        fact = atom.args[0]
        near: tuple[str, ...] = ()
        if not isinstance(fact, Variable):
            near = nearest_to(fact, self._scene.facts_like(fact, turn), NUM_NEAR)
        before, last = None, None
        is_first = all(above == turn for _, above in self._above)
        if depth > 0 and is_first:
            before = self.before(fact, turn, depth - 1)
            last = self._last(fact, turn)
        return Reason(shown(atom), Kind.ABSENT, turn, near=near, last=last, before=before)

    def _last(self, fact: Term, turn: int) -> int | None:
        """Return the turn of the latest earlier state with an instance of a fact, or None."""
        if isinstance(fact, Variable):
            return None
        for earlier in range(turn - 1, max(turn - MAX_EARLIER, 0) - 1, -1):
            facts = self._scene.facts_like(fact, earlier)
            if any(matched(fact, one, {}) is not None for one in facts):
                return earlier
        return None

    def before(self, fact: Term, turn: int, depth: int) -> Reason | None:
        """Return why a fact came into the state or why it did not, or None if that is unknown."""
        atom = Compound("next" if turn else "init", (fact,))
        earlier = max(turn - 1, 0)
        try:
            if not self._scene.holds(atom, earlier):
                return self.of(atom, earlier, max(depth, 1), MAX_INNER_ATTEMPTS)
        except EvaluationLimitError:
            return None
        return self._derivations.of(atom, earlier) if atom.is_ground else None

    def _conditions(
        self, body: Body, nearest: _Nearest, turn: int, depth: int, own: Relation | None = None
    ) -> tuple[Condition, ...]:
        failed = [index for index in range(len(body)) if nearest.held.get(index) is False]
        plain = (index for index in failed if not self._is_recursion(body[index], own))
        explained = next(plain, failed[0])
        found = []
        for index, item in enumerate(body):
            here = at(item, nearest.values)
            is_explained = index == explained
            reason = self._of_condition(here, turn, depth - 1) if is_explained else None
            found.append(Condition(shown(here), item.span, nearest.held.get(index), reason))
        return tuple(found)

    def _is_recursion(self, item: Item, own: Relation | None) -> bool:
        share = self._scene.rules.graph.share_component
        return own is not None and isinstance(item, Literal) and share(item.relation, own)

    def _of_condition(self, item: Item, turn: int, depth: int) -> Reason | None:
        if isinstance(item, Comparison):
            return None
        if isinstance(item, Disjunction):
            attempts = []
            for branch in item.branches if depth > 0 else ():
                nearest = self._nearest(branch, turn)
                if not all(nearest.held.values()):
                    place = branch[0].span
                    attempts.append(Attempt(place, self._conditions(branch, nearest, turn, depth)))
            return Reason(shown(item), Kind.NO_CHOICE, turn, attempts=tuple(attempts))
        if item.is_positive:
            return self.of(item.atom, turn, depth, MAX_INNER_ATTEMPTS)
        for found, _ in self._scene.instances(item.atom, turn):
            return self._derivations.of(found, turn)
        return None

    def _nearest(self, body: Body, turn: int) -> _Nearest:
        best = _Nearest()
        end = self._work.end
        try:
            self._seek(list(enumerate(body)), best, ({}, {}), turn, Work(STEPS_OF_BODY, end))
        except (SpentError, EvaluationLimitError):
            if not best.num_ends:  # evaluate at least the conditions without variables
                with suppress(EvaluationLimitError):
                    self._end(list(enumerate(body)), best, ({}, {}), turn)
        return best

    def _seek(
        self,
        left: Sequence[tuple[int, Item]],
        best: _Nearest,
        so_far: tuple[Bindings, dict[int, bool]],
        turn: int,
        work: Work,
    ) -> None:
        """Try all values for the remaining conditions of a body and update `best`.

        A condition that fails is skipped.
        """
        values, held = so_far
        if not left:
            self._end(left, best, so_far, turn)
            return
        place = self._scene.asked_next([item for _, item in left], values)
        index, item = left[place]
        rest = [*left[:place], *left[place + 1 :]]
        has_any = False
        for found, _ in self._scene.extensions(item, values, turn, work):
            has_any = True
            self._seek(rest, best, (found, held | {index: True}), turn, work)
            if best.num_ends >= MAX_ENDS or not item_variables(item) - values.keys():
                break
        if not has_any:
            self._complete(rest, best, (values, held | {index: False}), turn)

    def _complete(
        self,
        left: Sequence[tuple[int, Item]],
        best: _Nearest,
        so_far: tuple[Bindings, dict[int, bool]],
        turn: int,
    ) -> None:
        values, held = so_far
        left = list(left)
        work = Work(STEPS_OF_BODY, self._work.end)
        while left:
            place = self._scene.asked_next([item for _, item in left], values)
            index, item = left.pop(place)
            is_test = isinstance(item, Comparison) or (
                isinstance(item, Literal) and not item.is_positive
            )
            if is_test and not item_variables(item) <= values.keys():
                continue  # it depends on a variable that the failing condition should have bound
            found = next(self._scene.extensions(item, values, turn, work), None)
            held = held | {index: found is not None}
            values = values if found is None else found[0]
        self._end((), best, (values, held), turn)

    def _end(
        self,
        left: Sequence[tuple[int, Item]],
        best: _Nearest,
        so_far: tuple[Bindings, dict[int, bool]],
        turn: int,
    ) -> None:
        values, held = so_far
        held = dict(held)
        for index, item in left:
            here = at(item, values)
            if isinstance(here, Comparison):
                is_ground = here.left.is_ground and here.right.is_ground
                if is_ground:
                    held[index] = compared(here) is not None
            elif isinstance(here, Literal) and here.atom.is_ground:
                held[index] = self._scene.holds(here.atom, turn) == here.is_positive
        num_failed = sum(not one for one in held.values())
        score = -num_failed, len(held) - num_failed
        best.num_ends += 1
        if score > best.score:
            best.values, best.held, best.score = values, held, score
