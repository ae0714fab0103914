"""Measure how many spectators one live match can have, and how soon they see each turn.

    python benchmarks/spectators.py --spectators 1000

A match between two people is played by hand through a manager that the script starts, with a move
at regular intervals. Spectators are connected before it starts, each by a connection (server-sent
events) of its own. The delay of a turn is the time from when the manager has it to when the
spectator has read it. Spectators and manager share the cores that this process may use.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import resource
import statistics
import sys
import tempfile
import time
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from aiohttp import ClientSession
from databases import fresh
from processes import running

BODY = {"game": "connectFour", "players": ["person", "person"], "hold": "all", "seed": 1}
ROLES = ("red", "yellow")
COLUMNS = (1, 2, 3, 5, 6, 7)
"""If these cells are filled in this order, neither player wins."""
MAX_TURNS = 6 * len(COLUMNS)
TURN = re.compile(rb'event: turn\ndata: \{"number":([0-9]+),.*?"time":([0-9]+)\}\n\n', re.DOTALL)
EVENTS = "/api/v1/matches/1/events"
FILES_BESIDE = 100


@dataclass(slots=True)
class Crowd:
    """All spectators.

    Attributes:
        late: Of each turn, how many milliseconds after it each of them had it.
    """

    late: dict[int, list[float]] = field(default_factory=dict)
    num_over: int = 0

    async def watch(self, address: str) -> None:
        """Be one of the spectators until the end of the match."""
        place = urlsplit(address)
        reader, writer = await asyncio.open_connection(place.hostname, place.port)
        writer.write(f"GET {EVENTS} HTTP/1.1\r\nHost: {place.netloc}\r\n\r\n".encode())
        text, seen = b"", set[int]()
        try:
            while b"event: ended" not in text:
                chunk = await reader.read(1 << 16)
                if not chunk:
                    return
                text = self._noted(text + chunk, seen)
            self.num_over += 1
        finally:
            writer.close()

    def _noted(self, text: bytes, seen: set[int]) -> bytes:
        """Note the turns in what a spectator has read; return the rest."""
        now, end = 1000 * time.time(), 0
        for found in TURN.finditer(text):
            end, turn = found.end(), int(found[1])
            if turn not in seen:  # a turn may come twice
                self.late.setdefault(turn, []).append(now - int(found[2]))
            seen.add(turn)
        return text[end:]


async def play(client: ClientSession, key: str, num_turns: int, seconds: float) -> None:
    """Make moves by hand, and then break off the match."""
    for turn in range(1, num_turns + 1):
        role, move = ROLES[(turn - 1) % 2], f"(drop {COLUMNS[(turn - 1) // 6]})"
        await ask(client, f"matches/1/moves?seat={key}", {"role": role, "move": move, "turn": turn})
        await asyncio.sleep(seconds)
    await ask(client, f"matches/1/abort?seat={key}")


async def ask(client: ClientSession, path: str, body: Any = None) -> Any:
    """Send a request and return the answer."""
    async with client.post(f"/api/v1/{path}", json=body) as answer:
        assert answer.status < 300, await answer.text()
        return await answer.json()


def tell(crowd: Crowd, options: argparse.Namespace) -> bool:
    """Print the results; return whether every spectator saw everything."""
    counts = {turn: len(late) for turn, late in sorted(crowd.late.items())}
    live = [late for turn in range(1, options.turns + 1) for late in crowd.late.get(turn, ())]
    if len(live) > 1:
        parts = statistics.quantiles(live, n=100)
        print(
            f"late by {statistics.median(live):.0f} ms (median), {parts[98]:.0f} ms (99 %), "
            f"{max(live):.0f} ms (most)"
        )
    wanted = dict.fromkeys(range(options.turns + 1), options.spectators)
    missed = sum(max(0, wanted[turn] - counts.get(turn, 0)) for turn in wanted)
    print(f"{options.turns + 1} turns to {options.spectators}: {missed} missed")
    print(f"the end was seen by {crowd.num_over}")
    return missed == 0 and bool(crowd.num_over == options.spectators)


def allow_files(wanted: int) -> None:
    """Raise the limit of open files to `wanted`."""
    now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if now != resource.RLIM_INFINITY and now < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))


async def measure(options: argparse.Namespace) -> int:
    """Measure according to the options; return 1 if a spectator missed anything."""
    crowd = Crowd()
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        url = await stack.enter_async_context(fresh(folder, options.db))
        manager = await stack.enter_async_context(running("manager", "--port", "0", "--db", url))
        client = await stack.enter_async_context(ClientSession(manager.address))
        allow_files(options.spectators + FILES_BESIDE)  # the manager has to see to that itself
        key = (await ask(client, "matches", BODY))["keys"][ROLES[0]]
        before, cpu = manager.megabytes(), manager.cpu_seconds()
        start = time.monotonic()
        async with asyncio.TaskGroup() as group:
            for _ in range(options.spectators):
                group.create_task(crowd.watch(manager.address))
            while len(crowd.late.get(0, ())) < options.spectators:
                await asyncio.sleep(0.01)
            print(
                f"all have come after {time.monotonic() - start:.1f} s, "
                f"{manager.cpu_seconds() - cpu:.1f} s of the manager's time"
            )
            cpu = manager.cpu_seconds()
            await play(client, key, options.turns, options.pause)
        spent = manager.cpu_seconds() - cpu
        print(f"{1000 * spent / options.turns:.0f} ms of the manager's time a turn")
        print(f"memory of the manager: {before:.0f} MB, then {manager.megabytes('VmHWM'):.0f} MB")
    return 0 if tell(crowd, options) else 1


def main() -> int:
    """Parse the command line and measure."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--spectators", type=int, default=1000)
    parser.add_argument("--turns", type=int, default=20, choices=range(1, MAX_TURNS))
    parser.add_argument("--pause", type=float, default=1.0, help="seconds between two turns")
    parser.add_argument("--db", default="", help="any database of a PostgreSQL server")
    options = parser.parse_args()
    return asyncio.run(measure(options))


if __name__ == "__main__":
    sys.exit(main())
