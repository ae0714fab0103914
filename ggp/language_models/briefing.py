"""The briefing of a model before a game: the rules in prose, and how boards are drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import gdl
from ggp.boards.line_text import DOT
from ggp.boards.state_view import StateView
from ggp.boards.text import BLANK, CROWD, BoardText
from ggp.boards.wording import Sample, samples, wording_of
from ggp.naming.annotations import read_annotations
from ggp.naming.comments import author_names


def prose_of(
    rules: gdl.Rulesheet,
    machine: gdl.StateMachine,
    seen: Sequence[Sample] | None = None,
    text: str = "",
) -> gdl.Prose:
    """The rules in prose, in the words of the boards that the game is found to have.

    Args:
        text: The rulesheet with the names that its author gives in comments; without it none.

    Raises:
        GdlError: The rules cannot be played.
    """
    seen = samples(machine) if seen is None else seen
    wording = replace(
        wording_of(machine, seen), name_of=author_names(text), words=read_annotations(text).words
    )
    return gdl.tell_rules(rules, wording)


def legend_of(view: StateView, first_facts: Sequence[str]) -> str:
    """A legend of the boards, with the first position; empty where there is no board."""
    if not view.boards:
        return ""
    drawn = "\n".join(view.lines(first_facts))
    first = BoardText(view.boards[0])
    symbols = [
        f"{symbol} is {content}"
        for content, symbol in sorted(first.symbols.items())
        if symbol not in (content, BLANK)
    ]
    blank = view.boards[0].blank
    has_dots = any(not one.is_between for one in view.edges)
    empty = f"{'Blank' if has_dots else BLANK} is an empty square"
    empty += f" ({blank})" if blank else ""
    if has_dots:
        empty += f"; {DOT} is a dot; --- and | are lines from dot to dot"
    elif view.edges:
        empty += "; --- and | are between squares: " + ", ".join(one.relation for one in view.edges)
    several = (
        f"; {CROWD} is a square with several things" if view.boards[0].crowded(first_facts) else ""
    )
    return (
        "Board\nPositions are drawn as well. Columns run to the right and rows upwards, as they "
        f"are numbered below and at the left. {empty}"
        + "".join(f"; {one}" for one in symbols)
        + f"{several}. Below the boards stand the other facts. At the start:\n\n{drawn}"
    )
