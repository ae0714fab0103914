"""The engine processes of one match, one after another. A process that fails is replaced.

The new process replays the whole match from its history, as the manager reported it.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from ggp import clock
from ggp.clock import Deadline
from ggp.engine.answers import EnginePosition
from ggp.engine.config import EngineConfig, EngineSetup
from ggp.engine.errors import EngineError, MoveError, RulesError, WorkerHangsError, WorkerLostError
from ggp.engine.hang_watch import until_hanging
from ggp.engine.pending_request import PendingRequest
from ggp.engine.process import WorkerProcess, retrieve
from ggp.engine.process_pool import ForkServer, WorkerPool
from ggp.engine.wire import Begin, Command, Follow, Printed, Ready
from ggp.match.seat import PrintedAmount
from ggp.match.steps import JointMove, Percepts, SingleMove, Step
from ggp.processes.tasks import cancel

_log = logging.getLogger(__name__)

MAX_ATTEMPTS: Final = 3
MAX_PRINTED: Final = 10_000
"""Number of characters of a player's output in a turn to keep, summed over all its processes."""


class WorkerSupervisor:
    """The owner of a match's engine process. It starts the match and replaces failed processes.

    A process that hangs (`ggp.engine.hang_watch`) has failed; a slow one has not.

    Attributes:
        ready: The first process's report on the match. None until it arrives.
        beginning: The request with which the current process began the match.
        config: Settings of the next process.
        num_replaced: Number of processes that were replaced.
    """

    def __init__(self, pool: WorkerPool, setup: EngineSetup, config: EngineConfig) -> None:
        self._pool = pool
        self._setup = setup
        self.config = config
        self.ready: Ready | None = None
        self.beginning: PendingRequest | None = None
        self._acquiring: asyncio.Task[WorkerProcess] | None = None
        self._worker: WorkerProcess | None = None
        self._watching: asyncio.Task[None] | None = None
        self._is_closed = False
        self._printed = ""
        self._printed_amount = PrintedAmount()
        self.num_replaced = 0

    @property
    def pid(self) -> int | None:
        """Process id of the current process."""
        return None if self._worker is None else self._worker.pid

    @property
    def reasoner(self) -> str:
        """The reasoner of the current process and why it was chosen. Empty until known."""
        return "" if self._worker is None else self._worker.reasoner

    @property
    def is_cold(self) -> bool:
        """Whether the current process still waits for its kernels to be compiled."""
        worker = self._worker
        return worker is not None and worker.is_compiling and not worker.is_warm

    @property
    def start_seconds(self) -> Mapping[str, float]:
        """Seconds that each phase of the current process's start took, see `WorkerProcess`."""
        return {} if self._worker is None else self._worker.start_seconds

    @property
    def who(self) -> str:
        """The player and its role, for the log."""
        return self._setup.in_words(self.config.player)

    @property
    def is_ending(self) -> bool:
        """Whether the match or the pool is closed. Then losing a process does not matter."""
        return self._is_closed or self._pool.is_closed

    async def worker(self, preparing: Deadline | None = None) -> WorkerProcess:
        """Return a process that has read the rules. All callers get the same one until `drop`.

        Cancelling a caller does not disturb a process that is being started.

        Args:
            preparing: Deadline for the preparation of a new process. If None, the process does not
                prepare.

        Raises:
            RulesError: The match cannot be played.
            WorkerLostError: The process died or hangs. Call `replace` and try again.
        """
        if self._is_closed:
            raise EngineError("the match is over")
        if self._acquiring is None:
            self._acquiring = asyncio.create_task(self._acquire(preparing))
            self._acquiring.add_done_callback(retrieve)
        return await asyncio.shield(self._acquiring)

    async def conduct(self, command: Command, exchanges: list[PendingRequest]) -> PendingRequest:
        """Send a command to one process after another until one has carried it out.

        Args:
            command: A command with all steps of the match.
            exchanges: A list to which each request is appended, for callers that give up early.

        Raises:
            MoveError: The command's moves cannot be read.
            RulesError: The match cannot be played.
            WorkerLostError: Several processes in a row died or hung.
        """
        for num_left in reversed(range(MAX_ATTEMPTS)):
            try:
                exchange = (await self.worker()).ask(command)
                exchanges.append(exchange)
                await exchange.until_over()
                if exchange.done is not None and exchange.done.is_exhausted:
                    raise WorkerLostError("the player ran out of memory")
                break
            except WorkerLostError as error:
                if self.is_ending or not num_left:
                    raise
                self.replace(error)
        if exchange.failed is not None:
            kind = MoveError if exchange.failed.kind == "moves" else EngineError
            raise kind(exchange.failed.message)
        return exchange

    async def _acquire(self, preparing: Deadline | None) -> WorkerProcess:
        worker = await self._pool.acquire()
        if self._is_closed:
            self._pool.release(worker)
            raise EngineError("the match is over")
        self._worker = worker
        worker.begun = self._setup.begun
        worker.hear = self._hear
        if self.config.patience_seconds < math.inf:
            self._watching = asyncio.create_task(self._watch(worker))
        setup, config = self._setup, self.config
        moment = preparing.moment if preparing else clock.now()
        self.beginning = exchange = worker.ask(
            Begin(0, setup.rules, setup.notation, setup.role, config, moment)
        )
        await exchange.until(lambda: exchange.ready is not None)
        if exchange.failed is not None:
            raise RulesError(exchange.failed.message)
        assert exchange.ready is not None
        self.ready = self.ready or exchange.ready
        return worker

    async def _watch(self, worker: WorkerProcess) -> None:
        """Give up a process when it hangs, so that the task that waits for it replaces it."""
        worker.give_up(await until_hanging(worker, self.config, self._setup.playclock))

    def replace(self, error: WorkerLostError) -> None:
        """Kill a process that has failed. The next `worker()` starts another one."""
        _log.warning("%s: the engine failed and is replaced by a new one: %s", self.who, error)
        self.num_replaced += 1
        self._pool.num_replaced += 1
        self.drop(was_exhausted=not isinstance(error, WorkerHangsError))

    def drop(self, *, was_exhausted: bool) -> None:
        """Kill the process. The next `worker()` starts another one."""
        if was_exhausted:
            who, player = self.who, self.config.player
            self.config = self.config.after_exhaustion()
            if self.config.player != player:
                _log.warning(
                    "%s: the engine process ended %d times; player %s plays the rest of the match",
                    who,
                    self.config.frugality,
                    self.config.player,
                )
        if self._watching is not None:
            self._watching.cancel()
        if self._worker is not None:
            self._pool.release(self._worker)
        self._acquiring = self._worker = self.beginning = None

    def take_printed(self) -> tuple[str, PrintedAmount]:
        """Return the kept part of the player's output since the last call, and the total amount."""
        taken = self._printed, self._printed_amount
        self._printed, self._printed_amount = "", PrintedAmount()
        return taken

    def _hear(self, printed: Printed) -> None:
        lines, size = self._printed_amount
        self._printed_amount = PrintedAmount(lines + printed.num_lines, size + printed.num_bytes)
        if len(self._printed) < MAX_PRINTED:  # `take_printed` may never be called
            self._printed += printed.text

    def close(self) -> None:
        """Kill the process and start no other."""
        self._is_closed = True
        self.drop(was_exhausted=False)


