"""A `ggp serve` under attack, and a match that our referee plays on it at the same time."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import random
import time
from collections.abc import AsyncIterator
from pathlib import Path

from clock import Strict
from processes import Running, running

import gdl
from attacking.player import MODULES
from attacking.report import Report
from attacking.scene import ANSWER_SECONDS, Scene, tidy, watched
from attacking.stage import Stage
from ggp import games
from ggp.errors import GgpError
from ggp.match.events import Event, Moved
from ggp.match.referee import MatchSetup, Referee
from ggp.match.rulebook import FollowedRulebook, MachineRulebook
from ggp.protocol.client import info
from ggp.seating.local import SimpleSeat, random_moves
from ggp.seating.remote import RemoteSeat

GAME = "breakthrough"
STARTCLOCK, PLAYCLOCK = 5, 2


class Beside:
    """A strict game manager that plays one match after the other against the player at an address.

    Attributes:
        match_id: Of the match that is played now.
        role: Of the player.
        num_turns: In all matches.
    """

    def __init__(self, address: str, report: Report) -> None:
        self.match_id = ""
        self.role = ""
        self.num_turns = 0
        self._address = address
        self._report = report
        self._text = games.text(GAME)
        self._machine = gdl.load(self._text, "interpreter")
        self._last: float | None = None

    async def run(self) -> None:
        """Play for ever."""
        for number in itertools.count(1):
            self.match_id, self._last = f"beside.{number}.{random.getrandbits(32)}", None
            try:
                await self._play(number)
            except GgpError as error:
                self._report.fault(f"the match ended: {error}")

    async def _play(self, seed: int) -> None:
        book = FollowedRulebook(MachineRulebook(self._machine))
        setup = MatchSetup(
            match_id=self.match_id,
            rulebook=book,
            rules=self._text,
            startclock=STARTCLOCK,
            playclock=PLAYCLOCK,
            seed=seed,
        )
        self.role = book.roles[0]
        attacked = RemoteSeat(self._address, self.role, self._report.fault, Strict())
        seats = (attacked, SimpleSeat(random_moves(seed), book, "random"))
        await Referee(setup, seats, self._note).run()

    def _note(self, event: Event) -> None:
        if not isinstance(event, Moved):
            return
        now = time.monotonic()
        self._report.turns += 1
        self.num_turns += 1
        if self._last is not None:
            self._report.longest = max(self._report.longest, now - self._last)
        self._last = now
        self._report.count(event.replies[0].error)


@contextlib.asynccontextmanager
async def server(
    stage: Stage, *options: str, start: Path | None = None
) -> AsyncIterator[tuple[Scene, Beside]]:
    """Run a player server with these options and a match, and yield the scene of both.

    Args:
        stage: Where it is attacked.
        options: Of `ggp serve`.
        start: The folder in which it is started, if that is not the stage's.
    """
    folder, report = stage.folder, stage.report
    log = folder / f"{report.name}.log"
    command = ("serve", "--port", "0", *options)
    async with (
        tidy(report, log) as pids,
        running(*command, folder=start or folder, log=log, path=MODULES) as program,
        _playing(Beside(program.address, report)) as beside,
        watched(_scene(program, report, beside)) as scene,
    ):
        yield scene, beside
        pids.update(scene.weigher.seen)


def _scene(program: Running, report: Report, beside: Beside) -> Scene:
    async def answers() -> bool:
        try:
            return bool((await info(program.address, timeout=ANSWER_SECONDS)).status)
        except GgpError:
            return False

    async def num_turns() -> int:
        return beside.num_turns

    return Scene(program, report, answers, num_turns)


@contextlib.asynccontextmanager
async def _playing(beside: Beside) -> AsyncIterator[Beside]:
    task = asyncio.create_task(beside.run())
    try:
        yield beside
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
