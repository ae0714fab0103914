"""Immutable, interned terms: constants, variables and compounds.

Equal terms are the same object, so comparison and hashing only use its address. `str(term)` is
valid prefix KIF:

    >>> cell = Compound("cell", (Constant("1"), Variable("?y")))
    >>> str(cell), cell is Compound("cell", (Constant("1"), Variable("?y")))
    ('(cell 1 ?y)', True)

Names are compared exactly as written. Each rulesheet decides which spellings mean the same symbol;
see `gdl.rulesheet.rules.Spelling`.
"""

from __future__ import annotations

from threading import Lock
from typing import Any, Self, TypeGuard
from weakref import WeakValueDictionary

_interned: WeakValueDictionary[tuple[object, ...], Any] = WeakValueDictionary()
_lock = Lock()


class Term:
    """Constant, variable or compound. Abstract base class."""

    __slots__ = ("__weakref__", "depth", "is_ground", "size")

    is_ground: bool  # whether the term contains no variable
    depth: int  # how deeply compounds are nested; 0 for a constant or variable
    size: int  # number of constants, variables and function symbols

    def __copy__(self) -> Term:
        return self

    def __deepcopy__(self, memo: object) -> Term:
        return self


class _Named(Term):
    __slots__ = ("name",)

    name: str

    def __new__(cls, name: str) -> Self:
        key = (cls, name)
        with _lock:
            found: Self | None = _interned.get(key)
            if found is None:
                found = super().__new__(cls)
                found.name = name
                found.is_ground, found.depth, found.size = cls is Constant, 0, 1
                _interned[key] = found
        return found

    def __reduce__(self) -> tuple[type[Self], tuple[str]]:
        return type(self), (self.name,)

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r})"


class Constant(_Named):
    """Symbol without arguments, such as `noop`, `x` or `100`."""

    __slots__ = ()

    args: tuple[Term, ...] = ()


class Variable(_Named):
    """Variable, such as `?x`. Its name includes the question mark."""

    __slots__ = ()


class Compound(Term):
    """Function or relation symbol with at least one argument, such as `(mark 1 1)`."""

    __slots__ = ("_text", "args", "name")

    name: str
    args: tuple[Term, ...]
    _text: str | None

    def __new__(cls, name: str, args: tuple[Term, ...]) -> Compound:
        """Return the unique compound with this symbol and these arguments.

        There must be at least one argument.
        """
        key = (cls, name, *args)
        with _lock:
            found: Compound | None = _interned.get(key)
            if found is None:
                found = super().__new__(cls)
                found.name = name
                found.args = args
                found._text = None
                found.is_ground = all(arg.is_ground for arg in args)
                found.depth = 1 + max((arg.depth for arg in args), default=0)
                found.size = 1 + sum(arg.size for arg in args)
                _interned[key] = found
        return found

    def __reduce__(self) -> tuple[type[Compound], tuple[str, tuple[Term, ...]]]:
        return Compound, (self.name, self.args)

    def __str__(self) -> str:
        if self._text is None:
            self._text = f"({self.name} {' '.join(map(str, self.args))})"
        return self._text

    def __repr__(self) -> str:
        return f"Compound({self.name!r}, {self.args!r})"


def args_of(term: Term) -> tuple[Term, ...]:
    """Return the arguments of a compound, or an empty tuple for any other term."""
    return term.args if isinstance(term, Compound) else ()


def variables(term: Term) -> set[Variable]:
    """Return all variables that occur in a term."""
    if isinstance(term, Variable):
        return {term}
    if isinstance(term, Compound) and not term.is_ground:
        return set().union(*(variables(arg) for arg in term.args))
    return set()


def substitute(term: Term, bindings: dict[Variable, Term]) -> Term:
    """Replace every bound variable in a term by its value."""
    if isinstance(term, Variable):
        return bindings.get(term, term)
    if isinstance(term, Compound) and not term.is_ground:
        return Compound(term.name, tuple(substitute(arg, bindings) for arg in term.args))
    return term


def unify(left: Term, right: Term, bindings: dict[Variable, Term]) -> bool:
    """Extend `bindings` so that two terms become equal. Return False if that is impossible.

    See Robinson, "A machine-oriented logic based on the resolution principle", J. ACM 1965.
    """
    pairs = [(left, right)]
    while pairs:
        first, second = (resolve(term, bindings) for term in pairs.pop())
        if first is second:
            continue
        if isinstance(second, Variable):
            first, second = second, first
        if isinstance(first, Variable):
            if first in variables(second):
                return False
            bindings[first] = second
        elif isinstance(first, Compound) and is_alike(second, first):
            pairs.extend(zip(first.args, second.args, strict=True))
        else:
            return False
    return True


def resolve(term: Term, bindings: dict[Variable, Term]) -> Term:
    """Replace variables by their values until no bound variable is left in the term."""
    while variables(term) & bindings.keys():
        term = substitute(term, bindings)
    return term


def is_alike(term: Term, other: Compound) -> TypeGuard[Compound]:
    """Return whether a term is a compound with the symbol and number of arguments of `other`."""
    same = isinstance(term, Compound) and (term.name, len(term.args))
    return same == (other.name, len(other.args))
