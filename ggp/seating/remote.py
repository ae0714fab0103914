"""A running player, sent the messages of a game manager's dialect, perhaps in scrambled words."""

from __future__ import annotations

import asyncio
import itertools
import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from ggp.match.errors import SeatError
from ggp.match.seat import Answer, Invitation, TurnReport
from ggp.protocol import ConnectionFailedError, ReplyTimeoutError, shown
from ggp.protocol.client import CONNECT_SECONDS, send
from ggp.protocol.dialects import DIALECTS, GGP_BASE, ManagerDialect

READY: Final = "ready"
ABORT_SECONDS: Final = 1.0
SLACK_SECONDS: Final = 1.0
"""Beyond all clocks; the referee waits so much longer at most."""
Tell = Callable[[str], None]


class RemoteSeat:
    """A running player, sent the messages of a game manager's dialect.

    It keeps the clocks itself: they run from the moment the connection stands, and how late a reply
    may come is the dialect's business.

    Attributes:
        name: What the player is called.
        overtime_seconds: How much longer than the clock it may take to ask the player.
        answered: The turn that the player answered last, and how it is to be judged; None if it has
            not. Who sits down in its place after a rest need not ask it again.
    """

    def __init__(
        self,
        address: str,
        name: str,
        warn: Tell,
        dialect: ManagerDialect = DIALECTS[GGP_BASE],
        scrambler: Scrambler | None = None,
        answered: tuple[int, str] | None = None,
    ) -> None:
        """Seat a player.

        Args:
            warn: Called with what may explain a bad match.
            dialect: In which it is spoken to.
            scrambler: The words of the match as it gets them; None for those of the rules.
            answered: Of the seat that it had before the match rested.
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

    async def start(self, invitation: Invitation) -> None:
        """Send START; whatever is answered, the match begins.

        Raises:
            UnspeakableError: The dialect has no words for such a match.
        """
        begun = replace(
            invitation,
            role=self._spelled(invitation.role),
            rules=self._spelled(invitation.rules),
        )
        # Half a megabyte of rules is spelled in a thread, so that other players' clocks go right.
        text = await asyncio.to_thread(self._dialect.start, begun)
        self._remember(invitation)
        answer = await self._send(text, invitation.startclock + self._dialect.grace.start)
        if self._dialect.content(answer).lower() != READY:
            self._warn(f"{self.name} answers START with {shown(answer) or 'nothing'}, not {READY}")

    async def resume(self, invitation: Invitation, history: Sequence[TurnReport]) -> None:
        """Nothing is sent: a player that is still in the match answers the next PLAY."""
        self._remember(invitation)

    async def play(self, report: TurnReport) -> Answer:
        """Send PLAY."""
        self._last = self._turn(report)
        if self.answered is not None and self.answered[0] == report.turn:
            return Answer(self.answered[1])
        text = self._dialect.play(self._match_id, self._last)
        answer = await self._send(text, self._playclock + self._dialect.grace.play)
        if self._scrambler is not None:
            answer = self._scrambler.unscramble(answer)
        move = self._dialect.move(answer, report.legal)
        self.answered = report.turn, move
        return Answer(move)

    async def stop(self, report: TurnReport) -> None:
        """Send STOP."""
        text = self._dialect.stop(self._match_id, self._turn(report))
        await self._send(text, self._playclock + self._dialect.grace.stop)

    async def abort(self) -> None:
        """Send ABORT, or what the dialect has in its place."""
        if self._match_id:  # else the player has not heard of the match
            await self._send(self._dialect.abort(self._match_id, self._last), ABORT_SECONDS)

    async def adjourn(self) -> None:
        """Nothing is sent: no dialect has a word for it, and a player that hears none waits."""

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


KEPT: Final = frozenset(
    {
        *("init", "true", "next", "role", "does", "goal", "legal", "terminal"),
        *("base", "input", "random", "sees", "_", "not", "or", "distinct", "<="),
    }
)
_WORD = re.compile(r"[^\s()]+")
_NUMBER = re.compile(r"[+-]?[0-9]+")


class Scrambler:
    """New names for all words of a rulesheet; the same seed gives the same names.

    As GGP-Base does (`MappingGdlScrambler`): keywords and numbers stay, variables are renamed too,
    and an answer may be in any case.

    >>> scrambler = Scrambler("(role robot) (<= (legal robot (go ?x)) (true (at 3 ?x)))", seed=1)
    >>> scrambled = scrambler.scramble("(go 3)")
    >>> scrambled == "(go 3)", scrambler.unscramble(scrambled.upper())
    (False, '(go 3)')
    """

    def __init__(self, rules: str, seed: int) -> None:
        words = dict.fromkeys(_WORD.findall(rules))
        own = [word for word in words if word.lower() not in KEPT and not _NUMBER.fullmatch(word)]
        rng = random.Random(f"scrambling:{seed}")
        rng.shuffle(own)
        names = (name for name in _names(rng) if name not in words and name not in KEPT)
        self._new = {
            word: f"?{name}" if word.startswith("?") else name
            for word, name in zip(own, names, strict=False)
        }
        self._old = {new: old for old, new in self._new.items()}

    def scramble(self, text: str) -> str:
        """The text with our names replaced."""
        return _WORD.sub(lambda found: self._new.get(found[0], found[0]), text)

    def unscramble(self, text: str) -> str:
        """A player's answer in our names; words that are none stay as they are."""
        return _WORD.sub(lambda found: self._old.get(found[0].lower(), found[0]), text)


def _names(rng: random.Random) -> Iterator[str]:
    """Words that can be said, each once: short ones first."""
    syllables = [one + other for one in "bdfgklmnprstvz" for other in "aeiou"]
    for length in itertools.count(2):
        some = ["".join(parts) for parts in itertools.product(syllables, repeat=length)]
        rng.shuffle(some)
        yield from some
