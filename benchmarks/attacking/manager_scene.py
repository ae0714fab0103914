"""A `ggp manager` under attack, and a match that it hosts between remote players."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

from aiohttp import ClientError, ClientSession, ClientTimeout, TCPConnector
from processes import Running, running

from attacking.report import Report
from attacking.scene import ANSWER_SECONDS, Scene, tidy, watched
from attacking.stage import Stage

API = "/api/v1"
GAME, PLAYCLOCK, STARTCLOCK = "breakthrough", 2, 5
TELL_SECONDS = 20.0
WATCH_SECONDS = 0.5


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer of the manager."""

    status: int
    """Status of HTTP; 0 without an answer."""
    body: Any
    """The decoded JSON; None if it has none."""


async def ask(
    client: ClientSession,
    path: str,
    body: object = None,
    *,
    headers: dict[str, str] | None = None,
    seconds: float = ANSWER_SECONDS,
) -> Answer:
    """Return the answer to GET, or to POST if there is a body."""
    method, timeout = "GET" if body is None else "POST", ClientTimeout(total=seconds)
    try:
        async with client.request(
            method, path, json=body, headers=headers, timeout=timeout
        ) as answer:
            is_json = answer.content_type == "application/json"
            return Answer(answer.status, await answer.json() if is_json else None)
    except (ClientError, OSError, TimeoutError):
        return Answer(0, None)


class Hosted:
    """A manager's matches between a player and itself over HTTP, one after the other.

    Attributes:
        numbers: Of the matches, as the manager counts them.
    """

    def __init__(self, client: ClientSession, address: str, report: Report) -> None:
        self.numbers: list[int] = []
        self._client = client
        self._players = [f"{address}/{side}" for side in ("white", "black")]
        self._report = report
        self._turns_before = 0

    async def begin(self) -> bool:
        """Set up the next match; return whether that was possible."""
        clocks = {"startclock": STARTCLOCK, "playclock": PLAYCLOCK}
        fields = {"game": GAME, "players": self._players, "seed": 1} | clocks
        found = await ask(self._client, f"{API}/matches", fields)
        if found.status == 201:
            self.numbers.append(found.body["number"])
        return found.status == 201

    async def keep_on(self) -> None:
        """Start a match whenever the previous one has ended."""
        while True:
            await asyncio.sleep(WATCH_SECONDS)
            found = await self.shown()
            if found is not None and found["status"] == "completed" and await self.begin():
                self._turns_before += found["turns"]

    async def shown(self) -> Any:
        """Return the running match as the manager shows it; None if it does not."""
        found = await ask(self._client, f"{API}/matches/{self.numbers[-1]}")
        return found.body if found.status == 200 else None

    async def num_turns(self) -> int:
        """Return the number of turns played in all; -1 if it is not known."""
        found = await self.shown()
        return -1 if found is None else self._turns_before + int(found["turns"])

    async def count(self) -> None:
        """Count the faults in all turns."""
        for number in self.numbers:
            path = f"{API}/matches/{number}/turns"
            found = await ask(self._client, path, seconds=TELL_SECONDS)
            if found.status != 200:
                self._report.fault(f"the turns of match {number} cannot be had")
                continue
            self._note(found.body)

    def _note(self, turns: list[dict[str, Any]]) -> None:
        report = self._report
        report.turns += len(turns) - 1
        for turn in turns:
            for error in turn["errors"]:
                report.count(error)
        moments = [turn["time"] / 1000 for turn in turns]
        gaps = (later - earlier for earlier, later in itertools.pairwise(moments))
        report.longest = max(report.longest, *gaps, 0.0)


@contextlib.asynccontextmanager
async def manager(
    stage: Stage, *, prefix: tuple[str, ...] = (), db: str = ""
) -> AsyncIterator[tuple[Scene, ClientSession]]:
    """Run a manager that hosts matches, and yield the scene of both.

    Args:
        stage: Where it is attacked.
        prefix: A command that becomes `ggp`.
        db: The database's file, if it is not to be in the folder.
    """
    folder, report = stage.folder, stage.report
    log = folder / f"{report.name}.log"
    command = ("manager", "--port", "0", "--db", f"sqlite:///{db or folder / 'ggp.db'}")
    # A connection for each request: what is idle here would count as part of the attack.
    connections = TCPConnector(force_close=True, limit=0)
    async with (
        tidy(report, log) as pids,
        running(*command, folder=folder, log=log, prefix=prefix) as program,
        ClientSession(program.address, connector=connections) as client,
    ):
        hosted = Hosted(client, await stage.opponent.address(), report)
        if not await hosted.begin():
            raise RuntimeError("the manager does not set a match up")
        async with _hosting(hosted), watched(_scene(program, report, hosted)) as scene:
            yield scene, client
            pids.update(scene.weigher.seen)
        await hosted.count()


@contextlib.asynccontextmanager
async def _hosting(hosted: Hosted) -> AsyncIterator[None]:
    task = asyncio.create_task(hosted.keep_on())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


def _scene(program: Running, report: Report, hosted: Hosted) -> Scene:
    async def answers() -> bool:
        return await hosted.shown() is not None

    return Scene(program, report, answers, hosted.num_turns)
