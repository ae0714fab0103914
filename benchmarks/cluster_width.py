"""Measure the cost of merging many machines, with tree keepers that only pretend to search.

    python benchmarks/cluster_width.py [--machines 1 8 64] [--latency 2 20 200] [--failures 0 0.05]
                                       [--seconds 1] [--turns 10] [--json]

Start a Ray cluster on this machine with the given numbers of actors. Each waits as long as a
message would travel (half of `--latency`, in milliseconds, each way). Then it reports what a tree
with 36 moves would have found at 100,000 iterations a second. With `--failures`, each actor dies
that many times a second, and another one takes its place.

The script prints, for turns of `--seconds`: the CPU time of the asking thread, in percent of a
core; the time to merge all results once; the age of the merged results at the deadline, and so the
iterations lost, in percent of a turn; and how many actors took part.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import threading
import time
from dataclasses import asdict, dataclass
from itertools import product
from pathlib import Path
from typing import Any

import ray
from ray.cluster_utils import Cluster

import gdl
from ggp.cluster.connection import connect
from ggp.search.core.result import Effort, MoveValue, SearchResult
from ggp.search.core.search import Search
from ggp.search.distributed.helpers import CONCURRENCY, Helpers
from ggp.search.distributed.search import Machines
from ggp.search.distributed.tree_keeper import Finding, Position, SearchOrder
from ggp.search.fast.tree.parallel import merged

RATE = 100_000
NUM_MOVES = 36
START_SECONDS = 300.0
RULES = "(role a) (init (s 0)) (legal a go) (next (s 1)) (goal a 50) (<= terminal (true (s 1)))"
NUM_STARTED_AT_ONCE = 8


class FakeKeeper:
    """An actor that answers like a tree keeper after a delay, and may die."""

    def __init__(self, latency: float, failures: float, seed: int) -> None:
        self._latency = latency
        self._failures = failures
        self._rng = random.Random(seed)
        self._began = time.monotonic()
        self._moves = [gdl.read_term(f"(move {number} 1)") for number in range(NUM_MOVES)]

    def start(self, order: SearchOrder, position: Position) -> None:
        """Start counting."""
        self._began = time.monotonic()

    def advance(self, positions: list[Position]) -> None:
        """Continue counting."""

    def think(self, number: int, seconds: float) -> Finding:
        """Return the result of a tree after the message's delay and `seconds`."""
        if self._rng.random() < self._failures * seconds:
            os._exit(1)
        time.sleep(self._latency / 2 + seconds)
        rounds = int(RATE * (time.monotonic() - self._began))
        share = rounds // NUM_MOVES
        values = tuple(MoveValue(m, self._rng.uniform(0, 100), share) for m in self._moves)
        result = SearchResult(values[0].move, 50.0, rounds, moves=values)
        # Where a tree has its number of nodes: when this one began.
        effort = Effort(rounds, rounds, int(self._began * 1e6), 9)
        time.sleep(self._latency / 2)
        return Finding(number, result, effort, is_decided=False)


class FakeHelpers(Helpers):
    """Fake keepers in place of other machines."""

    latency = 0.0
    failures = 0.0
    num = 0

    def nodes(self) -> list[str]:
        """Return their names; a replaced actor has the name of the dead one."""
        return [str(number) for number in range(self.num)]

    def keeper_on(self, node: str) -> Any:
        """Return a fake keeper."""
        actor: Any = ray.remote(FakeKeeper)
        options = actor.options(num_cpus=0, max_concurrency=CONCURRENCY)
        return options.remote(self.latency, self.failures, random.randrange(1 << 31))


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the table."""

    machines: int
    latency_ms: float
    failures: float
    thread_percent: float
    merge_ms: float
    age_ms: float
    lost_percent: float
    helping: float


def no_search(game: gdl.Game, state: gdl.State, seed: int) -> Search:
    """Refuse: fake keepers never create a search.

    Raises:
        ValueError: Always.
    """
    raise ValueError("fake keepers cannot create a search")


def thread_seconds() -> float:
    """Return the CPU time of the thread that asks the machines."""
    thread = next(each for each in threading.enumerate() if each.name == "machines")
    stat = Path(f"/proc/self/task/{thread.native_id}/stat").read_text().rpartition(") ")[2].split()
    return (int(stat[11]) + int(stat[12])) / os.sysconf("SC_CLK_TCK")


def measure(num: int, latency: float, failures: float, options: argparse.Namespace) -> Line:
    """Measure one line of the table."""
    FakeHelpers.num, FakeHelpers.latency, FakeHelpers.failures = num, latency / 1e3, failures
    order = SearchOrder(gdl.read_rules(RULES), "", no_search, options.seed)
    machines = Machines(order, Position(0, ()), num, 0, FakeHelpers)
    wanted = num if not failures else num // 2
    end = time.monotonic() + START_SECONDS
    while len(machines.findings) < wanted and time.monotonic() < end:
        machines.go_on(time.monotonic() + 1.0)
        time.sleep(0.1)
    began, spent = time.monotonic(), thread_seconds()
    merge, age, helping = [], [], []
    for _ in range(options.turns):
        machines.move_to(Position(machines.position.number + 1, ()))
        deadline = time.monotonic() + options.seconds
        while time.monotonic() < deadline:
            machines.go_on(deadline)
            time.sleep(0.01)
        findings, start = machines.findings, time.perf_counter()
        merged([each.result for each in findings])
        merge.append(time.perf_counter() - start)
        helping.append(len(findings))
        age += [
            deadline - each.effort.num_nodes / 1e6 - each.effort.num_iterations / RATE
            for each in findings
        ]
    share = (thread_seconds() - spent) / (time.monotonic() - began)
    machines.close()
    time.sleep(3.0)  # until all have gone
    old = statistics.fmean(age)
    return Line(
        *(num, latency, failures, 100 * share, 1e3 * statistics.fmean(merge)),
        *(1e3 * old, 100 * old / options.seconds, statistics.fmean(helping)),
    )


def row(line: Line) -> str:
    """Return a line of the table in Markdown."""
    return (
        f"| {line.machines} | {line.latency_ms:g} ms | {line.failures:g} "
        f"| {line.thread_percent:.1f} % | {line.merge_ms:.2f} ms | {line.age_ms:.0f} ms "
        f"| {line.lost_percent:.1f} % | {line.helping:.1f} |"
    )


def parse() -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--machines", type=int, nargs="+", default=[1, 8, 64])
    add(
        "--latency",
        type=float,
        nargs="+",
        default=[2.0, 20.0, 200.0],
        help="latencies in milliseconds",
    )
    add(
        "--failures",
        type=float,
        nargs="+",
        default=[0.0, 0.05],
        help="failures a second of each machine",
    )
    add("--seconds", type=float, default=1.0, help="seconds of a turn (default 1)")
    add("--turns", type=int, default=10, help="turns for each line (default 10)")
    add("--seed", type=int, default=1)
    add("--json", action="store_true", help="print JSON lines")
    return parser.parse_args()


def main() -> None:
    """Measure and print a table in Markdown."""
    options = parse()
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": NUM_STARTED_AT_ONCE})
    connect(cluster.address)
    if not options.json:
        print("| machines | latency | die/s | thread | merging once | age | lost | taking part |")
        print("|---|---|---|---|---|---|---|---|")
    for case in product(options.machines, options.latency, options.failures):
        line = measure(*case, options)
        print(json.dumps(asdict(line)) if options.json else row(line), flush=True)
    ray.shutdown()
    cluster.shutdown()


if __name__ == "__main__":
    main()
