"""Measure how many matches `ggp manager` hosts at the same time, and how fast.

    python benchmarks/crowd.py --matches 32 --game breakthrough
    python benchmarks/crowd.py --players random legal     # without HTTP, for comparison

Two players that do not search, `legal` and `random`, run as `ggp serve`. They play all the matches
through a manager that the script starts. Turns are counted while all matches run. All processes
share the cores that this one may use, so the script also prints the manager's own share.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from collections import Counter
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from aiohttp import ClientSession
from databases import fresh
from processes import Running, running

POLL_SECONDS = 0.25
OVER = {"completed", "aborted", "interrupted"}


@dataclass(frozen=True, slots=True)
class Sample:
    """The progress of all matches at one moment."""

    time: float
    turns: int
    num_running: int
    cpu_seconds: float


async def players_of(stack: AsyncExitStack, options: argparse.Namespace) -> list[str]:
    """Return the players' specs, or the addresses of the started ones."""
    if options.players:
        return list(options.players)
    found = []
    for name in ("legal", "random"):
        server = await stack.enter_async_context(
            running(
                *("serve", "--port", "0", "--player", name, "--engine", "interpreter"),
                *("--max-matches", str(options.matches), "--log-level", "error"),
            )
        )
        found.append(server.address)
    return found


async def set_up(client: ClientSession, players: list[str], options: argparse.Namespace) -> None:
    """Set up all matches; each player has the first role in half of them."""
    for index in range(options.matches):
        body = {
            "game": options.game,
            "players": players if index % 2 else players[::-1],
            "startclock": options.startclock,
            "playclock": 5,
            "seed": index,
        }
        async with client.post("/api/v1/matches", json=body) as answer:
            assert answer.status == 201, await answer.text()


async def watched(client: ClientSession, manager: Running, num_matches: int) -> list[Sample]:
    """Return samples until all matches are over."""
    samples: list[Sample] = []
    while True:
        found = await asked(client, f"/api/v1/matches?limit={num_matches}")
        is_playing = [one["status"] == "running" and one["turns"] > 0 for one in found]
        turns = sum(one["turns"] for one in found)
        samples.append(Sample(time.monotonic(), turns, sum(is_playing), manager.cpu_seconds()))
        if all(one["status"] in OVER for one in found):
            return samples
        await asyncio.sleep(POLL_SECONDS)


async def asked(client: ClientSession, path: str) -> Any:
    """Return the JSON of an answer."""
    async with client.get(path) as answer:
        return await answer.json()


async def errors_in(client: ClientSession, num_matches: int) -> Counter[str]:
    """Count the outcomes of matches, and the faults in their turns."""
    found: Counter[str] = Counter()
    for number in range(1, num_matches + 1):
        found[(await asked(client, f"/api/v1/matches/{number}"))["status"]] += 1
        for turn in await asked(client, f"/api/v1/matches/{number}/turns"):
            found.update(error.split()[0] for error in turn["errors"] if error)
    return found


def tell(samples: list[Sample], manager: Running) -> None:
    """Print the measurements."""
    most = max(sample.num_running for sample in samples)
    together = [sample for sample in samples if sample.num_running == most]
    first, last = together[0], together[-1]
    print(f"at once: {most} matches, for {last.time - first.time:.1f} s")
    for name, begin, end in (
        ("meanwhile", first, last),
        ("in all", samples[0], samples[-1]),
    ):
        turns, seconds = end.turns - begin.turns, end.time - begin.time
        if turns:
            share = 1000 * (end.cpu_seconds - begin.cpu_seconds) / turns
            print(
                f"{name}: {turns} turns in {seconds:.1f} s, {turns / seconds:.0f} a second; "
                f"{share:.2f} ms of the manager's time a turn"
            )
    print(f"memory of the manager: {manager.megabytes('VmHWM'):.0f} MB at most")


async def measure(options: argparse.Namespace) -> int:
    """Measure according to the options; return 1 if a match did not end, or a turn went wrong."""
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        url = await stack.enter_async_context(fresh(folder, options.db))
        players = await players_of(stack, options)
        manager = await stack.enter_async_context(running("manager", "--port", "0", "--db", url))
        client = await stack.enter_async_context(ClientSession(manager.address))
        print(f"memory before: {manager.megabytes():.0f} MB")
        await set_up(client, players, options)
        tell(await watched(client, manager, options.matches), manager)
        outcome = await errors_in(client, options.matches)
    print(", ".join(f"{number} {name}" for name, number in outcome.items()))
    return 0 if outcome == {"completed": options.matches} else 1


def main() -> int:
    """Parse the command line and measure."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--matches", type=int, default=32)
    parser.add_argument("--game", default="breakthrough")
    parser.add_argument("--startclock", type=int, default=300)
    parser.add_argument(
        "--players", nargs=2, help="specs or addresses (default: the script starts them)"
    )
    parser.add_argument("--db", default="", help="any database of a PostgreSQL server")
    return asyncio.run(measure(parser.parse_args()))


if __name__ == "__main__":
    sys.exit(main())
