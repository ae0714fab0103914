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
    yield from _trees(answer, depth)
    if answer.num_more:
        yield Text(f"And of {answer.num_more} more.", "dim")


def _trees(answer: gdl.Answer, depth: int) -> list[Tree]:
    roots: list[Tree] = []
    above: list[Tree] = []
    for line in gdl.lines_of(answer, depth):
        if line.level == 0:
            above = [Tree(_text(line))]
            roots += above
            continue
        del above[line.level :]
        above.append(above[-1].add(_text(line)))
    return roots


def _text(line: gdl.ReasonLine) -> Text:
    if line.kind == "note":
        return Text(line.text.replace("larger depth", "larger --depth"), "dim")
    if line.kind == "rule":
        return Text(f"{_place(line.place)}: {line.text}" if line.place else line.text)
    said = f"{line.said}, {_place(line.place)}" if line.place else line.said
    marks = [_MARKS[line.holds]] if line.kind == "condition" else []
    return Text.assemble(*marks, line.text, (f"  {said}" if said else "", "dim"))


def _place(span: gdl.Span) -> str:
    name = span.file if len(span.file) <= MAX_NAME else Path(span.file).name
    return f"{name}:{span.line}:{span.column}"
