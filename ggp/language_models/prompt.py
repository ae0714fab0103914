"""The messages to a model: the rules once, then what its role may know about the match.

The rules may be told in prose, with a legend of the boards.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import gdl
from ggp.boards.line_text import DOT
from ggp.boards.state_view import StateView
from ggp.boards.text import BLANK, CROWD, BoardText
from ggp.boards.wording import Sample, samples, wording_of
from ggp.language_models.reading import Reading, nearest
from ggp.match.seat import Invitation, TurnReport
from ggp.naming.annotations import read_annotations
from ggp.naming.comments import author_names

MAX_LEGAL: Final = 200
MAX_FACTS: Final = 1_000
MAX_TURNS: Final = 500
"""Maximum number of turns to list. The latest turns are kept."""

OF_GDL: Final = "Its rules follow, in the Game Description Language (GDL)."
OF_PROSE: Final = """\
Here are its rules. Words in capitals stand for any value that fits; within a sentence, the same \
word always stands for the same value. `Names like these` are facts, moves and terms of the game. \
A term holds if any of the sentences about it says so, wherever they are."""
SYSTEM: Final = """\
You play a match of a game. {intro}

{rules}

You are the role {role}. Your aim is a goal value as high as possible (100 is best).{sees}
Each turn you get the state of the match and your legal moves.
You may think in a few sentences. The last line of your answer must be your move, copied
exactly from the list of legal moves, in this form:
MOVE: {example}"""

HIDDEN: Final = """
You do not see the state or the moves of others. You get only your own moves, and what `sees` shows
to your role."""


def system_message(invitation: Invitation, example: str, prose: str = "") -> str:
    """Return the system message: the rules, the role, and the required format of an answer.

    Args:
        prose: The rules in sentences. If it is not empty, it replaces the rules in GDL.
    """
    return SYSTEM.format(
        intro=OF_PROSE if prose else OF_GDL,
        rules=prose or invitation.rules.strip(),
        role=invitation.role,
        sees=HIDDEN if invitation.has_percepts else "",
        example=example,
    )


def turn_message(
    turns: Sequence[TurnReport], facts: Sequence[str] | None, legal: Sequence[str]
) -> str:
    """Return the message for a turn: the history, the position, and the legal moves.

    Args:
        facts: Facts of the state, or None if the role may not know them.
        legal: Legal moves in the order of their numbers. If empty, the message lists none.
    """
    blocks = [f"This is turn {len(turns) + 1}."]
    if turns:
        shown = turns[-MAX_TURNS:]
        heading = "Moves so far" if facts is not None else "Your moves so far, and what you saw"
        blocks.append(_block(heading, map(_happened, shown), len(turns) - len(shown)))
    if facts is not None:
        more = max(0, len(facts) - MAX_FACTS)
        blocks.append(_block("Facts of the state", sorted(facts)[:MAX_FACTS], more))
    numbered = [f"{number}. {move}" for number, move in enumerate(legal[:MAX_LEGAL], start=1)]
    if legal:
        blocks.append(_block("Your legal moves", numbered, max(0, len(legal) - MAX_LEGAL)))
    return "\n\n".join([*blocks, "Which move do you make? Last line: MOVE: ..."])


def rethink_message(reading: Reading, legal: Sequence[str]) -> str:
    """Return the message that explains why an answer is not legal, and which moves are."""
    if not reading.understood:
        return f"Your answer names no move. The last line must look like this:\nMOVE: {legal[0]}"
    near = "\n".join(nearest(reading.understood, legal))
    return (
        f"Your move was read as: {reading.understood}\n"
        f"That is not one of your {len(legal)} legal moves. The most similar ones are:\n{near}\n"
        "Choose a legal move. Last line: MOVE: ..."
    )


def _block(heading: str, lines: Sequence[str] | map[str], more: int) -> str:
    rest = [f"({more} more are not shown)"] if more else []
    return "\n".join([f"{heading}:", *lines, *rest])


def _happened(report: TurnReport) -> str:
    if report.percepts is not None:
        seen = " ".join(report.percepts) or "nothing"
        return f"{report.turn}. you: {report.own_move}; you saw: {seen}"
    made = zip(report.roles, report.moves or (), strict=False)
    return f"{report.turn}. " + ", ".join(f"{role}: {move}" for role, move in made)


def prose_of(
    rules: gdl.Rulesheet,
    machine: gdl.StateMachine,
    seen: Sequence[Sample] | None = None,
    text: str = "",
) -> gdl.Prose:
    """Return the rules in prose, with words for the boards that are found in the game.

    Args:
        text: The rulesheet, whose comments may give names, if it is known.

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
