"""One match of our player: its engine, its turns and its clocks."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace

from ggp import clock
from ggp.clock import Deadline
from ggp.engine import (
    NO_MOVE,
    SOUND_ORIGINS,
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
from ggp.server.replies import AnsweredTurn
from ggp.server.steps import can_follow, step_of
from ggp.server.turn_counts import TurnCounts
from ggp.server.turn_log import log_turn
from ggp.server.waiting import HERE, Client, WaitingClients

MAX_COPIES = 2
"""Number of clients that may wait for the answer to one message: the first, and one retry."""
MAX_WAITING = 4
"""Number of clients that may wait in one match."""


class OngoingMatch:
    """A match from START to STOP or ABORT. Messages may overlap. Each turn is played once.

    Attributes:
        message: The START that began the match.
        num_moves: Number of moves that we sent.
        num_faults: Number of those moves that replaced the player's choice, because it failed or
            was late.
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
        self._choosing: asyncio.Task[AnsweredTurn] | None = None
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
        """Number of finished turns."""
        return self._session.turn

    @property
    def reasoner(self) -> str:
        """The reasoner and why it was chosen. Empty until known."""
        return self._engine.reasoner if self._engine else ""

    @property
    def num_replaced(self) -> int:
        """Number of engine processes that died or hung and were replaced."""
        return self._engine.num_replaced if self._engine else 0

    @property
    def start_seconds(self) -> Mapping[str, float]:
        """Seconds that each phase of the start took, as far as known."""
        return self._engine.start_seconds if self._engine else {}

    @property
    def has_begun_to_play(self) -> bool:
        """Whether a PLAY has arrived."""
        return self._choosing is not None

    @property
    def is_ready(self) -> bool:
        """Whether the rules have been read."""
        return self._engine is not None and self._engine.is_ready

    def is_orphaned(self, grace: float) -> bool:
        """Return whether the manager has been gone for more than `grace` seconds.

        The manager counts as gone if its next message is overdue by its own clocks, or if it may
        have disconnected before it got its answer.
        """
        now, left_at = clock.now(), self._waiting.left_at
        has_left = left_at is not None and now > left_at + grace
        return has_left or self._session.is_orphaned(now, grace)

    async def begin(self, client: Client = HERE) -> None:
        """Wait until the engine is ready, or until the margin before the end of the startclock.

        Raises:
            RulesError: The match cannot be played.
            EngineError: Engine processes keep dying.
            RefusalError: Too many clients are waiting already.
        """
        with self._waiting.place(self.message, client):
            await asyncio.shield(self._beginning)

    async def play(self, message: Play, arrived: float, client: Client = HERE) -> AnsweredTurn:
        """Return our move in time, even if the engine fails.

        Raises:
            MoveError: The moves cannot be read, or are not one per role. Nothing has changed.
            GapError: A turn is missing between the last PLAY and this one.
            RulesError: It turned out after `begin` that the match cannot be played.
            RefusalError: Too many clients are waiting already.
        """
        with self._waiting.place(message, client):
            engine = await asyncio.shield(self._beginning)
            dialect, roles = self.message.dialect, engine.roles
            step = step_of(message, dialect, engine.has_percepts, roles)
            position = self._position(engine)
            arrival = self._session.arrival(
                step,
                arrived,
                message.turn.number if message.turn else None,
                can_follow=can_follow(step, position, roles, engine.role),
                is_awaited=dialect is not Dialect.GAMEMASTER
                or position is None
                or position.in_control,  # these managers wait only for the role in control
            )
            if self._choosing is None or arrival is not Arrival.REPEATED:
                if arrival is Arrival.NEXT_IF_LEGAL and isinstance(step, JointMove):
                    step = replace(step, must_be_legal=True)
                self._session.ask(step, arrived + self.message.playclock)
                choosing = self._choose(engine, step, arrived, self._choosing, arrival)
                self._choosing = asyncio.create_task(choosing)
            turn = await asyncio.shield(self._choosing)
            # If we knew that the client is gone, this wait would have been cancelled.
            self._session.delivered(turn.number, clock.now())
            return turn

    def fallback(self) -> str:
        """Return a move that is legal as far as we know, for when everything else has failed."""
        position = self._engine.position if self._engine else None
        return position.legal[0] if position and position.legal else NO_MOVE

    async def stop(self, message: Stop) -> Outcome | None:
        """End the match. Return its outcome if the engine finds it quickly, else None."""
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
        """End the match now. A pending PLAY is answered with the best move so far."""
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
        """Return the current turn's position, or None if it has not been computed."""
        position = engine.position
        return position if position is not None and position.turn == self.turn else None

    async def _choose(
        self,
        engine: MatchEngine,
        step: Step | None,
        arrived: float,
        previous: asyncio.Task[AnsweredTurn] | None,
        arrival: Arrival,
    ) -> AnsweredTurn:
        playclock, lag = self.message.playclock, self._lag.seconds_since(self._arrived)
        margin = margin_of(self._config.margin, playclock, lag)
        due, last = deadlines(arrived, playclock, margin)
        if previous is not None:  # the manager did not wait, so its last deadline has passed too
            await asyncio.wait([previous])
        asked = clock.now()
        try:
            choice = await engine.play(step, due, last)
        except MoveError:
            self._session.take_back(step)
            if self._choosing is asyncio.current_task():  # otherwise another PLAY arrived meanwhile
                self._choosing = previous
            if arrival is Arrival.NEXT_IF_LEGAL and previous is not None:  # it was a repetition
                return previous.result()
            raise
        chosen = clock.now()
        before = self._session.answers.get(self.turn - 1)
        role = engine.roles.index(engine.role) if engine.is_ready else 0
        self._counts.chosen(choice, before, role)
        self.num_moves += 1
        self.num_faults += choice.origin not in SOUND_ORIGINS
        self._session.answered(choice.move)
        place = {"match": self.message.match, "role": self.message.role, "turn": self.turn}
        log_turn(choice, chosen - asked, **place)
        return AnsweredTurn(self.turn, choice, asked, chosen, due.moment, playclock)
