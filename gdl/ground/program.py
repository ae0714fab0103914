"""The ground program: the rules of a game without variables, as flat arrays of literals.

Atoms are numbered. A *base* is a fact that may be true in a state, an *input* is a move that a role
may make. Their atoms come first. All other atoms are defined by rules:

    0             no atom
    1 .. B        bases, in the order of `bases`
    B+1 .. B+I    inputs, in the order of `inputs` (the inputs of a role are next to each other)
    B+I+1 ..      atoms defined by rules

The atom `TRUE` always holds, and the atom `FALSE` never holds. Neither occurs in a body.

Clauses become a program in the grounder's language (ASP). Its text contains no name from the
rulesheet: constants become numbers, function symbols `f` and a number, relations `p` and a number,
variables `V` and a number. Choice rules leave open what is true in a state. Every fact that `init`
or `next` gives may be true, and every legal move may be made.

The grounder answers in aspif, see Kaminski and others, "How to build your own ASP-based system?!",
TPLP 2023, appendix A. The answer has a line of numbers for each rule (statement 1) and for each
shown atom (statement 4). Rules are parsed in bulk because there can be very many.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from gdl.ground.clauses import Clause
from gdl.rulesheet import Relation
from gdl.terms import Compound, Constant, Term, Variable, args_of

IntArray = NDArray[np.int32]

TRUE: Final = -1
FALSE: Final = 0


@dataclass(frozen=True, eq=False)
class GroundProgram:
    """The rules of a game over numbered atoms. `R` is the number of rules.

    A rule holds if all its literals hold. An atom holds if one of its rules holds. A positive
    literal is the number of an atom, and a negated literal is the negative of that number.
    """

    roles: tuple[Constant, ...]  # in rulesheet order
    bases: tuple[Term, ...]  # the fact of each base
    inputs: tuple[tuple[int, Term], ...]  # role index and move of each input, sorted by role
    init: NDArray[np.bool_]  # [B] whether each base is true in the first state
    heads: IntArray  # [R] the atom that each rule defines
    offsets: IntArray  # [R + 1] index in `literals` where each rule begins
    literals: IntArray  # the bodies of all rules
    next: IntArray  # [B] for each base, the atom that makes it true next, or TRUE or FALSE
    legal: IntArray  # [I] for each input, the atom that makes it legal, or TRUE or FALSE
    terminal: int  # the atom that says that the game is over, or TRUE or FALSE
    goals: tuple[tuple[int, int, int], ...]  # (role index, value, atom or TRUE), sorted
    sees: tuple[tuple[int, Term, int], ...] = ()  # in GDL-II: (role index, percept, atom or TRUE)


SHOWN: dict[Relation, str] = {
    Relation("role", 1): "r",
    Relation("init", 1): "i",
    Relation("true", 1): "t",
    Relation("does", 2): "d",
    Relation("next", 1): "n",
    Relation("legal", 2): "l",
    Relation("terminal", 0): "z",
    Relation("goal", 2): "g",
    Relation("sees", 2): "s",
}
_OPEN = "{t(F)}:-i(F).\n{t(F)}:-n(F).\n{d(R,M)}:-l(R,M),r(R).\n"
_SHOW = "".join(f"#show {name}/{relation.arity}.\n" for relation, name in SHOWN.items())


class Encoding:
    """The mapping of the symbols of one rulesheet to numbers, and back."""

    def __init__(self) -> None:
        self._constants: dict[str, str] = {}
        self._constant_of: dict[str, Constant] = {}
        self._functions: dict[str, str] = {}
        self._function_of: dict[str, str] = {}
        self._relations: dict[Relation, str] = dict(SHOWN)
        self._variables: dict[Variable, str] = {}
        self._read: dict[str, tuple[Term, ...]] = {}

    def program(self, clauses: Iterable[Clause], asked: Iterable[Relation] = ()) -> bytes:
        """Return the program for the grounder.

        The body of each clause must bind the variables of its head. The atoms of the relations in
        `asked` (see `gdl.ground.demand`) are shown as well.
        """
        lines = [self._clause(clause) for clause in clauses]
        lines += [f"#show {self._name(relation)}/{relation.arity}." for relation in asked]
        return ("\n".join(lines) + "\n" + _OPEN + _SHOW).encode()

    def _clause(self, clause: Clause) -> str:
        self._variables.clear()
        body = [
            *map(self._atom, clause.positive),
            *(f"not {self._atom(atom)}" for atom in clause.negative),
            *(f"{self._term(left)}!={self._term(right)}" for left, right in clause.distinct),
        ]
        return f"{self._atom(clause.head)}:-{','.join(body)}."

    def _atom(self, atom: Term) -> str:
        name = self._name(Relation.of(atom))
        args = args_of(atom)
        return f"{name}({','.join(map(self._term, args))})" if args else name

    def _name(self, relation: Relation) -> str:
        return self._relations.setdefault(relation, f"p{len(self._relations)}")

    def _term(self, term: Term) -> str:
        if isinstance(term, Variable):
            return self._variables.setdefault(term, f"V{len(self._variables)}")
        if isinstance(term, Compound):
            return f"{self._function(term.name)}({','.join(map(self._term, term.args))})"
        assert isinstance(term, Constant)
        code = self._constants.setdefault(term.name, str(len(self._constants)))
        self._constant_of[code] = term
        return code

    def _function(self, name: str) -> str:
        code = self._functions.setdefault(name, f"f{len(self._functions)}")
        self._function_of[code] = name
        return code

    def terms(self, text: str) -> tuple[Term, ...]:
        """Parse terms separated by commas, in the notation in which the grounder writes them."""
        if "(" not in text:
            return tuple([self._constant_of[code] for code in text.split(",")])
        first, _, rest = text.partition(",")
        if "(" in first or not rest:
            return self._nested(text)
        # A role and its move. Roles often have the same moves, hundreds of thousands of them.
        if rest not in self._read:
            self._read[rest] = self.terms(rest)
        return self._constant_of[first], *self._read[rest]

    def _nested(self, text: str) -> tuple[Term, ...]:
        if text.count("(") == 1 and text.find(")") == len(text) - 1:  # most moves and facts
            before, inner = text[:-1].split("(")
            *others, name = before.split(",")
            parts = tuple([self._constant_of[code] for code in inner.split(",")])
            compound = Compound(self._function_of[name], parts)
            return *[self._constant_of[code] for code in others], compound
        stack: list[tuple[str, list[Term]]] = []
        args: list[Term] = []
        for part in text.replace(")", ",)").split(","):
            if part == ")":
                name, outer = stack.pop()
                outer.append(Compound(name, tuple(args)))
                args = outer
                continue
            *opened, last = part.split("(")
            for code in opened:
                stack.append((self._function_of[code], args))
                args = []
            args.append(self._constant_of[last])
        return tuple(args)


_END = b"0\n"
_LINE_END, _BLANK = 10, 32


@dataclass(frozen=True, eq=False)
class GroundRules:
    """Rules over the grounder's atoms, and the names of the shown atoms."""

    heads: IntArray  # [R] the atom that each rule defines; facts have rules without literals
    offsets: IntArray  # [R + 1] index in `literals` where each rule begins
    literals: IntArray  # of all rules
    open: IntArray  # atoms that choice rules leave open
    shown: tuple[tuple[str, int], ...]  # text and atom; the atom is TRUE if it always holds


