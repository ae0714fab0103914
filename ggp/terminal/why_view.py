"""Output of `ggp why`: an answer as a tree."""

from __future__ import annotations

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
    verb = "holds" if answer.holds else "does not hold"
    turns = counted(answer.turn, "joint move")
    where = f"after {turns}" if answer.turn else "in the first state"
    shown.print(Text.assemble((answer.question, "bold"), f" {verb} {where}."))
    for tree in _trees(answer, depth):
        shown.print(tree)
    if answer.num_more:
        shown.print(f"And of {answer.num_more} more.", style="dim")


def _trees(answer: gdl.Answer, depth: int) -> list[Tree]:
    """A tree for each fact that is explained."""
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
    """A line with its colours."""
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
