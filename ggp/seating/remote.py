"""A running player that receives messages in a manager's dialect, perhaps with scrambled words."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import gdl
from ggp.log import ReportLine
from ggp.match.errors import ForgottenError, SeatError
from ggp.match.seat import Answer, Invitation, TurnReport
from ggp.protocol import ConnectionFailedError, ReplyTimeoutError, shown
from ggp.protocol.client import CONNECT_SECONDS, send
from ggp.protocol.dialects import DIALECTS, GGP_BASE, ManagerDialect

READY: Final = "ready"
UNKNOWN: Final = "busy"
"""The answer of a player to a PLAY of a match that it does not know."""
FORGOTTEN: Final = "it does not know this match: was it restarted?"
ABORT_SECONDS: Final = 1.0
SLACK_SECONDS: Final = 1.0
"""Additional time that the referee waits beyond all clocks."""


class RemoteSeat:
    """A seat for a running player that receives messages in a manager's dialect.

    The seat keeps the clocks itself. They start when the connection is made, and the dialect
    decides how late a reply may be.

    Attributes:
        name: The player's name.
        overtime_seconds: How much longer than the clock a request to the player may take.
        answered: The last turn that the player answered, and its answer, or None. If the match is
            adjourned, the next seat of the player takes this answer and does not ask again.
    """

    def __init__(
        self,
        address: str,
        name: str,
        warn: ReportLine,
        dialect: ManagerDialect = DIALECTS[GGP_BASE],
        scrambler: Scrambler | None = None,
        answered: tuple[int, str] | None = None,
    ) -> None:
        """Create a seat for a player.

        Args:
            warn: Called with problems that may explain a bad match.
            dialect: The dialect of the messages.
            scrambler: Renames the words of the match. If None, the words of the rules are sent
                unchanged.
            answered: The attribute `answered` of the seat before the match was adjourned.
        """
        self.name = name
        grace = dialect.grace
        self.overtime_seconds = (
            max(grace.start, grace.play, grace.stop) + CONNECT_SECONDS + SLACK_SECONDS
        )
        self.answered = answered
        self._scrambler = scrambler
        self._address = address
        self._warn = warn
        self._dialect = dialect
        self._match_id = ""
        self._playclock = 0.0
        self._last = TurnReport(0, None)
        self._is_met = True
        """Whether the player has shown that it knows the match, since this seat was taken."""

    async def start(self, invitation: Invitation) -> None:
        """Send START. If the player does not answer `ready`, the match begins nevertheless.

        Raises:
            UnspeakableError: The dialect cannot express such a match.
        """
        begun = replace(
            invitation,
            role=self._spelled(invitation.role),
            rules=self._spelled(invitation.rules),
        )
        # Rewrite half a megabyte of rules in a thread, so that the clocks of other players stay
        # accurate.
        text = await asyncio.to_thread(self._dialect.start, begun)
        self._remember(invitation)
        answer = await self._send(text, invitation.startclock + self._dialect.grace.start)
        if self._dialect.content(answer).lower() != READY:
            self._warn(f"{self.name} answers START with {shown(answer) or 'nothing'}, not {READY}")

    async def resume(self, invitation: Invitation, history: Sequence[TurnReport]) -> None:
        """Send nothing. A player that is still in the match answers the next PLAY."""
        self._remember(invitation)
        self._is_met = False

    async def play(self, report: TurnReport) -> Answer:
        """Send PLAY, and return the answer.

        Raises:
            ForgottenError: The match was resumed, and the player no longer knows it.
        """
        self._last = self._turn(report)
        if self.answered is not None and self.answered[0] == report.turn:
            return Answer(self.answered[1])
        text = self._dialect.play(self._match_id, self._last)
        answer = await self._send(text, self._playclock + self._dialect.grace.play)
        is_known = UNKNOWN in report.legal or not self._is_unknown(answer)
        if not (is_known or self._is_met):
            raise ForgottenError(self.name)
        self._is_met = True
        if self._scrambler is not None:
            answer = self._scrambler.unscramble(answer)
        move = self._dialect.move(answer, report.legal)
        self.answered = report.turn, move
        return Answer(move, fallback="" if is_known else FORGOTTEN)

    async def stop(self, report: TurnReport) -> None:
        """Send STOP."""
        text = self._dialect.stop(self._match_id, self._turn(report))
        await self._send(text, self._playclock + self._dialect.grace.stop)

    async def abort(self) -> None:
        """Send ABORT, or the message that the dialect uses in its place."""
        if self._match_id:  # otherwise the player does not know the match yet
            await self._send(self._dialect.abort(self._match_id, self._last), ABORT_SECONDS)

    async def adjourn(self) -> None:
        """Send nothing. No dialect has such a message, and the player simply waits."""

    def _is_unknown(self, answer: str) -> bool:
        return self._dialect.content(answer).strip().lower() == UNKNOWN

    def _remember(self, invitation: Invitation) -> None:
        self._match_id, self._playclock = invitation.match_id, invitation.playclock

    async def _send(self, text: str, seconds: float) -> str:
        try:
            return await send(
                self._address,
                text,
                timeout=seconds,
                receiver=self.name,
                framing=self._dialect.framing,
            )
        except ReplyTimeoutError as error:
            raise TimeoutError(str(error)) from error
        except ConnectionFailedError as error:
            raise SeatError(str(error)) from error

    def _turn(self, report: TurnReport) -> TurnReport:
        return replace(
            report,
            roles=self._spelled_all(report.roles),
            moves=None if report.moves is None else self._spelled_all(report.moves),
            own_move=None if report.own_move is None else self._spelled(report.own_move),
            single_move=None if report.single_move is None else self._spelled(report.single_move),
            percepts=None if report.percepts is None else self._spelled_all(report.percepts),
            legal=(),
        )

    def _spelled_all(self, texts: Sequence[str]) -> tuple[str, ...]:
        return tuple(map(self._spelled, texts))

    def _spelled(self, text: str) -> str:
        return self._scrambler.scramble(text) if self._scrambler else text


KEPT: Final = gdl.KEYWORDS | {"_"}
"""Words that stay, `_` as in GGP-Base."""


class Scrambler:
    """New names for all words of a rulesheet. The same seed gives the same names.

    It follows GGP-Base (`MappingGdlScrambler`): keywords and numbers stay, variables are renamed
    too, and answers are not case-sensitive.

    >>> scrambler = Scrambler("(role robot) (<= (legal robot (go ?x)) (true (at 3 ?x)))", seed=1)
    >>> scrambled = scrambler.scramble("(go 3)")
    >>> scrambled == "(go 3)", scrambler.unscramble(scrambled.upper())
    (False, '(go 3)')
    """

    def __init__(self, rules: str, seed: int) -> None:
        words = dict.fromkeys(gdl.tokens.WORD.findall(rules))
        own = (word for word in words if not _is_kept(word))
        names = gdl.invented_words(words, random.Random(f"scrambling:{seed}"))
        self._new = {word: "?" * word.startswith("?") + next(names) for word in own}
        self._old = {new: old for old, new in self._new.items()}

    def scramble(self, text: str) -> str:
        """Return the text with the words of the rulesheet replaced by the new ones."""
        return gdl.renamed(text, self._new)

    def unscramble(self, text: str) -> str:
        """Return a player's answer with the original words. Unknown words stay as they are."""
        return gdl.tokens.WORD.sub(lambda found: self._old.get(found[0].lower(), found[0]), text)


def _is_kept(word: str) -> bool:
    return word.lower() in KEPT or gdl.tokens.NUMBER.fullmatch(word) is not None
