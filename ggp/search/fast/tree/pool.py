"""The pool: a tree, or rather a graph, of game states in flat arrays.

Nodes and edges are numbers. An edge is a legal move of one role in a node; a node has its edges
role after role, each role's in a row. Where at most one role has a choice, the edge of that role
(the *key edge*) knows the child. Where several have one, a child stands under the pair of the node
and the number of the joint move, in a list of its node and in a hash table.

Equal states of the same phase are one node, so what is learned on one path counts on all of them.

What is looked at together stands together: the arrays of nodes are columns of one table, those of
edges of another, so that a step down the tree touches two or three lines of the cache.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gdl import kernel
from ggp.search.kernels.arrays import NONE, ByteArray, FloatArray, IntArray, LongArray, Words
from ggp.search.kernels.hashing import STEP, mix

# Entries of `Pool.used`.
NODES, EDGES, JOINTS, SEED = range(4)
NOW = 4  # a number that grows with each batch
NODE_HAND, EDGE_HAND, JOINT_HAND = range(5, 8)  # where the search for room goes on
CIRCLES = 8  # whether paths may run in circles
SHARED = 9  # what the goals of two players add up to, see below
UNTRUSTED = 10  # bit r: role r may not think, so nothing is proven by what it would do
NUM_COUNTS = 11

# What `SHARED` is at first, and once they were seen to add up to different sums.
NO_SUM_YET, NO_SUM = -1, -2

# What `Pool.fates` says of a node.
FREE, LIVE, DOOMED = range(3)

GRAIN = 4  # edges that are taken or free together

# What `Pool.kinds` says of a node.
OPEN = 0  # the game goes on
TERMINAL = 1
STUCK = 2  # it is not over, but some role has no legal move: nobody knows what that is worth

# What `Pool.is_closed` says of a node whose future is known.
KNOWN = 1  # what each role gets is known
ASSUMED = 2  # a position in which some role cannot move may follow, and counts as 50

WORST, BEST = 0.0, 100.0

MOST_JOINT_MOVES = 1024  # nodes with more are not looked through

# Of a node but for what depends on the game, the hash table included; of an edge; of a joint move.
_NODE_BYTES = 54
_EDGE_BYTES = 20.25
_PRIOR_BYTES = 4
_JOINT_BYTES = 40

MOST_EDGES = 256  # of a node on average that room is made for


class Pool(NamedTuple):
    """`N` nodes, `E` edges, `J` joint children, `R` roles, `W` words of a state."""

    states: Words  # [N, W]
    phases: NDArray[np.int8]  # [N]
    kinds: NDArray[np.int8]  # [N]
    visits: IntArray  # [N] rounds that went through, those under way included
    stamps: IntArray  # [N] when it was last visited, see `NOW`
    deciders: IntArray  # [N] the only role with a choice; the first role if none has one; NONE
    first_edges: IntArray  # [N, R + 1] where each role's edges begin
    lower: NDArray[np.float32]  # [N, R] proven: the goal is at least this
    upper: NDArray[np.float32]  # [N, R] and at most this
    lengths: NDArray[np.int16]  # [N, R] of a role whose value is proven: plies to the end
    has_news: ByteArray  # [N] whether something may be proven of a child
    is_closed: ByteArray  # [N] KNOWN or ASSUMED if nothing is left to learn, else 0; see `closing`
    plies: IntArray  # [N] moves made when the node was first met
    buckets: IntArray  # [power of two] hash table of nodes, by state
    first_joints: IntArray  # [N] the list of a node's joint children
    known: IntArray  # [N] rounds whose outcome is counted in
    totals: FloatArray  # [N, R] so many times the goals to be expected
    inputs: IntArray  # [E] the move
    counts: IntArray  # [E] how often it was made, rounds under way included
    done: IntArray  # [E] and without them
    values: NDArray[np.float32]  # [E] the goal of the role that is to be expected after it
    children: IntArray  # [E] of key edges
    priors: NDArray[np.float32]  # [E] what moves are worth before they are made; or [1], unknown
    limits: FloatArray  # [MOST_JOINT_MOVES + R, 4] what `prove` works on
    joint_keys: Words  # [J] number of the joint move
    joint_nodes: IntArray  # [J] the node they belong to
    joint_children: IntArray  # [J]
    next_joints: IntArray  # [J] the next one of the same node
    joint_buckets: IntArray  # [power of two] hash table of joint children
    fates: NDArray[np.int8]  # [N]
    taken: NDArray[np.int8]  # [E / GRAIN] which edges belong to a node
    used: LongArray  # [NUM_COUNTS]


def make_pool(
    num_bytes: int,
    num_roles: int,
    num_words: int,
    per_node: tuple[float, float],
    seed: int,
    *,
    has_priors: bool = False,
) -> Pool:
    """An empty pool that takes about so many bytes once it is full.

    Args:
        per_node: Edges and joint children of a node, on average; when either kind of room is
            full, the tree must forget.
        has_priors: Whether moves are worth something before they are made.

    What is zero at first is not touched, so a page of memory is taken when it is first used: to
    write all of a large pool would cost the first turn half a second.
    """
    num_edges_each, num_joints_each = per_node
    node_bytes: float = _NODE_BYTES + 8 * num_words + 20 * num_roles
    edge_bytes = _EDGE_BYTES + (_PRIOR_BYTES if has_priors else 0)
    node_bytes += num_edges_each * edge_bytes + num_joints_each * _JOINT_BYTES
    num_nodes = max(1024, int(num_bytes / node_bytes))
    num_edges = int(num_nodes * num_edges_each) // GRAIN * GRAIN
    num_joints = max(1, int(num_nodes * num_joints_each))
    nodes = np.zeros(num_nodes, _node_type(num_roles))
    edges = np.zeros(
        num_edges, [("values", "f4"), ("done", "i4"), ("counts", "i4"), ("children", "i4")]
    )
    used = np.zeros(NUM_COUNTS, np.int64)
    used[SEED] = seed * 2 + 1
    used[SHARED] = NO_SUM_YET
    return Pool(
        states=np.zeros((num_nodes, num_words), np.uint64),
        **{name: nodes[name] for name in nodes.dtype.fields or ()},
        buckets=np.full(_table_size(num_nodes), NONE, np.int32),
        inputs=np.zeros(num_edges, np.int32),
        **{name: edges[name] for name in edges.dtype.fields or ()},
        priors=np.zeros(num_edges if has_priors else 1, np.float32),
        limits=np.zeros((MOST_JOINT_MOVES + num_roles, 4)),
        joint_keys=np.zeros(num_joints, np.uint64),
        joint_nodes=np.full(num_joints, NONE, np.int32),
        joint_children=np.zeros(num_joints, np.int32),
        next_joints=np.zeros(num_joints, np.int32),
        joint_buckets=np.full(_table_size(num_joints), NONE, np.int32),
        fates=np.zeros(num_nodes, np.int8),
        taken=np.zeros(num_edges // GRAIN, np.int8),
        used=used,
    )


def _node_type(num_roles: int) -> np.dtype[np.void]:
    return np.dtype(
        [
            ("visits", "i4"),
            ("stamps", "i4"),
            ("deciders", "i4"),
            ("first_edges", "i4", (num_roles + 1,)),
            ("lower", "f4", (num_roles,)),
            ("upper", "f4", (num_roles,)),
            ("totals", "f8", (num_roles,)),
            ("known", "i4"),
            ("first_joints", "i4"),
            ("plies", "i4"),
            ("lengths", "i2", (num_roles,)),
            ("phases", "i1"),
            ("kinds", "i1"),
            ("has_news", "u1"),
            ("is_closed", "u1"),
        ],
        align=True,
    )


def _table_size(num: int) -> int:
    return 1 << (num + num // 2).bit_length()


def bytes_in_use(pool: Pool) -> int:
    """Bytes of all nodes, edges and joint children, and of the hash tables, which are never small.

    What the pool has reserved, but not written to yet, takes no memory.
    """
    num_bytes = 0
    for name, array in pool._asdict().items():
        if name.startswith(("joint_", "next_joint")) and name != "joint_buckets":
            num_bytes += array.nbytes // len(array) * int(pool.used[JOINTS])
        elif len(array) == len(pool.states):
            num_bytes += array.nbytes // len(array) * int(pool.used[NODES])
        elif len(array) == len(pool.inputs):
            num_bytes += array.nbytes // len(array) * int(pool.used[EDGES])
        else:
            num_bytes += array.nbytes
    return num_bytes


@kernel
def wide(number: int) -> int:
    """The same number in 64 bits, as those that Python hands over are.

    A kernel is compiled for each type it is called with. `int` leaves a number of an array as
    narrow as it is there.
    """
    return int(np.int64(number))


MOST_LOOKS = 512  # at one request: where there is hardly any room, finding it would take too long


@kernel
def take_node(pool: Pool) -> int:
    """A free node, live from now on; NONE if none was found."""
    size, node = len(pool.fates), int(pool.used[NODE_HAND])
    for _ in range(MOST_LOOKS):
        if node >= size:
            node = 0
        if pool.fates[node] == FREE:
            pool.fates[node] = LIVE
            pool.stamps[node] = pool.used[NOW]
            pool.used[NODE_HAND] = node + 1
            pool.used[NODES] += 1
            return node
        node += 1
    pool.used[NODE_HAND] = node
    return NONE


@kernel
def take_edges(pool: Pool, num: int) -> int:
    """The first of so many free edges in a row, taken from now on; NONE if none were found."""
    if num == 0:
        return 0
    grains = (num + GRAIN - 1) // GRAIN
    size, first = len(pool.taken), int(pool.used[EDGE_HAND])
    for _ in range(MOST_LOOKS):
        if first + grains > size:
            first = 0
        last = first + grains - 1
        while last >= first and pool.taken[last] == 0:
            last -= 1
        if last < first:
            for grain in range(first, first + grains):
                pool.taken[grain] = 1
            pool.used[EDGE_HAND] = first + grains
            pool.used[EDGES] += grains * GRAIN
            return first * GRAIN
        first = last + 1
    pool.used[EDGE_HAND] = first
    return NONE


@kernel
def free_edges(pool: Pool, first: int, num: int) -> None:
    """Give up so many edges in a row, as they were taken."""
    grains = (num + GRAIN - 1) // GRAIN
    for grain in range(first // GRAIN, first // GRAIN + grains):
        pool.taken[grain] = 0
    pool.used[EDGES] -= grains * GRAIN


@kernel
def free_node(pool: Pool, node: int) -> None:
    """Give up a node and its edges; nothing refers to it any more."""
    start = int(pool.first_edges[node, 0])
    free_edges(pool, start, int(pool.first_edges[node, pool.lower.shape[1]]) - start)
    pool.used[NODES] -= 1
    pool.fates[node] = FREE


@kernel
def take_joint(pool: Pool) -> int:
    """A free entry for a joint child; NONE if none was found."""
    size, entry = len(pool.joint_nodes), int(pool.used[JOINT_HAND])
    for _ in range(MOST_LOOKS):
        if entry >= size:
            entry = 0
        if pool.joint_nodes[entry] == NONE:
            pool.used[JOINT_HAND] = entry + 1
            pool.used[JOINTS] += 1
            return entry
        entry += 1
    pool.used[JOINT_HAND] = entry
    return NONE


@kernel
def free_joint(pool: Pool, entry: int) -> None:
    """Give up an entry; it is in no list and no table any more."""
    pool.joint_nodes[entry] = NONE
    pool.used[JOINTS] -= 1


def clear(pool: Pool) -> None:
    """Give up everything."""
    pool.used[[NODES, EDGES, JOINTS, NODE_HAND, EDGE_HAND, JOINT_HAND]] = 0
    pool.fates[:] = FREE
    pool.taken[:] = 0
    pool.joint_nodes[:] = NONE
    pool.buckets[:] = NONE
    pool.joint_buckets[:] = NONE


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
