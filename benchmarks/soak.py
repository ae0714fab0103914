"""Simulate years of service in an hour: an endless tournament with every kind of trouble.

    python benchmarks/soak.py --minutes 60 --seed 1
    python benchmarks/soak.py --minutes 10 --postgres "$(bash .ci/postgres start /tmp/cluster)"

Twenty players behind five `ggp serve` play a continuous tournament of `ggp manager`. About once a
minute something random is killed: a process that a server has started, a server (restarted a while
later), or, in the first half, the manager (restarted at once). Twice the manager's disk is full for
ten seconds; it is a small file system, which only root may mount. After a third of the time a
backup is made while the manager runs, and restored on an empty disk, where a second manager
continues. At half time the database moves from SQLite to PostgreSQL, if a server is named. Clocks
are short, with a second for a move; nothing else is quicker than in real service.

At the end each fixture must have one match, played to its end. No turn may be missing or have
vanished after it was seen, and ratings must follow from the records. Every few seconds the script
reads the memory and open files of the manager and of each server. Their growth is the common
gradient of all lives, with its 95 % interval. The first quarter of an hour of each life is left
out, because malloc's heap is then still reaching its maximum. Two servers, and the manager of the
second half, live long enough. Exit with 1 if something was lost.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from aiohttp import ClientError, ClientSession
from attacking.weighing import family, num_files
from continuous import (
    Server,
    asked,
    held,
    lost_matches,
    numbers,
    outcomes,
    plan_of,
    player_servers,
    recomputed,
    worst,
)
from databases import fresh
from durability import fill, make_image, mounted
from processes import COMMAND

NUM_EACH = 4
DISK_MEGABYTES = 512
FULL_SECONDS = 10.0
KILL_SECONDS = 60.0
AWAY_SECONDS = 20.0
SAMPLE_SECONDS = 5.0
WARMING_SECONDS = 900.0
"""Of a life, in which caches fill and the heap reaches its size."""
NUM_SPARED = 2
"""Servers that live as long as the soak."""
BLOCK_SECONDS = 60.0
MATCHES_AFTER_RESTORE = 5
PATIENCE_SECONDS = 300.0
ROUNDING = 0.06
"""Ratings are shown with one decimal."""


@dataclass
class Life:
    """Observations of one process: moments, its memory (MB) and its open files."""

    name: str
    began: float
    moments: list[float] = field(default_factory=list)
    sizes: list[tuple[float, float]] = field(default_factory=list)

    def blocks(self) -> np.ndarray:
        """Return the means of each minute after the first ones: rows of hours, MB and files."""
        rows = np.column_stack([self.moments, np.array(self.sizes).reshape(-1, 2)])
        rows = rows[rows[:, 0] > self.began + WARMING_SECONDS]
        parts = (rows[:, 0] - self.began) // BLOCK_SECONDS
        means = [rows[parts == part].mean(axis=0) for part in np.unique(parts)]
        found = np.array(means).reshape(-1, 3)
        found[:, 0] /= 3600
        return found


def growth(lives: list[Life], column: int) -> tuple[float, float]:
    """Return the common gradient of several lives, per hour, and half of its 95 % interval."""
    centred = [rows - rows.mean(axis=0) for life in lives if len(rows := life.blocks()) > 1]
    if not centred:
        return 0.0, float("inf")
    rows = np.concatenate(centred)
    hours, sizes = rows[:, 0], rows[:, column]
    spread = float(hours @ hours)
    gradient = float(hours @ sizes) / spread
    left = sizes - gradient * hours
    degrees = max(1, len(rows) - len(centred) - 1)
    return gradient, 1.96 * float(np.sqrt(left @ left / degrees / spread))


@dataclass
class Soak:
    """A tournament, its players, and the disturbances.

    Attributes:
        turns: The most turns that were seen of each match.
        happened: How often what happened.
        wrong: What must not be.
    """

    servers: list[Server]
    manager: Server
    rng: random.Random
    lives: dict[int, Life] = field(default_factory=dict)
    turns: dict[int, int] = field(default_factory=dict)
    happened: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    _began: float = field(default_factory=time.monotonic)

    def tell(self, what: str) -> None:
        """Print an event with its time."""
        self.happened[what.partition(":")[0]] += 1
        print(f"{time.monotonic() - self._began:6.0f} s  {what}", flush=True)

    async def watch(self, client: ClientSession) -> None:
        """Read processes and matches again and again."""
        while True:
            for server in (self.manager, *self.servers):
                self._weigh("manager" if server is self.manager else "server", server)
            with contextlib.suppress(ClientError, TimeoutError, AssertionError):
                for one in await asked(client, "GET", "/matches?tournament=1&limit=50"):
                    number, turns = one["number"], one["turns"]
                    self.turns[number] = max(turns, self.turns.get(number, 0))
            await asyncio.sleep(SAMPLE_SECONDS)

    def _weigh(self, name: str, server: Server) -> None:
        if (process := server.process) is None:
            return
        now = time.monotonic()
        life = self.lives.setdefault(process.pid, Life(name, now))
        with contextlib.suppress(OSError):  # it was killed just now
            size = process.megabytes(), float(num_files(process.pid))
            life.moments.append(now)
            life.sizes.append(size)

    async def disturb(self, seconds: float, *, spares_manager: bool = False) -> None:
        """Kill processes at random moments for `seconds`."""
        end = time.monotonic() + seconds
        kinds = [self._kill_child] * 6 + [self._kill_server] * 2
        if not spares_manager:
            kinds.append(self._kill_manager)
        while (left := end - time.monotonic()) > AWAY_SECONDS:
            await asyncio.sleep(min(left, self.rng.expovariate(1 / KILL_SECONDS)))
            await self.rng.choice(kinds)()
        await asyncio.sleep(max(0.0, end - time.monotonic()))

    async def _kill_child(self) -> None:
        server = self.rng.choice(self.servers)
        if server.process is not None and (pids := family(server.process.pid)[1:]):
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.rng.choice(pids), signal.SIGKILL)
                self.tell("a process of a server killed")

    async def _kill_server(self) -> None:
        server = self.rng.choice(self.servers[NUM_SPARED:])
        self.tell("a server killed")
        await server.kill()
        await asyncio.sleep(self.rng.uniform(0, AWAY_SECONDS))
        await server.start()

    async def _kill_manager(self) -> None:
        self.tell("the manager killed")
        await self.manager.kill()
        await self.manager.start()

    async def fill(self, disk: Path) -> None:
        """Fill up the manager's disk for a while."""
        self.tell("disk full")
        await fill(disk, FULL_SECONDS)

    async def restore_elsewhere(self, folder: Path, db: str) -> None:
        """Back up while the manager runs, and let another manager continue from there."""
        backup, other = folder / "running.backup", f"sqlite:///{folder}/restored.db"
        await manage("backup", backup, "--db", db)
        await manage("restore", backup, "--db", other)
        self.tell(f"backup restored: {backup.stat().st_size / 1e6:.1f} MB")
        second = Server("manager", "--db", other, log=folder / "second.log")
        await second.start()
        try:
            async with ClientSession(second.address) as client:
                before = await num_completed(client)
                await reached(client, before + MATCHES_AFTER_RESTORE)
                self.tell(f"second manager played on: {before} matches and more")
        except TimeoutError:
            self.wrong.append("the manager that was restored does not play on")
        finally:
            await second.stop()

    async def move(self, folder: Path, old: str, new: str) -> None:
        """Move the database elsewhere, and continue there at the same port."""
        await self.manager.stop()
        backup = folder / "moving.backup"
        await manage("backup", backup, "--db", old)
        await manage("restore", backup, "--db", new)
        self.manager.arguments = tuple(new if one == old else one for one in self.manager.arguments)
        await self.manager.start()
        self.tell("database moved")

    async def judge(self, client: ClientSession) -> dict[str, Any]:
        """End the tournament, check it, and return its last state."""
        state = await held(client)
        _, wrong = await lost_matches(client)
        self.wrong += wrong
        for number in await numbers(client):
            turns = await asked(client, "GET", f"/matches/{number}/turns")
            there = [turn["number"] for turn in turns]
            if there != list(range(len(there))):
                self.wrong.append(f"match {number} has turns {there}")
            if len(there) - 1 < self.turns.get(number, 0):
                self.wrong.append(f"match {number} had {self.turns[number]} turns, now fewer")
        shown = {row["name"]: row["elo"] for row in await asked(client, "GET", "/ratings")}
        if worst(recomputed(await outcomes(client)), shown) > ROUNDING:
            self.wrong.append("ratings do not follow from the records")
        return state


