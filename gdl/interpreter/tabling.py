"""Indexes of facts by some of their arguments, and tables for recursive relations.

A *row* contains the arguments of a fact. If there is only one, the row is that argument itself. The
same is true for keys. A *pattern* says which ones are known: `(True, False)` for `(succ 1 ?x)`.

Each question to a recursive relation has a table. A rule that needs a table subscribes to it and is
resumed with each answer, including later ones. When no rule is left to resume, all tables are
complete. So every answer is found once, and every cycle ends. This is tabled resolution after Chen
and Warren, "Tabled evaluation with delaying for general logic programs", J. ACM 1996, without its
delaying: negation inside a cycle of questions is an error here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import itemgetter
from typing import Any

from gdl.errors import EvaluationLimitError, UnstratifiedError
from gdl.interpreter.limits import LimitsLeft
from gdl.terms import Term

Pattern = tuple[bool, ...]
Row = Any  # a Term for one argument, else a tuple of Terms; generated code unpacks it
Index = Any  # what `build` returns; only generated code reads it


def row_of(args: tuple[Term, ...]) -> Row:
    """Return the row of a fact with these arguments."""
    return args[0] if len(args) == 1 else args


def build(rows: Sequence[Row], pattern: Pattern) -> Index:
    """Return an index of the rows of one relation for questions with one pattern.

    If all arguments are known, the index is a set of rows. If none is known, it is a list of rows.
    Otherwise it is a dictionary from keys (the known arguments) to lists of the other arguments.
    """
    if all(pattern):
        return set(rows)
    if not any(pattern):
        return list(rows)
    key_of = itemgetter(*(place for place, is_known in enumerate(pattern) if is_known))
    rest_of = itemgetter(*(place for place, is_known in enumerate(pattern) if not is_known))
    index: dict[Any, list[Row]] = {}
    for row in rows:
        index.setdefault(key_of(row), []).append(rest_of(row))
    return index


def mean_answers(rows: Sequence[Row], pattern: Pattern) -> float:
    """Return the average number of answers to questions with this pattern that have any answer."""
    if all(pattern):
        return min(1.0, len(rows))
    if not any(pattern):
        return float(len(rows))
    keys = len(build(rows, pattern))
    return len(rows) / keys if keys else 0.0


class EnoughError(Exception):
    """Raised to end the search, because enough answers have been found."""


class FewRows(set[Row]):
    """Set of answers that ends the search as soon as it contains `most` of them."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most = most

    def add(self, row: Row) -> None:
        """Add an answer. Raise EnoughError once there are `most` answers."""
        super().add(row)
        if len(self) >= self._most:
            raise EnoughError


Resume = Callable[..., None]


class AnswerTable:
    """Answers found so far to one question, and the rules that have subscribed to more answers."""

    __slots__ = ("question", "rows", "run", "seen", "waiting")

    def __init__(self, run: Run, question: tuple[Any, Any]) -> None:
        self.run = run
        self.question = question
        self.seen: set[Row] = set()
        self.rows: list[Row] = []
        self.waiting: list[tuple[Resume, tuple[Any, ...]]] = []

    def __len__(self) -> int:
        return len(self.rows)

    def add(self, row: Row) -> None:
        """Add an answer. If it is new, schedule all subscribed rules to be resumed with it."""
        if row not in self.seen:
            self.seen.add(row)
            self.rows.append(row)
            self.run.count_answer(self.question)
            agenda = self.run.agenda
            for resume, variables in self.waiting:
                agenda.append((resume, row, variables))


class Run:
    """Evaluation of one question, together with all questions in the same cycle."""

    __slots__ = ("_budget", "agenda", "answers_left", "tables")

    def __init__(self, budget: LimitsLeft) -> None:
        self._budget = budget
        self.answers_left = budget.limits.answers
        self.tables: dict[tuple[Any, Any], AnswerTable] = {}
        self.agenda: list[tuple[Resume, Row, tuple[Any, ...]]] = []

    def count_answer(self, question: tuple[Any, Any]) -> None:
        """Count an answer. Check the number of answers and the time against the limits."""
        self.answers_left -= 1
        if self.answers_left < 0:
            raise EvaluationLimitError(
                f"relation {question[0].relation} has more than {self._budget.limits.answers} "
                "answers; it seems to grow without bound"
            )
        self._budget.look(self._budget.step())

    def subscribe(self, query: Any, key: Any, resume: Resume, variables: tuple[Any, ...]) -> None:
        """Schedule `resume(row, *variables)` for every answer to a question."""
        found = query.memo.get(key)
        if found is not None:  # an earlier run completed the answer
            rows = found if query.has_answers else [True] * found
            self.agenda.extend((resume, row, variables) for row in rows)
            return
        table = self.table(query, key)
        table.waiting.append((resume, variables))
        self.agenda.extend((resume, row, variables) for row in table.rows)

    def table(self, query: Any, key: Any) -> AnswerTable:
        """Return the table of a question. If it is new, schedule the rules of its relation."""
        table = self.tables.get((query, key))
        if table is None:
            table = self.tables[query, key] = AnswerTable(self, (query, key))
            self.agenda.append((query.start, key, (table,)))
        return table

    def complete(self) -> None:
        """Resume rules until all tables are complete."""
        agenda = self.agenda
        while agenda:
            resume, row, variables = agenda.pop()
            resume(row, *variables)


class Tabling:
    """Evaluator of questions to recursive relations.

    It stores all answers that it finds on the way.
    """

    def __init__(self, budget: LimitsLeft) -> None:
        self._budget = budget
        self._open: set[tuple[Any, Any]] = set()

    def reset(self) -> None:
        """Discard questions that an error left unanswered."""
        self._open.clear()

    def answer(self, query: Any, key: Any) -> Any:
        """Return the complete answer to a question. Fail if it depends on its own negation."""
        question = (query, key)
        if question in self._open:
            raise UnstratifiedError(
                f"relation {query.relation} depends on its own negation", query.span
            )
        self._open.add(question)
        try:
            run = Run(self._budget)
            run.table(query, key)
            run.complete()
        finally:
            self._open.discard(question)
        for (asked, asked_key), table in run.tables.items():
            asked.memo[asked_key] = table.rows if asked.has_answers else bool(table.rows)
            table.waiting.clear()  # break the reference cycle between tables and run
        run.tables.clear()
        return query.memo[key]
