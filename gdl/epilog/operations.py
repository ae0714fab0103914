"""Operations of sequential games: from `a :: c ==> e & ~f` to single updates of facts.

An effect that names an operation stands for all effects of that operation. It is unfolded here, so
that each `Update` says of one fact when it becomes true or false.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from gdl.epilog.forms import bind, depth, relation_of, rename_apart, unify, variables, written
from gdl.epilog.reader import OPERATION, conjuncts
from gdl.errors import RulesheetError, Span
from gdl.rulesheet import Relation
from gdl.syntax import MAX_DEPTH, Form, Group, words

MAX_UPDATES = 20_000  # of one rulesheet; real ones have a few dozen
MAX_WORDS = 10_000  # of one operation after unfolding: arguments can double with every call


@dataclass(frozen=True, slots=True)
class Operation:
    """One sentence on an action: its conditions and its effects."""

    action: Form
    conditions: tuple[Form, ...]
    effects: tuple[Form, ...]
    span: Span

    @property
    def relation(self) -> Relation:
        """Symbol and arity of the action."""
        return relation_of(self.action)


@dataclass(frozen=True, slots=True)
class Update:
    """If the action is done and the conditions hold before it, a fact becomes true or false."""

    action: Form
    conditions: tuple[Form, ...]
    fact: Form
    is_added: bool
    span: Span


def is_operation(sentence: Form) -> bool:
    """Whether a sentence has the form that the reader gives to `a :: c ==> e`."""
    return isinstance(sentence, Group) and sentence.head == OPERATION and len(sentence.items) > 2


def read_operation(sentence: Form) -> Operation:
    """The operation that a sentence describes.

    Raises:
        RulesheetError: The action is a variable, or no symbol with arguments.
    """
    assert isinstance(sentence, Group)
    action, conditions, *effects = sentence.items[1:]
    if not relation_of(action).name or relation_of(action).name in ("and", "or", "not"):
        message = f"expected an action before '{OPERATION}', got {written(action)}"
        raise RulesheetError(message, action.span)
    return Operation(action, conjuncts(conditions), tuple(effects), sentence.span)


class Unfolding:
    """All operations of a rulesheet, unfolded on demand."""

    def __init__(self, operations: Iterable[Operation]) -> None:
        self._of: dict[Relation, list[Operation]] = {}
        for operation in operations:
            self._of.setdefault(operation.relation, []).append(operation)
        self._num_updates = 0
        self.called = {
            relation_of(effect)
            for operations in self._of.values()
            for operation in operations
            for effect in operation.effects
            if relation_of(effect) in self._of
        }

    def updates(self, operation: Operation) -> Iterator[Update]:
        """The updates when the action of an operation is done, those of called ones included.

        Raises:
            RulesheetError: Operations call each other in a cycle, there are more than
                `MAX_UPDATES`, or an effect is no fact.
        """
        yield from self._unfold(operation, operation, (operation.relation,))

    def _unfold(
        self, operation: Operation, current: Operation, path: tuple[Relation, ...]
    ) -> Iterator[Update]:
        for effect in current.effects:
            callee = relation_of(effect)
            if callee in self._of:
                yield from self._call(operation, current, effect, path)
                continue
            self._num_updates += 1
            if self._num_updates > MAX_UPDATES:
                message = f"the operations have more than {MAX_UPDATES} effects in all"
                raise RulesheetError(message, effect.span)
            fact, is_added = _fact(effect, self._of)
            action, conditions = current.action, current.conditions
            yield Update(action, conditions, fact, is_added, operation.span)

    def _call(
        self, operation: Operation, caller: Operation, effect: Form, path: tuple[Relation, ...]
    ) -> Iterator[Update]:
        callee = relation_of(effect)
        if callee in path:
            cycle = " -> ".join(map(str, [*path[path.index(callee) :], callee]))
            raise RulesheetError(f"operations call each other in a cycle: {cycle}", effect.span)
        if len(path) == MAX_DEPTH:
            raise RulesheetError(f"operations call more than {MAX_DEPTH} others", effect.span)
        taken = variables([caller.action, *caller.conditions, *caller.effects])
        for called in self._of[callee]:
            parts = (called.action, *called.conditions, *called.effects)
            action, *rest = rename_apart(parts, taken)
            bindings = unify(action, effect)
            if bindings is None:
                continue
            num_conditions = len(called.conditions)
            conditions = (*caller.conditions, *rest[:num_conditions])
            effects = rest[num_conditions:]
            unfolded = Operation(
                bind(caller.action, bindings),
                tuple(bind(part, bindings) for part in conditions),
                tuple(bind(part, bindings) for part in effects),
                called.span,
            )
            _check_size(unfolded, effect.span)
            yield from self._unfold(called, unfolded, (*path, callee))


def _check_size(operation: Operation, span: Span) -> None:
    parts = (operation.action, *operation.conditions, *operation.effects)
    num_words = sum(1 for part in parts for _ in words(part))
    if num_words > MAX_WORDS or max(map(depth, parts)) > MAX_DEPTH:
        raise RulesheetError("the arguments of called operations grow too large", span)


def _fact(effect: Form, operations: Iterable[Relation]) -> tuple[Form, bool]:
    """The fact of an effect, and whether it becomes true."""
    is_added = not (isinstance(effect, Group) and effect.head == "not")
    fact = effect if is_added else _negated(effect)
    name = relation_of(fact).name
    if not name or name in ("and", "or", "not", "==>"):
        raise RulesheetError("expected a fact or '~' and a fact as an effect", effect.span)
    if relation_of(fact) in operations:
        raise RulesheetError(f"the operation {relation_of(fact)} cannot be negated", effect.span)
    return fact, is_added


def _negated(effect: Form) -> Form:
    assert isinstance(effect, Group)
    return effect.items[1]
