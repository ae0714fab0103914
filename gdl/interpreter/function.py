"""Source code of generated functions for rules, their literals and terms, and queries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from gdl.interpreter.ordering import is_known, pattern_of
from gdl.interpreter.tabling import Pattern
from gdl.rulesheet.graph import DOES, TRUE
from gdl.rulesheet.rules import Comparison, Literal, Relation
from gdl.terms import Compound, Term, Variable

_LOOPS_PER_LOOK = 20_000  # iterations between two checks of the limits


@dataclass
class Function:
    """Source code of one generated function, line by line as it is being written."""

    name: str  # global name of the function
    is_test: bool  # returns True once the body holds, instead of adding rows to `out`
    locals: dict[Variable, str] = field(default_factory=dict)  # Python name of each known variable
    lines: list[str] = field(default_factory=list)
    indexes: dict[str, str] = field(default_factory=dict)  # local name of each index of the state
    loops: int = 0  # number of loops that the next line is in
    num_locals: int = 0
    is_counting: bool = False  # whether the function counts iterations of inner loops in `n`

    def write(self, line: str) -> None:
        """Add a line at the current indentation."""
        self.lines.append("    " * (self.loops + 1) + line)

    def loop(self, target: str, rows: str) -> None:
        """Begin a loop. Nested loops count iterations, so that no join can run for ever."""
        if self.loops:
            self.is_counting = True
            self.write("n += 1")
            out = "()" if self.is_test else "out"
            self.write(f"if n > {_LOOPS_PER_LOOK}: n = within({out})")
        self.write(f"for {target} in {rows}:")
        self.loops += 1

    def unless(self, condition: str) -> None:
        """Write a test that skips the current values of variables if `condition` does not hold."""
        self.write(f"if not ({condition}): {self.failure}")

    @property
    def failure(self) -> str:
        """Statement to execute if a condition does not hold."""
        if self.loops:
            return "continue"
        return "return False" if self.is_test else "return"

    def fresh(self) -> str:
        """Return an unused local name."""
        self.num_locals += 1
        return f"x{self.num_locals - 1}"

    def text(self, parameters: Sequence[str]) -> str:
        """Return the source code of the finished function."""
        last = "    return False" if self.is_test else "    return"
        head = f"def {self.name}({', '.join(parameters)}):"
        first = ["    n = 0"] if self.is_counting else []
        for number, local in self.indexes.items():
            first.append(f"    {local} = s[{number}]")
            first.append(f"    if {local} is None: {local} = b({number})")
        return "\n".join([head, *first, *self.lines, last])


_MANY = 10_000  # above this number of answers, check the limits


@dataclass(frozen=True, slots=True)
class QueryParts:
    """Numbers and names from which the source code of a query is put together."""

    number: int  # number of the query in its names `q`, `t`, `u`, `o` and `w`
    pattern: Pattern  # which arguments are known
    functions: list[str]  # names of the functions for the rules
    index: str | None  # name of the index of facts, or None if there are no facts

    @property
    def _known(self) -> list[str]:
        return [f"a{place}" for place, is_known in enumerate(self.pattern) if is_known]

    @property
    def _unpack(self) -> list[str]:
        return [f"    {', '.join(self._known)} = key"] if self._known else []

    @property
    def _facts(self) -> str:
        return f"{self.index}.get(key, ())" if any(self.pattern) else str(self.index)

    def _adding_calls(self) -> list[str]:
        return [f"    {name}({', '.join([*self._known, 'out'])})" for name in self.functions]

    def plain(self, *, is_recursive: bool) -> list[str]:
        """Return the source code, as lines, of a function that computes and stores an answer."""
        number = self.number
        lines = [f"def q{number}(key):", "    look(step())", *self._unpack]
        if is_recursive:
            lines.append(f"    if key in o{number}: raise Cycle(u{number}.relation)")
            lines.append(f"    o{number}.add(key)")
        if all(self.pattern):
            tests = [f"{name}({', '.join(self._known)})" for name in self.functions]
            if self.index is not None:
                tests.insert(0, f"key in {self.index}")
            lines.append(f"    x = {' or '.join(tests) or 'False'}")
        else:
            lines.append("    out = set()")
            if self.index is not None:
                lines.append(f"    out.update({self._facts})")
            lines.extend(self._adding_calls())
            lines.append(f"    if len(out) > {_MANY}: within(out)")
            lines.append("    x = list(out)")
        if is_recursive:
            lines.append(f"    o{number}.discard(key)")
        return [*lines, f"    t{number}[key] = x", "    return x"]

    def tabled(self) -> list[str]:
        """Return the source code, as lines, of two functions for a query that uses a table.

        `w` fills a new table from facts and starts the rules. `q` returns the complete answer.
        """
        lines = [f"def w{self.number}(key, out):", *self._unpack]
        if self.index is not None and all(self.pattern):
            lines.append(f"    if key in {self.index}: out.add(True)")
        elif self.index is not None:
            lines.append(f"    for x in {self._facts}: out.add(x)")
        lines.extend([*self._adding_calls(), "    return"])
        return [*lines, f"def q{self.number}(key):", f"    return answer(u{self.number}, key)"]


class Names(Protocol):
    """Global names that generated functions use. `Program` provides them."""

    def function(self) -> str:
        """Return a new name for a function."""

    def constant(self, value: object) -> str:
        """Return the name of a constant."""

    def maker(self, name: str, arity: int) -> tuple[str, str]:
        """Return the names of a store of compound terms and of the function that fills it."""

    def state_index(self, relation: Relation, pattern: Pattern) -> str:
        """Return the number, as text, of the current state's index for a relation and pattern."""

    def fact_index(self, relation: Relation, pattern: Pattern) -> str | None:
        """Return the name of an index of a relation's facts, or None if the relation has rules."""

    def query(self, relation: Relation, pattern: Pattern) -> tuple[str, str, str]:
        """Return the names of a query's memo, of the function that answers it, and of the query."""

    def is_own_cycle(self, relation: Relation) -> bool:
        """Return whether a relation is in a cycle with the relation that is being compiled."""

    def estimate(self, relation: Relation, pattern: Pattern, args: tuple[Term, ...]) -> float:
        """Return the expected number of answers to a positive literal."""


