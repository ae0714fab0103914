"""Run clients of `ggp mcp --http`: how long calls take, how much a search does, what remains.

    python benchmarks/mcp_clients.py --clients 50 --seconds 60
    python benchmarks/mcp_clients.py --clients 1 --seconds 10 --game connectFour

The script starts with a single client. It compares `legal_moves` with a ping, whose time is the
protocol's, and `analyse` for a second with `ggp analyze` in the same position. Then many clients
run at once, when each is connected and has made a turn. Each starts a match, asks for the legal
moves, and moves at random until the match is over. Then it starts the next one.

A row shows how many calls of a tool were answered, and in how many milliseconds (median, 99 of 100,
the longest). Memory is that of all processes: before, at most, and 90 s after the clients have
gone. By then, processes whose search is no longer wanted have ended.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import random
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from attacking.weighing import family, megabytes
from mcp import Client
from processes import COMMAND, running

NUM_CALLS = 200
QUIET_SECONDS = 90.0


@dataclass
class Calls:
    """How long calls took, in seconds, by tool, and how many were refused."""

    seconds: defaultdict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    num_refused: int = 0

    async def call(self, client: Client, tool: str, **arguments: object) -> dict[str, Any]:
        """Call a tool."""
        began = time.perf_counter()
        found = await client.call_tool(tool, arguments)
        self.seconds[tool].append(time.perf_counter() - began)
        self.num_refused += bool(found.is_error)
        return dict(found.structured_content or {})

    def rows(self) -> list[str]:
        """Return a row for each tool."""
        rows = [f"{'tool':12} {'calls':>7} {'median':>8} {'99 %':>8} {'longest':>8}  ms"]
        for tool, seconds in sorted(self.seconds.items()):
            times = sorted(1000 * one for one in seconds)
            late = times[int(0.99 * (len(times) - 1))]
            median = statistics.median(times)
            rows.append(f"{tool:12} {len(times):7,} {median:8.1f} {late:8.1f} {times[-1]:8.1f}")
        return rows


@contextlib.asynccontextmanager
async def prepared(address: str, game: str, num_clients: int) -> AsyncIterator[list[Client]]:
    """Connect clients that have called each tool once. All of them live in this one process.

    The SDK's client loads certificates when it is created and compiles the schema of a tool's
    answers at the first call, 0.1 s for each. On separate machines, no other client would wait.
    """
    async with contextlib.AsyncExitStack() as stack:
        clients = []
        for seed in range(num_clients):
            client = await stack.enter_async_context(Client(address))
            state = await Calls().call(client, "new_match", rules=game)
            await play_turn(client, state, random.Random(seed), Calls())
            clients.append(client)
        yield clients


async def play_on(client: Client, game: str, seed: int, calls: Calls, end: float) -> None:
    """Play one random match after the other until a moment on `time.monotonic()`."""
    rng = random.Random(seed)
    while time.monotonic() < end:
        state = await calls.call(client, "new_match", rules=game)
        while not state["is_over"] and time.monotonic() < end:
            state = await play_turn(client, state, rng, calls)


async def play_turn(
    client: Client, state: dict[str, Any], rng: random.Random, calls: Calls
) -> dict[str, Any]:
    """Make the move of a role that has a choice, or a forced turn; return the answer."""
    match = state["match"]
    if not state["to_move"]:
        return await calls.call(client, "play", match=match)
    role = state["to_move"][0]
    page = await calls.call(client, "legal_moves", match=match, role=role)
    move = rng.choice(page["moves"])["move"]
    return await calls.call(client, "play", match=match, role=role, move=move)


async def analyzed(game: str) -> int:
    """Return the iterations of `ggp analyze` in a second."""
    command = (*COMMAND, "analyze", game, "--seconds", "1", "--json")
    process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
    told, _ = await process.communicate()
    return int(json.loads(told)["iterations"])


async def alone(address: str, game: str) -> None:
    """Print the figures of one client."""
    calls = Calls()
    async with Client(address) as client:
        match = (await calls.call(client, "new_match", rules=game))["match"]
        pings = []
        for _ in range(NUM_CALLS):
            began = time.perf_counter()
            await client.list_prompts()
            pings.append(1000 * (time.perf_counter() - began))
            await calls.call(client, "legal_moves", match=match)
        own = 1000 * statistics.median(calls.seconds["legal_moves"]) - statistics.median(pings)
        print(f"legal_moves: {own:.1f} ms in the median, a ping {statistics.median(pings):.1f} ms")
        await calls.call(client, "analyse", match=match, seconds=1)  # compiled from now on
        tool = [
            (await calls.call(client, "analyse", match=match, seconds=1))["iterations"]
            for _ in range(3)
        ]
    verb = [await analyzed(game) for _ in range(3)]
    share = statistics.median(tool) / statistics.median(verb)
    print(f"analyse for a second: {tool} rounds; ggp analyze: {verb}; {share:.2f} of it")


async def all_play(
    clients: list[Client], pid: int, options: argparse.Namespace
) -> tuple[Calls, float]:
    """Let clients play; return their calls and the most memory in MB."""
    calls, most = Calls(), 0.0
    end = time.monotonic() + options.seconds
    playing = asyncio.gather(
        *(play_on(client, options.game, seed, calls, end) for seed, client in enumerate(clients))
    )
    while not playing.done():
        await asyncio.sleep(1)
        most = max(most, megabytes(family(pid)))
    await playing
    return calls, most


async def measure(options: argparse.Namespace) -> int:
    """Measure according to the options; return 1 if a call took a second or was refused."""
    with tempfile.TemporaryDirectory() as name:
        async with running("mcp", "--http", "0", log=Path(name, "log")) as program:
            address = f"{program.address}/mcp"
            await alone(address, options.game)
            before = megabytes(family(program.pid))
            async with prepared(address, options.game, options.clients) as clients:
                calls, most = await all_play(clients, program.pid, options)
            print("\n".join(calls.rows()))
            await asyncio.sleep(QUIET_SECONDS)
            after = megabytes(family(program.pid))
    slow = sum(one > 1 for times in calls.seconds.values() for one in times)
    print(f"{slow} calls took more than a second; {calls.num_refused} were refused")
    print(f"memory: {before:.0f} MB before, {most:.0f} at most, {after:.0f} afterwards")
    return 1 if slow or calls.num_refused else 0


def main() -> int:
    """Parse the command line and measure."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument(
        "--game", default="connectFour", help="a bundled game with complete information"
    )
    return asyncio.run(measure(parser.parse_args()))


if __name__ == "__main__":
    sys.exit(main())