PLAYER: Final = "legal"


class StandbyFollower:
    """A standby: a process that follows the moves of a match but never chooses one.

    Attributes:
        exchanges: Its requests in the current turn.
    """

    def __init__(self, forks: ForkServer, setup: EngineSetup, config: EngineConfig) -> None:
        plain = replace(
            config,
            player=PLAYER,
            options={},
            reasoner="interpreter",
            is_pondering=False,
            patience_seconds=math.inf,
        )
        self._supervisor = WorkerSupervisor(forks, setup, plain)
        self._following: asyncio.Task[None] | None = None
        self._earlier: EnginePosition | None = None
        self.exchanges: list[PendingRequest] = []

    @property
    def ready(self) -> Ready | None:
        """The process's report on the match. None until it has read the rules."""
        return self._supervisor.ready

    @property
    def pid(self) -> int | None:
        """Process id of the standby. None if there is no process at present."""
        return self._supervisor.pid

    @property
    def position(self) -> EnginePosition | None:
        """The most recent position that the process has computed."""
        beginning = self._supervisor.beginning
        first = [] if beginning is None else [beginning]
        moved = [
            each.moved.position for each in (*first, *self.exchanges) if each.moved is not None
        ]
        return moved[-1] if moved else self._earlier

    async def read(self) -> None:
        """Let the process read the rules. Return when they are read or the process is lost.

        Raises:
            RulesError: The match cannot be played.
        """
        try:
            await self._supervisor.worker()
        except WorkerLostError:
            self._supervisor.drop(was_exhausted=False)

    def follow(self, steps: tuple[Step, ...]) -> None:
        """Start to bring the process to the turn after `steps`. Its events go to `exchanges`."""
        self._stop_following()
        self._earlier = self.position
        self.exchanges = []
        self._following = asyncio.create_task(self._follow(steps, self.exchanges))

    async def until_there(self) -> None:
        """Wait until the process has reached the current turn, or has failed."""
        if self._following is not None:
            await asyncio.wait([self._following])

    async def close(self) -> None:
        """End the process."""
        self._supervisor.close()
        await cancel(self._stop_following())

    def _stop_following(self) -> asyncio.Task[None] | None:
        task, self._following = self._following, None
        if task is not None:
            task.cancel()
        return task

    async def _follow(self, steps: tuple[Step, ...], exchanges: list[PendingRequest]) -> None:
        command = Follow(0, len(steps), steps, is_last=False)
        with contextlib.suppress(EngineError):  # the engine reports the fault
            await self._supervisor.conduct(command, exchanges)


