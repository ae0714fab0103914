"""Briefing of a model before a game: the rules in prose, and how boards are drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import gdl
from ggp.boards.state_view import StateView
from ggp.boards.text import BLANK, CROWD, DOT, BoardText
from ggp.boards.wording import Sample, samples, wording_of
from ggp.naming.annotations import author_names, read_annotations


def prose_of(
    rules: gdl.Rulesheet,
    machine: gdl.StateMachine,
    seen: Sequence[Sample] | None = None,
    text: str = "",
) -> gdl.Prose:
    """Return the rules in prose, with words for the boards that are found in the game.

    Args:
        seen: Positions in which boards are looked for. If None, positions of random games.
        text: The text of the rulesheet if it is known, because its comments may contain names.

    Raises:
        GdlError: The rules cannot be played.
    """
    seen = samples(machine) if seen is None else seen
    wording = replace(
        wording_of(machine, seen), name_of=author_names(text), words=read_annotations(text).words
    )
    return gdl.tell_rules(rules, wording)


def legend_of(view: StateView, first_facts: Sequence[str]) -> str:
    """Return a legend of the boards with the initial position, or "" if there is no board."""
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
        "Board\nPositions are also drawn. Columns run to the right and rows upwards; their numbers "
        f"are below and at the left. {empty}"
        + "".join(f"; {one}" for one in symbols)
        + f"{several}. The other facts are below the boards. At the start:\n\n{drawn}"
    )
