"""Output of `ggp why`: an answer as a tree."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from rich.text import Text
from rich.tree import Tree

import gdl
from ggp.naming.move_names import MoveNames
from ggp.naming.words import with_name
from ggp.terminal.console import console

DEPTH = 2
"""Default depth of an explanation during a match: the number of nested rules that it shows."""
MAX_NAME = 24
"""Maximum length of a file path. If a path is longer, only the name of the file is shown."""
_MARKS = {True: ("yes ", "green"), False: ("no  ", "bold red"), None: ("?   ", "dim")}


def explain(
    explainer: gdl.Explainer,
    text: str,
    role: gdl.Role,
    moves: Sequence[Sequence[gdl.Move]],
    depth: int,
) -> gdl.Answer:
    """Return an explanation of why a fact holds, or a move is legal, after `moves`, or why not.

    Args:
        text: A fact, or a move of `role`.
        depth: Maximum depth of the explanation, in rules.

    Raises:
        GdlError: The text is neither a fact nor a move, or the fact depends on the next moves.
    """
    joints = [tuple(joint) for joint in moves]
    try:
        return explainer.why(text, joints, depth=depth)
    except gdl.GdlError:
        move = text if text.startswith("(") or " " not in text else f"({text})"
        if not _is_move(explainer.rules, move):
            raise
        return explainer.why(f"(legal {role} {move})", joints, depth=depth)


def _is_move(rules: gdl.Rulesheet, text: str) -> bool:
    """Return whether a text has the form of a move that could be legal in some position."""
    try:
        move = gdl.read_term(text, rules)
    except gdl.GdlError:
        return False
    heads = [rule.head for rule in rules.rules if rule.relation == ("legal", 2)]
    return any(
        isinstance(head, gdl.Compound) and _form(head.args[1]) == _form(move) for head in heads
    )


def _form(term: gdl.Term) -> tuple[str, int]:
    args = term.args if isinstance(term, gdl.Compound) else ()
    return str(getattr(term, "name", "")), len(args)


def show(answer: gdl.Answer, depth: int) -> None:
    """Print an answer down to `depth` rules."""
    shown = console()
    for part in parts_of(answer, depth):
        shown.print(part)


def parts_of(
    answer: gdl.Answer, depth: int, names: MoveNames | None = None
) -> Iterator[Text | Tree]:
    """Yield the parts of an answer: a sentence, and a tree of depth `depth` for each fact.

    If more facts were found than the answer contains, the last part says how many.

    Args:
        names: Names of moves and facts, to be shown next to them. If it is None, show no names.
    """
    yield Text(answer.sentence, "bold")
    yield from _trees(answer, depth, names)
    if answer.num_more:
        yield Text(f"And {answer.num_more} more.", "dim")


def _trees(answer: gdl.Answer, depth: int, names: MoveNames | None) -> list[Tree]:
    roots: list[Tree] = []
    above: list[Tree] = []
    for line in gdl.lines_of(answer, depth):
        if line.level == 0:
            above = [Tree(_text(line, names))]
            roots += above
            continue
        del above[line.level :]
        above.append(above[-1].add(_text(line, names)))
    return roots


def _text(line: gdl.ReasonLine, names: MoveNames | None) -> Text:
    if line.kind == "note":
        cure = "larger depth, such as: why FACT depth 9" if names else "larger --depth"
        return Text(line.text.replace("larger depth", cure), "dim")
    if line.kind == "rule":
        return Text(f"{_place(line.place)}: {line.text}" if line.place else line.text)
    said = f"{line.said}, {_place(line.place)}" if line.place else line.said
    marks = [_MARKS[line.holds]] if line.kind == "condition" else []
    shown = with_name(line.text, *names.of_literal(line.text)) if names else line.text
    return Text.assemble(*marks, shown, (f"  {said}" if said else "", "dim"))


def _place(span: gdl.Span) -> str:
    name = span.file if len(span.file) <= MAX_NAME else Path(span.file).name
    return f"{name}:{span.line}:{span.column}"
