r"""Comments in a rulesheet: the author's names for terms, and the comment at the start.

>>> found = read_annotations(";;@move (take ?heap ?n): take ?n from heap ?heap\n(role me)")
>>> found.moves[0].parts
('take ', Hole(variable='?n'), ' from heap ', Hole(variable='?heap'))

A line is `;;@move PATTERN: NAME`, `;;@fact PATTERN: NAME` or `;;@word SYMBOL: NAME`. In a name, a
variable of the pattern is replaced by its value, `[?column ?row]` by the name of that place, and
`{?column ?row}` by the name of the thing there. The comments do not change the rules.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from itertools import islice
from textwrap import shorten
from typing import Final

import gdl
from ggp.naming.template import Hole, Part, Pattern, Place, Template, Thing, words_of_term
from ggp.term_text import first_term

MAX_LINES: Final = 1_000
MAX_NAME: Final = 200
_KINDS = ("move", "fact", "word")
_LINE = re.compile(rf"^[ \t]*[;%]+[ \t]*@({'|'.join(_KINDS)})\b[ \t]*(.*)$", re.MULTILINE)
_OTHER = re.compile(r"^[ \t]*[;%]+[ \t]*@(\w{1,20})[ \t]+\S[^:\n]*:", re.MULTILINE)
_PART = re.compile(r"\?[\w-]+|\[[^\[\]]*\]|\{[^{}]*\}")


@dataclass(frozen=True, slots=True)
class Problem:
    """Annotation without effect: `start` and `end` of its characters in the text, and a message."""

    start: int
    end: int
    message: str


@dataclass(frozen=True, slots=True)
class Subject:
    """The term or word that an annotation names, and where it is in the text."""

    kind: str
    words: Pattern
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Annotations:
    """All annotations of a rulesheet. If several patterns match, the first one counts."""

    moves: tuple[Template, ...] = ()
    facts: tuple[Template, ...] = ()
    words: Mapping[str, str] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()
    subjects: tuple[Subject, ...] = ()


def read_annotations(text: str) -> Annotations:
    """Parse the annotations in the text of a rulesheet, in either notation.

    Invalid annotations are only listed in `problems`.
    """
    kinds: dict[str, list[Template]] = {"move": [], "fact": []}
    words: dict[str, str] = {}
    problems: list[Problem] = []
    subjects: list[Subject] = []
    text = gdl.with_line_feeds(text)
    for number, match in enumerate(_LINE.finditer(text)):
        if number == MAX_LINES:
            break
        kind, rest = match.groups()
        try:
            pattern, name = _split(rest)
            if kind == "word":
                words[pattern.lower()] = name
                named = tuple(pattern.replace("(", " ").replace(")", " ").split())
            else:
                kinds[kind].append(_template(pattern, name))
                named = kinds[kind][-1].pattern
            subjects.append(Subject(kind, named, match.start(2), match.start(2) + len(pattern)))
        except ValueError as error:
            end = match.start(2) + len(rest.rstrip())
            problems.append(Problem(match.start(1) - 1, end, f"@{kind}: {error}"))
    problems += _misspelt(text)
    return Annotations(
        tuple(kinds["move"]), tuple(kinds["fact"]), words, tuple(problems), tuple(subjects)
    )


def check_annotations(
    text: str, name: str, rules: gdl.Rulesheet | None = None
) -> tuple[gdl.Diagnostic, ...]:
    """Return findings about annotations that have no effect.

    Args:
        rules: The rules in the text, if it can be parsed.
    """
    source, severity = gdl.Source(name, text), gdl.Severity.WARNING
    found = read_annotations(text)
    unknown = filter(None, (_unknown(one, rules) for one in found.subjects)) if rules else ()
    return tuple(
        gdl.Diagnostic(gdl.Span(source, one.start, one.end), severity, "annotation", one.message)
        for one in (*found.problems, *unknown)
    )


def with_annotations(
    found: Iterable[gdl.Diagnostic], text: str, name: str, rules: gdl.Rulesheet | None = None
) -> tuple[gdl.Diagnostic, ...]:
    """Add the findings about a rulesheet's annotations to `found`. Return all in order."""
    named = check_annotations(text, name, rules)
    return tuple(sorted((*named, *found), key=lambda one: one.order))


def _misspelt(text: str) -> Iterator[Problem]:
    """Yield a problem for each line that looks like an annotation with a misspelt keyword."""
    for match in islice(_OTHER.finditer(text), MAX_LINES):
        kind = match[1]
        near = get_close_matches(kind.lower(), _KINDS, n=1)
        if near and kind not in _KINDS:
            message = f"no annotation is called '@{kind}'; did you mean '@{near[0]}'?"
            yield Problem(match.start(1) - 1, match.end(1), message)


