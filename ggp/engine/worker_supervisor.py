"""The processes of one match, one after the other: there is always one, or one on its way.

Any of them can make all steps from the history of the match, as the manager tells it.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from ggp import clock
from ggp.clock import Deadline
from ggp.engine.answers import EnginePosition
from ggp.engine.config import EngineConfig, EngineSetup
from ggp.engine.errors import EngineError, MoveError, RulesError, WorkerHangsError, WorkerLostError
from ggp.engine.hang_watch import until_hanging
from ggp.engine.pending_request import PendingRequest
from ggp.engine.pool import ForkServer, Lender
from ggp.engine.process import WorkerProcess, retrieve
from ggp.engine.wire import Begin, Command, Follow, Printed, Ready, SearchCommand
from ggp.match.seat import PrintedAmount
from ggp.match.steps import JointMove, Percepts, Step
from ggp.processes.tasks import cancel

_log = logging.getLogger(__name__)

MAX_ATTEMPTS: Final = 3
MAX_PRINTED: Final = 10_000
"""Characters that are kept of what a player prints in a turn, by whatever number of processes."""

CommandMaker = Callable[[int, int], Command]


class WorkerSupervisor:
    """Takes processes from a lender, begins the match with them, and replaces those that fail.

    One that hangs (`ggp.engine.hang_watch`) has failed, one that is slow has not.

    Attributes:
        ready: What the first process said of the match; None as long as it has not.
        beginning: The exchange in which the present process began the match.
        config: Settings of the next process.
        num_replaced: How many processes have been replaced.
    """

    def __init__(self, pool: Lender, setup: EngineSetup, config: EngineConfig) -> None:
        self._pool = pool
        self._setup = setup
        self.config = config
        self.ready: Ready | None = None
        self.beginning: PendingRequest | None = None
        self._engagement: asyncio.Task[WorkerProcess] | None = None
        self._worker: WorkerProcess | None = None
        self._watching: asyncio.Task[None] | None = None
        self._is_closed = False
        self._printed = ""
        self._printed_amount = PrintedAmount()
        self.num_replaced = 0

    @property
    def pid(self) -> int | None:
        """The process id of the present process."""
        return None if self._worker is None else self._worker.pid

    @property
    def reasoner(self) -> str:
        """The reasoner of the present process, and why; empty until that is known."""
        return "" if self._worker is None else self._worker.reasoner

    @property
    def is_cold(self) -> bool:
        """Whether the present process waits for kernels that have to be compiled first."""
        worker = self._worker
        return worker is not None and worker.is_compiling and not worker.is_warm

    @property
    def start_seconds(self) -> Mapping[str, float]:
        """Seconds that it took the present process to get ready, see `WorkerProcess`."""
        return {} if self._worker is None else self._worker.start_seconds

    @property
    def who(self) -> str:
        """Which player plays which role, for the log."""
        return self._setup.in_words(self.config.player)

    @property
    def is_ending(self) -> bool:
        """Whether the match or the pool is closed, so that a lost process is no loss."""
        return self._is_closed or self._pool.is_closed

    async def worker(self, preparing: Deadline | None = None) -> WorkerProcess:
        """A process that has read the rules; the next caller gets the same one, until `drop`.

        Being cancelled does not disturb the process that is on its way.

        Args:
            preparing: Until when a new process may prepare; None: not at all.

        Raises:
            RulesError: The match cannot be played.
            WorkerLostError: The process died or hangs; `replace` it and ask again.
        """
        if self._is_closed:
            raise EngineError("the match is over")
        if self._engagement is None:
            self._engagement = asyncio.create_task(self._engage(preparing))
            self._engagement.add_done_callback(retrieve)
        return await asyncio.shield(self._engagement)

    async def conduct(
        self, command: CommandMaker, exchanges: list[PendingRequest]
    ) -> PendingRequest:
        """Ask one process after the other until one has carried a command out.

        Args:
            command: Makes the command for a request number and the turn that a process has reached.
            exchanges: Each attempt is appended, so that it is known to a caller who gives up.

        Raises:
            MoveError: The command's moves cannot be read.
            RulesError: The match cannot be played.
            WorkerLostError: Several processes in a row died or hang.
        """
        for _ in range(MAX_ATTEMPTS - 1):
            try:
                return await self._attempt(command, exchanges)
            except WorkerLostError as error:
                if self.is_ending:
                    raise
                self.replace(error)
        return await self._attempt(command, exchanges)

    async def _attempt(
        self, command: CommandMaker, exchanges: list[PendingRequest]
    ) -> PendingRequest:
        worker = await self.worker()
        exchange = worker.ask(lambda request: command(request, worker.turn))
        exchanges.append(exchange)
        await exchange.until_over()
        if exchange.failed is not None:
            kind = MoveError if exchange.failed.kind == "moves" else EngineError
            raise kind(exchange.failed.message)
        if exchange.done is not None and exchange.done.is_exhausted:
            raise WorkerLostError("the player ran out of memory")
        return exchange

    async def _engage(self, preparing: Deadline | None) -> WorkerProcess:
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
            lambda request: Begin(
                request=request,
                rules=setup.rules,
                notation=setup.notation,
                role=setup.role,
                config=config,
                moment=moment,
            )
        )
        await exchange.until(lambda: exchange.ready is not None)
        if exchange.failed is not None:
            raise RulesError(exchange.failed.message)
        assert exchange.ready is not None
        self.ready = self.ready or exchange.ready
        return worker

    async def _watch(self, worker: WorkerProcess) -> None:
        """Give up a process that hangs, so that whoever waits for it replaces it."""
        worker.give_up(await until_hanging(worker, self.config, self._setup.playclock))

    def replace(self, error: WorkerLostError) -> None:
        """Kill a process that has failed; the next `worker()` takes another one."""
        _log.warning("%s: the engine is replaced: %s", self.who, error)
        self.num_replaced += 1
        self._pool.num_replaced += 1
        self.drop(was_exhausted=not isinstance(error, WorkerHangsError))

    def drop(self, *, was_exhausted: bool) -> None:
        """Kill the process; the next `worker()` takes another one."""
        if was_exhausted:
            who, player = self.who, self.config.player
            self.config = self.config.after_exhaustion()
            if self.config.player != player:
                _log.warning(
                    "%s: its process ended %d times; %s plays the rest of the match",
                    who,
                    self.config.frugality,
                    self.config.player,
                )
        if self._watching is not None:
            self._watching.cancel()
        if self._worker is not None:
            self._pool.release(self._worker)
        self._engagement = self._worker = self.beginning = None

    def take_printed(self) -> tuple[str, PrintedAmount]:
        """The kept part of the player's output since the last call, and the amount of it."""
        taken = self._printed, self._printed_amount
        self._printed, self._printed_amount = "", PrintedAmount()
        return taken

    def _hear(self, printed: Printed) -> None:
        lines, size = self._printed_amount
        self._printed_amount = PrintedAmount(lines + printed.num_lines, size + printed.num_bytes)
        if len(self._printed) < MAX_PRINTED:  # nobody need ever ask for it
            self._printed += printed.text

    def close(self) -> None:
        """Kill the process; there will be no other."""
        self._is_closed = True
        self.drop(was_exhausted=False)


