"""The messages to a model: the rules once, then what its role may know about the match."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ggp.language_models.reading import Reading, nearest
from ggp.match.seat import Invitation, TurnReport

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
