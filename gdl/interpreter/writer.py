"""From a rule to Python source.

The plain reading of a rule is a nest of loops: for each answer to the first literal, for each
answer to the second, ... add the head. Such loops are written here as Python text and compiled by
Python itself, which makes them several times faster than walking the rule again and again.

Nothing of a rulesheet gets into the text: variables are numbered (`x0`), constants, names,
indexes and tables are looked up under numbered global names (`k0`, `i0`, `t0`), so a rulesheet can
decide what is compared with what, never what is executed. `tests/gdl/interpreter` asserts it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from gdl.interpreter.index import Pattern
from gdl.interpreter.ordering import cheapest, common_variables, is_known, pattern_of
from gdl.rulesheet.graph import DOES, TRUE
from gdl.rulesheet.rules import (
    Comparison,
    Disjunction,
    Item,
    Literal,
    Relation,
    Rule,
    item_variables,
)
from gdl.terms import Compound, Term, Variable, variables

_MAX_LOOPS = 12  # Python itself allows 20 nested blocks in one function
_LOOPS_PER_LOOK = 20_000  # how often nested loops look whether they are within the limits


class Names(Protocol):
    """Where the writer gets global names for things of the rulesheet; see `program`."""

    def constant(self, value: object) -> str:
        """Name of a term, a symbol or any other value."""

    def maker(self, name: str, arity: int) -> tuple[str, str]:
        """Names of the store of a function symbol's terms and of the function that adds to it."""

    def state_index(self, relation: Relation, pattern: Pattern) -> str:
        """Number of the index of the state's facts for one question pattern."""

    def fact_index(self, relation: Relation, pattern: Pattern) -> str | None:
        """Name of the index of a relation that has facts only; None for any other."""

    def query(self, relation: Relation, pattern: Pattern) -> tuple[str, str, str]:
        """Names of a query's memo, of the function that answers it, and of the query itself."""

    def function(self) -> str:
        """A new function name."""

    def estimate(self, relation: Relation, pattern: Pattern, args: tuple[Term, ...]) -> float:
        """Expected number of answers to a positive literal."""

    def is_own_cycle(self, relation: Relation) -> bool:
        """Whether a relation depends on the one that is being written."""


@dataclass
class Function:
    """The text of one function while it is written.

    Attributes:
        name: Its global name.
        is_test: It returns True as soon as the body holds; otherwise it adds rows to `out`.
        locals: The Python name of each variable that has a value.
        indexes: The local name of each index of the state that is used, by its number.
        loops: Loops around the line that is written next.
        is_counting: It counts its inner loops in `n`.
    """

    name: str
    is_test: bool
    locals: dict[Variable, str] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)
    indexes: dict[str, str] = field(default_factory=dict)
    loops: int = 0
    num_locals: int = 0
    is_counting: bool = False

    def write(self, line: str) -> None:
        """Add a line at the present indentation."""
        self.lines.append("    " * (self.loops + 1) + line)

    def loop(self, target: str, rows: str) -> None:
        """Open a loop; inside another loop, count it so that no join can run for ever."""
        if self.loops:
            self.is_counting = True
            self.write("n += 1")
            out = "()" if self.is_test else "out"
            self.write(f"if n > {_LOOPS_PER_LOOK}: n = within({out})")
        self.write(f"for {target} in {rows}:")
        self.loops += 1

    def unless(self, condition: str) -> None:
        """Go on only if the condition holds."""
        self.write(f"if not ({condition}): {self.failure}")

    @property
    def failure(self) -> str:
        """The statement for "this does not hold, try the next"."""
        if self.loops:
            return "continue"
        return "return False" if self.is_test else "return"

    def fresh(self) -> str:
        """A new local name."""
        self.num_locals += 1
        return f"x{self.num_locals - 1}"

    def text(self, parameters: Sequence[str]) -> str:
        """The finished function."""
        last = "    return False" if self.is_test else "    return"
        head = f"def {self.name}({', '.join(parameters)}):"
        first = ["    n = 0"] if self.is_counting else []
        for number, local in self.indexes.items():
            first.append(f"    {local} = s[{number}]")
            first.append(f"    if {local} is None: {local} = b({number})")
        return "\n".join([head, *first, *self.lines, last])


@dataclass(frozen=True)
class Sink:
    """What to do when the whole body holds: add a row made of these head arguments.

    A test has no row; `resume` names a function to go on with instead (after a disjunction).
    """

    row: tuple[Term, ...] = ()
    resume: str | None = None
    resume_variables: tuple[Variable, ...] = ()

    def variables(self) -> set[Variable]:
        """The variables that must have a value in the end."""
        needed = set(self.resume_variables)
        return needed.union(*(variables(term) for term in self.row))


