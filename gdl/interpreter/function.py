"""The text of one generated function while it is written, and where its global names come from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from gdl.interpreter.index import Pattern
from gdl.rulesheet.rules import Relation
from gdl.terms import Term, Variable

_LOOPS_PER_LOOK = 20_000  # how often nested loops look whether they are within the limits


class GlobalNames(Protocol):
    """Global names for things of the rulesheet, as the writer gets them; see `program`."""

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
