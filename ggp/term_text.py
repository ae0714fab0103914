r"""Terms as text: finding the term in an answer, and spacing terms as GGP-Base does.

A manager judges an answer by its text, and case matters, so nothing here interprets a term. A
hostile answer costs time linear in its length, however deep its parentheses nest.

    >>> first_term(" ( mark 1\n1 ) ; I hope")
    '(mark 1 1)'
    >>> spaced("(mark 1 1)")
    '( mark 1 1 )'
    >>> plain("(mark 1 1)")
    'mark 1 1'
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

MAX_LISTED = 12
MAX_KNOWN = 100
"""Maximum length of a list, in characters, whose terms are cached."""
# A word as in `gdl.tokens`, which would import gdl: a server answers INFO before that.
_TOKEN = re.compile(r"[()]|[^\s()]+")
_TYPED_WORD = re.compile(r"[^\s(),]+")


def listed(moves: Sequence[object]) -> str:
    """Return the first `MAX_LISTED` moves as text for an error message, and how many more exist."""
    more = f" and {len(moves) - MAX_LISTED} more" if len(moves) > MAX_LISTED else ""
    return f"{', '.join(map(str, moves[:MAX_LISTED]))}{more}" if moves else "none"


def first_term(text: str) -> str | None:
    """Return the first complete term of a text, single-spaced, or None if there is none.

    Like GGP-Base, ignore what follows the term. A list that does not begin with a name is not a
    term.
    """
    words: list[str] = []
    depth = 0
    for match in _TOKEN.finditer(text):
        word = match.group()
        if word in "()" and words[-1:] == ["("]:
            return None
        words.append(word)
        depth += (word == "(") - (word == ")")
        if depth <= 0:
            return _compact(words) if depth == 0 else None
    return None


def plain(move: str) -> str:
    """Return a move as people type it: without the outer parentheses, unless it has inner ones."""
    inner = move[1:-1]
    is_flat = move.startswith("(") and "(" not in inner
    return inner if is_flat else move


def typed_words(text: str) -> list[str]:
    """Return the words of a move that a person or a model wrote, such as `mark(1, 1)`."""
    return _TYPED_WORD.findall(text)


def tokens(term: str) -> list[str]:
    """Return the words and parentheses of a term."""
    return _TOKEN.findall(term)


def spaced(term: str) -> str:
    """Return the term with blanks around every parenthesis, as GGP-Base prints it."""
    return " ".join(tokens(term))


def spaced_group(terms: Iterable[str]) -> str:
    """Return the list of terms as GGP-Base prints it: `( ( cell 1 1 b ) ( control x ) )`."""
    return " ".join(["(", *map(spaced, terms), ")"])


def terms_of(group: str) -> tuple[str, ...]:
    """Return the terms in a list such as `( ( cell 1 1 b ) ( control x ) )`, single-spaced.

    Raises:
        ValueError: The text is not a single balanced list.
    """
    return _known_terms_of(group) if len(group) <= MAX_KNOWN else _terms_of(group)


def words_of(fact: str) -> tuple[str, ...]:
    """Return a fact's relation and arguments, or an empty tuple if the fact is a single word."""
    return terms_of(fact) if fact.startswith("(") else ()


def _terms_of(group: str) -> tuple[str, ...]:
    if group[:1] == "(" and group[-1:] == ")" and group.count("(") == group.count(")") == 1:
        return tuple(group[1:-1].split())  # plain words, the usual case
    words = tokens(group)
    if len(words) < 2 or words[0] != "(":
        raise ValueError(f"expected a list in parentheses, got {group[:40]!r}")
    found: list[str] = []
    start, depth = 1, 0
    for index, word in enumerate(words[1:-1], start=1):
        depth += (word == "(") - (word == ")")
        if depth < 0:
            break
        if depth == 0:
            found.append(_compact(words[start : index + 1]))
            start = index + 1
    if depth != 0 or words[-1] != ")":
        raise ValueError(f"expected balanced parentheses, got {group[:40]!r}")
    return tuple(found)


# Cache the terms, because a position shares most of its facts with the previous one.
_known_terms_of = lru_cache(maxsize=1 << 13)(_terms_of)


def _compact(words: list[str]) -> str:
    parts: list[str] = []
    for before, word in zip(["(", *words], words, strict=False):
        if before != "(" and word != ")":
            parts.append(" ")
        parts.append(word)
    return "".join(parts)
