"""Engine processes that are coroutines of this process, for tests with `fake_clock`.

They keep to the protocol of `ggp.engine.wire` and know the rules, but choose as their player's name
says, and use no time but what they sleep. `tests/clocks` has the tests of real processes.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import logging
from typing import Any

import gdl
from ggp import clock
from ggp.engine import Choice, EngineError, EnginePool, MoveOrigin
from ggp.engine.process import Fork, WorkerProcess
from ggp.engine.process_pool import ForkServer
from ggp.engine.wire import (
    Accepted,
    Awake,
    Begin,
    Begun,
    Best,
    Command,
    Done,
    Equipped,
    Event,
    Failed,
    Follow,
    MovedReply,
    Ready,
    Said,
    SearchCommand,
    Warm,
    decode,
    encode,
)
from ggp.engine.worker.knowledge import Knowledge, UnreadableError
from ggp.errors import GgpError
from ggp.log import ReportLine

RESERVE_SECONDS = 0.1  # a player returns so long before the engine must have its move
_pids = itertools.count(1 << 23)  # no system has processes with such numbers


class FakeProcess:
    """One process. Its player is called by the last word of its name in `EngineConfig.player`.

    - `legal` and `Last` choose the first and the last legal move at once; `Cheating` chose none
      that is legal.
    - `Watchful` reports the last legal move, and chooses it when its time is up.
    - `Deaf` reports it and never returns, `Mute` never returns, `Failing` reports it and fails.
    - `Sleepy` prepares until its time is up, `Unready` for ever; both choose at once.
    - `Unhurried` takes 0.2 s longer than it may, `Leaving` ends the process.
    """

    def __init__(self, *, pid: int | None = None) -> None:
        self.pid = next(_pids) if pid is None else pid
        self.is_stopped = False
        self._player = ""
        self._knowledge: Knowledge | None = None
        self._commands: asyncio.Queue[Command] = asyncio.Queue()
        self._is_asked = asyncio.Event()
        self._events = asyncio.StreamReader()
        self._printed = asyncio.StreamReader()
        self._send(Awake(0, self.pid))
        self._send(Warm(0, self.pid))
        self._serving = asyncio.create_task(self._serve())

    def as_fork(self) -> Fork:
        """Return what a `WorkerProcess` needs to talk to it."""
        stdin: Any = self
        return Fork(self._events, stdin, self._printed)

    def write(self, line: bytes) -> None:
        """Take a command; as the writer of its standard input."""
        command = decode(line)
        assert isinstance(command, Command)
        if not self.is_stopped:
            self._send(Accepted(command.request))
        self._commands.put_nowait(command)
        self._is_asked.set()

    def is_closing(self) -> bool:
        """Return whether its standard input is closed."""
        return self._serving.done()

    def close(self) -> None:
        """End it: its input closes, or it is killed."""
        if not self._events.at_eof():
            self._events.feed_eof()
            self._printed.feed_eof()
        self._serving.cancel()

    def stop(self) -> None:
        """Say nothing any more, as if it had been sent SIGSTOP."""
        self.is_stopped = True

    def _send(self, event: Event) -> None:
        if not self.is_stopped and not self._events.at_eof():
            self._events.feed_data(encode(event))

    async def _serve(self) -> None:
        while True:
            command = await self._commands.get()
            while not (isinstance(command, Begin) or self._commands.empty()):
                command = self._commands.get_nowait()
            self._is_asked.clear()
            self._send(Begun(command.request))
            try:
                await self._carry_out(command)
            except UnreadableError as error:
                self._send(Failed(command.request, "moves", str(error)))
            except (gdl.GdlError, GgpError) as error:
                self._send(Failed(command.request, "rules", str(error)))

    async def _carry_out(self, command: Command) -> None:
        match command:
            case Begin():
                await self._begin(command)
            case SearchCommand():
                self._make(command)
                await self._choose(command)
            case Follow():
                self._follow(command)

    async def _begin(self, command: Begin) -> None:
        self._player = command.config.player.rpartition(":")[2]
        rules = gdl.read_rules(command.rules, "<rules>")
        game = gdl.load(rules, "interpreter")
        names = [str(role).lower() for role in game.roles]
        if command.role.lower() not in names:
            raise GgpError(f"expected one of the roles {' '.join(names)}, got {command.role}")
        role = game.roles[names.index(command.role.lower())]
        self._knowledge = Knowledge(game, role, command.config.seed)
        roles = tuple(map(str, game.roles))
        has_percepts = self._knowledge.has_percepts
        self._send(Ready(command.request, roles, str(role), has_percepts))
        self._tell_position(command.request)
        self._send(Equipped(command.request, "interpreter, asked for"))
        if self._player in {"Sleepy", "Unready"} and command.moment > clock.now():
            await self._until(command.moment if self._player == "Sleepy" else None)
        self._send(Done(command.request))

    def _make(self, command: SearchCommand | Follow) -> None:
        assert self._knowledge is not None
        num_known = self._knowledge.turn - (command.turn - len(command.steps))
        for step in command.steps[num_known:]:
            self._knowledge.make(step)
            for remark in self._knowledge.remarks:
                self._send(Said(command.request, logging.WARNING, remark))
            self._knowledge.remarks.clear()

    def _follow(self, command: Follow) -> None:
        self._make(command)
        assert self._knowledge is not None
        if command.is_last:
            self._knowledge.assume(is_over=True)
        self._tell_position(command.request)
        goals = self._knowledge.goals() if command.is_last else None
        is_terminal = self._knowledge.position().is_terminal
        self._send(Done(command.request, goals=goals, is_terminal=is_terminal))

    def _tell_position(self, request: int) -> None:
        assert self._knowledge is not None
        self._send(MovedReply(request, self._knowledge.position()))

    async def _choose(self, command: SearchCommand) -> None:
        assert self._knowledge is not None
        request, position = command.request, self._knowledge.position()
        self._tell_position(request)
        if not position.legal:
            self._send(Done(request, is_terminal=position.is_terminal))
        elif len(position.legal) == 1:
            self._send(Done(request, Choice(position.legal[0], MoveOrigin.ONLY_MOVE)))
        else:
            if self._player in {"Watchful", "Deaf", "Failing", "Unhurried"}:
                best = Choice(position.legal[-1], MoveOrigin.BEST_SO_FAR, json.dumps({"visits": 1}))
                self._send(Best(request, best))
            place, origin = await self._think(command.moment - RESERVE_SECONDS)
            self._send(Done(request, Choice(position.legal[place], origin)))

    async def _think(self, moment: float) -> tuple[int, MoveOrigin]:
        """Return which legal move is made, and where it comes from."""
        match self._player:
            case "legal":
                return 0, MoveOrigin.SEARCH
            case "Cheating":
                return 0, MoveOrigin.FIRST_LEGAL
            case "Failing":
                return -1, MoveOrigin.BEST_SO_FAR
            case "Watchful" | "Unhurried":
                await self._until(moment)
                await asyncio.sleep(0.2 if self._player == "Unhurried" else 0.0)
            case "Leaving":
                self.close()
            case "Deaf" | "Mute":
                await asyncio.Event().wait()
        return -1, MoveOrigin.SEARCH

    async def _until(self, moment: float | None) -> None:
        """Sleep until `moment`, or until the next command."""
        try:
            async with asyncio.timeout(None if moment is None else moment - clock.now()):
                await (self._is_asked.wait() if moment is not None else asyncio.Event().wait())
        except TimeoutError:
            return


class FakeForks(ForkServer):
    """Lends fake processes.

    Attributes:
        processes: All of them, the newest last.
        is_empty: Whether who asks for another one waits for ever.
    """

    def __init__(self) -> None:
        super().__init__()
        self.processes: list[FakeProcess] = []
        self.is_empty = False

    async def start(self) -> None:
        """Do nothing: no process has to load anything."""
        if self.is_closed:
            raise EngineError("the fork server is closed")
        self._loaded.set()

    async def acquire(self) -> WorkerProcess:
        """Return a process that is warm."""
        await self.start()
        if self.is_empty:
            await asyncio.Event().wait()
        self.processes.append(FakeProcess())
        worker = WorkerProcess(self.processes[-1].as_fork())
        self._lend(worker)
        await worker.until_warm()
        return worker


class FakePool(EnginePool):
    """Lends fake processes, both for players and for those that follow."""

    def __init__(self, tell: ReportLine = print) -> None:
        super().__init__(tell)
        self.forks = FakeForks()
        self._ready = self.lent = FakeForks()

    async def start(self, num_warm: int = 1) -> None:
        """Do nothing: they are there at once."""

    async def acquire(self) -> WorkerProcess:
        """Return a process that is warm."""
        return await self._ready.acquire()
