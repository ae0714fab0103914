"""Translation of Epilog's sequential games to GDL.

In Epilog the state is a set of plain facts, one role moves at a time, and operations describe the
effects of a move. In GDL a fact of the state becomes `(true FACT)`. The role in control gets the
legal moves and every other role the move `noop`. The operations become `next` rules:

    (<= (next FACT) (does ?role ACTION) CONDITIONS)            for each fact that becomes true
    (<= (deleted FACT) (does ?role ACTION) CONDITIONS)         for each fact that becomes false
    (<= (next (cell ?1 ?2)) (true (cell ?1 ?2)) (not (deleted (cell ?1 ?2))))

An effect that calls another operation is unfolded into all effects of that operation.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from gdl.epilog.forms import (
    arguments,
    atoms,
    bind,
    depth,
    fresh_name,
    group,
    map_atoms,
    relation_of,
    rename_apart,
    rule,
    symbols,
    unify,
    variables,
)
from gdl.epilog.reader import OPERATION, conjuncts
from gdl.epilog.values import COUNT
from gdl.errors import RulesheetError, Span
from gdl.rulesheet import Relation
from gdl.syntax import MAX_DEPTH, Form, Group, Word, head_and_body, words, written

MAX_UPDATES = 20_000  # in one rulesheet; real rulesheets have a few dozen
MAX_WORDS = 10_000  # in one operation after unfolding: arguments can double with every call


@dataclass(frozen=True, slots=True)
class Operation:
    """Sentence that describes an action, with its conditions and its effects."""

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
    """Change of a fact by an action, provided the conditions hold before it."""

    action: Form
    conditions: tuple[Form, ...]
    fact: Form
    is_added: bool
    span: Span


def _is_operation(sentence: Form) -> bool:
    return isinstance(sentence, Group) and sentence.head == OPERATION and len(sentence.items) > 2


def _read_operation(sentence: Form) -> Operation:
    assert isinstance(sentence, Group)
    action, conditions, *effects = sentence.items[1:]
    if not relation_of(action).name or relation_of(action).name in ("and", "or", "not"):
        message = f"expected an action before '{OPERATION}', got {written(action)}"
        raise RulesheetError(message, action.span)
    return Operation(action, conjuncts(conditions), tuple(effects), sentence.span)


class Unfolding:
    """Operations of a rulesheet. Calls of other operations are unfolded on demand."""

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
        """Yield the updates that an operation makes, including those of called operations."""
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
            raise RulesheetError(
                f"operations call each other more than {MAX_DEPTH} levels deep", effect.span
            )
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
    is_negated = isinstance(effect, Group) and effect.head == "not"
    fact = arguments(effect)[0] if is_negated else effect
    name = relation_of(fact).name
    if not name or name in ("and", "or", "not", "==>"):
        raise RulesheetError("expected a fact or '~' and a fact as an effect", effect.span)
    if relation_of(fact) in operations:
        raise RulesheetError(f"the operation {relation_of(fact)} cannot be negated", effect.span)
    return fact, not is_negated


NOOP = "noop"
_CONTROL = Relation("control", 1)
_ACTION = Relation("action", 1)
_LEGAL = Relation("legal", 1)
_EVALUATE = Relation("evaluate", 2)
_AGGREGATES = ((COUNT, 2), (COUNT, 3))
_ABOUT_FACTS = (Relation("base", 1), Relation("init", 1))


def is_sequential(sentences: Iterable[Form]) -> bool:
    """Return whether the sentences form a sequential game, that is, contain an operation."""
    return any(map(_is_operation, sentences))


def to_gdl(sentences: Sequence[Form]) -> tuple[Form, ...]:
    """Translate a sequential game to GDL statements, which keep their places in the file."""
    return tuple(_Game(sentences).statements())


def given_names(sentences: Iterable[Form]) -> tuple[str, str]:
    """Return unused names for two new relations: facts that become false, and legal moves."""
    used = symbols(sentences)
    return fresh_name("deleted", used), fresh_name("movable", used)


class _Game:
    def __init__(self, sentences: Sequence[Form]) -> None:
        self.sentences = sentences
        self.rules = [head_and_body(each) for each in sentences if not _is_operation(each)]
        operations = [_read_operation(each) for each in sentences if _is_operation(each)]
        self.unfolding = Unfolding(operations)
        unfolded = {each.span: tuple(self.unfolding.updates(each)) for each in operations}
        self.updates = {
            each.span: unfolded[each.span] for each in operations if self._is_action(each)
        }
        self.defined = {relation_of(head) for head, _ in self.rules}
        self.fluents = self._find_fluents()
        self.deleted, self.movable = given_names(sentences)
        self.roles = [
            arguments(head)[0] for head, _ in self.rules if relation_of(head) == ("role", 1)
        ]
        self.has_control = _CONTROL in self.fluents or _CONTROL in self.defined
        if not self.has_control and len(self.roles) > 1:
            message = "expected facts 'control(role)' that say which of the roles moves"
            raise RulesheetError(message, self.roles[1].span)

    def _is_action(self, operation: Operation) -> bool:
        """Return whether an operation is a move: declared, legal, or not called by another one."""
        if operation.relation not in self.unfolding.called:
            return True
        named = [
            relation_of(arguments(head)[0])
            for head, _ in self.rules
            if relation_of(head) in (_ACTION, _LEGAL)
        ]
        return operation.relation in named or any(not name for name, _ in named)

    def _find_fluents(self) -> dict[Relation, Span]:
        facts = [arguments(head)[0] for head, _ in self.rules if relation_of(head) in _ABOUT_FACTS]
        facts.extend(update.fact for updates in self.updates.values() for update in updates)
        found: dict[Relation, Span] = {}
        for fact in facts:
            if relation_of(fact).name:
                found.setdefault(relation_of(fact), fact.span)
        return found

    def statements(self) -> Iterator[Form]:
        asks_legal = any("legal" in symbols(body) for _, body in self._bodies())
        for sentence in self.sentences:
            if _is_operation(sentence):
                for update in self.updates.get(sentence.span, ()):
                    yield self._update(update)
            else:
                yield from self._rule(sentence, asks_legal)
        yield from self._noops()
        yield from self._frame()

    def _bodies(self) -> Iterator[tuple[Form, Sequence[Form]]]:
        yield from self.rules
        for updates in self.updates.values():
            for update in updates:
                yield update.fact, update.conditions

    def _rule(self, sentence: Form, asks_legal: bool) -> Iterator[Form]:
        head, body = head_and_body(sentence)
        span, relation = sentence.span, relation_of(head)
        translated = self._body(body)
        if relation == _ACTION:
            yield self._by_role(span, "input", head, translated, in_control=False)
        elif relation == _LEGAL:
            yield self._by_role(span, "legal", head, translated, in_control=True)
            if asks_legal:
                yield rule(span, group(head.span, self.movable, *arguments(head)), translated)
        else:
            yield rule(span, head, translated) if body else sentence

    def _by_role(
        self, span: Span, name: str, head: Form, body: Sequence[Form], *, in_control: bool
    ) -> Form:
        role = self._role([head, *body], head.span)
        lead = self._controls(role) if in_control else [group(head.span, "role", role)]
        if not role.is_variable:
            lead = []
        return rule(span, group(head.span, name, role, *arguments(head)), [*lead, *body])

    def _role(self, forms: Iterable[Form], span: Span) -> Word:
        only = self.roles[0] if len(self.roles) == 1 else None
        if isinstance(only, Word) and not only.is_variable:
            return Word(only.text, span)
        return Word(fresh_name("?role", variables(forms)), span)

    def _controls(self, role: Word) -> list[Form]:
        return [self._atom(group(role.span, "control", role))] if self.has_control else []

    def _body(self, body: Iterable[Form]) -> list[Form]:
        return [map_atoms(form, self._atom) for form in body]

    def _atom(self, atom: Form) -> Form:
        relation = relation_of(atom)
        if relation in self.fluents:
            true = group(atom.span, "true", atom)
            return group(atom.span, "or", true, atom) if relation in self.defined else true
        if relation == _LEGAL:
            return group(atom.span, self.movable, *arguments(atom))
        if relation in (("true", 0), ("false", 0)) and relation not in self.defined:
            return group(atom.span, "and" if relation.name == "true" else "or")
        if relation in _AGGREGATES:
            counted, condition, *rest = arguments(atom)
            return group(atom.span, relation.name, counted, map_atoms(condition, self._atom), *rest)
        if relation == _EVALUATE:
            expression, result = arguments(atom)
            return group(atom.span, relation.name, self._expression(expression), result)
        return atom

    def _expression(self, expression: Form) -> Form:
        if isinstance(expression, Word):
            return expression
        if relation_of(expression) in _AGGREGATES:
            return self._atom(expression)
        parts = map(self._expression, expression.items[1:])
        return Group((expression.items[0], *parts), expression.span)

    def _update(self, update: Update) -> Form:
        role = self._role([update.action, *update.conditions, update.fact], update.action.span)
        body: list[Form] = [group(update.action.span, "does", role, update.action)]
        if role.is_variable and relation_of(update.action) == (NOOP, 0):
            body.extend(self._controls(role))
        body.extend(self._body(update.conditions))
        if update.is_added:
            return rule(update.span, group(update.fact.span, "next", update.fact), body)
        bound = variables(atom for atom, is_positive in _conjoined(body) if is_positive)
        if variables([update.fact]).keys() - bound.keys():
            body.insert(1, group(update.fact.span, "true", update.fact))  # delete all matches
        return rule(update.span, group(update.fact.span, self.deleted, update.fact), body)

    def _noops(self) -> Iterator[Form]:
        if len(self.roles) < 2:
            return
        span = self.roles[0].span
        role = Word("?role", span)
        other = [group(span, "not", form) for form in self._controls(role)]
        head = group(span, "legal", role, NOOP)
        yield rule(span, head, [group(span, "role", role), *other])
        if _ACTION in self.defined:
            yield rule(span, group(span, "input", role, NOOP), [group(span, "role", role)])

    def _frame(self) -> Iterator[Form]:
        deleted = {
            relation_of(update.fact)
            for updates in self.updates.values()
            for update in updates
            if not update.is_added
        }
        for (name, arity), span in self.fluents.items():
            names = [Word(f"?{index + 1}", span) for index in range(arity)]
            fact: Form = group(span, name, *names) if arity else Word(name, span)
            body: list[Form] = [group(span, "true", fact)]
            if (name, arity) in deleted:
                body.append(group(span, "not", group(span, self.deleted, fact)))
            yield rule(span, group(span, "next", fact), body)


def _conjoined(body: Iterable[Form]) -> Iterator[tuple[Form, bool]]:
    """Yield the atoms of a body, except those in disjunctions, which may not bind variables."""
    for form in body:
        if not (isinstance(form, Group) and form.head == "or"):
            yield from atoms([form])
