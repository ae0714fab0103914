"""Finding nodes by their state, and joint children by their node and move."""

from __future__ import annotations

import numpy as np

from gdl import kernel
from ggp.search.fast.tree.pool import Pool, take_joint
from ggp.search.kernels.arrays import NONE, Words
from ggp.search.kernels.hashing import STEP, mix


@kernel
def hash_of_state(state: Words, phase: int) -> np.uint64:
    """A number that equal states of a phase have in common."""
    result = np.uint64(phase)
    for word in state:
        result = mix(result ^ word) + STEP
    return mix(result)


@kernel
def find_node(pool: Pool, state: Words, phase: int) -> tuple[int, int]:
    """The node of a state, or NONE; and the bucket where it is or belongs."""
    buckets = pool.buckets
    mask = np.uint64(len(buckets) - 1)
    place = hash_of_state(state, phase) & mask
    while buckets[place] != NONE:
        node = int(buckets[place])
        if pool.phases[node] == phase and _equal(pool.states[node], state):
            return node, int(place)
        place = (place + np.uint64(1)) & mask
    return NONE, int(place)


@kernel
def copy_words(source: Words, target: Words) -> None:
    """Copy a packed state; to assign a slice would make a temporary array."""
    for i in range(len(source)):
        target[i] = source[i]


@kernel
def _equal(one: Words, other: Words) -> bool:
    differing = np.uint64(0)
    for i in range(len(one)):
        differing |= one[i] ^ other[i]
    return bool(differing == np.uint64(0))


@kernel
def hash_of_joint(node: int, key: np.uint64) -> np.uint64:
    """The number by which a joint move of a node is found."""
    return mix(mix(np.uint64(node) + np.uint64(1)) ^ key)


@kernel
def joint_bucket(pool: Pool, node: int, key: np.uint64) -> int:
    """The place where the entry of a joint move is, or belongs."""
    buckets = pool.joint_buckets
    mask = np.uint64(len(buckets) - 1)
    place = hash_of_joint(node, key) & mask
    while buckets[place] != NONE:
        entry = int(buckets[place])
        if pool.joint_nodes[entry] == node and pool.joint_keys[entry] == key:
            break
        place = (place + np.uint64(1)) & mask
    return int(place)


@kernel
def find_joint(pool: Pool, node: int, key: np.uint64) -> int:
    """The entry of a joint move; NONE if there is none."""
    return int(pool.joint_buckets[joint_bucket(pool, node, key)])


@kernel
def add_joint(pool: Pool, node: int, key: np.uint64, child: int) -> bool:
    """Note the child of a joint move; False if there is no room."""
    entry = take_joint(pool)
    if entry == NONE:
        return False
    pool.joint_buckets[joint_bucket(pool, node, key)] = entry
    pool.joint_keys[entry] = key
    pool.joint_nodes[entry] = node
    pool.joint_children[entry] = child
    pool.next_joints[entry] = pool.first_joints[node]
    pool.first_joints[node] = entry
    return True


@kernel
def remove_node(pool: Pool, node: int) -> None:
    """Let a node be found by its state no more."""
    buckets = pool.buckets
    mask = np.uint64(len(buckets) - 1)
    hole = hash_of_state(pool.states[node], int(pool.phases[node])) & mask
    while buckets[hole] != node:
        hole = (hole + np.uint64(1)) & mask
    place = (hole + np.uint64(1)) & mask
    # Those behind it move up, unless they stand at or before their own place then.
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
    """Let the entry of a joint move be found no more."""
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