class RuleWriter:
    """Writes the functions of one rule for questions of one pattern."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self.texts: list[str] = []

    def write(self, rule: Rule, pattern: Pattern) -> str:
        """Write a rule; the functions are appended to `texts`.

        Returns:
            Name of a function of the known arguments and, unless all are known, of `out`, a set or
            table to which it adds a row for each answer. With all known it returns whether
            the rule holds; within a cycle of relations it always takes `out`.
        """
        head = rule.head.args if isinstance(rule.head, Compound) else ()
        collects = not all(pattern) or self._names.is_own_cycle(rule.relation)
        function = Function(self._names.function(), is_test=not collects)
        parameters = []
        for place, arg in enumerate(head):
            if pattern[place]:
                name = f"a{place}"
                parameters.append(name)
                self._match(function, arg, name)
        free = tuple(arg for place, arg in enumerate(head) if not pattern[place])
        self._body(function, list(rule.body), Sink(free))
        if collects:
            parameters.append("out")
        self.texts.append(function.text(parameters))
        return function.name

    # Bodies

    def _body(self, function: Function, items: list[Item], sink: Sink) -> None:
        """Write what is left of a body, and at its end the sink."""
        while items:
            known = set(function.locals)
            if self._is_rest_a_test(function, items, sink, known):
                call = self._call_test(function, items)
                function.unless(call)
                break
            place = cheapest(items, known, self._names.estimate)
            if place is None:
                place = _first_disjunction(items)
            if place is None:
                self._unready(function, items)
                break
            item = items.pop(place)
            if function.loops >= _MAX_LOOPS:
                self._split(function, [item, *items], sink)
                return
            if isinstance(item, Disjunction) and not self._is_test(function, item):
                self._branches(function, item, items, sink)
                return
            if self._resumes(function, item):
                assert isinstance(item, Literal)
                self._subscribe(function, item, items, sink)
                return
            self._item(function, item)
        self._finish(function, sink)

    def _is_rest_a_test(
        self, function: Function, items: list[Item], sink: Sink, known: set[Variable]
    ) -> bool:
        """Whether only existence matters from here on, and the rest has a loop in it."""
        if function.is_test:
            return False
        if not sink.variables() <= known or any(map(self._has_cycle, items)):
            return False
        return any(not item_variables(item) <= known for item in items)

    def _has_cycle(self, item: Item) -> bool:
        if isinstance(item, Disjunction):
            return any(self._has_cycle(part) for branch in item.branches for part in branch)
        return isinstance(item, Literal) and self._names.is_own_cycle(item.relation)

    def _is_test(self, function: Function, item: Item) -> bool:
        has_cycle = not function.is_test and self._has_cycle(item)
        return item_variables(item) <= function.locals.keys() and not has_cycle

    def _resumes(self, function: Function, item: Item) -> bool:
        is_positive = isinstance(item, Literal) and item.is_positive
        return is_positive and not function.is_test and self._has_cycle(item)

    def _unready(self, function: Function, items: list[Item]) -> None:
        """Items with variables that nothing binds: the rule is not safe.

        A negated literal is read as "no such fact exists"; a comparison is dropped, as GGP-Base
        drops it.
        """
        for item in items:
            if isinstance(item, Literal):
                self._item(function, item)

    def _item(self, function: Function, item: Item) -> None:
        if isinstance(item, Comparison):
            self._comparison(function, item)
        elif isinstance(item, Disjunction):
            calls = [self._call_test(function, list(branch)) for branch in item.branches]
            function.unless(" or ".join(calls) or "False")
        elif item.is_positive:
            self._positive(function, item)
        else:
            self._negative(function, item)

    def _finish(self, function: Function, sink: Sink) -> None:
        if not sink.variables() <= set(function.locals):
            function.write("pass")  # not safe: the head has a variable that nothing binds
        elif sink.resume is not None:
            values = [function.locals[name] for name in sink.resume_variables]
            self._call(function, sink.resume, values)
        elif function.is_test:
            function.write("return True")
        else:
            row = [self._value(function, term) for term in sink.row]
            value = {0: "True", 1: row[0] if row else ""}.get(len(row), f"({', '.join(row)})")
            function.write(f"out.add({value})")

    def _call(self, function: Function, name: str, values: list[str]) -> None:
        """Go on in another function of the same kind."""
        if function.is_test:
            function.write(f"if {name}({', '.join(values)}): return True")
        else:
            function.write(f"{name}({', '.join([*values, 'out'])})")

    # Further functions

    def _continue(
        self, function: Function, items: list[Item], sink: Sink
    ) -> tuple[Function, list[Variable]]:
        """A new function that knows those variables of this one that the rest needs."""
        needed = sink.variables().union(*(item_variables(item) for item in items))
        passed = [name for name in function.locals if name in needed]
        target = Function(self._names.function(), function.is_test)
        for name in passed:
            target.locals[name] = target.fresh()
        return target, passed

    def _close(self, target: Function, passed: list[Variable], first: tuple[str, ...] = ()) -> None:
        parameters = [*first, *(f"x{place}" for place in range(len(passed)))]
        if not target.is_test:
            parameters.append("out")
        self.texts.append(target.text(parameters))

    def _split(self, function: Function, items: list[Item], sink: Sink) -> None:
        target, passed = self._continue(function, items, sink)
        self._body(target, items, sink)
        self._close(target, passed)
        self._call(function, target.name, [function.locals[name] for name in passed])

    def _call_test(self, function: Function, items: list[Item]) -> str:
        """The call of a new function that says whether the items hold."""
        target, passed = self._continue(function, items, Sink())
        target.is_test = True
        self._body(target, items, Sink())
        self._close(target, passed)
        return f"{target.name}({', '.join(function.locals[name] for name in passed)})"

    def _branches(
        self, function: Function, item: Disjunction, items: list[Item], sink: Sink
    ) -> None:
        """A disjunction that binds variables: each branch goes on with the rest of the body."""
        after = function.locals.keys() | common_variables(item)
        needed = sink.variables().union(*(item_variables(rest) for rest in items))
        passed = sorted(after & needed, key=str)
        target = Function(self._names.function(), function.is_test)
        for name in passed:
            target.locals[name] = target.fresh()
        self._body(target, list(items), sink)
        self._close(target, passed)
        going_on = Sink(resume=target.name, resume_variables=tuple(passed))
        for branch in item.branches:
            self._split(function, list(branch), going_on)

    def _subscribe(self, function: Function, item: Literal, items: list[Item], sink: Sink) -> None:
        """A literal of the own cycle: the rest of the body is resumed with each of its answers."""
        known = function.locals
        pattern = pattern_of(item.args, known)
        key = self._key(function, item.args, pattern)
        answer = [arg for arg, is_key in zip(item.args, pattern, strict=True) if not is_key]
        needed = sink.variables().union(*(item_variables(rest) for rest in [item, *items]))
        passed = [name for name in known if name in needed]
        target = Function(self._names.function(), is_test=False)
        for name in passed:
            target.locals[name] = target.fresh()
        self._unpack(target, answer, "row")
        self._body(target, items, sink)
        self._close(target, passed, ("row",))
        _, _, query = self._names.query(item.relation, pattern)
        values = "".join(f"{known[name]}, " for name in passed)
        function.write(f"out.run.subscribe({query}, {key}, {target.name}, ({values}out,))")

    # Literals

    def _comparison(self, function: Function, item: Comparison) -> None:
        known = function.locals
        if is_known(item.left, known) and is_known(item.right, known):
            operator = "is not" if item.is_distinct else "is"
            left, right = self._value(function, item.left), self._value(function, item.right)
            function.unless(f"{left} {operator} {right}")
        elif is_known(item.left, known):
            self._match(function, item.right, self._value(function, item.left))
        else:
            self._match(function, item.left, self._value(function, item.right))

    def _positive(self, function: Function, item: Literal) -> None:
        relation, args = item.relation, item.args
        if relation == TRUE:
            self._true(function, args[0])
        elif relation == DOES:
            self._does(function, args)
        else:
            pattern = pattern_of(args, function.locals)
            key = self._key(function, args, pattern)
            rows = self._rows(function, relation, pattern, key)
            self._answers(function, args, pattern, rows)

    def _answers(
        self, function: Function, args: tuple[Term, ...], pattern: Pattern, rows: str
    ) -> None:
        if all(pattern):
            function.unless(rows)
            return
        answer = [arg for arg, is_key in zip(args, pattern, strict=True) if not is_key]
        self._loop(function, answer, rows)

    def _negative(self, function: Function, item: Literal) -> None:
        relation, args = item.relation, item.args
        pattern = pattern_of(args, function.locals)
        if not all(pattern) or relation == DOES:
            positive = Literal(item.atom, is_positive=True, span=item.span)
            function.unless(f"not {self._call_test(function, [positive])}")
        elif relation == TRUE:
            function.unless(f"not {self._is_true(function, args[0])}")
        else:
            key = self._key(function, args, pattern)
            function.unless(f"not {self._rows(function, relation, pattern, key)}")

    def _rows(self, function: Function, relation: Relation, pattern: Pattern, key: str) -> str:
        """An expression for the answers: rows, or whether it holds if all arguments are known."""
        index = self._names.fact_index(relation, pattern)
        if index is not None:
            if all(pattern):
                return f"({key} in {index})"
            return f"{index}.get({key}, ())" if any(pattern) else index
        memo, answer, _ = self._names.query(relation, pattern)
        local = function.fresh()
        function.write(f"{local} = {memo}.get({key})")
        function.write(f"if {local} is None: {local} = {answer}({key})")
        return local

    def _true(self, function: Function, fact: Term) -> None:
        """A fact of the state; its arguments are looked up in an index of the state."""
        if is_known(fact, function.locals):
            function.unless(self._is_true(function, fact))
        elif isinstance(fact, Variable):
            function.loop(self._bind(function, fact), "g[0]")
        else:
            assert isinstance(fact, Compound)
            pattern = pattern_of(fact.args, function.locals)
            index = self._state_index(function, Relation.of(fact), pattern)
            key = self._key(function, fact.args, pattern)
            rows = f"{index}.get({key}, ())" if any(pattern) else index
            self._answers(function, fact.args, pattern, rows)

    def _is_true(self, function: Function, fact: Term) -> str:
        if not isinstance(fact, Compound) or fact.is_ground:
            return f"({self._value(function, fact)} in g[0])"
        pattern = (True,) * len(fact.args)
        index = self._state_index(function, Relation.of(fact), pattern)
        return f"({self._key(function, fact.args, pattern)} in {index})"

    def _state_index(self, function: Function, relation: Relation, pattern: Pattern) -> str:
        number = self._names.state_index(relation, pattern)
        if number not in function.indexes:
            function.indexes[number] = function.fresh()
        return function.indexes[number]

    def _does(self, function: Function, args: tuple[Term, ...]) -> None:
        role, move = args
        if is_known(role, function.locals):
            local = function.fresh()
            function.write(f"{local} = d.get({self._value(function, role)})")
            function.write(f"if {local} is None: {function.failure}")
            self._match(function, move, local)
        else:
            self._loop(function, [role, move], "d.items()")

    # Terms

    def _key(self, function: Function, args: tuple[Term, ...], pattern: Pattern) -> str:
        values = [
            self._value(function, arg) for arg, is_key in zip(args, pattern, strict=True) if is_key
        ]
        return values[0] if len(values) == 1 else f"({', '.join(values)})"

    def _value(self, function: Function, term: Term) -> str:
        """An expression for a known term."""
        if isinstance(term, Variable):
            return function.locals[term]
        if term.is_ground:
            return self._names.constant(term)
        assert isinstance(term, Compound)
        store, make = self._names.maker(term.name, len(term.args))
        key = self._key(function, term.args, (True,) * len(term.args))
        local = function.fresh()
        function.write(f"{local} = {key}")
        return f"({store}.get({local}) or {make}({local}))"

    def _bind(self, function: Function, name: Variable) -> str:
        local = function.locals[name] = function.fresh()
        return local

    def _loop(self, function: Function, answer: Sequence[Term], rows: str) -> None:
        """Loop over rows, giving values to the variables of the answer's terms."""
        targets, checks = [], []
        for term in answer:
            if isinstance(term, Variable) and term not in function.locals:
                targets.append(self._bind(function, term))
            else:
                targets.append(function.fresh())
                checks.append((term, targets[-1]))
        function.loop(", ".join(targets), rows)
        for term, local in checks:
            self._match(function, term, local)

    def _unpack(self, function: Function, answer: Sequence[Term], row: str) -> None:
        if len(answer) == 1:
            self._match(function, answer[0], row)
        elif answer:
            locals_ = [function.fresh() for _ in answer]
            function.write(f"{', '.join(locals_)} = {row}")
            for term, local in zip(answer, locals_, strict=True):
                self._match(function, term, local)

    def _match(self, function: Function, term: Term, value: str) -> None:
        """Go on only if a value has the form of a term; give values to the term's variables."""
        if is_known(term, function.locals):
            function.unless(f"{value} is {self._value(function, term)}")
        elif isinstance(term, Variable):
            function.locals[term] = function.fresh()
            function.write(f"{function.locals[term]} = {value}")
        else:
            assert isinstance(term, Compound)
            name = self._names.constant(term.name)
            local = function.fresh()
            function.write(f"{local} = {value}")
            function.unless(f"{local}.name == {name} and len({local}.args) == {len(term.args)}")
            parts = [function.fresh() for _ in term.args]
            function.write(f"{', '.join(parts)}, = {local}.args")
            for part, arg in zip(parts, term.args, strict=True):
                self._match(function, arg, part)


def _first_disjunction(items: Sequence[Item]) -> int | None:
    places = (place for place, item in enumerate(items) if isinstance(item, Disjunction))
    return next(places, None)
