"""Why what stands at a place holds in the first state, or why it does not, as Markdown."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from gdl.editing.draft import Draft
from gdl.editing.occurrences import Occurrence, Part, Space
from gdl.editing.phrases import block, code, listed
from gdl.errors import GdlError
from gdl.rulesheet import RESERVED, Rulesheet
from gdl.rulesheet.words import CONNECTIVES
from gdl.syntax import Group
from gdl.why import Answer, Explainer, Kind, Line, lines

SECONDS = 0.04
"""For the first state, for what holds in it, and for the reasons. The clock is looked at now and
then, so whoever must not wait asks a process apart."""
DEPTH = 2
MOST_LINES = 14
MOST_FACTS = 6
_UNASKED = {*CONNECTIVES, "next", "does", "sees", "base", "input"}
"""What no state has, or what depends on moves."""


class FirstState:
    """Explains the first state of a game; what takes too long has no explanation.

    Args:
        rulesheet: The game; None, and one that cannot be played, explains nothing.
    """

    def __init__(self, rulesheet: Rulesheet | None) -> None:
        self._explainer: Explainer | None = None
        try:
            if rulesheet is not None:
                self._explainer = Explainer(rulesheet, SECONDS)
        except (GdlError, RecursionError):
            pass  # nothing can be said then

    def explanation(self, fact: str) -> str:
        """Whether a fact holds, and why; empty if nothing can be said."""
        if self._explainer is None:
            return ""
        try:
            question = self._explainer.question(fact)
            if question.needs_moves:
                return ""
            answer = self._explainer.why(question, depth=DEPTH)
        except (GdlError, RecursionError):
            return ""
        return _told(answer, is_ground=question.fact.is_ground)


def fact_at(draft: Draft, offset: int) -> str:
    """The fact that a word at an offset says, or is an argument of a keyword in; else empty."""
    one = draft.at(offset)
    if one is None:
        return ""
    atom = one if one.holder is None else _atom_above(draft, one)
    if atom is None or atom.symbol.space is Space.VARIABLE or atom.part is Part.EFFECT:
        return ""
    if atom.symbol.name == "init" and isinstance(atom.form, Group) and atom.symbol.arity == 1:
        return f"(true {atom.form.items[1]})"
    if atom.symbol.space is Space.TERM:  # a fact of the state of a sequential game
        return f"(true {atom.form})"
    return "" if atom.symbol.name in _UNASKED else str(atom.form)


def _atom_above(draft: Draft, one: Occurrence) -> Occurrence | None:
    """The atom of a keyword that an occurrence is an argument of."""
    if one.holder is None or one.holder.name not in RESERVED:
        return None
    before = draft.index.occurrences[: draft.index.occurrences.index(one)]
    for other in reversed(before):
        if other.statement != one.statement:
            return None
        if other.form.span.end >= one.form.span.end and other.holder is None:
            return other
    return None


def _told(answer: Answer, *, is_ground: bool) -> str:
    """An answer as Markdown; that the rules say so is seen where it stands, and not told."""
    first = answer.reasons[0]
    if first.kind is Kind.FACT:
        return ""
    if not first.holds:
        said = f"{code(first.fact)} does not hold:"
    elif is_ground:
        said = f"{code(first.fact)} holds:"
    else:
        said = _instances(answer)
    shown = list(islice(_of_first(answer), MOST_LINES + 1))
    rows = list(map(str, shown[:MOST_LINES]))
    tree = block("\n".join([*rows, "..."] if len(shown) > MOST_LINES else rows))
    return f"**In the first state** {said}\n\n{tree}"


def _instances(answer: Answer) -> str:
    facts = [code(reason.fact) for reason in answer.reasons[:MOST_FACTS]]
    num_others = len(answer.reasons) + answer.num_more - len(facts)
    named = listed([*facts, *[""] * num_others], most=len(facts))
    return f"{named} holds:" if len(facts) == 1 else f"{named} hold. The first:"


def _of_first(answer: Answer) -> Iterator[Line]:
    """The lines of the first fact that is explained."""
    for number, line in enumerate(lines(answer, DEPTH)):
        if number and line.level == 0:
            return
        yield line
