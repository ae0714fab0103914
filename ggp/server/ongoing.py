"""One match that our player is in: its engine, its turns and its clocks."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from ggp import clock
from ggp.clock import Deadline
from ggp.engine import (
    NO_MOVE,
    SOUND_ORIGINS,
    Choice,
    EnginePool,
    EnginePosition,
    EngineSetup,
    MatchEngine,
    MoveError,
    Outcome,
    Step,
)
from ggp.match.session import Arrival, Session
from ggp.match.steps import JointMove
from ggp.protocol import Dialect, Notation, Play, Start, Stop
from ggp.server.admission import Admission
from ggp.server.config import ServerConfig
from ggp.server.deadlines import deadlines, margin_of
from ggp.server.steps import can_follow, check_number, step_of
from ggp.server.turn_counts import TurnCounts
from ggp.server.turn_log import log_turn
from ggp.server.waiting import HERE, Client, WaitingClients

MAX_COPIES = 2
"""Clients that may wait for the answer to one message: a first one, and one that asks again."""
MAX_WAITING = 4
"""Clients that may wait in one match."""


class OngoingMatch:
    """A match from START to STOP or ABORT. Messages may overlap; each PLAY is applied once.

    Attributes:
        message: The START that began it.
        num_moves: Moves that it has answered with,
        num_faults: and those in place of a choice of the player, which failed or was late.
    """

    def __init__(
        self,
        message: Start,
        arrived: float,
        config: ServerConfig,
        pool: EnginePool,
        admission: Admission,
        counts: TurnCounts,
    ) -> None:
        self.message = message
        self.num_moves = self.num_faults = 0
        self._config = config
        self._counts = counts
        self._lag, self._arrived = admission.lag, arrived
        self._session = Session(
            message.match,
            message.role,
            message.startclock,
            message.playclock,
            message.dialect.value,
            deadline=arrived + message.startclock,
        )
        self._choosing: asyncio.Task[Chosen] | None = None
        margin = margin_of(config.margin, message.startclock, self._lag.seconds())
        deadline = Deadline(self._session.deadline - margin)
        setup = EngineSetup(
            message.rules,
            message.role,
            message.playclock,
            "epilog" if message.rules_notation is Notation.INFIX else "kif",
            match_id=message.match,
            begun=arrived,
        )
        self._waiting = WaitingClients(MAX_COPIES, MAX_WAITING)
        self._beginning = asyncio.create_task(self._begun(pool, setup, deadline, admission))

    @property
    def turn(self) -> int:
        """Number of turns that are over."""
        return self._session.turn

    @property
    def reasoner(self) -> str:
        """The reasoner that plays the rules, and why; empty until that is known."""
        return self._engine.reasoner if self._engine else ""

    @property
    def num_replaced(self) -> int:
        """The number of engine processes that have died or hung, and been replaced."""
        return self._engine.num_replaced if self._engine else 0

    @property
    def start_seconds(self) -> Mapping[str, float]:
        """Seconds that it took to get ready, by phase, as far as that is known."""
        return self._engine.start_seconds if self._engine else {}

    @property
    def has_begun_to_play(self) -> bool:
        """Whether a PLAY has come."""
        return self._choosing is not None

    @property
    def is_ready(self) -> bool:
        """Whether the rules have been read."""
        return self._engine is not None and self._engine.is_ready

    def is_orphaned(self, grace: float) -> bool:
        """Whether the manager is gone, for more than `grace` seconds.

        It is if it is later than its own clocks allow, or may have left before it had its answer.
        """
        now, left_at = clock.now(), self._waiting.left_at
        has_left = left_at is not None and now > left_at + grace
        return has_left or self._session.is_orphaned(now, grace)

    async def begin(self, client: Client = HERE) -> None:
        """Wait until the engine is ready, or the startclock minus the margin is over.

        Raises:
            RulesError: The match cannot be played.
            EngineError: No process lives long enough.
            RefusalError: Too many wait already.
        """
        with self._waiting.place(self.message, client):
            await asyncio.shield(self._beginning)

    async def play(self, message: Play, arrived: float, client: Client = HERE) -> Chosen:
        """Our move, in time whatever happens.

        Raises:
            MoveError: The moves cannot be read, or are not one per role; nothing was changed.
            GapError: A turn is missing between the last PLAY and this one.
            RulesError: The match cannot be played, as it turned out after `begin`.
            RefusalError: Too many wait already.
        """
        with self._waiting.place(message, client):
            return await self._answer(message, arrived)

    async def _answer(self, message: Play, arrived: float) -> Chosen:
        engine = await asyncio.shield(self._beginning)
        step = step_of(message, self.message.dialect, engine.has_percepts)
        check_number(step, engine.roles, engine.has_percepts)
        position = self._position(engine)
        arrival = self._session.arrival(
            step,
            arrived,
            message.turn.number if message.turn else None,
            can_follow=can_follow(step, position, engine.roles, engine.role),
            is_awaited=self.message.dialect is not Dialect.GAMEMASTER
            or position is None
            or position.in_control,  # who does not decide is not waited for there
        )
        if self._choosing is None or arrival is not Arrival.REPEATED:
            self._go_on(engine, step, arrived, is_doubtful=arrival is Arrival.NEXT_IF_LEGAL)
        assert self._choosing is not None
        chosen = await asyncio.shield(self._choosing)
        # A client that is known to be gone has cancelled this wait: the answer may be read.
        self._session.delivered(chosen.turn, clock.now())
        return chosen

    def fallback(self) -> str:
        """A move that is legal as far as we know, for when everything else has failed."""
        position = self._engine.position if self._engine else None
        return position.legal[0] if position and position.legal else NO_MOVE

    async def stop(self, message: Stop) -> Outcome | None:
        """End the match and report how it ended, if the engine can say so quickly."""
        engine = self._engine
        if engine is None:
            await self.abort()
            return None
        if self._choosing is not None and not self._choosing.done():
            await engine.abort()
            return None
        step = step_of(message, self.message.dialect, engine.has_percepts)
        return await engine.stop(step)

    async def abort(self) -> None:
        """End the match now; a PLAY that is under way is answered with what there is."""
        self._beginning.cancel()
        await asyncio.wait([self._beginning])
        if self._engine is not None:
            await self._engine.abort()

    @property
    def _engine(self) -> MatchEngine | None:
        task = self._beginning
        failed = not task.done() or task.cancelled() or task.exception() is not None
        return None if failed else task.result()

    async def _begun(
        self, pool: EnginePool, setup: EngineSetup, deadline: Deadline, admission: Admission
    ) -> MatchEngine:
        async with admission.turn(self.message.startclock):
            return await MatchEngine.start(
                pool, setup, self._config.engine, deadline, has_standby=True
            )

    def _position(self, engine: MatchEngine) -> EnginePosition | None:
        """The position of the present turn; None if it has not been computed."""
        position = engine.position
        return position if position is not None and position.turn == self.turn else None

    def _go_on(
        self, engine: MatchEngine, step: Step | None, arrived: float, *, is_doubtful: bool
    ) -> None:
        if is_doubtful and isinstance(step, JointMove):
            step = replace(step, must_be_legal=True)
        clock = self.message.playclock
        self._session.ask(step, arrived + clock)
        lag = self._lag.seconds_since(self._arrived)
        moments = deadlines(arrived, clock, margin_of(self._config.margin, clock, lag))
        self._choosing = asyncio.create_task(
            self._choose(engine, step, moments, self._choosing, is_doubtful=is_doubtful)
        )

    async def _choose(
        self,
        engine: MatchEngine,
        step: Step | None,
        moments: tuple[Deadline, Deadline],
        previous: asyncio.Task[Chosen] | None,
        *,
        is_doubtful: bool,
    ) -> Chosen:
        if previous is not None:  # a manager that did not wait: its last deadline is over as well
            await asyncio.wait([previous])
        start = clock.now()
        try:
            choice = await engine.play(step, *moments)
        except MoveError:
            self._session.take_back(step)
            if self._choosing is asyncio.current_task():  # else another PLAY has come meanwhile
                self._choosing = previous
            if is_doubtful and previous is not None:  # it was a repetition
                return previous.result()
            raise
        now = clock.now()
        before = self._session.answers.get(self.turn - 1)
        role = engine.roles.index(engine.role) if engine.is_ready else 0
        self._counts.chosen(choice, before, role)
        self.num_moves += 1
        self.num_faults += choice.origin not in SOUND_ORIGINS
        self._session.answered(choice.move)
        place = {"match": self.message.match, "role": self.message.role, "turn": self.turn}
        log_turn(choice, now - start, **place)
        return Chosen(self.turn, choice, start, now, moments[0].moment)


class Chosen(NamedTuple):
    """Our move of a turn, counted from 0; moments are on `ggp.clock.now()`."""

    turn: int
    choice: Choice
    asked: float
    at: float
    due: float
    """When it was to be there at the latest."""
