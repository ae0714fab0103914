"""Templates for names: text with holes for the parts of a term.

>>> drop = Template(("drop", "?column"), ("drop in column ", Hole("?column")))
>>> drop.fill("(drop 4)", str.upper, lambda column, row: "", lambda column, row: "")
'drop in column 4'
>>> drop.meant(("drop", "4"))
'(drop 4)'
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from ggp.naming.words import tokens
from ggp.term_text import terms_of

Pattern = tuple[str, ...]
"""Words of a term. Words that begin with `?` match any word."""
Binding = dict[str, str]


@dataclass(frozen=True, slots=True)
class Hole:
    """Part of a name that is replaced by the value of a variable."""

    variable: str


@dataclass(frozen=True, slots=True)
class Place:
    """Part of a name that is replaced by the name of a place.

    `row` is empty if places have only a column, or if one word names the whole square.
    """

    column: str
    row: str = ""


@dataclass(frozen=True, slots=True)
class Thing:
    """Part of a name that is replaced by the thing in a place.

    `before` and `after` are put around it. If there is no thing, `otherwise` replaces them all.
    """

    place: Place
    before: str = ""
    after: str = ""
    otherwise: str = ""


Part = str | Hole | Place | Thing
NameOf = Callable[[str], str]
NameOfPlace = Callable[[str, str], str]


@dataclass(frozen=True, slots=True)
class Template:
    """Template for the names of all terms that match a pattern.

    Attributes:
        pattern: Words of these terms.
        parts: Parts of the name, in order.
    """

    pattern: Pattern
    parts: tuple[Part, ...]

    def fill(self, term: str, word: NameOf, place: NameOfPlace, thing: NameOfPlace) -> str | None:
        """Return the name of a term, or None if the term does not match the pattern.

        Args:
            word: Function that returns the name of a symbol.
            place: Function that returns the name of a place.
            thing: Function that returns the name of the thing in a place, or "" if there is none.
        """
        bound = bind(self.pattern, term)
        if bound is None:
            return None

        def at(one: Place) -> tuple[str, str]:
            return bound.get(one.column, one.column), bound.get(one.row, one.row)

        found: list[str] = []
        for part in self.parts:
            if isinstance(part, str):
                found.append(part)
            elif isinstance(part, Hole):
                found.append(word(bound.get(part.variable, part.variable)))
            elif isinstance(part, Place):
                found.append(place(*at(part)))
            else:
                name = thing(*at(part.place))
                found.append(f"{part.before}{name}{part.after}" if name else part.otherwise)
        return " ".join("".join(found).split())

    def meant(self, said: tuple[str, ...]) -> str | None:
        """Return the term whose name has the tokens `said`, or None. A hole matches one token."""
        bound: Binding = {}
        left = list(said)
        for wanted in _wanted(self.parts):
            if not left:
                return None
            word = left.pop(0)
            if word != (bound.setdefault(wanted, word) if wanted.startswith("?") else wanted):
                return None
        if left or any(word not in bound for word in self.pattern if word[0] == "?"):
            return None
        words = [bound.get(word, word) for word in self.pattern]
        return words[0] if len(words) == 1 else f"({' '.join(words)})"


def _wanted(parts: Iterable[Part]) -> Iterator[str]:
    """Yield the tokens of a name. A variable stands for any token, and things are left out."""
    for part in parts:
        if isinstance(part, str):
            yield from tokens(part)
        elif isinstance(part, Hole):
            yield part.variable
        elif isinstance(part, Place):
            yield from filter(None, (part.column, part.row))


def bind(pattern: Pattern, term: str) -> Binding | None:
    """Match a term with a pattern.

    Return the value of each variable, or None if the term does not match.
    """
    bound: Binding = {}
    return bound if _fits(pattern, words_of_term(term), bound) else None


def words_of_term(term: str) -> Pattern:
    """Return the words of a term. A constant has a single word."""
    return terms_of(term) if term.startswith("(") else (term,)


@lru_cache(maxsize=1 << 10)
def _words_of_pattern(pattern: str) -> Pattern:
    return words_of_term(pattern)


def _fits(pattern: Pattern, words: Pattern, bound: Binding) -> bool:
    if len(pattern) != len(words):
        return False
    for wanted, word in zip(pattern, words, strict=True):
        if wanted.startswith("?"):
            if bound.setdefault(wanted, word) != word:
                return False
        elif wanted.startswith("("):
            if not word.startswith("(") or not _fits(
                _words_of_pattern(wanted), words_of_term(word), bound
            ):
                return False
        elif wanted.lower() != word.lower():
            return False
    return True
