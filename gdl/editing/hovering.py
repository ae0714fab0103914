"""Markdown descriptions of the symbol under the pointer.

If the symbol belongs to a fact, an explanation says why the fact holds or not in the first state.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from gdl.editing.draft import Draft
from gdl.editing.index import Kind, Occurrence, Part, Space, Symbol
from gdl.errors import GdlError, Source
from gdl.rulesheet import RESERVED, Rulesheet
from gdl.rulesheet.rules import CONNECTIVES
from gdl.syntax import Group, written
from gdl.why.explainer import Explainer
from gdl.why.reason import Answer, Line, lines
from gdl.why.reason import Kind as ReasonKind

_MARKS = re.compile(r"[\\`*_\[\]<>#|~]")


def plural(number: int, word: str) -> str:
    """Return a number with its noun in the singular or plural.

    >>> plural(1, "place"), plural(2, "place")
    ('1 place', '2 places')
    """
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def listed(texts: Sequence[str], most: int) -> str:
    """Join at most `most` texts into an enumeration. Say how many texts were left out.

    >>> listed(["a", "b", "c"], most=3), listed(["a", "b", "c"], most=1)
    ('a, b and c', 'a and 2 more')
    """
    named = list(texts[:most])
    if len(texts) > most:
        named.append(f"{len(texts) - most} more")
    if len(named) < 2:
        return "".join(named)
    return f"{', '.join(named[:-1])} and {named[-1]}"


def plain(text: str) -> str:
    r"""Escape Markdown's special characters in a text.

    >>> plain("*not* [this](that)")
    '\\*not\\* \\[this\\](that)'
    """
    return _MARKS.sub(r"\\\g<0>", text)


def code(text: str) -> str:
    """Return a text as inline code in Markdown.

    >>> code("cell"), code("a`b")
    ('`cell`', '`` a`b ``')
    """
    return f"`` {text} ``" if "`" in text else f"`{text}`"


def block(text: str) -> str:
    """Return lines as a code block in Markdown.

    >>> print(block("(a)"))
    ```
    (a)
    ```
    """
    longest = max(map(len, re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}\n{text}\n{fence}"


MEANINGS: dict[str, str] = {
    "role": "`(role R)`: R takes part in the game. Roles are facts, and their order counts.",
    "init": "`(init F)`: the fact F is true in the first state.",
    "true": "`(true F)`: the fact F is true in the present state. Only conditions ask for it.",
    "does": "`(does R M)`: the role R makes the move M in this turn. Only conditions ask for it.",
    "next": "`(next F)`: the fact F is true in the state after this turn. Facts that no `next` "
    "rule makes are false then.",
    "legal": "`(legal R M)`: the role R may make the move M in the present state.",
    "goal": "`(goal R N)`: the state is worth N, from 0 to 100, to the role R.",
    "terminal": "`terminal`: the game is over in the present state.",
    "base": "`(base F)`: F is one of the facts that a state may have.",
    "input": "`(input R M)`: M is one of the moves that the role R may have.",
    "sees": "`(sees R P)`: the role R sees the percept P when this turn's moves are made (GDL-II).",
    "<=": "`(<= HEAD CONDITION ...)`: the head holds if all conditions hold.",
    "not": "`(not C)`: C does not hold. Its variables need values from other conditions.",
    "or": "`(or C ...)`: at least one of the conditions holds.",
    "and": "`(and C ...)`: all of the conditions hold.",
    "distinct": "`(distinct T U)`: the two terms are different. Their variables need values from "
    "other conditions.",
}
RANDOM = "The role of chance: all its legal moves are equally likely (GDL-II)."


Seen = Mapping[str, Sequence[Sequence[str]]]
"""For each symbol, such as `cell/3`, the values of each argument in the states of random games.

