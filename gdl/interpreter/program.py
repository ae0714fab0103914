"""Rules of one rulesheet as Python functions, which are generated when they are first needed.

A *query* is a relation with a pattern of known arguments. It has a memo from keys (the values of
the known arguments) to answers. Memos that depend on the state or the moves are emptied when these
change. All generated functions live in one namespace of global names:

    x0 ...  locals          k0 ...  constants       g  [state]      d  role -> move
    f0 ...  rule functions  i0 ...  fact indexes    s  state indexes, b  builds one of them
    q0 ...  queries         t0 ...  memos           u0 ...  Query objects
    m0 ...  stores of function terms, n0 ... their makers; look, step, within  the budget
    o0 ...  keys for which a query is being evaluated

A recursive relation is first evaluated like any other, by functions that call each other. Most
recursions of real games (counting, rays on a board) never repeat a question that is still being
answered. `Program.break_cycle` handles the recursions that do.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from gdl.errors import GdlError, Span
from gdl.interpreter.function import QueryParts
from gdl.interpreter.limits import LimitsLeft
from gdl.interpreter.ordering import Estimates, bound_variables
from gdl.interpreter.tabling import (
    EnoughError,
    FewRows,
    Index,
    Pattern,
    Row,
    Tabling,
    build,
    row_of,
)
from gdl.interpreter.writer import RuleWriter
from gdl.rulesheet import DependsOn, Relation, Rulesheet
from gdl.rulesheet.rules import Rule
from gdl.terms import Compound, Term, args_of, variables


class CycleError(GdlError):
    """A question was asked again while it was being answered."""

    def __init__(self, relation: Relation) -> None:
        super().__init__(f"relation {relation} depends on itself in a cycle")
        self.relation = relation


@dataclass(eq=False)
class Query:
    """Kind of question: a relation, and the pattern of arguments whose values are known."""

    relation: Relation
    pattern: Pattern
    number: int
    span: Span | None
    memo: dict[Any, Any] = field(default_factory=dict)  # answers by key
    open: set[Any] = field(default_factory=set)  # for recursive relations: keys being evaluated
    start: Callable[[Any, Any], None] | None = None  # if tabled: function that starts a table
    functions: list[str] | None = (
        None  # names of the functions for its rules, or None if not yet generated
    )

    @property
    def has_answers(self) -> bool:
        """Whether the answer to a question is a list of rows instead of a truth value."""
        return not all(self.pattern)


class Program:
    """Generated functions of a rulesheet, and the state and moves that questions are about.

    Attributes:
        namespace: The global names of the generated functions.
        estimates: Expected numbers of answers, used to order the items of a body.
    """

    def __init__(self, rulesheet: Rulesheet, budget: LimitsLeft) -> None:
        self._graph = rulesheet.graph
        self._budget = budget
        self.tabling = Tabling(budget)
        self._facts: dict[Relation, list[Row]] = {}
        self._rules: dict[Relation, list[Rule]] = {}
        for relation, rules in rulesheet.definitions.items():
            self._rules[relation] = [rule for rule in rules if not rule.is_fact]
            facts = dict.fromkeys(row_of(args_of(rule.head)) for rule in rules if rule.is_fact)
            self._facts[relation] = list(facts)
        self._names: dict[object, str] = {}
        self._queries: dict[tuple[Relation, Pattern], Query] = {}
        self._memos: dict[DependsOn, list[dict[Any, Any]]] = {kind: [] for kind in DependsOn}
        self._state_indexes: dict[tuple[Relation, Pattern], int] = {}
        self._state_rows: dict[Relation, list[Row]] | None = None
        self._stores: list[dict[Any, Term]] = []
        self._num_functions = 0
        self._own: Relation | None = None
        self._tabled: set[Relation] = set()
        derived = {relation for relation, rules in self._rules.items() if rules}
        self.estimates = Estimates(self._facts, derived, self._graph)
        self.estimates.reluctant.update(
            rule.relation for rules in self._rules.values() for rule in rules if _is_unsafe(rule)
        )
        self.namespace: dict[str, Any] = {
            "g": [frozenset()],
            "d": {},
            "s": [],
            "b": self._build_state_index,
            "look": budget.look,
            "step": budget.step,
            "within": budget.within,
            "answer": self.tabling.answer,
            "Cycle": CycleError,
        }

    def set_state(self, state: frozenset[Term]) -> None:
        """Let all further questions be about this state."""
        if self.namespace["g"][0] is not state:
            self.namespace["g"][0] = state
            self.namespace["s"][:] = [None] * len(self._state_indexes)
            self._state_rows = None
            for memo in self._memos[DependsOn.STATE]:
                memo.clear()
            self._forget_moves()

    def set_moves(self, moves: dict[Term, Term]) -> None:
        """Let all further questions be about these moves in the current state."""
        if self.namespace["d"] != moves:
            self._forget_moves()
            self.namespace["d"].update(moves)

    def _forget_moves(self) -> None:
        self.namespace["d"].clear()
        for memo in self._memos[DependsOn.MOVES]:
            memo.clear()

    def ask(self, relation: Relation, *args: Term | None) -> Any:
        """Return the rows of values for the arguments given as None.

        If no argument is None, return whether the atom holds.
        """
        pattern = tuple(arg is not None for arg in args)
        query = self.query_of(relation, pattern)
        known = tuple(arg for arg in args if arg is not None)
        key = known[0] if len(known) == 1 else known
        found = query.memo.get(key)
        return self.namespace[f"q{query.number}"](key) if found is None else found

    def some(self, most: int, relation: Relation, *args: Term | None) -> list[Row]:
        """Return at most `most` answers to a question as in `ask`, without finding the others.

        Questions about other relations, which the rules raise, are answered in full.
        """
        query = self.query_of(relation, tuple(arg is not None for arg in args))
        known = tuple(arg for arg in args if arg is not None)
        key = known[0] if len(known) == 1 else known
        if key in query.memo or relation in self._tabled:
            return list(islice(self.ask(relation, *args), most))
        if query.functions is None:
            self._compile(query)
        rows = FewRows(most)
        try:
            for row in self._fact_rows(query, key):
                rows.add(row)
            for name in query.functions or ():
                self.namespace[name](*known, rows)
        except EnoughError:
            return list(rows)
        found = query.memo[key] = list(rows)
        return found

    def _fact_rows(self, query: Query, key: Any) -> Iterable[Row]:
        rows = build(self._facts.get(query.relation, []), query.pattern)
        found: Iterable[Row] = rows.get(key, ()) if any(query.pattern) else rows
        return found

    def break_cycle(self, relation: Relation) -> None:
        """Change how a relation is evaluated, because a question about it led to the same question.

        The first time, order the conditions of its rules again, with recursive conditions as late
        as possible, as authors often write them. The second time, use tables.
        """
        component = set(self._graph.component(relation))
        if relation in self.estimates.reluctant:
            self.estimates.reluctant -= component
            self.table(component)
        else:
            self.estimates.reluctant |= component
            self._rewrite(component)

    def table(self, relations: Iterable[Relation]) -> None:
        """Use tables from now on for these relations, and for all others in the same recursions."""
        components = {self._graph.component(relation) for relation in relations}
        self._tabled.update(relation for component in components for relation in component)
        self._rewrite(self._tabled)

    def _rewrite(self, relations: Container[Relation]) -> None:
        for query in self._queries.values():
            if query.relation in relations:
                self._await_first_call(query)

    def postpone_recursion(self) -> bool:
        """Evaluate recursive relations as late as possible from now on.

        Return False if that was already so. Relations such as `append` build endless lists unless
        they are given a known list.
        """
        recursive = {relation for relation in self._rules if self._graph.is_recursive(relation)}
        if recursive <= self.estimates.reluctant:
            return False
        self.estimates.reluctant |= recursive
        self._rewrite(self._rules)
        return True

    def untabled(self) -> set[Relation]:
        """Return the recursive relations that do not use tables."""
        recursive = {relation for relation in self._rules if self._graph.is_recursive(relation)}
        return recursive - self._tabled

    def abandon(self) -> None:
        """Discard all questions that an error left unanswered."""
        self.tabling.reset()
        for query in self._queries.values():
            query.open.clear()

    def trim(self, max_terms: int) -> None:
        """Clear stores that contain more than `max_terms` function terms."""
        for store in self._stores:
            if len(store) > max_terms:
                store.clear()

    def _build_state_index(self, number: int) -> Index:
        relation, pattern = list(self._state_indexes)[number]
        if self._state_rows is None:
            self._state_rows = _rows_by_relation(self.namespace["g"][0])
        index = build(self._state_rows.get(relation, ()), pattern)
        self.namespace["s"][number] = index
        return index

    def _name(self, letter: str, what: object, value: Any) -> str:
        name = self._names.get((letter, what))
        if name is None:
            name = f"{letter}{len(self._names)}"
            self._names[letter, what] = name
            self.namespace[name] = value
        return name

    def constant(self, value: object) -> str:
        """Return the name of a global constant for a term, a symbol or any other value."""
        return self._name("k", value, value)

    def maker(self, name: str, arity: int) -> tuple[str, str]:
        """Return the names of a function symbol's store of terms and of its constructor."""
        if ("m", (name, arity)) not in self._names:
            store: dict[Any, Term] = {}
            self._stores.append(store)
            self._name("m", (name, arity), store)
            self._name("n", (name, arity), self._make_function(name, arity, store))
        return self._names["m", (name, arity)], self._names["n", (name, arity)]

    def _make_function(
        self, name: str, arity: int, store: dict[Any, Term]
    ) -> Callable[[Any], Term]:
        budget = self._budget

        def make(row: Row) -> Term:
            term = Compound(name, (row,) if arity == 1 else row)
            budget.spend_term(term)
            store[row] = term
            return term

        return make

    def state_index(self, relation: Relation, pattern: Pattern) -> str:
        """Return the number of the index for one relation and pattern in the current state."""
        number = self._state_indexes.setdefault((relation, pattern), len(self._state_indexes))
        if number == len(self.namespace["s"]):
            self.namespace["s"].append(None)
        return str(number)

    def fact_index(self, relation: Relation, pattern: Pattern) -> str | None:
        """Return the name of a relation's index of facts, or None if the relation has rules."""
        if self._rules.get(relation):
            return None
        rows = self._facts.get(relation, [])
        return self._name("i", (relation, pattern), build(rows, pattern))

    def query(self, relation: Relation, pattern: Pattern) -> tuple[str, str, str]:
        """Return the names of a query's memo, of the function that answers it, and of the query."""
        number = self.query_of(relation, pattern).number
        return f"t{number}", f"q{number}", f"u{number}"

    def function(self) -> str:
        """Return a new function name."""
        self._num_functions += 1
        return f"f{self._num_functions}"

    def is_own_cycle(self, relation: Relation) -> bool:
        """Return whether a relation is in a tabled cycle with the one that is being compiled."""
        own = self._own
        return own in self._tabled and self._graph.share_component(own, relation)

    def estimate(self, relation: Relation, pattern: Pattern, args: tuple[Term, ...]) -> float:
        """Return the expected number of answers to a positive literal."""
        return self.estimates.of(relation, pattern, args)

    def query_of(self, relation: Relation, pattern: Pattern) -> Query:
        """Return the query for a relation and a pattern. Create it on first use."""
        query = self._queries.get((relation, pattern))
        if query is None:
            number = len(self._queries)
            rules = self._rules.get(relation)
            query = Query(relation, pattern, number, rules[0].span if rules else None)
            self._queries[relation, pattern] = query
            self._memos[self._graph.dependence(relation)].append(query.memo)
            self.namespace[f"t{number}"] = query.memo
            self.namespace[f"u{number}"] = query
            self.namespace[f"o{number}"] = query.open
            self._await_first_call(query)
        return query

    def _await_first_call(self, query: Query) -> None:
        number = query.number
        query.functions = None
        self.namespace[f"q{number}"] = lambda key: self._first_call(query, f"q{number}", key)
        query.start = lambda key, out: self._first_call(query, f"w{number}", key, out)

    def _first_call(self, query: Query, name: str, *args: Any) -> Any:
        self._compile(query)
        return self.namespace[name](*args)

    def _compile(self, query: Query) -> None:
        outer, self._own = self._own, query.relation
        source = self.source(query)
        self._own = outer
        code = compile(source, f"<rules of {query.relation.name!a}>", "exec")
        exec(code, self.namespace)  # noqa: S102 - generated code, see `writer`
        if query.relation in self._tabled:
            query.start = self.namespace[f"w{query.number}"]

    def source(self, query: Query) -> str:
        """Return the Python source code of a query."""
        writer = RuleWriter(self)
        rules = self._rules.get(query.relation, [])
        functions = query.functions = [writer.write(rule, query.pattern) for rule in rules]
        index = None
        if self._facts.get(query.relation):
            rows = build(self._facts[query.relation], query.pattern)
            index = self._name("i", (query.relation, query.pattern), rows)
        entry = QueryParts(query.number, query.pattern, functions, index)
        if query.relation in self._tabled:
            return "\n".join([*writer.texts, *entry.tabled()])
        is_recursive = self._graph.is_recursive(query.relation)
        return "\n".join([*writer.texts, *entry.plain(is_recursive=is_recursive)])


def _is_unsafe(rule: Rule) -> bool:
    return not variables(rule.head) <= bound_variables(rule.body, ())


def _rows_by_relation(state: frozenset[Term]) -> dict[Relation, list[Row]]:
    found: dict[Any, list[Row]] = {}
    for fact in state:
        if isinstance(fact, Compound):
            args = fact.args
            row = args[0] if len(args) == 1 else args
            key = (fact.name, len(args))
            rows = found.get(key)
            if rows is None:
                found[key] = [row]
            else:
                rows.append(row)
    return found
