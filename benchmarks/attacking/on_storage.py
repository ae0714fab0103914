"""Attacks on the data of `ggp manager`: a full disk, large states, two managers on one database."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import time
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from aiohttp import ClientSession

from attacking.alone import ended
from attacking.manager_scene import API, ask, manager
from attacking.rulesheets import swollen
from attacking.scene import Scene
from attacking.stage import Attack, Stage

DISK_MEGABYTES = 8
SMALL_DISK = (
    *("unshare", "--map-root-user", "--mount", "bash", "-c"),
    f'mount -t tmpfs -o size={DISK_MEGABYTES}m ggp "$0" && exec "$@"',
)
"""Prefix of a command that sees a small file system at a folder; no other process sees it."""
NUM_SPECTATORS = 20
PERSON = {"game": "breakthrough", "players": ["person", "random"], "seed": 1}
ROLE = "white"
MEGABYTE = 1e6
MAX_STORED = 100
"""Megabytes of a database with two matches of untrusted games and some of ours."""


async def full_disk(stage: Stage) -> None:
    """A disk that is full for a while. Everything that was answered must be there afterwards."""
    disk = stage.folder / "disk"
    disk.mkdir()
    prefix = (*SMALL_DISK, str(disk))
    if not await _can_mount(prefix):
        stage.report.skipped = "this machine does not let us mount a small file system"
        return
    db = str(disk / "ggp.db")
    async with manager(stage, prefix=prefix, db=db) as (scene, client):
        person = Person(client, (await ask(client, f"{API}/matches", PERSON)).body)
        # The file system of the manager, seen from here.
        filler = Path(f"/proc/{scene.program.pid}/root{disk}") / "filler"
        await person.move(10.0)
        await asyncio.to_thread(_fill, filler)
        await person.move(float(stage.size(2, 15)))
        await asyncio.sleep(stage.size(1, 10))
        filler.unlink()
        await person.resume()
        await scene.recovered()
        stage.report.lost += await person.num_lost()
        if not await person.move(10.0):
            stage.report.fault("a person's match does not continue")


async def _can_mount(prefix: tuple[str, ...]) -> bool:
    if shutil.which("unshare") is None:
        return False
    silent = asyncio.subprocess.DEVNULL
    trial = await asyncio.create_subprocess_exec(*prefix, "true", stdout=silent, stderr=silent)
    return await trial.wait() == 0


def _fill(file: Path) -> None:
    with file.open("wb", buffering=0) as filler, contextlib.suppress(OSError):
        while True:
            filler.write(bytes(4096))


class Person:
    """A person who plays a match by hand, against an opponent that moves at once.

    Attributes:
        number: Of the match.
        answered: The turn of the last move that was answered with 200.
    """

    def __init__(self, client: ClientSession, made: Any) -> None:
        """Read the answer of POST /matches."""
        self.number = made["number"]
        self.answered = 0
        self._next = 1
        self._client = client
        self._path = f"{API}/matches/{self.number}"
        self._seat = f"?seat={made['keys'][ROLE]}"

    async def move(self, seconds: float) -> bool:
        """Make the next move, in every other turn; return whether that was possible.

        Args:
            seconds: How long to try.
        """
        end, wanted = time.monotonic() + seconds, self._next
        while self.answered < wanted and time.monotonic() < end:
            found = await ask(self._client, f"{self._path}/positions/{wanted - 1}")
            if found.status == 200:
                body = {"role": ROLE, "move": found.body["legal"][ROLE][0], "turn": wanted}
                path = f"{self._path}/moves{self._seat}"
                if (await ask(self._client, path, body)).status == 200:
                    self.answered, self._next = wanted, wanted + 2
            await asyncio.sleep(0.2)
        return self.answered == wanted

    async def resume(self) -> None:
        """Resume the match if it was interrupted."""
        await ask(self._client, f"{self._path}/resume{self._seat}", {})

    async def num_lost(self) -> int:
        """Return the number of missing turns whose moves were answered with 200."""
        found = await ask(self._client, self._path)
        return max(0, self.answered - int(found.body["turns"])) if found.status == 200 else 0


async def large_states(stage: Stage) -> None:
    """Short rulesheets whose states take 20 MB or 0.7; spectators that do not read; records."""
    async with manager(stage) as (scene, client):
        paths = [await _begun(client, f"swollen{num}", swollen(num)) for num in (24, 8)]
        places = [path for path in paths if path]
        writers = [
            await _deaf(scene, f"{path}/events") for path in places for _ in range(NUM_SPECTATORS)
        ]
        records = [f"{path}/{name}" for path in places for name in ("record.xml", "record")]
        end = time.monotonic() + stage.size(3, 30)
        while (left := end - time.monotonic()) > 0:
            for record in records:
                await ask(client, record, seconds=left + 1)
            await asyncio.sleep(0.5)
        for writer in writers:
            writer.transport.abort()
        for path in places:
            await ask(client, f"{path}/abort", {}, seconds=5)
        stored = sum(file.stat().st_size for file in stage.folder.glob("ggp.db*")) / MEGABYTE
        if stored > MAX_STORED:
            stage.report.fault(f"{stored:.0f} MB were stored, expected at most {MAX_STORED}")
        await scene.recovered()


async def _begun(client: ClientSession, name: str, text: str) -> str:
    """Return the path of a match of a new game; empty if the manager refuses to start it."""
    await ask(client, f"{API}/games", {"name": name, "text": text}, seconds=30)
    body = {"game": name, "players": ["random"], "startclock": 5, "playclock": 5}
    found = await ask(client, f"{API}/matches", body, seconds=30)
    return f"{API}/matches/{found.body['number']}" if found.status == 201 else ""


async def _deaf(scene: Scene, path: str) -> asyncio.StreamWriter:
    """Be a spectator that does not read."""
    place = urlsplit(scene.program.address)
    _, writer = await asyncio.open_connection(place.hostname, place.port, limit=1)
    writer.write(f"GET {path} HTTP/1.1\r\nHost: {place.netloc}\r\n\r\n".encode())
    return writer


async def second_manager(stage: Stage) -> None:
    """A second manager on the same database, through a symbolic link to its file or its folder."""
    async with manager(stage) as (scene, _):
        file, folder = stage.folder / "link.db", stage.folder / "link"
        file.symlink_to(stage.folder / "ggp.db")
        folder.symlink_to(stage.folder)
        paths = (file, folder / "ggp.db")
        others = (
            ended(stage.folder, "manager", "--port", "0", "--db", f"sqlite:///{path}")
            for path in paths
        )
        for path, said in zip(paths, await asyncio.gather(*others), strict=True):
            if said.status == 0 or said.is_open:
                stage.report.fault(
                    f"a second manager runs on {os.path.relpath(path, stage.folder)}"
                )
        await scene.recovered()


ATTACKS = (
    Attack("full-disk", "a disk that is full for a while", full_disk),
    Attack(
        "large-states", "states of megabytes, spectators who do not read, records", large_states
    ),
    Attack("second-manager", "a second manager on the database, by a link", second_manager),
)