Symbols without arguments, such as `100`, are not included.
"""
MAX_LINES = 6  # number of lines to list


class Hover(NamedTuple):
    """Description to show for the word from `start` to `end`."""

    start: int
    end: int
    text: str


def hover(draft: Draft, offset: int, seen: Seen | None = None) -> Hover | None:
    """Return the description of the symbol at an offset, or None if there is none.

    `seen` contains the values from random games.
    """
    one = draft.at(offset)
    if one is None:
        return None
    return Hover(one.start, one.end, "\n\n".join(_paragraphs(draft, one, seen or {})))


def _paragraphs(draft: Draft, one: Occurrence, seen: Seen) -> Iterator[str]:
    index, symbol = draft.index, one.symbol
    kind = index.kind(symbol)
    yield f"**{_shown(draft, one)}**: {kind}{_arguments(symbol)}"
    if kind is Kind.KEYWORD:
        yield MEANINGS.get(symbol.name, "")
    if symbol.name == "random" and kind is Kind.ROLE:
        yield RANDOM
    if kind is Kind.VARIABLE:
        yield _of_variable(draft, symbol)
        return
    yield from _remark(draft, symbol)
    definitions = index.definitions(symbol)
    if definitions and kind is not Kind.CONSTANT:
        yield f"Defined {_lines(draft, definitions)}."
    users = index.users(symbol)
    if users and kind is not Kind.KEYWORD:
        yield f"Used by {listed([code(user) for user in users], most=MAX_LINES)}."
    elif kind not in (Kind.KEYWORD, Kind.CONSTANT, Kind.ROLE):
        yield "No condition uses it."
    else:
        yield f"{plural(len(index.places(symbol)), 'place')} in the text."
    yield from _values(draft, symbol, seen)


def _shown(draft: Draft, one: Occurrence) -> str:
    text = plain(draft.text[one.start : one.end])
    return f"{text}/{one.symbol.arity}" if one.symbol.arity else text


def _arguments(symbol: Symbol) -> str:
    if symbol.space is Space.VARIABLE or not symbol.arity:
        return ""
    return f", {plural(symbol.arity, 'argument')}"


def _of_variable(draft: Draft, symbol: Symbol) -> str:
    places = draft.index.places(symbol)
    bound: list[str] = []
    for one in draft.index.occurrences:
        if one.statement != symbol.statement or one.part is not Part.BODY or one.holder:
            continue
        is_within = any(one.start < place.start < one.form.span.end for place in places)
        if is_within and one.symbol.name not in ("not", "distinct", "or", "and"):
            bound.append(code(written(one.form)))
    where = f" In {listed(bound, most=MAX_LINES)}." if bound else " In no condition."
    return f"{plural(len(places), 'place')} in this statement.{where}"


def _remark(draft: Draft, symbol: Symbol) -> Iterator[str]:
    definitions = draft.index.definitions(symbol)
    if not definitions or symbol.space is Space.KEYWORD:
        return
    start = draft.statements[definitions[0].statement].span.start
    lines = draft.text[:start].split("\n")[:-1]
    found: list[str] = []
    mark = "%" if draft.is_epilog else ";"
    while lines and lines[-1].strip().startswith(mark):
        found.insert(0, lines.pop().strip().lstrip(mark).strip())
    text = " ".join(line for line in found if any(map(str.isalnum, line)))
    if text:
        yield f"*{plain(text)}*"


def _lines(draft: Draft, places: Sequence[Occurrence]) -> str:
    source = Source("", draft.text)
    numbers = dict.fromkeys(source.position(one.start)[0] for one in places)
    word = "on line" if len(numbers) == 1 else "on lines"
    return f"{word} {listed([str(number) for number in numbers], most=MAX_LINES)}"


def _values(draft: Draft, symbol: Symbol, seen: Seen) -> Iterator[str]:
    known = seen.get(str(symbol))
    rows = known if known is not None else draft.index.values(symbol)
    if not any(rows):
        return
    title = "Values seen in play:" if known is not None else "Values written:"
    yield "\n".join(
        [title, ""]
        + [
            f"{number}. {' '.join(map(code, values)) or 'none'}"
            for number, values in enumerate(rows, start=1)
        ]
    )


SECONDS = 0.04
"""Time limit in seconds for each step: computing the first state, its facts, and the reasons.