async def manage(verb: str, *arguments: object) -> None:
    """Run `ggp manager backup` or `restore`.

    Raises:
        RuntimeError: It failed.
    """
    command = (*COMMAND, "manager", verb, *map(str, arguments))
    silent = asyncio.subprocess.DEVNULL
    process = await asyncio.create_subprocess_exec(*command, stdout=silent)
    if await process.wait():
        raise RuntimeError(f"ggp manager {verb} failed with {process.returncode}")


async def num_completed(client: ClientSession) -> int:
    """Return the number of finished matches of the tournament."""
    return len(await numbers(client)) - len(
        await asked(client, "GET", "/matches?tournament=1&status=running")
    )


async def reached(client: ClientSession, wanted: int) -> None:
    """Wait until `wanted` matches are over.

    Raises:
        TimeoutError: They are not after five minutes.
    """
    async with asyncio.timeout(PATIENCE_SECONDS):
        while await num_completed(client) < wanted:
            await asyncio.sleep(1)


def report(soak: Soak, state: dict[str, Any]) -> None:
    """Print the figures."""
    rows = state["table"]["rows"]
    faults = {
        name: sum(row[name] for row in rows) for name in ("timeouts", "illegal", "connection")
    }
    turns = sum(soak.turns.values())
    print(f"{state['planned']} matches, at least {turns} turns; answers replaced: {faults}")
    print("; ".join(f"{what}: {times}" for what, times in soak.happened.items()))
    for name in ("manager", "server"):
        lives = [life for life in soak.lives.values() if life.name == name]
        for column, what in ((1, "MB"), (2, "files")):
            gradient, half = growth(lives, column)
            print(f"{name}, {len(lives)} lives: {gradient:+.1f} ± {half:.1f} {what} an hour")
    for fault in soak.wrong[:20]:
        print(f"WRONG: {fault}")
    print(f"{len(soak.wrong)} things are wrong" if soak.wrong else "nothing was lost")


