"""The player's agent: it answers each message and manages the matches."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from ggp import clock
from ggp.engine import EngineError, EnginePool, RulesError
from ggp.errors import GgpError
from ggp.log import log_event
from ggp.processes.lag import Lag
from ggp.protocol import (
    Abort,
    Dialect,
    Info,
    Message,
    Notation,
    Ping,
    Play,
    Preview,
    Start,
    Stop,
    Unknown,
    info_reply,
    reply,
)
from ggp.server.admission import Admission
from ggp.server.callers import UNKNOWN_CALLER, Caller
from ggp.server.config import ServerConfig, one_word
from ggp.server.match_places import BusyError, MatchPlaces, SeatKey
from ggp.server.ongoing import OngoingMatch
from ggp.server.replies import SILENCE, HttpReply, RefusalError, say
from ggp.server.turn_counts import FALLBACK, TurnCounts
from ggp.server.waiting import HERE, Client

SWEEP_SECONDS = 30.0
CHANGING = Start | Play | Stop | Abort
"""Messages that change a match or begin one."""


MAX_REASONER: Final = 100
"""Maximum number of characters for the reasoner and the reason for it in the reply to INFO."""


class UnplayableError(GgpError):
    """The match of a START cannot be played. The message has the match's name for `<rules>`."""

    def __init__(self, match: str, cause: EngineError) -> None:
        reason = str(cause).replace("<rules>", match)
        super().__init__(" ".join(reason.split()))


