"""One match that our player is in: its engine, its turns and its clocks."""

from __future__ import annotations

import asyncio
import time

from ggp.clock import Deadline
from ggp.engine import (
    NO_MOVE,
    Choice,
    EnginePool,
    MatchEngine,
    MatchSetup,
    MoveError,
    Outcome,
    Step,
)
from ggp.match.session import Arrival, Session
from ggp.protocol import Notation, Play, Start, Stop
from ggp.server.config import ServerConfig
from ggp.server.lag import Lag
from ggp.server.steps import can_follow, check_number, step_of
from ggp.server.turn_log import log_turn


class OngoingMatch:
    """A match from START to STOP or ABORT. Messages may overlap; each PLAY is applied once.

    Attributes:
        message: The START that began it.
    """

    def __init__(
        self, message: Start, arrived: float, config: ServerConfig, pool: EnginePool, lag: Lag
    ) -> None:
        self.message = message
        self._config = config
        self._lag = lag
        self._session = Session(
            message.match,
            message.role,
            message.startclock,
            message.playclock,
            message.dialect.value,
            deadline=arrived + message.startclock,
        )
        self._choosing: asyncio.Task[Choice] | None = None
        deadline = Deadline(self._session.deadline - self._margin_of(message.startclock))
        setup = MatchSetup(
            message.rules,
            message.role,
            message.startclock,
            message.playclock,
            "epilog" if message.rules_notation is Notation.INFIX else "kif",
            match_id=message.match,
        )
        begun = MatchEngine.start(pool, setup, config.engine, deadline)
        self._beginning = asyncio.create_task(begun)

    @property
    def turn(self) -> int:
        """How many turns are over."""
        return self._session.turn

    @property
    def reasoner(self) -> str:
        """What plays the rules, and why; empty until that is known."""
        return self._engine.reasoner if self._engine else ""

    @property
    def has_begun_to_play(self) -> bool:
        """Whether a PLAY has come."""
        return self._choosing is not None

    def is_orphaned(self, grace: float) -> bool:
        """Whether the manager is later than its own clocks allow, by more than `grace` seconds."""
        return self._session.is_orphaned(time.monotonic(), grace)

    async def begin(self) -> None:
        """Wait until the engine is ready, or the startclock minus the margin is over.

        Raises:
            RulesError: The match cannot be played.
            EngineError: No process lives long enough.
        """
        await asyncio.shield(self._beginning)

    async def play(self, message: Play, arrived: float) -> Choice:
        """Our move, in time whatever happens.

        Raises:
            MoveError: The moves cannot be read, or are not one per role; nothing was changed.
            GapError: A turn is missing between the last PLAY and this one.
            RulesError: The match cannot be played, as it turned out after `begin`.
        """
        engine = await asyncio.shield(self._beginning)
        if engine.roles:
            self._session.role_index = engine.roles.index(engine.role)
        step = step_of(message, self.message.dialect, engine.has_percepts)
        check_number(step, engine.roles, engine.has_percepts)
        follows = can_follow(step, engine.position, self._session.role_index)
        number = message.turn.number if message.turn else None
        arrival = self._session.arrival(step, number, can_follow=follows)
        if self._choosing is not None and arrival is Arrival.REPEATED:
            return await asyncio.shield(self._choosing)
        clock = self.message.playclock
        self._session.ask(step, arrived + clock)
        deadline = Deadline(arrived + clock - self._margin_of(clock))
        self._choosing = asyncio.create_task(
            self._choose(engine, step, deadline, previous=self._choosing)
        )
        return await asyncio.shield(self._choosing)

    def fallback(self) -> str:
        """A move that is legal as far as we know, for when everything else has failed."""
        position = self._engine.position if self._engine else None
        return position.legal[0] if position and position.legal else NO_MOVE

    async def stop(self, message: Stop) -> Outcome | None:
        """End the match and tell how it ended, if the engine can say so quickly."""
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

    def _margin_of(self, clock: float) -> float:
        return self._config.margin_of(clock, self._lag.seconds())

    async def _choose(
        self,
        engine: MatchEngine,
        step: Step | None,
        deadline: Deadline,
        previous: asyncio.Task[Choice] | None,
    ) -> Choice:
        if previous is not None:  # a manager that did not wait: its last deadline is over as well
            await asyncio.wait([previous])
        start = time.monotonic()
        try:
            choice = await engine.play(step, deadline)
        except MoveError:
            self._session.take_back(step)
            if self._choosing is asyncio.current_task():  # else another PLAY has come meanwhile
                self._choosing = previous
            raise
        self._session.answered(choice.move, in_control=choice.in_control)
        place = {"match": self.message.match, "role": self.message.role, "turn": self.turn}
        log_turn(choice, time.monotonic() - start, **place)
        return choice