async def hold(options: argparse.Namespace) -> int:
    """Run according to the options; return 1 if something was lost."""
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        await make_image(folder / "disk.img", DISK_MEGABYTES)
        disk = await stack.enter_async_context(mounted(folder / "disk.img", folder / "disk"))
        old = f"sqlite:///{disk}/ggp.db"
        servers = player_servers(folder / "servers.log")
        manager = Server("manager", "--db", old, log=folder / "manager.log")
        for server in (*servers, manager):
            stack.push_async_callback(server.stop)
            await server.start()
        client = await stack.enter_async_context(ClientSession(manager.address))
        await asked(client, "POST", "/tournaments", plan_of(servers, options, NUM_EACH))
        soak = Soak(servers, manager, random.Random(options.seed))
        watching = asyncio.create_task(soak.watch(client))
        seconds = 60 * options.minutes
        await soak.disturb(seconds / 6)
        await soak.fill(disk)
        await soak.disturb(seconds / 6)
        await soak.restore_elsewhere(folder, old)
        await soak.disturb(seconds / 6)
        await soak.fill(disk)
        if options.postgres:
            new = await stack.enter_async_context(fresh(folder, options.postgres))
            await soak.move(folder, old, new)
        await soak.disturb(seconds / 2, spares_manager=True)
        watching.cancel()
        with contextlib.suppress(asyncio.CancelledError):  # anything else would hide what it missed
            await watching
        state = await soak.judge(client)
    report(soak, state)
    return 1 if soak.wrong else 0


def main() -> int:
    """Parse the command line and run."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--postgres", default="", help="any database of a PostgreSQL server")
    parser.add_argument("--jobs", type=int, default=5, help="matches at the same time")
    parser.add_argument("--pause", type=int, default=0, help="seconds between a player's matches")
    parser.add_argument("--startclock", type=int, default=3)
    parser.add_argument("--playclock", type=int, default=1)
    return asyncio.run(hold(parser.parse_args()))


if __name__ == "__main__":
    sys.exit(main())
