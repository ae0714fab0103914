"""The thread that asks other machines for their findings, and drops machines that are lost.

All calls to Ray are made in this thread, so that only this thread waits for them.
"""

from __future__ import annotations

import logging
import os
import random
import threading
import time
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, Final

from ggp.cluster.connection import ADDRESS_VARIABLE, AUTO, ClusterError, connect
from ggp.search.core.result import Effort
from ggp.search.distributed.tree_keeper import (
    NO_EFFORT,
    Finding,
    Position,
    SearchOrder,
    TreeKeeper,
    added,
)

_log = logging.getLogger(__name__)

MERGE_SECONDS: Final = 0.2
"""Seconds between two answers of a machine with its latest finding."""
SHORTEST_SECONDS: Final = 0.02
"""The last findings should arrive this many seconds before the player chooses."""
SEEK_SECONDS: Final = 2.0
"""Seconds between two attempts to find machines that could help."""
RECONNECT_SECONDS: Final = 10.0
START_SECONDS: Final = 60.0
"""Maximum number of seconds that a machine may take to start its process."""
LOST_SECONDS: Final = 15.0
"""A machine that has not answered for this many seconds is dropped. It may help again later."""
IDLE_SECONDS: Final = 0.5
"""The other machines pause if the player has not searched for this many seconds."""
WAIT_SECONDS: Final = 0.01
"""Seconds to wait for an answer before everything else is checked again."""
REST_SECONDS: Final = 0.05
"""The same if no answer is pending."""
FETCH_SECONDS: Final = 2.0
"""Maximum number of seconds for fetching an answer that is ready."""
MAX_CHARACTERS: Final = 300
CONCURRENCY: Final = 4
"""Number of calls that a tree keeper handles at once, so that a new position does not have to wait
for a pending answer."""


@dataclass(slots=True)
class _Helper:
    actor: Any  # a Ray handle of its tree keeper
    asked: float  # time of the last question, on the monotonic clock
    question: Any  # a Ray reference to the pending answer; None if no question is pending
    wanted: float = 0.0  # seconds to search before the answer; 0 while the machine starts
    delay: float = 0.0  # how many seconds later than wanted its answers arrive, on average
    sent: int = -1  # number of the last position sent to it
    finding: Finding | None = None  # its newest finding


@dataclass(slots=True)
class Wishes:
    """The state that `Helpers.run`, in its thread, shares with `Machines`.

    Each field is written by only one of the two.
    """

    order: SearchOrder
    num_wanted: int
    num_cpus: int
    positions: tuple[Position, ...]
    """The last positions of the match, with the current one at the end."""
    is_over: bool = False
    searched: float = 0.0
    """When the player last searched, on the monotonic clock."""
    deadline: float = 0.0
    """When the player will choose its move, on the monotonic clock."""
    findings: tuple[Finding, ...] = ()
    """The newest finding of each machine, about any position."""
    lost: Effort = NO_EFFORT
    """Work of machines that have left the search."""
    problem: str = ""
    changed: threading.Event = field(default_factory=threading.Event)