The clock is checked only now and then. So callers that must not block should use a separate
process.
"""
DEPTH = 2
MAX_ROWS = 14
MAX_FACTS = 6
_UNASKED = {*CONNECTIVES, "next", "does", "sees", "base", "input"}
"""Keywords for which no reason is given: they are not about one state, or depend on moves."""


class FirstState:
    """Explainer of why facts hold or do not hold in the initial state.

    It explains nothing if that state cannot be computed in time.
    """

    def __init__(self, rulesheet: Rulesheet | None) -> None:
        self._explainer: Explainer | None = None
        try:
            if rulesheet is not None:
                self._explainer = Explainer(rulesheet, SECONDS)
        except (GdlError, RecursionError):
            pass  # explain nothing

    def explanation(self, fact: str) -> str:
        """Return an explanation of why a fact holds or not, or "" if none is found in time."""
        if self._explainer is None:
            return ""
        try:
            question = self._explainer.question(fact)
            if question.needs_moves:
                return ""
            answer = self._explainer.why(question, depth=DEPTH)
        except (GdlError, RecursionError):
            return ""
        return _as_markdown(answer, is_ground=question.fact.is_ground)


def fact_at(draft: Draft, offset: int) -> str:
    """Return the fact that the word at an offset names or belongs to, or "" if there is none."""
    one = draft.at(offset)
    if one is None:
        return ""
    atom = one if one.holder is None else _atom_above(draft, one)
    if atom is None or atom.symbol.space is Space.VARIABLE or atom.part is Part.EFFECT:
        return ""
    if atom.symbol.name == "init" and isinstance(atom.form, Group) and atom.symbol.arity == 1:
        return f"(true {atom.form.items[1]})"
    if atom.symbol.space is Space.TERM:  # in a sequential game, a fact of the state
        return f"(true {atom.form})"
    return "" if atom.symbol.name in _UNASKED else str(atom.form)


def _atom_above(draft: Draft, one: Occurrence) -> Occurrence | None:
    if one.holder is None or one.holder.name not in RESERVED:
        return None
    before = draft.index.occurrences[: draft.index.occurrences.index(one)]
    for other in reversed(before):
        if other.statement != one.statement:
            return None
        if other.form.span.end >= one.form.span.end and other.holder is None:
            return other
    return None


def _as_markdown(answer: Answer, *, is_ground: bool) -> str:
    """Return an answer as Markdown, or "" if the rules simply state the fact."""
    first = answer.reasons[0]
    if first.kind is ReasonKind.FACT:
        return ""
    if not first.holds:
        headline = f"{code(first.fact)} does not hold:"
    elif is_ground:
        headline = f"{code(first.fact)} holds:"
    else:
        headline = _instances(answer)
    shown = list(islice(_of_first(answer), MAX_ROWS + 1))
    rows = list(map(str, shown[:MAX_ROWS]))
    tree = block("\n".join([*rows, "..."] if len(shown) > MAX_ROWS else rows))
    return f"**In the first state** {headline}\n\n{tree}"


def _instances(answer: Answer) -> str:
    facts = [code(reason.fact) for reason in answer.reasons[:MAX_FACTS]]
    num_others = len(answer.reasons) + answer.num_more - len(facts)
    named = listed([*facts, *[""] * num_others], most=len(facts))
    return f"{named} holds:" if len(facts) == 1 else f"{named} hold. The first:"


def _of_first(answer: Answer) -> Iterator[Line]:
    for number, line in enumerate(lines(answer, DEPTH)):
        if number and line.level == 0:
            return
        yield line
