"""Recycling: when the pool fills up, drop the least recently visited nodes.

After its last visit, a node is kept for four times as long as all its visits took. So a line with
most of the visits is not lost if the search tries another one for a while. In a tree, a node's last
visit is never later than its parent's, and the node never has more visits. So the search drops the
ends of lines that it has abandoned, and the alternatives to moves that were made. It drops a few
thousand nodes after each batch, in four stages:

1. Keep: find children that prove something about recently visited nodes, and keep them as well.
   They have no recent visits themselves, because proven nodes are not visited.
2. Retire: make all other old nodes impossible to find by their states, so that no new links lead to
   them.
3. Part: remove the links from kept nodes to retired children.
4. Release: reuse the memory of retired nodes, because nothing leads to them any more.

Until the last stage, retired nodes work like all others. Nodes are never moved or renumbered.

See Powley, Cowling and Whitehouse, Memory Bounded Monte Carlo Tree Search, 2017.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from gdl import kernel
from ggp.search.fast.tree.nodes import (
    EDGES,
    JOINTS,
    LIVE,
    NODES,
    RETIRED,
    Pool,
    free_joint,
    free_node,
    hash_of_joint,
    hash_of_state,
)
from ggp.search.fast.tree.prove import is_proven_about
from ggp.search.kernels.arrays import NONE

BEGIN, URGENT = 0.7, 0.95  # fill levels at which a sweep begins, and at which it is urgent
SHARE = 0.25  # share of the time, unless a sweep is urgent
CHUNK = 1024  # nodes handled at once
SAMPLE = 4096  # nodes from which the cutoff is estimated
LOOKS_A_STAMP = 32  # visits per unit of stamps, which count batches of 128 visits each

IDLE, KEEP_PROVEN, RETIRE, PART, RELEASE = range(5)


class Recycler:
    """A recycler that gradually frees about half of a pool whenever it fills up."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._stage = IDLE
        self._next = self._cutoff = 0

    def work(self, seconds: float, drop_paths: Callable[[], None]) -> None:
        """Sweep for a while, if the pool is filling up.

        Args:
            seconds: CPU time of this thread that the last batch took.
            drop_paths: Drops iterations in progress, because they may pass through retired nodes.
        """
        fill = self._fill()
        if self._stage == IDLE:
            if fill < BEGIN:
                return
            self._begin()
        end = time.thread_time() + seconds * (1.0 if fill > URGENT else SHARE)
        self._chunk(drop_paths)
        while self._stage != IDLE and time.thread_time() < end:
            self._chunk(drop_paths)

    def sweep(self, drop_paths: Callable[[], None]) -> None:
        """Run one complete sweep, no matter how full the pool is."""
        if self._stage == IDLE:
            self._begin()
        while self._stage != IDLE:
            self._chunk(drop_paths)

    def stop(self) -> None:
        """Cancel a sweep, because the pool was cleared."""
        self._stage = IDLE

    def _fill(self) -> float:
        pool = self._pool
        return float(
            max(
                pool.used[NODES] / len(pool.states),
                pool.used[EDGES] / len(pool.inputs),
                pool.used[JOINTS] / len(pool.joint_keys),
            )
        )

    def _begin(self) -> None:
        pool = self._pool
        sample = slice(None, None, max(1, len(pool.fates) // SAMPLE))
        until = pool.stamps[sample] + pool.visits[sample] // LOOKS_A_STAMP
        self._cutoff = int(np.median(until[pool.fates[sample] == LIVE]))
        self._stage, self._next = KEEP_PROVEN, 0

    def _chunk(self, drop_paths: Callable[[], None]) -> None:
        pool, first = self._pool, self._next
        last = self._next = min(first + CHUNK, len(pool.fates))
        if self._stage == KEEP_PROVEN:
            keep_proven(pool, first, last, self._cutoff)
        elif self._stage == RETIRE:
            retire(pool, first, last, self._cutoff)
        elif self._stage == PART:
            part(pool, first, last)
        else:
            if first == 0:
                drop_paths()
            release(pool, first, last)
        if last == len(pool.fates):
            self._next = 0
            self._stage = IDLE if self._stage == RELEASE else self._stage + 1


@kernel
def _stays_until(pool: Pool, node: int) -> int:
    return int(pool.stamps[node]) + int(pool.visits[node]) // LOOKS_A_STAMP


@kernel
def keep_proven(pool: Pool, first: int, last: int, cutoff: int) -> None:
    """Keep children that prove something about recently visited nodes."""
    for node in range(first, last):
        # Only for nodes that are recent themselves. Otherwise nodes kept for their proofs would
        # keep their children as well.
        if pool.fates[node] != LIVE or _stays_until(pool, node) <= cutoff:
            continue
        decider = int(pool.deciders[node])
        if decider != NONE:
            start, end = pool.first_edges[node, decider], pool.first_edges[node, decider + 1]
            for edge in range(start, end):
                _spare(pool, int(pool.children[edge]), cutoff)
        else:
            entry = int(pool.first_joints[node])
            while entry != NONE:
                _spare(pool, int(pool.joint_children[entry]), cutoff)
                entry = int(pool.next_joints[entry])


@kernel
def _spare(pool: Pool, child: int, cutoff: int) -> None:
    if child != NONE and _stays_until(pool, child) < cutoff and is_proven_about(pool, child):
        pool.stamps[child] = cutoff


@kernel
def retire(pool: Pool, first: int, last: int, cutoff: int) -> None:
    """Retire old nodes, so that they cannot be found by their states."""
    for node in range(first, last):
        if pool.fates[node] == LIVE and _stays_until(pool, node) < cutoff:
            remove_node(pool, node)
            pool.fates[node] = RETIRED


@kernel
def part(pool: Pool, first: int, last: int) -> None:
    """Remove the links from kept nodes to retired children."""
    for node in range(first, last):
        if pool.fates[node] != LIVE:
            continue
        decider = int(pool.deciders[node])
        if decider != NONE:
            _forget_children(pool, node, decider)
        else:
            _forget_joints(pool, node, False)


@kernel
def _forget_children(pool: Pool, node: int, decider: int) -> None:
    for edge in range(pool.first_edges[node, decider], pool.first_edges[node, decider + 1]):
        child = pool.children[edge]
        if child != NONE and pool.fates[child] == RETIRED:
            pool.children[edge] = NONE


@kernel
def _forget_joints(pool: Pool, node: int, is_all: bool) -> None:
    entry, before = int(pool.first_joints[node]), NONE
    while entry != NONE:
        following = int(pool.next_joints[entry])
        if is_all or pool.fates[pool.joint_children[entry]] == RETIRED:
            remove_joint(pool, entry)
            free_joint(pool, entry)
            if before == NONE:
                pool.first_joints[node] = following
            else:
                pool.next_joints[before] = following
        else:
            before = entry
        entry = following


@kernel
def release(pool: Pool, first: int, last: int) -> None:
    """Free the retired nodes."""
    for node in range(first, last):
        if pool.fates[node] == RETIRED:
            _forget_joints(pool, node, True)
            free_node(pool, node)


@kernel
def remove_node(pool: Pool, node: int) -> None:
    """Remove a node from the hash table of states."""
    buckets = pool.buckets
    mask = np.uint64(len(buckets) - 1)
    hole = hash_of_state(pool.states[node], int(pool.phases[node])) & mask
    while buckets[hole] != node:
        hole = (hole + np.uint64(1)) & mask
    place = (hole + np.uint64(1)) & mask
    # Move later entries up, unless that would put them before their home position.
    while buckets[place] != NONE:
        other = int(buckets[place])
        home = hash_of_state(pool.states[other], int(pool.phases[other])) & mask
        if (place - home) & mask >= (place - hole) & mask:
            buckets[hole] = other
            hole = place
        place = (place + np.uint64(1)) & mask
    buckets[hole] = NONE


@kernel
def remove_joint(pool: Pool, entry: int) -> None:
    """Remove an entry from the hash table of joint moves."""
    buckets = pool.joint_buckets
    mask = np.uint64(len(buckets) - 1)
    hole = hash_of_joint(int(pool.joint_nodes[entry]), pool.joint_keys[entry]) & mask
    while buckets[hole] != entry:
        hole = (hole + np.uint64(1)) & mask
    place = (hole + np.uint64(1)) & mask
    while buckets[place] != NONE:
        other = int(buckets[place])
        home = hash_of_joint(int(pool.joint_nodes[other]), pool.joint_keys[other]) & mask
        if (place - home) & mask >= (place - hole) & mask:
            buckets[hole] = other
            hole = place
        place = (place + np.uint64(1)) & mask
    buckets[hole] = NONE