class Helpers:
    """The other machines that help with the search. Each is a node of the Ray cluster.

    `benchmarks/cluster_width.py` replaces this class by one whose machines only pretend to search.
    """

    def __init__(self, wishes: Wishes) -> None:
        self._wishes = wishes
        self._helpers: dict[str, _Helper] = {}
        self._avoided: dict[str, float] = {}
        """Nodes that failed, each with the time before which it is not asked again."""
        self._next_look = 0.0
        self._has_connected = False
        self._rng = random.Random(wishes.order.seed)

    def run(self) -> None:
        """Keep machines searching until the search is over, and recover from all errors."""
        while not self._wishes.is_over:
            try:
                self._connect()
                while not self._wishes.is_over:
                    self._round()
            except ClusterError as error:
                self._report(str(error))
            # Ray raises many kinds of errors. The player continues alone, and this thread tries
            # again.
            except Exception as error:  # noqa: BLE001
                self._report(f"{type(error).__name__}: {error}")
            self._let_go()
            if not self._wishes.is_over:
                self._wishes.changed.clear()
                self._wishes.changed.wait(RECONNECT_SECONDS)

    def _connect(self) -> None:
        import ray

        if not ray.is_initialized():
            connect(os.environ.get(ADDRESS_VARIABLE, AUTO))
            self._has_connected = True
        self._wishes.problem = ""

    def _let_go(self) -> None:
        """Release all machines. If the search goes on, leave the cluster that `_connect` joined."""
        import ray

        for node in list(self._helpers):
            self._drop(node)
        if self._has_connected and not self._wishes.is_over:
            self._has_connected = False
            with suppress(Exception):
                ray.shutdown()

    def _round(self) -> None:
        wishes = self._wishes
        now = time.monotonic()
        if now >= self._next_look:
            self._next_look = now + SEEK_SECONDS
            self._seek()
        self._send_position()
        is_idle = now - wishes.searched > IDLE_SECONDS
        for node, helper in list(self._helpers.items()):
            if helper.question is None and not is_idle:
                self._ask(helper)
            elif helper.question is not None and now - helper.asked > _patience(helper):
                self._drop(node, "it does not answer")
        self._collect()
        wishes.findings = tuple(
            each.finding for each in self._helpers.values() if each.finding is not None
        )

    def _seek(self) -> None:
        missing = self._wishes.num_wanted - len(self._helpers)
        if missing <= 0:
            return
        now = time.monotonic()
        free = [
            node
            for node in self.nodes()
            if node not in self._helpers and self._avoided.get(node, 0.0) <= now
        ]
        for node in free[:missing]:
            actor, position = self.keeper_on(node), self._wishes.positions[-1]
            order = replace(self._wishes.order, seed=self._rng.randrange(1 << 31))
            started = actor.start.remote(order, position)
            self._helpers[node] = _Helper(actor, now, started, sent=position.number)

    def nodes(self) -> list[str]:
        """Return the nodes of other machines that have enough cores."""
        import ray

        own = ray.get_runtime_context().get_node_id()
        return [
            node["NodeID"]
            for node in ray.nodes()
            if node["Alive"]
            and node["NodeID"] != own
            and node["Resources"].get("CPU", 0) >= self._wishes.num_cpus
        ]

    def keeper_on(self, node: str) -> Any:  # a Ray handle
        """Start a tree keeper on a machine."""
        import ray
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        keeper: Any = ray.remote(TreeKeeper)  # an actor class; Ray creates its methods
        where = NodeAffinitySchedulingStrategy(node, soft=False)
        return keeper.options(
            num_cpus=self._wishes.num_cpus, max_concurrency=CONCURRENCY, scheduling_strategy=where
        ).remote()

    def _send_position(self) -> None:
        positions = self._wishes.positions
        for helper in self._helpers.values():
            # Send all new positions in order, so that the machine's tree can follow.
            if new := [each for each in positions if each.number > helper.sent]:
                helper.actor.advance.remote(new)
                helper.sent = new[-1].number

    def _ask(self, helper: _Helper) -> None:
        """Ask a machine for its finding, in `MERGE_SECONDS` or in time for the player's choice."""
        now = time.monotonic()
        until = self._wishes.deadline - now - helper.delay - SHORTEST_SECONDS
        wanted = MERGE_SECONDS
        if SHORTEST_SECONDS < until < 2 * MERGE_SECONDS:
            wanted = until if until <= MERGE_SECONDS else until / 2
        helper.asked, helper.wanted = now, wanted
        helper.question = helper.actor.think.remote(self._wishes.positions[-1].number, wanted)

    def _collect(self) -> None:
        import ray

        asked = {
            each.question: node for node, each in self._helpers.items() if each.question is not None
        }
        if not asked:
            self._wishes.changed.wait(REST_SECONDS)
            self._wishes.changed.clear()
            return
        done, _ = ray.wait(list(asked), num_returns=1, timeout=WAIT_SECONDS)
        if done and len(asked) > 1:
            done, _ = ray.wait(list(asked), num_returns=len(asked), timeout=0)
        for question in done:
            self._take(asked[question], question)

    def _take(self, node: str, question: Any) -> None:  # a Ray reference
        import ray
        from ray.exceptions import RayError

        helper = self._helpers[node]
        try:
            finding = ray.get(question, timeout=FETCH_SECONDS)
        except RayError as error:
            self._drop(node, str(error).strip().rpartition("\n")[2])
            return
        helper.question = None
        took = time.monotonic() - helper.asked - helper.wanted
        helper.delay += (max(0.0, took) - helper.delay) / 4 if helper.wanted else 0.0
        if finding is not None:
            helper.finding = finding

    def _drop(self, node: str, why: str = "") -> None:
        import ray

        helper = self._helpers.pop(node)
        if helper.finding is not None:
            self._wishes.lost = added(self._wishes.lost, helper.finding.effort)
        self._avoided[node] = time.monotonic() + SEEK_SECONDS
        if why:
            self._report(f"a machine was lost: {why}")
        with suppress(Exception):  # its machine or the cluster may be gone
            ray.kill(helper.actor)

    def _report(self, problem: str) -> None:
        """Log a problem, unless it is the same as the last one."""
        problem = problem[:MAX_CHARACTERS]
        if problem != self._wishes.problem:
            self._wishes.problem = problem
            _log.warning("%s; this machine continues to search", problem)


def _patience(helper: _Helper) -> float:
    return LOST_SECONDS if helper.wanted else START_SECONDS