def _unknown(subject: Subject, rules: gdl.Rulesheet) -> Problem | None:
    """Return a problem if the rules have no such move, fact or word, or None if they do."""
    name, arity = subject.words[0].lower(), len(subject.words) - 1
    kinds = {"move": rules.moves, "fact": rules.fluents}.get(subject.kind, frozenset({None}))
    known: dict[str, set[int]] = {}
    for kind in kinds:
        if kind is not None:
            known.setdefault(kind.name.lower(), set()).add(kind.arity)
    if None in kinds:  # any symbol may be meant
        known = {symbol.lower(): {arity} for symbol in rules.symbols}
    if arity in known.get(name, ()) or name.startswith("?") or name.isdecimal():
        return None
    if name in known:
        counts = " or ".join(map(str, sorted(known[name])))
        message = f"'{name}' has {counts} argument{'s' * (counts != '1')}, not {arity}"
    else:
        near = get_close_matches(name, sorted(known), n=1)
        hint = f"; did you mean '{near[0]}'?" if near else ""
        message = f"no {subject.kind} is called '{name}'{hint}"
    return Problem(subject.start, subject.end, f"@{subject.kind}: {message}")


def _split(rest: str) -> tuple[str, str]:
    pattern, colon, name = rest.partition(":")
    pattern, name = pattern.strip(), " ".join(name.split())
    if not colon or not name or not pattern.strip("()"):
        raise ValueError(f"expected PATTERN: NAME, got {rest.strip()[:60]!r}")
    if len(name) > MAX_NAME or not name.isprintable():
        raise ValueError(f"expected a name of at most {MAX_NAME} printable characters")
    return pattern, name


def _template(pattern: str, name: str) -> Template:
    term = first_term(pattern)
    if term is None or "".join(term.split()) != "".join(pattern.split()):
        raise ValueError(f"expected one term such as (drop ?column), got {pattern[:60]!r}")
    known = set(re.findall(r"\?[\w-]+", term))
    parts: list[Part] = []
    end = 0
    for match in _PART.finditer(name):
        if match.start() > end:
            parts.append(name[end : match.start()])
        parts.append(_part(match.group(), known))
        end = match.end()
    if end < len(name):
        parts.append(name[end:])
    return Template(words_of_term(term), tuple(parts))


def _part(text: str, known: set[str]) -> Part:
    words = text.strip("[]{}").split()
    for word in words:
        if word.startswith("?") and word not in known:
            raise ValueError(f"the pattern has no variable {word}")
    if text.startswith("?"):
        return Hole(text)
    if not 1 <= len(words) <= 2:
        raise ValueError(f"expected a column, or a column and a row, in {text}")
    place = Place(words[0], words[1] if len(words) == 2 else "")
    return place if text.startswith("[") else Thing(place)


def author_names(text: str) -> Callable[[str, Pattern], str]:
    """Return a function that returns the author's name for a move or fact, or "" if there is none.

    That function takes the kind and the words of a term, where words in capitals stand for
    variables. A constant in an annotation matches only the same constant.

    >>> name_of = author_names(";;@fact (heap ?heap ?n): heap ?heap has ?n left")
    >>> name_of("fact", ("heap", "A", "N-1"))
    'heap A has N-1 left'
    """
    found = read_annotations(text)
    templates = {"move": found.moves, "fact": found.facts}

    def name_of(kind: str, words: Pattern) -> str:
        term = f"({' '.join(words)})" if len(words) > 1 else words[0]
        for template in templates[kind]:
            if _is_alike(template, words):
                name = template.fill(term, word, _place, lambda *at: f"what is on {_place(*at)}")
                if name:
                    return name
        return ""

    def word(symbol: str) -> str:
        return found.words.get(symbol, symbol)

    return name_of


def _is_alike(template: Template, words: Pattern) -> bool:
    if len(template.pattern) != len(words) or any("(" in word for word in template.pattern):
        return False
    pairs = zip(template.pattern[1:], words[1:], strict=True)
    return all(wanted.startswith("?") or wanted == word for wanted, word in pairs)


def _place(column: str, row: str) -> str:
    return f"({column}, {row})" if row else column


MAX_HEAD: Final = 800
"""Maximum number of characters to return of the comment at the start of a rulesheet."""
_MARKS: Final = ";%/*#=- \t"
_FRAME: Final = "*#=- \t"
_LEGAL: Final = ("author", "license", "licence", "copyright", "spdx-", "(c)", "\N{COPYRIGHT SIGN}")
_MODE: Final = re.compile(r"-\*-.*?-\*-|\b(?:vim?|ex):\s.*|\$(?:Id|Header|Revision|Date)\b[^$]*\$")
"""Matches settings for an editor or a version control system, which may follow a title."""
_SETTING: Final = re.compile(
    r"(?:local variables|mode|coding|fill-column|indent-tabs-mode|tab-width|end):", re.IGNORECASE
)


def head_comment(text: str) -> str:
    r"""Return the comment at the start of a rulesheet as one paragraph, or "" if there is none.

    >>> head_comment("; Nim. Who takes the last one wins.\n(role me)")
    'Nim. Who takes the last one wins.'
    """
    found: list[str] = []
    for line in gdl.with_line_feeds(text).lstrip("\ufeff \t\r\n").split("\n"):
        if not line.lstrip().startswith((";", "%", "//")):
            break
        said = _MODE.sub("", line.strip()).lstrip(_MARKS).rstrip(_FRAME)
        is_other = said.lower().startswith(_LEGAL) or bool(_SETTING.match(said))
        if any(map(str.isalpha, said)) and not said.startswith("@") and not is_other:
            found.append("".join(filter(str.isprintable, said)))
    return shorten(" ".join(found), MAX_HEAD, placeholder=" ...")
