"""The words in which a model is asked: the rules once, then what its role may know of the match."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ggp.language_models.reading import Reading, nearest
from ggp.match.seat import Invitation, TurnReport

MAX_LEGAL: Final = 200
MAX_FACTS: Final = 1_000
MAX_TURNS: Final = 500
"""The latest are told."""

OF_GDL: Final = "Its rules follow, in the Game Description Language (GDL)."
OF_PROSE: Final = """\
Here are its rules. Words in capitals stand for any value that fits; in a sentence the same word \
is the same value everywhere. `Names like these` are facts, moves and terms of the game; a \
term holds if one of the sentences about it says so, wherever these stand."""
SYSTEM: Final = """\
You play a match of a game. {intro}

{rules}

You are the role {role}. You want a goal value as high as possible for it (100 is best).{sees}
Each turn you are told how the match stands and which moves are legal for you.
You may think in a few sentences. The last line of your answer must be your move, exactly as it
stands in the list of legal moves, in this form:
MOVE: {example}"""

HIDDEN: Final = """
You do not see the state or the moves of others: you are told your own moves, and what `sees` shows
your role."""


def system_message(invitation: Invitation, example: str, prose: str = "") -> str:
    """The rules, the role, and the form of an answer.

    Args:
        prose: The rules in sentences, told in place of those in GDL; empty: these are told.
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
    """The history of a match, its position, and what may be done.

    Args:
        facts: Of the state; None if the role may not know them.
        legal: In the order in which they are numbered; none if they are not to be told.
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
    """Why an answer is not legal, and what would be."""
    if not reading.understood:
        return f"Your answer names no move. The last line must be such as\nMOVE: {legal[0]}"
    near = "\n".join(nearest(reading.understood, legal))
    return (
        f"Your move was read as: {reading.understood}\n"
        f"That is not one of your {len(legal)} legal moves. Those most like it:\n{near}\n"
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
