"""A program under attack, and a match that is played on it at the same time."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from processes import Running

from attacking.report import MAX_LOG_BYTES, Report
from attacking.weighing import Weigher, family, kill_all

PROBE_SECONDS = 0.5
ANSWER_SECONDS = 2.0
"""Within which INFO, or the API, is to answer; a busy machine of a tester may be slow."""
BEGIN_SECONDS = 60.0
GIVE_UP_SECONDS = 20.0
POLL_SECONDS = 0.05


@dataclass
class Scene:
    """The attack's view of a program.

    Attributes:
        program: The program under attack.
        report: Report to fill in.
        answers: Returns whether the program answers a public request in time.
        num_turns: Returns the number of turns played in the match; -1 if it is not known.
        weigher: Measures the program.
    """

    program: Running
    report: Report
    answers: Callable[[], Awaitable[bool]]
    num_turns: Callable[[], Awaitable[int]]
    weigher: Weigher = field(init=False)
    is_attacked: bool = True

    def __post_init__(self) -> None:
        self.weigher = Weigher(self.program.pid, self.report)
        self.report.has_match = True

    async def begun(self) -> None:
        """Wait until a turn of the match has been played.

        Raises:
            TimeoutError: None was for a minute.
        """
        async with asyncio.timeout(BEGIN_SECONDS):
            while await self.num_turns() < 1:
                await asyncio.sleep(POLL_SECONDS)

    async def probe(self) -> None:
        """Ask again and again during the attack whether the program answers."""
        while self.is_attacked:
            self.report.asked += 1
            self.report.answered += await self.answers()
            await asyncio.sleep(PROBE_SECONDS)

    async def recovered(self) -> None:
        """Wait until everything is as before the attack, which ends now."""
        self.is_attacked = False
        ended, before = time.monotonic(), await self.num_turns()
        while (took := time.monotonic() - ended) < GIVE_UP_SECONDS:
            if await self.answers() and await self.num_turns() > before >= 0:
                self.report.recovery = round(time.monotonic() - ended, 1)
                return
            before = before if before >= 0 else await self.num_turns()
            await asyncio.sleep(POLL_SECONDS)
        self.report.recovery = round(took, 1)
        self.report.fault(f"has not recovered {took:.0f} s after the attack")


@asynccontextmanager
async def watched(scene: Scene) -> AsyncIterator[Scene]:
    """Yield the scene after its first turn; measure and query it until the `async with` ends."""
    await scene.begun()
    scene.weigher = Weigher(scene.program.pid, scene.report)
    tasks = [asyncio.create_task(scene.weigher.watch()), asyncio.create_task(scene.probe())]
    try:
        yield scene
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


@asynccontextmanager
async def tidy(report: Report, log: Path) -> AsyncIterator[set[int]]:
    """Check how a program ends, what it leaves behind and how much it has logged.

    The set that is given is for the processes that belong to it.
    """
    pids: set[int] = set()
    try:
        yield pids
    except TimeoutError:
        report.fault("did not end when asked")
    finally:
        left = [one for pid in pids for one in family(pid)]
        if left:
            report.fault(f"left {len(left)} processes behind")
            kill_all(left)
        if log.exists() and (size := log.stat().st_size) > MAX_LOG_BYTES:
            report.fault(f"logged {size / 1e6:.1f} MB")
