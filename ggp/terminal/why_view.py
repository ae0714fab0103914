"""Output of `ggp why`: an answer as a tree."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from rich.text import Text
from rich.tree import Tree

import gdl
from ggp.terminal.console import console, counted

MAX_NAME = 24
"""Letters of a file that is named with its folders."""
_MARKS = {True: ("yes ", "green"), False: ("no  ", "bold red"), None: ("?   ", "dim")}


def show(answer: gdl.Answer, depth: int) -> None:
    """Print an answer, so many rules deep."""
    shown = console()
    for part in parts_of(answer, depth):
        shown.print(part)


def parts_of(answer: gdl.Answer, depth: int) -> Iterator[Text | Tree]:
    """An answer, so many rules deep: a line, a tree for each fact, and perhaps another line."""
    verb = "holds" if answer.holds else "does not hold"
    turns = counted(answer.turn, "joint move")
    where = f"after {turns}" if answer.turn else "in the first state"
    yield Text.assemble((answer.question, "bold"), f" {verb} {where}.")
    drawn = _Drawn()
    for reason in answer.reasons:
        tree = Tree(_headline(reason))
        drawn.fill(tree, reason, depth)
        yield tree
    if answer.num_more:
        yield Text(f"And of {answer.num_more} more.", "dim")


class _Drawn:
    """The reasons that have been drawn: each is drawn once."""

    def __init__(self) -> None:
        self._seen: set[tuple[str, int]] = set()

    def fill(self, tree: Tree, reason: gdl.Reason, depth: int) -> None:
        """Draw the parts of a reason under its line."""
        if not (reason.conditions or reason.attempts or reason.before):
            return
        if (reason.fact, reason.turn) in self._seen:
            tree.add(Text("as above", "dim"))
            return
        if depth <= 0:
            tree.add(Text("... (more with a larger --depth)", "dim"))
            return
        self._seen.add((reason.fact, reason.turn))
        for condition in reason.conditions:
            self._condition(tree, condition, depth)
        for attempt in reason.attempts:
            failing = counted(attempt.num_failed, "condition")
            verb = "fails" if attempt.num_failed == 1 else "fail"
            branch = tree.add(Text(f"{_place(attempt.place)}: {failing} {verb}"))
            for condition in attempt.conditions:
                self._condition(branch, condition, depth)
        if reason.num_more:
            tree.add(Text(f"and {counted(reason.num_more, 'rule')} more, further from it", "dim"))
        if reason.before is not None:
            self.fill(tree.add(_headline(reason.before)), reason.before, depth - 1)

    def _condition(self, tree: Tree, condition: gdl.Condition, depth: int) -> None:
        word, style = _MARKS[condition.holds]
        text = Text.assemble((word, style), condition.text)
        reason = condition.reason
        if reason is None:
            tree.add(text)
            return
        is_same = reason.fact == condition.text
        text.append(f"  {said(reason)}" if is_same else f"  {reason.fact}: {said(reason)}", "dim")
        self.fill(tree.add(text), reason, depth - 1)


def said(reason: gdl.Reason) -> str:
    """What a reason says, and where the rule or fact stands."""
    has_place = reason.kind in (gdl.ReasonKind.RULE, gdl.ReasonKind.FACT)
    if reason.place is None or not has_place:
        return reason.said
    return f"{reason.said}, {_place(reason.place)}"


def _headline(reason: gdl.Reason) -> Text:
    return Text.assemble(reason.fact, (f"  {said(reason)}", "dim"))


def _place(span: gdl.Span) -> str:
    name = span.file if len(span.file) <= MAX_NAME else Path(span.file).name
    return f"{name}:{span.line}:{span.column}"
