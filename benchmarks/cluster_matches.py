"""Run a tournament on a Ray cluster of this machine while nodes are killed: is the table the same?

    python benchmarks/cluster_matches.py --matches 200 --kills 20 --markdown

The nodes have one CPU each; the head has none. The same tournament runs without Ray, on one node,
on two nodes, and on two nodes of which one is killed (SIGKILL) at random moments again and again,
while another one joins. The players are deterministic, so every match must be the same each time:
goals, moves and all. The script fails if a match or a turn is missing or appears twice. Seconds are
wall-clock time from the first match to the last, so other work on the machine counts.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import hashlib
import logging
import os
import random
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Any

from ggp.manager.config import ManagerConfig
from ggp.manager.domain.tournaments import table_of
from ggp.manager.service import ManagerService, open_service
from ggp.manager.store import matches, tournaments
from ggp.manager.store.tables import OVER, Status
from ggp.manager.store.tournaments import FixtureEntry
from ggp.tournament.plan import TournamentPlan

POLL_SECONDS = 0.2
START_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a tournament."""

    label: str
    seconds: float
    digest: str
    """Digest of all matches with their moves."""
    num_completed: int
    points: str
    kills: int = 0

    def row(self, first: Outcome, separator: str) -> str:
        """Return a line of the table, compared with another outcome."""
        same = "yes" if self.digest == first.digest else "NO"
        cells = (
            *(self.label, str(self.num_completed), str(self.kills), f"{self.seconds:.1f} s"),
            *(self.points, same),
        )
        return separator.join(cells)


def plan_of(options: argparse.Namespace) -> TournamentPlan:
    """Return a tournament of two deterministic, CPU-bound players of different strength."""
    return TournamentPlan.read(
        {
            "name": "cluster",
            "games": [options.game],
            "players": [
                {"name": "short", "player": f"mcts:iterations={options.iterations}"},
                {"name": "long", "player": f"mcts:iterations={2 * options.iterations}"},
            ],
            "matches": options.matches,
            "startclock": 60,
            "playclock": 60,
            "seed": options.seed,
        }
    )


async def hold(
    label: str, plan: TournamentPlan, cluster: Any = None, killer: Killer | None = None
) -> Outcome:
    """Run a tournament from start to end."""
    with tempfile.TemporaryDirectory() as folder:
        config = ManagerConfig(
            database=f"sqlite:///{folder}/ggp.db",
            cluster=cluster.address if cluster else "",
            num_cores=2,
        )
        async with open_service(config) as service:
            number = await service.tournament_maker.write_down(plan)
            began = time.monotonic()
            task = service.tournaments.start(number)
            async with killing(killer, service, number):
                await asyncio.wait([task])
            seconds = time.monotonic() - began
            return await outcome(
                label, plan, service, number, seconds, killer.done if killer else 0
            )


async def outcome(
    label: str,
    plan: TournamentPlan,
    service: ManagerService,
    number: int,
    seconds: float,
    kills: int,
) -> Outcome:
    """Return the rows of a finished tournament."""
    digest, num = hashlib.sha256(), 0
    async with service.database.reading() as session:
        found = await tournaments.entries(session, number)
        for entry in found:
            assert entry.match is not None
            turns = await matches.turns_of(session, entry.match)
            assert [turn.number for turn in turns] == list(range(len(turns)))
            moves = [turn.moves for turn in turns]
            digest.update(repr((entry.fixture, entry.status, entry.goals, moves)).encode())
            num += entry.status == Status.COMPLETED
        rows = await matches.listed(session, matches.MatchFilter(limit=10**6))
    assert len(rows) == len({entry.match for entry in found}) == len(found)
    table = table_of(plan, found)
    points = " ".join(f"{row.name} {row.points:g}" for row in table.rows)
    return Outcome(label, seconds, digest.hexdigest()[:12], num, points, kills)


class Killer:
    """Kills nodes of a cluster at random moments, spread over a tournament, and adds others."""

    def __init__(self, cluster: Any, nodes: list[Any], num: int, seed: int) -> None:
        self._cluster = cluster
        self._nodes = nodes
        self._num = num
        self._rng = random.Random(seed)
        self.done = 0

    async def kill(self, service: ManagerService, number: int) -> None:
        """Kill nodes at random moments, measured in finished matches."""
        total = len(await self._entries(service, number))
        moments = sorted(self._rng.uniform(0.02, 0.95) for _ in range(self._num))
        for moment in moments:
            while await self._share(service, number, total) < moment:
                await asyncio.sleep(POLL_SECONDS)
            await asyncio.sleep(self._rng.uniform(0, 1))
            node = self._nodes.pop(self._rng.randrange(len(self._nodes)))
            self._cluster.remove_node(node, allow_graceful=False)
            self._nodes.append(self._cluster.add_node(num_cpus=1))  # in the main thread only
            self.done += 1

    async def _share(self, service: ManagerService, number: int, total: int) -> float:
        found = await self._entries(service, number)
        return sum(entry.status in OVER for entry in found) / total

    async def _entries(self, service: ManagerService, number: int) -> list[FixtureEntry]:
        async with service.database.reading() as session:
            return await tournaments.entries(session, number)


@contextlib.asynccontextmanager
async def killing(
    killer: Killer | None, service: ManagerService, number: int
) -> AsyncIterator[None]:
    """Kill nodes as long as the `async with` lasts."""
    if killer is None:
        yield
        return
    await asyncio.sleep(START_SECONDS)  # the fixtures are written down by then
    task = asyncio.create_task(killer.kill(service, number))
    try:
        yield
    finally:
        task.cancel()
        done = await asyncio.gather(task, return_exceptions=True)
        if isinstance(done[0], Exception):
            raise done[0]


def on_cluster(label: str, plan: TournamentPlan, nodes: int, kills: int, seed: int) -> Outcome:
    """Run a tournament on a cluster of this machine."""
    from ray.cluster_utils import Cluster

    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 0})
    try:
        found = [cluster.add_node(num_cpus=1) for _ in range(nodes)]
        killer = Killer(cluster, found, kills, seed) if kills else None
        return asyncio.run(hold(label, plan, cluster, killer))
    finally:
        cluster.shutdown()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the requested tournaments, and print a line for each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="connectFour")
    parser.add_argument("--matches", type=int, default=200)
    parser.add_argument(
        "--iterations", type=int, default=200, help="iterations of the weaker player"
    )
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--only",
        nargs="*",
        choices=("home", "one", "two", "killed"),
        help="run only some of the four tournaments",
    )
    parser.add_argument(
        "--repeat", type=int, default=1, help="repetitions of all tournaments, in turn"
    )
    parser.add_argument("--markdown", action="store_true", help="print rows of a table")
    options = parser.parse_args(arguments)
    os.environ.setdefault("RAY_DEDUP_LOGS", "0")
    logging.basicConfig(level=logging.WARNING)
    plan, seed = plan_of(options), options.seed
    runs = {
        "home": lambda: asyncio.run(hold("without Ray", plan)),
        "one": lambda: on_cluster("one node", plan, 1, 0, seed),
        "two": lambda: on_cluster("two nodes", plan, 2, 0, seed),
        "killed": lambda: on_cluster("two nodes, killed", plan, 2, options.kills, seed),
    }
    first: Outcome | None = None
    separator = " | " if options.markdown else "  "
    print(separator.join(("held", "completed", "nodes killed", "seconds", "points", "same")))
    for name in options.repeat * (options.only or list(runs)):
        found = runs[name]()
        first = first or found
        print(found.row(first, separator), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
