"""The texts of a harness: the first message to a model, and the rejection of an illegal answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ggp.language_models.prompt import OF_PROSE, rethink_message
from ggp.language_models.reading import Reading

SYSTEM: Final = """\
You play a match of a game. {intro} Numbers in brackets at the end of a \
sentence are lines of the rulesheet; other brackets hold one term in words.

{briefing}

You are the role {role}. Score as high as possible.{hidden}
You may think in a few sentences. The last line of your answer must be your move in this form:
MOVE: {example}"""
HIDDEN: Final = """
You do not see the position. You learn your own moves and what your role perceives."""


def system_text(briefing: str, role: str, legal: Sequence[str], is_hidden: bool) -> str:
    """Return the message with the rules and the format of an answer."""
    example = legal[0] if legal else "noop"
    hidden = HIDDEN if is_hidden else ""
    return SYSTEM.format(
        intro=OF_PROSE, briefing=briefing, role=role, hidden=hidden, example=example
    )


def refusal_text(reading: Reading, legal: Sequence[str], why: str, *, shows_legal: bool) -> str:
    """Return the message that says why an answer was rejected, and what to do."""
    if not reading.understood or shows_legal:
        text = rethink_message(reading, legal)
        return f"{text}\nWhy not: {why}" if why and reading.understood else text
    reason = f"That is not legal: {why}" if why else "That is not legal."
    return (
        f"Your move was read as: {reading.understood}\n{reason}\n"
        "Choose a legal move. Last line: MOVE: ..."
    )
