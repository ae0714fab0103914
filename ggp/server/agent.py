"""The player itself: answers each message, and keeps the matches that it is in."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Coroutine
from dataclasses import replace

from ggp.engine import Choice, EngineError, EnginePool, RulesError
from ggp.errors import GgpError
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
)
from ggp.server.config import ServerConfig, one_word
from ggp.server.lag import Lag
from ggp.server.log import log_event
from ggp.server.ongoing import OngoingMatch
from ggp.server.replies import SILENCE, Reply, say

SWEEP_SECONDS = 30.0

SeatKey = tuple[str, str]
"""One role that we play: the match's name, and the address under which its messages come."""


class UnplayableError(GgpError):
    """The match that a START describes cannot be played; the match's name stands for the file."""

    def __init__(self, match: str, cause: EngineError) -> None:
        reason = str(cause).replace("<rules>", match)
        super().__init__(" ".join(reason.split()))


class Agent:
    """Plays any number of matches at once, up to the limit; INFO and ABORT never wait.

    Args:
        pool: Lends the engine processes; whoever made it closes it, after `close`.

    Attributes:
        is_open: Whether it takes matches; INFO says that it is busy if it does not.
        lag: How late answers would leave; somebody has to `watch`.
    """

    def __init__(self, config: ServerConfig, pool: EnginePool) -> None:
        self._config = config
        self._pool = pool
        self.is_open = True
        self.lag = Lag()
        self._matches: dict[SeatKey, OngoingMatch] = {}
        self._endings: set[asyncio.Task[None]] = set()

    async def answer(self, message: Message, arrived: float, address: str = "") -> Reply:
        """The reply to a message.

        Args:
            message: As decoded.
            arrived: When its request came, on `time.monotonic()`.
            address: What the request was addressed to beside the host: its path and the manager's
                name for the player. It tells several roles apart that we play in one match.

        Raises:
            GgpError: The message is understood but makes no sense: bad rules, impossible moves.
        """
        match message:
            case Start():
                return await self._start(message, arrived, address)
            case Play():
                return await self._play(message, arrived, address)
            case Stop() | Abort():
                return self._end(message, address)
            case _:
                return self._say_at_once(message)

    def _say_at_once(self, message: Info | Ping | Preview | Unknown) -> Reply:
        match message:
            case Info():
                return Reply(info_reply(message, self._facts()), message.notation)
            case Ping():
                return say("ready", message.notation, message.identifier)
            case Preview():
                return Reply("ready")
            case Unknown():
                return Reply("sorry", message.notation)

    async def sweep(self) -> None:
        """Give up the matches whose managers have long died, for ever."""
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            for key, match in list(self._matches.items()):
                if match.is_orphaned(self._config.forget_seconds):
                    self._drop(key, "the manager is silent")

    async def close(self) -> None:
        """End every match."""
        for key in list(self._matches):
            self._drop(key, "the server stops")
        await asyncio.gather(*self._endings, return_exceptions=True)

    def _facts(self) -> list[tuple[str, str]]:
        status = "available" if self._has_place() else "busy"
        player = one_word(self._config.engine.player)
        name = self._config.public_name()
        return [
            ("name", name),
            ("status", status),
            ("species", "alien"),
            ("player", player),
            ("reasoner", one_word(self._reasoner())),
        ]

    def _reasoner(self) -> str:
        """What plays the rules of the newest match; what shall play them as long as none does."""
        known = [match.reasoner for match in self._matches.values() if match.reasoner]
        return known[-1] if known else self._config.engine.reasoner

    def _has_place(self) -> bool:
        return self.is_open and (
            len(self._matches) < self._config.max_matches or bool(self._orphans())
        )

    def _orphans(self) -> list[SeatKey]:
        grace = self._config.orphan_grace
        return [key for key, match in self._matches.items() if match.is_orphaned(grace)]

    async def _start(self, message: Start, arrived: float, address: str) -> Reply:
        key = (message.match, address)
        match = self._matches.get(key)
        if match is None or match.message != message or match.has_begun_to_play:
            if not self._make_place(key, message):
                return self._say(message, "busy")
            match = OngoingMatch(message, arrived, self._config, self._pool, self.lag)
            self._matches[key] = match
        try:
            await match.begin()
        except asyncio.CancelledError:
            if self._matches.get(key) is match:
                raise
            return self._say(message, "busy")  # replaced or aborted in the meantime
        except EngineError as error:
            if self._matches.get(key) is match:
                del self._matches[key]
            raise UnplayableError(message.match, error) from error
        return replace(self._say(message, "ready"), notes={"reasoner": match.reasoner or None})

    def _key_of(self, match: str, address: str) -> SeatKey:
        """Whom a message is for: the seat it is addressed to, else the only one in that match."""
        seats = [key for key in self._matches if key[0] == match]
        exact = (match, address)
        return seats[0] if len(seats) == 1 and exact not in seats else exact

    def _make_place(self, key: SeatKey, message: Start) -> bool:
        """Whether a new match may begin; it may take the place of an old one."""
        for other, match in list(self._matches.items()):
            if other[0] == message.match and other != key and match.message.role == message.role:
                self._drop(other, "started anew")
        old = self._matches.get(key)
        if old is not None:
            # At one address two roles could not be told apart: a PLAY does not name its role.
            is_restart = old.message.role == message.role
            if not is_restart and not old.is_orphaned(self._config.orphan_grace):
                return False
            self._drop(key, "started anew")
        elif not self._has_place():
            return False
        elif len(self._matches) >= self._config.max_matches:
            self._drop(self._orphans()[0], "replaced by a new match")
        return True

    async def _play(self, message: Play, arrived: float, address: str) -> Reply:
        key = self._key_of(message.match, address)
        match = self._matches.get(key)
        if match is None:
            identifier = message.match if message.notation is Notation.INFIX else None
            return say("busy", message.notation, identifier)
        try:
            choice = await match.play(message, arrived)
        except asyncio.CancelledError:
            if self._matches.get(key) is match:
                raise
            return self._say(match.message, "busy")  # it ended before it had begun
        except RulesError as error:  # the START was answered before the rules were read
            self._drop(key, "its rules cannot be played")
            raise UnplayableError(message.match, error) from error
        except GgpError:
            raise
        except Exception as error:  # noqa: BLE001  # the outermost edge: a legal move must leave
            log_event(logging.ERROR, "failed", error=error, match=message.match)
            return replace(self._say(match.message, match.fallback()), notes={"origin": "fallback"})
        return self._move(match, message, choice)

    def _move(self, match: OngoingMatch, message: Play, choice: Choice) -> Reply:
        is_gamemaster = match.message.dialect is Dialect.GAMEMASTER
        if is_gamemaster and not choice.in_control:
            reply = Reply(SILENCE, message.notation)
        else:
            reply = say(choice.move, message.notation, message.match if is_gamemaster else None)
        notes = {"role": match.message.role, "turn": match.turn, "origin": choice.origin.value}
        return replace(reply, notes=notes)

    def _end(self, message: Stop | Abort, address: str) -> Reply:
        match = self._matches.pop(self._key_of(message.match, address), None)
        is_silent = message.notation is Notation.INFIX
        if match is None:
            return Reply(SILENCE if is_silent else "busy", message.notation)
        self._in_background(_finish(match, message))
        if match.message.dialect is Dialect.GAMEMASTER:
            return Reply(SILENCE, message.notation)
        return Reply("done" if isinstance(message, Stop) else "aborted", message.notation)

    def _say(self, message: Start, word: str) -> Reply:
        is_gamemaster = message.dialect is Dialect.GAMEMASTER
        return say(word, message.notation, message.match if is_gamemaster else None)

    def _drop(self, key: SeatKey, reason: str) -> None:
        match = self._matches.pop(key)
        log_event(logging.INFO, "match dropped", match=key[0], reason=reason)
        self._in_background(match.abort())

    def _in_background(self, ending: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(ending)
        self._endings.add(task)
        task.add_done_callback(self._endings.discard)


async def _finish(match: OngoingMatch, message: Stop | Abort) -> None:
    """End a match and log how it went; the manager need not wait for that."""
    start = time.monotonic()
    goals = None
    try:
        if isinstance(message, Stop):
            outcome = await match.stop(message)
            goals = " ".join(map(str, outcome.goals)) if outcome else None
        else:
            await match.abort()
    except Exception as error:  # noqa: BLE001  # the outermost edge of a background task
        log_event(logging.ERROR, "failed", error=error, match=message.match)
        return
    kind = "stopped" if isinstance(message, Stop) else "aborted"
    seconds = round((time.monotonic() - start) * 1000, 1)
    log_event(
        logging.INFO,
        f"match {kind}",
        match=message.match,
        role=match.message.role,
        goals=goals,
        duration_ms=seconds,
    )
