"""Compiler from rules to Python source code: nested loops over the answers to each literal.

No text of a rulesheet gets into the source code. Variables are numbered (`x0`). Constants, names,
indexes and tables are looked up under numbered global names (`k0`, `i0`, `t0`). So a rulesheet can
decide what is compared with what, but never what is executed. `tests/gdl/interpreter` asserts this.
"""

from __future__ import annotations

from dataclasses import dataclass

from gdl.interpreter.function import Function, LiteralWriter, Names
from gdl.interpreter.ordering import cheapest, common_variables, pattern_of
from gdl.interpreter.tabling import Pattern
from gdl.rulesheet.graph import DOES
from gdl.rulesheet.rules import Comparison, Disjunction, Item, Literal, Rule, item_variables
from gdl.terms import Term, Variable, args_of, variables

_MAX_LOOPS = 12  # Python itself allows 20 nested blocks in one function


@dataclass(frozen=True)
class Sink:
    """The end of the code for a body, reached if the body holds: add `row` to the answers.

    If all arguments are known, there is no row to add. If the body is a branch of a disjunction,
    the code calls the function named `resume` instead.
    """

    row: tuple[Term, ...] = ()
    resume: str | None = None
    resume_variables: tuple[Variable, ...] = ()

    def variables(self) -> set[Variable]:
        """Return the variables that must be bound when the body holds."""
        needed = set(self.resume_variables)
        return needed.union(*(variables(term) for term in self.row))


class RuleWriter:
    """Writer of the functions of one rule, for questions with one pattern."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self._literals = LiteralWriter(names)
        self.texts: list[str] = []

    def write(self, rule: Rule, pattern: Pattern) -> str:
        """Append the functions of a rule to `texts`. Return the name of the first one.

        The first function takes the known arguments. Unless all arguments are known, it also takes
        `out`, a set or table, and adds a row to it for each answer. If all are known, it returns
        whether the rule holds. Within a cycle of relations it always takes `out`.
        """
        head = args_of(rule.head)
        collects = not all(pattern) or self._names.is_own_cycle(rule.relation)
        function = Function(self._names.function(), is_test=not collects)
        parameters = []
        for place, arg in enumerate(head):
            if pattern[place]:
                name = f"a{place}"
                parameters.append(name)
                self._literals.match(function, arg, name)
        free = tuple(arg for place, arg in enumerate(head) if not pattern[place])
        self._body(function, list(rule.body), Sink(free))
        if collects:
            parameters.append("out")
        self.texts.append(function.text(parameters))
        return function.name

    def _body(self, function: Function, items: list[Item], sink: Sink) -> None:
        while items:
            known = set(function.locals)
            if self._is_rest_a_test(function, items, sink, known):
                call = self._call_test(function, items)
                function.unless(call)
                break
            place = cheapest(items, known, sink.variables(), self._names.estimate)
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
        """Write items whose variables nothing binds, because the rule is unsafe.

        A negated literal means "no such fact exists". A comparison is dropped, as in GGP-Base.
        """
        for item in items:
            if isinstance(item, Literal):
                self._item(function, item)

    def _item(self, function: Function, item: Item) -> None:
        if isinstance(item, Comparison):
            self._literals.comparison(function, item)
        elif isinstance(item, Disjunction):
            calls = [self._call_test(function, list(branch)) for branch in item.branches]
            function.unless(" or ".join(calls) or "False")
        elif item.is_positive:
            self._literals.positive(function, item)
        elif item.relation == DOES or not item_variables(item) <= function.locals.keys():
            opposite = Literal(item.atom, is_positive=True, span=item.span)
            function.unless(f"not {self._call_test(function, [opposite])}")
        else:
            self._literals.negative(function, item)

    def _finish(self, function: Function, sink: Sink) -> None:
        if not sink.variables() <= set(function.locals):
            function.write("pass")  # unsafe rule: nothing binds a variable of the head
        elif sink.resume is not None:
            values = [function.locals[name] for name in sink.resume_variables]
            self._call(function, sink.resume, values)
        elif function.is_test:
            function.write("return True")
        else:
            row = [self._literals.value(function, term) for term in sink.row]
            value = {0: "True", 1: row[0] if row else ""}.get(len(row), f"({', '.join(row)})")
            function.write(f"out.add({value})")

    def _call(self, function: Function, name: str, values: list[str]) -> None:
        if function.is_test:
            function.write(f"if {name}({', '.join(values)}): return True")
        else:
            function.write(f"{name}({', '.join([*values, 'out'])})")

    def _continue(
        self, function: Function, items: list[Item], sink: Sink
    ) -> tuple[Function, list[Variable]]:
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
        target, passed = self._continue(function, items, Sink())
        target.is_test = True
        self._body(target, items, Sink())
        self._close(target, passed)
        return f"{target.name}({', '.join(function.locals[name] for name in passed)})"

    def _branches(
        self, function: Function, item: Disjunction, items: list[Item], sink: Sink
    ) -> None:
        after = function.locals.keys() | common_variables(item, function.locals)
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
        known = function.locals
        pattern = pattern_of(item.args, known)
        key = self._literals.key(function, item.args, pattern)
        answer = [arg for arg, is_key in zip(item.args, pattern, strict=True) if not is_key]
        needed = sink.variables().union(*(item_variables(rest) for rest in [item, *items]))
        passed = [name for name in known if name in needed]
        target = Function(self._names.function(), is_test=False)
        for name in passed:
            target.locals[name] = target.fresh()
        self._literals.unpack(target, answer, "row")
        self._body(target, items, sink)
        self._close(target, passed, ("row",))
        _, _, query = self._names.query(item.relation, pattern)
        values = "".join(f"{known[name]}, " for name in passed)
        function.write(f"out.run.subscribe({query}, {key}, {target.name}, ({values}out,))")