Happened = Step | Sequence[str] | None
"""The manager's report of the last turn. A plain sequence is a joint move. None in the first turn.
"""


class History:
    """The steps of a match so far.

    Attributes:
        answered: Our answer in the last turn. None if there was none.
    """

    def __init__(self) -> None:
        self.answered: str | None = None
        self._steps: list[Step] = []

    def __len__(self) -> int:
        return len(self._steps)

    @property
    def joint_move(self) -> Sequence[str] | None:
        """The last joint move in the manager's spelling. None if unknown."""
        last = self._steps[-1] if self._steps else None
        return last.moves if isinstance(last, JointMove) else None

    @property
    def steps(self) -> tuple[Step, ...]:
        """All steps of the match so far."""
        return tuple(self._steps)

    def made_since(self, turn: int) -> frozenset[str]:
        """Return the moves made in a turn and after it, in the manager's spelling."""
        made: set[str] = set()
        for step in self._steps[turn:]:
            match step:
                case JointMove(moves):
                    made.update(moves)
                case SingleMove(move):
                    made.add(move)
        return frozenset(made)

    def record(self, happened: Happened) -> tuple[Step, ...]:
        """Append the manager's report of the last turn. Return all steps."""
        if happened is None:
            return self.steps
        if not isinstance(happened, Step):
            happened = JointMove(tuple(happened))
        if isinstance(happened, JointMove):
            happened = replace(happened, answered=self.answered)
        if isinstance(happened, Percepts) and happened.own_move is None:
            happened = replace(happened, own_move=self.answered)
        self._steps.append(happened)
        return self.steps

    def fill_in(self, missed: Sequence[str] | None) -> None:
        """Add the joint move of an unreported turn to the last step, if there was such a turn."""
        last = self._steps[-1] if self._steps else None
        if missed is not None and isinstance(last, JointMove):
            self._steps[-1] = replace(last, missed=tuple(missed))

    def forget(self, happened: Happened) -> None:
        """Remove the last record, if `happened` had added one."""
        if happened is not None:
            self._steps.pop()

    def go_back(self, num_turns: int) -> None:
        """Keep only the first `num_turns` turns."""
        del self._steps[num_turns:]
        self.answered = None