PLAYER: Final = "legal"


class StandbyFollower:
    """A process that makes the moves of a match and chooses none.

    Attributes:
        exchanges: What it has said of the present turn.
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
        """Its report on the match; None as long as it has not read the rules."""
        return self._supervisor.ready

    @property
    def pid(self) -> int | None:
        """Its process id; None if there is no process at present."""
        return self._supervisor.pid

    @property
    def position(self) -> EnginePosition | None:
        """The latest position that it has computed."""
        beginning = self._supervisor.beginning
        first = [] if beginning is None else [beginning]
        moved = [
            each.moved.position for each in (*first, *self.exchanges) if each.moved is not None
        ]
        return moved[-1] if moved else self._earlier

    async def read(self) -> None:
        """Read the rules; returns when that is done, or the process was lost over it.

        Raises:
            RulesError: The match cannot be played.
        """
        try:
            await self._supervisor.worker()
        except WorkerLostError:
            self._supervisor.drop(was_exhausted=False)

    def follow(self, command: CommandMaker) -> None:
        """Begin to follow to the present turn; what comes of it stands in `exchanges`."""
        self._stop_following()
        self._earlier = self.position
        self.exchanges = []
        self._following = asyncio.create_task(self._follow(command, self.exchanges))

    async def until_there(self) -> None:
        """Wait until it has followed, or cannot."""
        if self._following is not None:
            await asyncio.wait([self._following])

    async def close(self) -> None:
        """End its process."""
        self._supervisor.close()
        await cancel(self._stop_following())

    def _stop_following(self) -> asyncio.Task[None] | None:
        task, self._following = self._following, None
        if task is not None:
            task.cancel()
        return task

    async def _follow(self, command: CommandMaker, exchanges: list[PendingRequest]) -> None:
        with contextlib.suppress(EngineError):  # whoever chooses says what is wrong
            await self._supervisor.conduct(command, exchanges)


Happened = Step | Sequence[str] | None
"""The manager's report of the last turn; a plain sequence is a joint move, None the first turn."""


class History:
    """The steps of a match so far.

    Attributes:
        answered: Our answer in the last turn; None if there was none.
    """

    def __init__(self) -> None:
        self.answered: str | None = None
        self._steps: list[Step] = []

    def __len__(self) -> int:
        return len(self._steps)

    @property
    def joint_move(self) -> Sequence[str] | None:
        """The last joint move in the manager's spelling; None if it is not known."""
        last = self._steps[-1] if self._steps else None
        return last.moves if isinstance(last, JointMove) else None

    def record(self, happened: Happened) -> None:
        """Append what the manager said of the last turn."""
        if happened is None:
            return
        if not isinstance(happened, Step):
            happened = JointMove(tuple(happened))
        if isinstance(happened, JointMove):
            happened = replace(happened, answered=self.answered)
        if isinstance(happened, Percepts) and happened.own_move is None:
            happened = replace(happened, own_move=self.answered)
        self._steps.append(happened)

    def fill_in(self, missed: Sequence[str] | None) -> None:
        """Keep the joint move of a turn that was not told before the last one, if there was one."""
        last = self._steps[-1] if self._steps else None
        if missed is not None and isinstance(last, JointMove):
            self._steps[-1] = replace(last, missed=tuple(missed))

    def forget(self, happened: Happened) -> None:
        """Take back what was recorded last, if it was anything."""
        if happened is not None:
            self._steps.pop()

    def go_back(self, num_turns: int) -> None:
        """Keep the first turns only."""
        del self._steps[num_turns:]
        self.answered = None

    def searching(self, deadline: Deadline) -> CommandMaker:
        """The command to search after these steps, for a process that has made some of them."""
        steps = tuple(self._steps)
        return lambda request, turn: SearchCommand(
            request, len(steps), steps[turn:], deadline.moment
        )

    def following(self, *, is_last: bool = False) -> CommandMaker:
        """The command to make these steps, of which a process may have made some."""
        steps = tuple(self._steps)
        return lambda request, turn: Follow(request, len(steps), steps[turn:], is_last)
