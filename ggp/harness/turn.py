"""One role's turn: a question, and answers until one is legal or there were too many."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from random import Random
from typing import Any, Final, Protocol

import gdl
from ggp.language_models.prompt import OF_PROSE, rethink_message
from ggp.language_models.reading import MAX_READ, Reading, read_move
from ggp.term_text import first_term

Message = dict[str, str]


@dataclass(slots=True)
class Counts:
    """Numbers of questions and of illegal answers, and how the turns with illegal answers ended.

    A turn is `mended` if a later answer was legal, and `replaced` if a random move was made.
    """

    asked: int = 0
    illegal: int = 0
    mended: int = 0
    replaced: int = 0

    def add(self, turn: RoleTurn) -> None:
        """Add a turn whose move has been decided."""
        self.asked += 1
        self.illegal += turn.num_illegal
        self.mended += turn.num_illegal > 0 and not turn.is_replaced
        self.replaced += turn.is_replaced

    def to_json(self) -> dict[str, int]:
        """Return the counts as JSON, by their names."""
        return asdict(self)


class AskedMatch(Protocol):
    """The part of a match that a turn uses. `HarnessMatch` implements it."""

    game: Any
    path: list[tuple[gdl.Term, ...]]
    rng: Random

    @property
    def facts(self) -> list[str]:
        """Facts of the current state, as texts."""

    def legal(self, role: str) -> list[str]:
        """Return the legal moves of a role."""

    def system_text(self, role: str) -> str:
        """Return the message with the rules and the format of an answer."""

    def question(self, role: str, *, shows_legal: bool) -> str:
        """Return the message with the question about the current position."""


class RoleTurn:
    """One role's turn in a position: the question it is asked, and its answer so far.

    Attributes:
        messages: The messages to send: the rules, the question and the conversation so far.
        move: The legal move that was chosen, or None if it is not decided yet.
        num_illegal: Number of illegal answers.
        is_replaced: Whether the move is random, because no answer was legal.
    """

    def __init__(self, match: AskedMatch, role: str, rethinks: int, *, shows_legal: bool) -> None:
        self.move: str | None = None
        self.num_illegal = 0
        self.is_replaced = False
        self._match = match
        self._role = role
        self._rethinks = rethinks
        self._shows_legal = shows_legal
        self._legal = match.legal(role)
        self.messages: list[Message] = [
            {"role": "system", "content": match.system_text(role)},
            {"role": "user", "content": match.question(role, shows_legal=shows_legal)},
        ]

    @property
    def is_settled(self) -> bool:
        """Whether the move of this turn has been decided."""
        return self.move is not None

    def answer(self, text: str) -> bool:
        """Parse an answer. Return whether a move has now been decided.

        If the answer is illegal and no rethinks are left, choose a random move instead.
        """
        if self.is_settled:
            return True
        reading = self._read(text)
        if reading.move is not None:
            self.move = reading.move
            return True
        self.num_illegal += 1
        if self.num_illegal > self._rethinks:
            self.move = self._match.rng.choice(self._legal)
            self.is_replaced = True
            return True
        self.messages.append({"role": "assistant", "content": text[-MAX_READ:] or "(no text)"})
        self.messages.append({"role": "user", "content": self._refusal(reading)})
        return False

    def _read(self, text: str) -> Reading:
        game = self._match.game
        facts = () if game.is_hidden else self._match.facts
        return read_move(text, self._legal, game.names, facts, is_numbered=self._shows_legal)

    def _refusal(self, reading: Reading) -> str:
        term = first_term(reading.understood) or ""
        why = self._match.game.why_not(self._role, term, self._match.path) if term else ""
        return refusal_text(reading, self._legal, why, shows_legal=self._shows_legal)


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
