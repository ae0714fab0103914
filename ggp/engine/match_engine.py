"""The engine of one match. It answers every PLAY in time, even if its process fails."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Final, Self

from ggp import clock
from ggp.clock import Deadline
from ggp.engine.answers import Choice, EnginePosition, Outcome
from ggp.engine.config import EngineConfig, EngineSetup
from ggp.engine.errors import EngineError, MoveError, RulesError, WorkerLostError
from ggp.engine.known_positions import KnownPositions
from ggp.engine.pending_request import PendingRequest
from ggp.engine.process_pool import EnginePool
from ggp.engine.verdict import ExpectedLine, judge
from ggp.engine.wire import Follow, Ready, SearchCommand
from ggp.engine.worker_supervisor import (
    MAX_ATTEMPTS,
    Happened,
    History,
    StandbyFollower,
    WorkerSupervisor,
)
from ggp.match.seat import PrintedAmount
from ggp.processes.tasks import cancel

_log = logging.getLogger(__name__)

STOP_SECONDS: Final = 2.0
READ_SECONDS: Final = 1.0
"""At first only the standby reads the rules, for at most this many seconds and at most `READ_SHARE`
of the time to get ready. So rules that are invalid or too large use up no engine process.
"""
READ_SHARE: Final = 0.1


class MatchEngine:
    """Our player in one match. Make one call at a time, except `abort`, which is always allowed.

    If the process dies, hangs or runs out of memory, another one takes over, replays the moves and
    searches in the remaining time. Create engines with `start`.
    """

    def __init__(
        self, pool: EnginePool, setup: EngineSetup, config: EngineConfig, *, has_standby: bool
    ) -> None:
        self._supervisor = WorkerSupervisor(pool, setup, config)
        self._player = config.player
        self._new_standby: Callable[[], StandbyFollower | None] = lambda: (
            StandbyFollower(pool.forks, setup, config) if has_standby else None
        )
        self._standby = self._new_standby()
        self._history = History()
        self._tending: asyncio.Task[None] | None = None
        self._known = KnownPositions()
        self._line = ExpectedLine()

    @classmethod
    async def start(
        cls,
        pool: EnginePool,
        setup: EngineSetup,
        config: EngineConfig,
        deadline: Deadline,
        *,
        has_standby: bool = False,
    ) -> Self:
        """Start an engine, let it read the rules and prepare. Return by the deadline.

        If reading takes longer, it continues in the background (see `is_ready`), and the first
        `play` waits for it.

        Args:
            has_standby: Whether another process finds the legal moves before the search begins,
                for callers of `play` that do not know them.

        Raises:
            RulesError: The match cannot be played: bad rules, unknown role or unknown player.
            EngineError: Every process died before it had read the rules.
        """
        engine = cls(pool, setup, config, has_standby=has_standby)
        try:
            async with asyncio.timeout(deadline.remaining()):
                await engine._begin(deadline)
        except TimeoutError:
            _log.info("%s: answered START while the engine was still preparing", engine._who)
        except BaseException:
            await engine.abort()
            raise
        beginning = engine._supervisor.beginning if engine._supervisor.ready else None
        engine._tending = asyncio.create_task(engine._tend(beginning))
        return engine

    @property
    def is_ready(self) -> bool:
        """Whether the rules have been read. Until then, `roles` and `role` are empty."""
        return self._ready is not None

    @property
    def roles(self) -> tuple[str, ...]:
        """All roles in order, in the rulesheet's spelling."""
        return self._ready.roles if self._ready else ()

    @property
    def role(self) -> str:
        """Our role in the rulesheet's spelling."""
        return self._ready.role if self._ready else ""

    @property
    def has_percepts(self) -> bool:
        """Whether the rules have `sees`: a game of incomplete information (GDL-II)."""
        return self._ready.has_percepts if self._ready else False

    @property
    def reasoner(self) -> str:
        """The reasoner and why it was chosen, such as "lanes, the fastest". Empty until known."""
        return self._supervisor.reasoner

    @property
    def is_cold(self) -> bool:
        """Whether the process still waits for its kernels to be compiled, as after an install."""
        return self._supervisor.is_cold

    @property
    def start_seconds(self) -> Mapping[str, float]:
        """Seconds that each phase of the start took, see `WorkerProcess.start_seconds`."""
        return self._supervisor.start_seconds

    @property
    def prepared(self) -> Mapping[str, object]:
        """The player's search info at the end of the startclock, or empty if it is not known."""
        beginning = self._supervisor.beginning
        done = beginning.done if beginning is not None else None
        search_info: Mapping[str, object] = json.loads(done.prepared) if done is not None else {}
        return search_info

    @property
    def pid(self) -> int | None:
        """Process id of the searching process. None while a process is being replaced."""
        return self._supervisor.pid

    def take_printed(self) -> tuple[str, PrintedAmount]:
        """Return the beginning of the player's output since the last call, and its total amount."""
        return self._supervisor.take_printed()

    @property
    def num_replaced(self) -> int:
        """Number of the match's processes that died or hung and were replaced."""
        return self._supervisor.num_replaced

    @property
    def position(self) -> EnginePosition | None:
        """The most recent position that was computed."""
        beginning = self._supervisor.beginning
        moved = beginning.moved if beginning is not None else None
        reported = [
            self._known.latest,
            moved.position if moved is not None else None,
            self._standby.position if self._standby is not None else None,
        ]
        known = [position for position in reported if position is not None]
        return max(known, key=lambda position: position.turn, default=None)

    async def play(
        self,
        happened: Happened,
        deadline: Deadline,
        last: Deadline | None = None,
        legal: Sequence[str] = (),
        on_late: Callable[[float], None] | None = None,
    ) -> Choice:
        """Return our move for the turn that follows `happened`, at the deadline or earlier.

        Args:
            last: A later deadline, for when no legal move is known at `deadline`.
            legal: Legal moves in this turn, if known.
            on_late: Called instead of logging a warning if the player has not chosen by the
                deadline, with the seconds that the player had. Time in which its process was still
                starting does not count.

        Raises:
            MoveError: `happened` cannot be read. Nothing has changed.
            RulesError: It turned out after `start` that the match cannot be played.
        """
        self._stop_tending()
        steps = self._history.record(happened)
        exchanges: list[PendingRequest] = []
        if self._standby is not None:
            self._standby.follow(steps)
        search = SearchCommand(0, len(steps), steps, deadline.moment)
        try:
            async with asyncio.timeout(deadline.remaining()):
                await self._supervisor.conduct(search, exchanges)
        except TimeoutError:
            if on_late is not None:
                asked_at = exchanges[-1].moved_at if exchanges else math.inf
                on_late(max(0.0, clock.now() - asked_at))
            else:
                self._trouble("the engine did not choose by the deadline")
        except MoveError:
            self._history.forget(happened)
            raise
        except RulesError:
            raise
        except EngineError as error:
            self._trouble(f"no engine could choose: {error}")
        if not legal:
            await self._until_known(exchanges, last or deadline)
            self._check(happened, exchanges)
        choice = judge(
            [*self._seen, *exchanges],
            self._guess(),
            legal,
            self._expected(),
            is_stand_in=self._supervisor.config.player != self._player,
        )
        self._line.learn(len(self._history), choice.search_info)
        self._known.learn(choice.position)
        self._history.answered = choice.move
        self._history.fill_in(choice.position.missed if choice.position else None)
        self._tending = asyncio.create_task(self._tend(exchanges[-1] if exchanges else None))
        return choice

    def _guess(self) -> str:
        """Return a move that is probably legal in this turn, for when nothing better is known."""
        self._known.learn(self.position)
        history = self._history
        return self._known.guess(len(history), len(self.roles), history.made_since)

    def _expected(self) -> str:
        """Return the move that the player expected to make in this turn, or "" if there is none."""
        turn, position = len(self._history), self.position
        joint_move = self._history.joint_move
        if position is not None and position.turn == turn:  # spelled as in the rules
            joint_move = position.joint_move
        place = self.roles.index(self.role) if self.is_ready else 0
        return self._line.move(turn, joint_move, place)

    async def update(self, happened: Happened, deadline: Deadline) -> EnginePosition | None:
        """Follow the game without choosing a move, and return the new position.

        Return None on failure or if this takes too long.

        Raises:
            MoveError: `happened` cannot be read. Nothing has changed.
        """
        self._stop_tending()
        steps = self._history.record(happened)
        if self._standby is not None:
            self._standby.follow(steps)
        try:
            async with asyncio.timeout(deadline.remaining()):
                exchange = await self._follow()
        except MoveError:
            self._history.forget(happened)
            raise
        except (TimeoutError, EngineError):
            self._tending = asyncio.create_task(self._tend(None))
            return None
        if exchange.moved is not None:
            self._known.learn(exchange.moved.position)
        self._tending = asyncio.create_task(self._tend(exchange))
        return self._known.latest

    async def go_back(self, num_turns: int, deadline: Deadline) -> EnginePosition | None:
        """Forget all but the first `num_turns` turns. Another process replays them.

        Returns:
            The position reached, or None if this takes too long. The next `play` then waits for it.
        """
        self._stop_tending()
        self._history.go_back(num_turns)
        self._known = KnownPositions()
        self._line = ExpectedLine()
        if self._standby is not None:  # the standby cannot go back
            await self._standby.close()
            self._standby = self._new_standby()
        self._supervisor.drop(was_exhausted=False)
        return await self.update(None, deadline)

    async def stop(self, happened: Happened, seconds: float = STOP_SECONDS) -> Outcome | None:
        """End the match.

        Return its outcome if it is known within `seconds`, else None. Never raise.
        """
        self._stop_tending()
        self._history.record(happened)
        try:
            async with asyncio.timeout(seconds):
                done = (await self._follow(is_last=True)).done
        except (TimeoutError, EngineError) as error:
            reason = str(error) or "no time"
            _log.info("%s: the result of the match is not known: %s", self._who, reason)
            return None
        finally:
            await self.abort()
        return Outcome(done.is_terminal, done.goals or ()) if done else None

    async def abort(self) -> None:
        """End the match at once. A pending `play` returns the best move so far."""
        self._supervisor.close()
        if self._standby is not None:
            await self._standby.close()
        await cancel(self._tending)

    def _stop_tending(self) -> None:
        if self._tending is not None:
            self._tending.cancel()  # this does not disturb a process that is being started

    @property
    def _ready(self) -> Ready | None:
        seen = self._standby.ready if self._standby is not None else None
        return self._supervisor.ready or seen

    async def _begin(self, deadline: Deadline) -> None:
        """Start the engine, after giving a standby some time to read the rules alone.

        If either of them rejects the rules, end both.
        """
        if self._standby is None:
            await self._get_ready(deadline)
            return
        reading = asyncio.create_task(self._standby.read())
        tasks = {reading}
        try:
            patience = min(READ_SECONDS, READ_SHARE * deadline.remaining())
            await asyncio.wait(tasks, timeout=patience)
            if reading.done():
                reading.result()
            preparing = asyncio.create_task(self._get_ready(deadline))
            tasks.add(preparing)
            if not reading.done():
                await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            if reading.done():
                reading.result()
            await preparing
        finally:
            await cancel(*tasks)

    async def _get_ready(self, deadline: Deadline) -> None:
        for _ in range(MAX_ATTEMPTS):
            try:
                await self._supervisor.worker(preparing=deadline)
                assert self._supervisor.beginning is not None
                await self._supervisor.beginning.until_over()
                return
            except WorkerLostError as error:
                if self._supervisor.is_ending:
                    break
                self._supervisor.replace(error)
        if not self.is_ready:
            raise EngineError("every engine process ended before it had read the rules")

    async def _follow(self, *, is_last: bool = False) -> PendingRequest:
        steps = self._history.steps
        return await self._supervisor.conduct(Follow(0, len(steps), steps, is_last), [])

    def _check(self, happened: Happened, exchanges: Sequence[PendingRequest]) -> None:
        refusals = (each.failed for each in self._seen if each.failed is not None)
        refusal = next(refusals, None)
        if refusal is not None and refusal.kind == "moves" and not self._is_known(exchanges):
            self._history.forget(happened)
            raise MoveError(refusal.message)

    async def _until_known(self, exchanges: Sequence[PendingRequest], deadline: Deadline) -> None:
        """Wait until a process has reported the legal moves, or until no process can."""
        waiting = {asyncio.create_task(each.until_moved()) for each in exchanges[-1:]}
        if self._standby is not None:
            waiting.add(asyncio.create_task(self._standby.until_there()))
        while waiting and not self._is_known(exchanges) and not deadline.is_over():
            _, waiting = await asyncio.wait(
                waiting, timeout=deadline.remaining(), return_when=asyncio.FIRST_COMPLETED
            )
        for task in waiting:
            task.cancel()

    def _is_known(self, exchanges: Sequence[PendingRequest]) -> bool:
        return any(each.moved is not None for each in (*self._seen, *exchanges))

    @property
    def _seen(self) -> list[PendingRequest]:
        """The requests sent to the standby in this turn."""
        return self._standby.exchanges if self._standby is not None else []

    async def _tend(self, exchange: PendingRequest | None) -> None:
        """Between two turns, make sure that a working process is ready for the next one."""
        if exchange is not None:
            with contextlib.suppress(WorkerLostError):
                await exchange.until_lost()
        try:  # replaces a lost process, unless that has already happened
            await self._follow()
        except EngineError as error:
            self._trouble(f"no engine for the next turn yet: {error}")

    @property
    def _who(self) -> str:
        return self._supervisor.who

    def _trouble(self, what: str) -> None:
        """Log a problem. At the end of a match the loss of a process is not a problem."""
        level = logging.DEBUG if self._supervisor.is_ending else logging.WARNING
        _log.log(level, "%s: %s", self._who, what)