class LiteralWriter:
    """Writer of code that tests one condition of a rule and binds its variables."""

    def __init__(self, names: Names) -> None:
        self._names = names

    def comparison(self, function: Function, item: Comparison) -> None:
        """Write a comparison of two terms, or bind variables by matching one with the other."""
        known = function.locals
        if is_known(item.left, known) and is_known(item.right, known):
            operator = "is not" if item.is_distinct else "is"
            left, right = self.value(function, item.left), self.value(function, item.right)
            function.unless(f"{left} {operator} {right}")
        elif is_known(item.left, known):
            self.match(function, item.right, self.value(function, item.left))
        else:
            self.match(function, item.left, self.value(function, item.right))

    def positive(self, function: Function, item: Literal) -> None:
        """Write a test of a literal without unbound variables, or else a loop over its answers."""
        relation, args = item.relation, item.args
        if relation == TRUE:
            self._true(function, args[0])
        elif relation == DOES:
            self._does(function, args)
        else:
            pattern = pattern_of(args, function.locals)
            key = self.key(function, args, pattern)
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

    def negative(self, function: Function, item: Literal) -> None:
        """Write a test that a literal with known arguments does not hold.

        The literal must not be a `does`.
        """
        relation, args = item.relation, item.args
        if relation == TRUE:
            function.unless(f"not {self._is_true(function, args[0])}")
        else:
            pattern = (True,) * len(args)
            key = self.key(function, args, pattern)
            function.unless(f"not {self._rows(function, relation, pattern, key)}")

    def _rows(self, function: Function, relation: Relation, pattern: Pattern, key: str) -> str:
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
        if is_known(fact, function.locals):
            function.unless(self._is_true(function, fact))
        elif isinstance(fact, Variable):
            function.loop(self._bind(function, fact), "g[0]")
        else:
            assert isinstance(fact, Compound)
            pattern = pattern_of(fact.args, function.locals)
            index = self._state_index(function, Relation.of(fact), pattern)
            key = self.key(function, fact.args, pattern)
            rows = f"{index}.get({key}, ())" if any(pattern) else index
            self._answers(function, fact.args, pattern, rows)

    def _is_true(self, function: Function, fact: Term) -> str:
        if not isinstance(fact, Compound) or fact.is_ground:
            return f"({self.value(function, fact)} in g[0])"
        pattern = (True,) * len(fact.args)
        index = self._state_index(function, Relation.of(fact), pattern)
        return f"({self.key(function, fact.args, pattern)} in {index})"

    def _state_index(self, function: Function, relation: Relation, pattern: Pattern) -> str:
        number = self._names.state_index(relation, pattern)
        if number not in function.indexes:
            function.indexes[number] = function.fresh()
        return function.indexes[number]

    def _does(self, function: Function, args: tuple[Term, ...]) -> None:
        role, move = args
        if is_known(role, function.locals):
            local = function.fresh()
            function.write(f"{local} = d.get({self.value(function, role)})")
            function.write(f"if {local} is None: {function.failure}")
            self.match(function, move, local)
        else:
            self._loop(function, [role, move], "d.items()")

    def key(self, function: Function, args: tuple[Term, ...], pattern: Pattern) -> str:
        """Return an expression for the key, that is, the values of the known arguments."""
        values = [
            self.value(function, arg) for arg, is_key in zip(args, pattern, strict=True) if is_key
        ]
        return values[0] if len(values) == 1 else f"({', '.join(values)})"

    def value(self, function: Function, term: Term) -> str:
        """Return an expression for a known term."""
        if isinstance(term, Variable):
            return function.locals[term]
        if term.is_ground:
            return self._names.constant(term)
        assert isinstance(term, Compound)
        store, make = self._names.maker(term.name, len(term.args))
        key = self.key(function, term.args, (True,) * len(term.args))
        local = function.fresh()
        function.write(f"{local} = {key}")
        return f"({store}.get({local}) or {make}({local}))"

    def _bind(self, function: Function, name: Variable) -> str:
        local = function.locals[name] = function.fresh()
        return local

    def _loop(self, function: Function, answer: Sequence[Term], rows: str) -> None:
        targets, checks = [], []
        for term in answer:
            if isinstance(term, Variable) and term not in function.locals:
                targets.append(self._bind(function, term))
            else:
                targets.append(function.fresh())
                checks.append((term, targets[-1]))
        function.loop(", ".join(targets), rows)
        for term, local in checks:
            self.match(function, term, local)

    def unpack(self, function: Function, answer: Sequence[Term], row: str) -> None:
        """Write code that matches the terms of an answer with the values in a row."""
        if len(answer) == 1:
            self.match(function, answer[0], row)
        elif answer:
            locals_ = [function.fresh() for _ in answer]
            function.write(f"{', '.join(locals_)} = {row}")
            for term, local in zip(answer, locals_, strict=True):
                self.match(function, term, local)

    def match(self, function: Function, term: Term, value: str) -> None:
        """Write code that matches a value with a term and binds the term's variables."""
        if is_known(term, function.locals):
            function.unless(f"{value} is {self.value(function, term)}")
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
                self.match(function, arg, part)
