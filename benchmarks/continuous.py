"""Run a continuous tournament of 40 players at addresses, and kill some of them and the manager.

    python benchmarks/continuous.py --minutes 10
    nice python benchmarks/continuous.py --minutes 2

Built-in players run as `ggp serve`, eight behind each of five servers. Two of the servers are
killed and restarted some time later, and the manager once. At the end the script checks that each
fixture has one match, played to its end. The players whose server died must have been away and have
come back, and the ratings in the database must follow from the exported records.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import csv
import io
import os
import signal
import socket
import statistics
import sys
import tempfile
import time
from collections.abc import Iterable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from aiohttp import ClientError, ClientSession
from processes import Running, running

from ggp.manager.domain.ratings import ratings_of
from ggp.manager.store.players import OVERALL, MatchOutcome, SeatOutcome
from ggp.tournament.fixture import Faults, is_absent

KINDS = (
    ("random",),
    ("legal",),
    ("greedy", "iterations=20"),
    ("mcts", "iterations=20"),
    ("montecarlo", "k=2"),
)
EACH = 8
"""Players of a kind."""
GAMES = ["ticTacToe", "connectFour", "breakthroughSmall"]
DIED = ((2, 0.25, 0.40), (1, 0.55, 0.70))
"""A server, and when it is killed and started again, as shares of the time."""
MANAGER_DIES = 0.48
PART = 200


class Server:
    """A `ggp ...` process at a fixed port, which can be killed and restarted."""

    def __init__(self, *arguments: str, log: Path = Path("/dev/stderr")) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.arguments = (*arguments, "--port", str(self.port))
        self._log = log
        self._stack = AsyncExitStack()
        self.process: Running | None = None
        self.cpu_seconds = 0.0
        """Of those that were killed."""

    @property
    def address(self) -> str:
        """Address of the process, even while it is not running."""
        return f"http://127.0.0.1:{self.port}"

    async def start(self) -> None:
        """Start the process and wait until it answers."""
        self.process = await self._stack.enter_async_context(
            running(*self.arguments, log=self._log)
        )

    async def kill(self) -> None:
        """Kill the process, as a power cut would."""
        assert self.process is not None
        self.cpu_seconds += self.process.cpu_seconds()
        os.kill(self.process.pid, signal.SIGKILL)
        await self.stop()

    async def stop(self) -> None:
        """Stop the process if it runs."""
        await self._stack.aclose()
        self.process = None


@dataclass
class Watch:
    """Observations while the tournament ran."""

    away: dict[str, float] = field(default_factory=dict)
    """When each absent player was first seen to be away."""
    absences: list[tuple[str, float]] = field(default_factory=list)
    """Players that came back, with the seconds of their absence."""
    samples: list[tuple[int, float]] = field(default_factory=list)
    """Finished matches, and CPU seconds of the manager."""

    def look(self, state: dict[str, Any], manager: Server) -> None:
        """Note which players are present."""
        now = time.monotonic()
        for one in state["pool"]:
            name = one["name"]
            if one["state"] == "away":
                self.away.setdefault(name, now)
            elif name in self.away:
                self.absences.append((name, now - self.away.pop(name)))
        if manager.process is not None:
            spent = manager.cpu_seconds + manager.process.cpu_seconds()
            self.samples.append((state["planned"], spent))


async def asked(client: ClientSession, method: str, path: str, body: Any = None) -> Any:
    """Return the JSON of an answer."""
    async with client.request(method, f"/api/v1{path}", json=body) as answer:
        assert answer.ok, await answer.text()
        return await answer.json()


async def watch(client: ClientSession, watched: Watch, manager: Server) -> None:
    """Look every second until cancelled."""
    while True:
        with contextlib.suppress(ClientError):  # it was killed
            watched.look(await asked(client, "GET", "/tournaments/1"), manager)
        await asyncio.sleep(1)


async def disturb(servers: list[Server], manager: Server, seconds: float) -> None:
    """Kill and restart processes at their times."""
    steps = [(MANAGER_DIES, manager, "kill"), (MANAGER_DIES, manager, "start")]
    for index, dies, lives in DIED:
        steps += [(dies, servers[index], "kill"), (lives, servers[index], "start")]
    begin = time.monotonic()
    for share, server, what in sorted(steps, key=lambda step: step[0]):
        await asyncio.sleep(max(0.0, begin + share * seconds - time.monotonic()))
        await (server.kill() if what == "kill" else server.start())
        print(f"{time.monotonic() - begin:5.0f} s: {what} port {server.port}", flush=True)
    await asyncio.sleep(max(0.0, begin + seconds - time.monotonic()))


def player_servers(log: Path = Path("/dev/stderr")) -> list[Server]:
    """Return a server for each kind of player."""
    return [
        Server(
            *("serve", "--player", kind[0], "--engine", "interpreter", "--log-level", "error"),
            *("--max-matches", "16", "--margin", "0.5"),
            *(part for option in kind[1:] for part in ("--option", option)),
            log=log,
        )
        for kind in KINDS
    ]


def plan_of(
    servers: list[Server], options: argparse.Namespace, num_each: int = EACH
) -> dict[str, Any]:
    """Return the tournament, with a number of players behind each server."""
    players = [
        {"name": f"{kind[0]}{number}", "player": f"{server.address}/{number}"}
        for kind, server in zip(KINDS, servers, strict=True)
        for number in range(num_each)
    ]
    clocks = {"startclock": options.startclock, "playclock": options.playclock}
    fields = {"name": "continuous", "form": "continuous", "games": GAMES, "players": players}
    return {**fields, **clocks, "jobs": options.jobs, "pause": options.pause}


async def held(client: ClientSession) -> dict[str, Any]:
    """Return the tournament when it is over."""
    await asked(client, "POST", "/tournaments/1/end")
    while (state := await asked(client, "GET", "/tournaments/1"))["tournament"][
        "status"
    ] != "completed":
        await asyncio.sleep(0.5)
    assert isinstance(state, dict)
    return state


async def lost_matches(client: ClientSession) -> tuple[int, list[str]]:
    """Return the number of fixtures, and their faults."""
    async with client.get("/api/v1/tournaments/1/matches.csv") as answer:
        rows = list(csv.DictReader(io.StringIO(await answer.text())))
    fixtures = {row["number"]: row for row in rows}
    wrong = [
        f"fixture {n}: {r['status']}" for n, r in fixtures.items() if r["status"] != "completed"
    ]
    matches = {row["match"] for row in fixtures.values()}
    if len(matches) != len(fixtures):
        wrong.append(f"{len(fixtures)} fixtures have {len(matches)} matches")
    found = await numbers(client)
    if {int(match) for match in matches if match} != set(found):
        wrong.append(f"{len(found)} matches for {len(fixtures)} fixtures")
    return len(fixtures), wrong


async def numbers(client: ClientSession) -> list[int]:
    """Return the numbers of all matches of the tournament."""
    found: list[int] = []
    before = ""
    while part := await asked(client, "GET", f"/matches?tournament=1&limit={PART}{before}"):
        found += [one["number"] for one in part]
        before = f"&before={found[-1]}"
    return found


async def outcomes(client: ClientSession) -> list[MatchOutcome]:
    """Return the results of all completed matches, from the exported records."""
    found = []
    for number in await numbers(client):
        record = await asked(client, "GET", f"/matches/{number}/record")
        if record["isCompleted"]:
            game = (await asked(client, "GET", f"/matches/{number}"))["game"]
            found.append(MatchOutcome(game, 0, outcomes_of(record)))
    return found


def recomputed(matches: Iterable[MatchOutcome]) -> dict[str, float]:
    """Return the overall ratings that follow from matches."""
    rows = ratings_of(matches, now=0)
    return {row.player_name: row.elo for row in rows if row.game == OVERALL}


def outcomes_of(record: dict[str, Any]) -> list[SeatOutcome]:
    """Return the result of a match for each of its players, from its record."""
    num_turns = len(record["moves"])
    faults = [
        sum(Faults.of(error) != Faults() for error in said)
        for said in zip(*record["errors"], strict=True)
    ]
    return [
        SeatOutcome(
            name, goal, is_person=False, account=None, is_absent=is_absent(num_faults, num_turns)
        )
        for name, goal, num_faults in zip(
            record["playerNamesFromHost"], record["goalValues"], faults, strict=True
        )
    ]


def worst(one: dict[str, float], other: dict[str, float]) -> float:
    """Return the largest difference between two sets of ratings; infinite if the names differ."""
    if set(one) != set(other):
        return float("inf")
    return max((abs(one[name] - other[name]) for name in one), default=0.0)


def tell(state: dict[str, Any], watched: Watch, minutes: float) -> None:
    """Print the figures."""
    rows = state["table"]["rows"]
    played = [row["matches"] for row in rows]
    widths = [(row["high"] - row["low"]) / 2 for row in rows if row["elo"] is not None]
    faults = {
        name: sum(row[name] for row in rows) for name in ("timeouts", "illegal", "connection")
    }
    print(f"{state['planned']} matches, {state['planned'] / minutes:.0f} a minute")
    print(
        f"of a player: {min(played)} to {max(played)} matches, median {statistics.median(played)}"
    )
    print(f"95 % interval: median ±{statistics.median(widths):.0f} Elo")
    print(f"answers replaced: {faults}")
    if watched.absences:
        longest = max(seconds for _, seconds in watched.absences)
        print(f"{len(watched.absences)} absences, the longest {longest:.0f} s")
    halves = [watched.samples[0], watched.samples[len(watched.samples) // 2], watched.samples[-1]]
    for name, (num, spent), (more, later) in (
        ("first half", halves[0], halves[1]),
        ("second half", halves[1], halves[2]),
    ):
        share = 1000 * (later - spent) / max(1, more - num)
        print(f"manager, {name}: {share:.0f} ms of its time a match, pages included")


async def measure(options: argparse.Namespace) -> int:
    """Measure according to the options; return 1 if something was lost."""
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        servers = player_servers()
        manager = Server("manager", "--db", f"sqlite:///{folder}/ggp.db")
        for server in (*servers, manager):
            stack.push_async_callback(server.stop)
            await server.start()
        client = await stack.enter_async_context(ClientSession(manager.address))
        await asked(client, "POST", "/tournaments", plan_of(servers, options))
        watched, seconds = Watch(), 60 * options.minutes
        watching = asyncio.create_task(watch(client, watched, manager))
        await disturb(servers, manager, seconds)
        watching.cancel()
        state = await held(client)
        num, wrong = await lost_matches(client)
        records = await outcomes(client)
        listed = {row["name"]: row["elo"] for row in await asked(client, "GET", "/ratings")}
    shown = {row["name"]: row["elo"] for row in state["table"]["rows"] if row["elo"] is not None}
    tell(state, watched, options.minutes)
    killed = {f"{KINDS[index][0]}{number}" for index, _, _ in DIED for number in range(EACH)}
    hit = {row["name"] for row in state["table"]["rows"] if row["connection"]} & killed
    back = {name for name, _ in watched.absences}
    here = {one["name"] for one in state["pool"] if one["state"] == "in"}
    # The table of a tournament has one rating for all its games.
    together = [replace(match, game="") for match in records]
    differences = worst(recomputed(records), listed), worst(recomputed(together), shown)
    print(f"lost: {wrong or 'nothing'} of {num}")
    print(f"killed players: {len(killed)}, of which {len(hit)} did not answer in a match")
    print(f"of these seen away and back: {len(hit & back)}")
    print(f"in at the end: {len(here)} of {len(KINDS) * EACH}; away: {sorted(watched.away)}")
    print(
        "ratings against the records: off by {:.2f} (all) and {:.2f} (table)".format(*differences)
    )
    is_right = not wrong and hit <= back and max(differences) <= 0.06
    print("all is right" if is_right else "SOMETHING IS WRONG")
    return 0 if is_right else 1


def main() -> int:
    """Parse the command line and measure."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--jobs", type=int, default=10, help="matches at the same time")
    parser.add_argument("--pause", type=int, default=0, help="seconds between a player's matches")
    parser.add_argument("--startclock", type=int, default=10)
    parser.add_argument("--playclock", type=int, default=5)
    return asyncio.run(measure(parser.parse_args()))


if __name__ == "__main__":
    sys.exit(main())
