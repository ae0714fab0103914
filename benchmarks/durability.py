"""Fill the disk of a manager, kill it, and cut its power, and check whether anything is lost.

    python benchmarks/durability.py --full 5 --kills 5 --cuts 10 --seed 1

The manager's database is on a small file system of its own: an image in a file, which only root may
mount. Two people play on the manager without a pause, and a tournament runs at the same time. The
script notes each move that was answered with 200. It fills and empties the file system, and sends
SIGKILL to the manager. For a power cut, it stops the manager and copies the image. Data that the
kernel has not written yet is not in the copy. Then the script mounts and reads the copy, which must
contain every move noted before.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import shutil
import signal
import sqlite3
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, closing, suppress
from dataclasses import dataclass, field
from io import RawIOBase
from pathlib import Path
from typing import Any

from aiohttp import ClientError, ClientSession, ClientTimeout
from processes import Running, running

MEGABYTES = 24
COLUMNS = (1, 2, 3, 5, 6, 7)
"""If these cells are filled in this order, neither player wins."""
NUM_TURNS = 6 * len(COLUMNS)
ROLES = ("red", "yellow")
PLAN = {
    "name": "beside",
    "games": ["ticTacToe"],
    "players": [{"name": "a", "player": "random"}, {"name": "b", "player": "legal"}],
    "matches": 20,
    "jobs": 1,
}
RECOVERY_SECONDS = 60.0
Move = tuple[int, int, int]
"""The numbers of the match, the turn and the role."""


@dataclass(slots=True)
class Game:
    """Two people who play one match after the other.

    Attributes:
        answered: Each move that the manager has accepted.
        refused: How often it could not.
    """

    answered: dict[Move, str] = field(default_factory=dict)
    refused: int = 0
    _match: int = 0
    _key: str = ""

    async def play(self, client: ClientSession) -> None:
        """Play for ever, starting with the latest match."""
        while True:
            found = await self._state(client)
            if found is None or found["status"] in {"completed", "aborted"}:
                await self._begin(client)
            elif found["status"] == "interrupted":
                await self._ask(client, f"matches/{self._match}/resume")
            elif found["turns"] >= NUM_TURNS:
                await self._ask(client, f"matches/{self._match}/abort")
            else:
                await self._turn(client, found["turns"] + 1)

    async def go_on(self, num_moves: int) -> None:
        """Wait until `num_moves` more moves were accepted.

        Raises:
            TimeoutError: That takes far too long.
        """
        wanted = len(self.answered) + num_moves
        async with asyncio.timeout(RECOVERY_SECONDS):
            while len(self.answered) < wanted:
                await asyncio.sleep(0.01)

    async def _turn(self, client: ClientSession, turn: int) -> None:
        index = (turn - 1) % 2
        move = f"(drop {COLUMNS[(turn - 1) // 6]})"
        body = {"role": ROLES[index], "move": move, "turn": turn}
        if await self._ask(client, f"matches/{self._match}/moves", body) == 200:
            self.answered[self._match, turn, index] = move

    async def _begin(self, client: ClientSession) -> None:
        body = {"game": "connectFour", "players": ["person", "person"], "hold": "all"}
        async with client.post("/api/v1/matches", json=body) as answer:
            if answer.status == 201:
                made = await answer.json()
                self._match, self._key = made["number"], made["keys"][ROLES[0]]
            else:
                await self._rest()

    async def _state(self, client: ClientSession) -> Any:
        if not self._match:
            return None
        async with client.get(f"/api/v1/matches/{self._match}") as answer:
            return await answer.json() if answer.status == 200 else None

    async def _ask(self, client: ClientSession, path: str, body: Any = None) -> int:
        async with client.post(f"/api/v1/{path}?seat={self._key}", json=body) as answer:
            if answer.status == 503:
                await self._rest()
            return answer.status

    async def _rest(self) -> None:
        self.refused += 1
        await asyncio.sleep(0.05)


async def run(program: str, *arguments: object) -> None:
    """Run a program of the system.

    Raises:
        OSError: It is not there, or failed.
    """
    process = await asyncio.create_subprocess_exec(program, *map(str, arguments))
    if await process.wait():
        raise OSError(f"{program} failed with {process.returncode}")


async def make_image(image: Path, megabytes: int) -> None:
    """Create an empty file system in a file."""
    with image.open("wb") as file:
        file.truncate(megabytes << 20)
    await run("mkfs.ext4", "-q", image)


@asynccontextmanager
async def mounted(image: Path, place: Path) -> AsyncIterator[Path]:
    """Mount the file system in an image."""
    place.mkdir(exist_ok=True)
    await run("mount", "-o", "loop", image, place)
    try:
        yield place
    finally:
        await run("umount", place)


@asynccontextmanager
async def playing(game: Game, place: Path) -> AsyncIterator[tuple[Running, ClientSession]]:
    """Run a manager and two people who play there; the manager may die."""
    url, log = f"sqlite:///{place}/ggp.db", place.parent / "manager.log"
    async with AsyncExitStack() as stack:
        command = ("manager", "--port", "0", "--db", url)
        manager = await stack.enter_async_context(running(*command, log=log))
        client = ClientSession(manager.address, timeout=ClientTimeout(total=10))
        await stack.enter_async_context(client)
        task = asyncio.create_task(game.play(client))
        try:
            yield manager, client
        finally:
            task.cancel()
            with suppress(asyncio.CancelledError, ClientError, TimeoutError):
                await task


async def fill(place: Path, seconds: float) -> None:
    """Fill up the file system for a while."""
    filler = place / "filler"
    with filler.open("wb", buffering=0) as file:
        for size in (1 << 16, 1 << 10, 1):
            _write_all(file, b"x" * size)
    await asyncio.sleep(seconds)
    filler.unlink()


def _write_all(file: RawIOBase, block: bytes) -> None:
    with suppress(OSError):
        while True:
            file.write(block)


def missing(database: Path, answered: dict[Move, str]) -> dict[Move, str]:
    """Return moves that were answered and are missing."""
    with closing(sqlite3.connect(database)) as connection:
        if not connection.execute("select 1 from sqlite_master where name = 'moves'").fetchone():
            return answered
        check = connection.execute("pragma integrity_check").fetchone()[0]
        if check != "ok":
            raise RuntimeError(f"the database is damaged: {check}")
        kept = {
            (match, turn, index): move
            for match, turn, moves in connection.execute(
                "select match_id, number, moves from turns"
            )
            for index, move in enumerate(json.loads(moves))
        }
        query = "select match_id, turn, role_index, move from moves"
        kept |= {tuple(row[:3]): row[3] for row in connection.execute(query)}
    return {place: move for place, move in answered.items() if kept.get(place) != move}


async def cut(manager: Running, game: Game, image: Path, folder: Path) -> dict[Move, str]:
    """Return moves that would be lost if the power failed now."""
    os.kill(manager.pid, signal.SIGSTOP)
    try:
        answered = dict(game.answered)
        copy = folder / "copy.img"
        shutil.copyfile(image, copy)
    finally:
        os.kill(manager.pid, signal.SIGCONT)
    async with mounted(copy, folder / "copy") as place:
        return missing(place / "ggp.db", answered)


async def attack(options: argparse.Namespace, folder: Path) -> int:
    """Run all disturbances; return 1 if something was lost."""
    luck, game, lost = random.Random(options.seed), Game(), 0
    image = folder / "disk.img"
    await make_image(image, MEGABYTES)

    def tell(what: str, gone: dict[Move, str]) -> None:
        nonlocal lost
        lost += len(gone)
        print(f"{what}: {len(game.answered)} moves so far, {len(gone)} lost", flush=True)

    async with mounted(image, folder / "disk") as place:
        for kill in range(1, options.kills + 1):
            async with playing(game, place) as (manager, _):
                await game.go_on(luck.randrange(1, 20))
                os.kill(manager.pid, signal.SIGKILL)
            tell(f"kill {kill}", missing(place / "ggp.db", game.answered))
        async with playing(game, place) as (manager, client):
            async with client.post("/api/v1/tournaments", json=PLAN) as answer:
                number = (await answer.json())["number"]
            for full in range(1, options.full + 1):
                await game.go_on(luck.randrange(1, 20))
                refused = game.refused
                await fill(place, 1 + 6 * luck.random())
                told = f"full {full}, {game.refused - refused} refused"
                tell(told, missing(place / "ggp.db", game.answered))
            for power in range(1, options.cuts + 1):
                await game.go_on(luck.randrange(1, 20))
                tell(f"cut {power}", await cut(manager, game, image, folder))
            status = await ended(client, number)
        tell(f"at the end, the tournament {status}", missing(place / "ggp.db", game.answered))
    return 0 if lost == 0 and status == "completed" else 1


async def ended(client: ClientSession, tournament: int) -> str:
    """Wait until a tournament has ended; return its last status."""
    loop = asyncio.get_running_loop()
    end = loop.time() + RECOVERY_SECONDS
    while True:
        async with client.get(f"/api/v1/tournaments/{tournament}") as answer:
            status = str((await answer.json())["tournament"]["status"])
        if status in {"completed", "aborted"} or loop.time() > end:
            return status
        await asyncio.sleep(0.5)


async def start(options: argparse.Namespace) -> int:
    """Run according to the options if a file system can be mounted."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        try:
            await make_image(folder / "trial.img", 4)
            async with mounted(folder / "trial.img", folder / "trial"):
                pass
        except OSError as error:
            print(f"skipped: no file system can be mounted here: {error}")
            return 0
        return await attack(options, folder)


def main() -> int:
    """Parse the command line and run."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--full", type=int, default=5, help="how often the disk fills up")
    parser.add_argument("--kills", type=int, default=5)
    parser.add_argument("--cuts", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    return asyncio.run(start(parser.parse_args()))


if __name__ == "__main__":
    sys.exit(main())
