"""Clauses as a program of the grounder's language (ASP), and its terms back.

Nothing of a rulesheet gets into the text: constants are numbers, function symbols `f` and a number,
relations `p` and a number, variables `V` and a number. So names of any shape are possible.

What may become true in a state is left open by choice rules: whatever `init` or `next` gives may be
true, whatever is legal may be done. Hence only what depends on neither is simplified away.
"""

from __future__ import annotations

from collections.abc import Iterable

from gdl.ground.clauses import Clause, args_of
from gdl.rulesheet import Relation
from gdl.terms import Compound, Constant, Term, Variable

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
    """The numbers of all symbols of one rulesheet."""

    def __init__(self) -> None:
        self._constants: dict[str, str] = {}
        self._constant_of: dict[str, Constant] = {}
        self._functions: dict[str, str] = {}
        self._function_of: dict[str, str] = {}
        self._relations: dict[Relation, str] = dict(SHOWN)
        self._variables: dict[Variable, str] = {}

    def program(self, clauses: Iterable[Clause], asked: Iterable[Relation] = ()) -> bytes:
        """The text for the grounder; the body of each clause gives its head's variables values.

        The atoms of the relations that say what is asked (see `gdl.ground.demand`) are shown, too.
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
        """The terms of a text with commas between them, as the grounder writes them."""
        if "(" not in text:
            return tuple([self._constant_of[code] for code in text.split(",")])
        return self._nested(text)

    def _nested(self, text: str) -> tuple[Term, ...]:
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