class Agent:
    """The player of all simultaneous matches, up to the limit. INFO and ABORT never wait.

    Args:
        pool: Lends the engine processes. The caller closes it after `close`.

    Attributes:
        lag: Measures how late scheduled work runs in this process. The caller has to run its
            `watch`.
        counts: Counts of how the turns ended.
    """

    def __init__(self, config: ServerConfig, pool: EnginePool) -> None:
        self._config = config
        self.lag = Lag(clock.now)
        self.admission = Admission(self.lag)
        self.counts = TurnCounts()
        self.places = MatchPlaces(config, pool, self.admission, self.counts)

    async def answer(
        self,
        message: Message,
        arrived: float,
        address: str = "",
        caller: Caller = UNKNOWN_CALLER,
        client: Client = HERE,
    ) -> HttpReply:
        """Return the reply to a message.

        Args:
            arrived: When the request arrived, as a time of `ggp.clock.now()`.
            address: The address of the request without the host: the path and the manager's name
                for the player. It distinguishes the roles if we play several in one match.
            client: The connection that waits for the reply.

        Raises:
            RefusalError: The caller may not send this message.
            GgpError: The message can be parsed but is invalid: bad rules, impossible moves.
        """
        if caller.is_blind and isinstance(message, CHANGING):
            expected = "expected a page that can read the reply (fetch in mode cors)"
            raise RefusalError(403, f"{expected}, got: a page that cannot")
        match message:
            case Start():
                seat = SeatKey(message.match, address, caller)
                return await self._start(message, arrived, seat, client)
            case Play():
                seat = self.places.seat_of(message.match, address, caller)
                return await self._play(message, arrived, seat, client)
            case Stop() | Abort():
                return self._end(message, self.places.seat_of(message.match, address, caller))
            case _:
                return self._say_at_once(message, caller)

    def refusal(self, caller: Caller) -> str:
        """Return why this caller cannot begin a match now, or "" if it can."""
        return self.places.refusal(caller)

    def refuses(self, start: Start, caller: Caller) -> bool:
        """Return whether a START is to be answered `busy`, whatever its rules."""
        return not self.places.knows(start.match, caller) and bool(self.refusal(caller))

    def _say_at_once(self, message: Info | Ping | Preview | Unknown, caller: Caller) -> HttpReply:
        is_free = not self.refusal(caller)
        match message:
            case Info():
                return HttpReply(info_reply(message, self._facts(is_free)), message.notation)
            case Ping():
                word = "ready" if is_free else "busy"
                return say(word, message.notation, message.identifier)
            case Preview():
                return HttpReply("ready")
            case Unknown():
                return HttpReply("sorry", message.notation)

    async def sweep(self) -> None:
        """Drop matches whose managers have been gone for too long. Run until cancelled."""
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            self.places.sweep()

    async def close(self) -> None:
        """End every match."""
        await self.places.close()

    def _facts(self, is_free: bool) -> list[tuple[str, str]]:
        status = "available" if is_free else "busy"
        player = one_word(self._config.engine.player)
        name = self._config.public_name()
        facts = [
            ("name", name),
            ("status", status),
            ("species", "alien"),
            ("player", player),
            ("reasoner", one_word(self._reasoner(), MAX_REASONER)),
        ]
        if playing := self.places.matches.values():
            facts.append(("replaced", str(sum(match.num_replaced for match in playing))))
            facts.append(("start", _start_in_words([*playing][-1].start_seconds)))
        return facts

    def _reasoner(self) -> str:
        """Return the reasoner of the newest match.

        If no match has one, return the configured one.
        """
        known = [match.reasoner for match in self.places.matches.values() if match.reasoner]
        return known[-1] if known else self._config.engine.reasoner

    async def _start(
        self, message: Start, arrived: float, seat: SeatKey, client: Client
    ) -> HttpReply:
        try:
            match = await self.places.start(seat, message, arrived, client)
        except BusyError as error:
            return replace(self._say(message, "busy"), notes={"reason": str(error) or None})
        except EngineError as error:
            raise UnplayableError(message.match, error) from error
        return replace(self._say(message, "ready"), notes={"reasoner": match.reasoner or None})

    async def _play(
        self, message: Play, arrived: float, seat: SeatKey, client: Client
    ) -> HttpReply:
        match = self.places.matches.get(seat)
        if match is None:
            identifier = message.match if message.notation is Notation.INFIX else None
            return say("busy", message.notation, identifier)
        try:
            turn = await match.play(message, arrived, client)
        except asyncio.CancelledError:
            if self.places.holds(seat, match):
                raise  # the client is gone
            return self._say(match.message, "busy")  # it ended before it had really begun
        except RulesError as error:  # the START was answered before the rules were read
            if self.places.holds(seat, match):
                self.places.drop(seat, "its rules cannot be played")
            raise UnplayableError(message.match, error) from error
        except GgpError:
            raise
        except Exception as error:  # noqa: BLE001  # outermost handler: a legal move must be sent
            log_event(logging.ERROR, "failed", error=error, match=message.match)
            self.counts.origins[FALLBACK] += 1
            return replace(self._say(match.message, match.fallback()), notes={"origin": FALLBACK})
        choice, is_gamemaster = turn.choice, match.message.dialect is Dialect.GAMEMASTER
        if is_gamemaster and not choice.in_control:
            text = SILENCE
        else:
            identifier = message.match if is_gamemaster else None
            text = reply(choice.move, message.notation, identifier)
        notes = {"role": match.message.role, "turn": turn.number, "origin": choice.origin.value}
        return HttpReply(text, message.notation, notes=notes, turn=turn)

    def _end(self, message: Stop | Abort, seat: SeatKey) -> HttpReply:
        match = self.places.take(seat)
        is_silent = message.notation is Notation.INFIX
        if match is None:
            return HttpReply(SILENCE if is_silent else "busy", message.notation)
        self.counts.endings["stopped" if isinstance(message, Stop) else "aborted"] += 1
        self.places.in_background(_finish(match, message))
        if match.message.dialect is Dialect.GAMEMASTER:
            return HttpReply(SILENCE, message.notation)
        return HttpReply("done" if isinstance(message, Stop) else "aborted", message.notation)

    def _say(self, message: Start, word: str) -> HttpReply:
        is_gamemaster = message.dialect is Dialect.GAMEMASTER
        return say(word, message.notation, message.match if is_gamemaster else None)


def _start_in_words(seconds: Mapping[str, float]) -> str:
    """Format the seconds of each phase of START: `read=0.021/ground=0.105/ready=0.312`."""
    return "/".join(f"{phase}={taken:g}" for phase, taken in seconds.items()) or "unknown"


async def _finish(match: OngoingMatch, message: Stop | Abort) -> None:
    """End a match and log its result. The manager does not have to wait for this."""
    start = clock.now()
    goals = None
    try:
        if isinstance(message, Stop):
            outcome = await match.stop(message)
            goals = " ".join(map(str, outcome.goals)) if outcome else None
        else:
            await match.abort()
    except Exception as error:  # noqa: BLE001  # outermost handler of a background task
        log_event(logging.ERROR, "failed", error=error, match=message.match)
        return
    if match.num_faults:
        log_event(
            logging.WARNING,
            "the player failed or was late; its answers were replaced by other moves",
            match=message.match,
            role=match.message.role,
            turns=match.num_faults,
            of=match.num_moves,
        )
    kind = "stopped" if isinstance(message, Stop) else "aborted"
    seconds = round((clock.now() - start) * 1000, 1)
    log_event(
        logging.INFO,
        f"match {kind}",
        match=message.match,
        role=match.message.role,
        goals=goals,
        replaced=match.num_replaced,
        duration_ms=seconds,
    )