def read_aspif(text: bytes) -> GroundRules:
    """Parse the rules and shown atoms of an aspif text."""
    start = text.index(b"\n") + 1  # after the line that names the format
    found = text.find(b"\n4 ", start - 1)
    end = found + 1 if found >= 0 else text.rindex(_END)
    numbers, lines = _numbers(text[start:end])
    is_choice = numbers[lines + 1] == 1
    heads = numbers[lines + 3]
    counts = np.where(is_choice, 0, numbers[lines + 5])
    is_rule = ~is_choice
    offsets = np.concatenate([[0], np.cumsum(counts[is_rule])]).astype(np.int32)
    literals = numbers[_ranges(lines[is_rule] + 6, counts[is_rule])]
    return GroundRules(
        heads[is_rule], offsets, literals, np.unique(heads[is_choice]), _shown(text[end:])
    )


def _numbers(text: bytes) -> tuple[IntArray, NDArray[np.int64]]:
    numbers = np.fromstring(text, np.int32, sep=" ")
    characters = np.frombuffer(text, np.uint8)
    ends = np.flatnonzero(characters <= _BLANK)  # the end of every number
    last = np.flatnonzero(characters[ends] == _LINE_END)
    lines = np.zeros(len(last), np.int64)
    lines[1:] = last[:-1] + 1
    return numbers, lines


def _ranges(starts: NDArray[np.int64], counts: IntArray) -> NDArray[np.int64]:
    before = np.cumsum(counts) - counts
    return np.repeat(starts - before, counts) + np.arange(int(counts.sum()))


_SHOWN_LINE = re.compile(r"^4 \d+ (\S+) (\d+)(?: (\d+))?", re.MULTILINE)  # text, condition


def _shown(text: bytes) -> tuple[tuple[str, int], ...]:
    return tuple(
        [
            (shown, TRUE if num_literals == "0" else int(literal))
            for shown, num_literals, literal in _SHOWN_LINE.findall(text.decode())
        ]
    )
