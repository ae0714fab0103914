"""The pool: a tree (in fact, a graph) of game states in flat arrays.

Nodes and edges are numbers. An edge is a legal move of one role in a node. The edges of a node are
consecutive, role by role. If at most one role has a choice, the edge of that role (the *key edge*)
stores the child. If several roles have a choice, the key of a child is the node and the number of
the joint move. The child is then in a linked list of its node and in a hash table.

Equal states of the same phase share a node, so what is learned on one path counts on all paths.

Data that is used together is stored together. The arrays of nodes are columns of one table, and the
arrays of edges are columns of another, so that a step down the tree touches two or three cache
lines.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gdl import kernel
from ggp.search.kernels.arrays import NONE, ByteArray, FloatArray, IntArray, LongArray, Words
from ggp.search.kernels.hashing import STEP, mix

# Indices of `Pool.used`
NODES, EDGES, JOINTS, SEED = range(4)
NOW = 4  # the time: a number that grows with each batch
NODE_HAND, EDGE_HAND, JOINT_HAND = range(5, 8)  # where to continue looking for free entries
CIRCLES = 8  # whether paths may contain cycles
SHARED = 9  # the fixed sum of the goals of two players, `NO_SUM_YET` or `NO_SUM`
UNTRUSTED = 10  # bit r: role r may not think, so its choices prove nothing
NUM_COUNTS = 11

# Values of `Pool.used[SHARED]`: no sum is known yet; different sums were seen.
NO_SUM_YET, NO_SUM = -1, -2

# Values of `Pool.fates`.
FREE, LIVE, RETIRED = range(3)

GRAIN = 4  # edges that are allocated together

# Values of `Pool.kinds`.
OPEN = 0  # the game is not over
TERMINAL = 1
STUCK = 2  # the game is not over, but some role has no legal move, so the value is unknown

# Values of `Pool.is_closed` for closed nodes.
KNOWN = 1  # what each role gets is known
ASSUMED = 2  # a state in which some role cannot move may follow, and counts as 50

WORST, BEST = 0.0, 100.0

MAX_JOINT_MOVES = 1024  # joint moves of nodes with more than this are not enumerated

# Bytes of a node (including its share of the hash table but not what depends on the game), of an
# edge, of a prior, and of a joint move
_NODE_BYTES = 54
_EDGE_BYTES = 20.25
_PRIOR_BYTES = 4
_JOINT_BYTES = 40

MAX_EDGES = 256  # maximum average number of edges per node for which memory is reserved


class Pool(NamedTuple):
    """Arrays of `N` nodes, `E` edges and `J` joint children. There are `R` roles and `W` words."""

    states: Words  # [N, W]
    phases: NDArray[np.int8]  # [N]
    kinds: NDArray[np.int8]  # [N]
    visits: IntArray  # [N] iterations that passed through, including those in progress
    stamps: IntArray  # [N] time of the last visit, see `NOW`
    deciders: IntArray  # [N] the only role with a choice; the first if no role has one; else NONE
    first_edges: IntArray  # [N, R + 1] where each role's edges begin
    lower: NDArray[np.float32]  # [N, R] proven: the goal is at least this
    upper: NDArray[np.float32]  # [N, R] proven: the goal is at most this
    lengths: NDArray[np.int16]  # [N, R] plies to the end, if the role's value is proven
    has_news: ByteArray  # [N] whether something new may be proven about a child
    is_closed: ByteArray  # [N] KNOWN or ASSUMED if nothing is left to search, else 0; see `closing`
    plies: IntArray  # [N] plies from the start of the search, on the first path that was found
    buckets: IntArray  # [power of two] hash table of nodes, by state
    first_joints: IntArray  # [N] the list of a node's joint children
    known: IntArray  # [N] iterations whose outcome is counted
    totals: FloatArray  # [N, R] the expected goals, times `known`
    inputs: IntArray  # [E] the move
    counts: IntArray  # [E] how often it was made, including iterations in progress
    done: IntArray  # [E] how often it was made, without iterations in progress
    values: NDArray[np.float32]  # [E] the expected goal of the role after it
    children: IntArray  # [E] the child, for key edges
    priors: NDArray[np.float32]  # [E] values of moves before they are made; [1] if there are none
    advantages: NDArray[np.float32]  # [E] or [1], see `MoveHistory.write_advantages`
    limits: FloatArray  # [MAX_JOINT_MOVES + R, 4] working memory of `prove`
    joint_keys: Words  # [J] number of the joint move
    joint_nodes: IntArray  # [J] the node they belong to
    joint_children: IntArray  # [J]
    next_joints: IntArray  # [J] the next one of the same node
    joint_buckets: IntArray  # [power of two] hash table of joint children
    fates: NDArray[np.int8]  # [N] FREE, LIVE or RETIRED
    taken: NDArray[np.int8]  # [E / GRAIN] which edges belong to a node
    used: LongArray  # [NUM_COUNTS]


class PoolSizes(NamedTuple):
    """The sizes of the nodes of a pool.

    When the space for edges or joint children is full, the search must drop nodes.
    """

    num_roles: int
    num_words: int  # of a packed state
    edges: float  # of a node on average
    joints: float  # joint children of a node on average


def make_pool(
    num_bytes: int,
    sizes: PoolSizes,
    seed: int,
    *,
    has_priors: bool = False,
    has_advantages: bool = False,
) -> Pool:
    """Create an empty pool that takes about `num_bytes` bytes when it is full.

    Args:
        has_priors: Whether moves have values (priors) before they are made.
        has_advantages: Whether moves have advantages over the other moves of their node.

    Arrays of zeros are not written to, so that the system allocates their memory on first use.
    Writing to all of a large pool would cost half a second of the first turn.
    """
    num_roles, num_words, num_edges_each, num_joints_each = sizes
    node_bytes: float = _NODE_BYTES + 8 * num_words + 20 * num_roles
    edge_bytes = _EDGE_BYTES + (_PRIOR_BYTES * (has_priors + has_advantages))
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
        advantages=np.zeros(num_edges if has_advantages else 1, np.float32),
        limits=np.zeros((MAX_JOINT_MOVES + num_roles, 4)),
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
    """Return the bytes of all nodes, edges and joint children in use, and of the hash tables.

    Memory that the pool has reserved but not written to does not count.
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
    """Widen a number to 64 bits, like numbers that come from Python.

    A kernel is compiled once for each combination of argument types, and `int` keeps the narrow
    type of an array's numbers.
    """
    return int(np.int64(number))


MAX_LOOKS = 512  # maximum number of entries checked per request, because a full pool takes too long


@kernel
def take_node(pool: Pool) -> int:
    """Allocate a node and return it. Return NONE if no free node was found."""
    size, node = len(pool.fates), int(pool.used[NODE_HAND])
    for _ in range(MAX_LOOKS):
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
    """Allocate `num` consecutive edges and return the first, or NONE if there is no such gap."""
    if num == 0:
        return 0
    grains = (num + GRAIN - 1) // GRAIN
    size, first = len(pool.taken), int(pool.used[EDGE_HAND])
    for _ in range(MAX_LOOKS):
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
    """Free `num` consecutive edges that were allocated together."""
    grains = (num + GRAIN - 1) // GRAIN
    for grain in range(first // GRAIN, first // GRAIN + grains):
        pool.taken[grain] = 0
    pool.used[EDGES] -= grains * GRAIN


@kernel
def free_node(pool: Pool, node: int) -> None:
    """Free a node and its edges. Nothing may refer to the node any more."""
    start = int(pool.first_edges[node, 0])
    free_edges(pool, start, int(pool.first_edges[node, pool.lower.shape[1]]) - start)
    pool.used[NODES] -= 1
    pool.fates[node] = FREE


@kernel
def take_joint(pool: Pool) -> int:
    """Allocate an entry for a joint child and return it. Return NONE if no free entry was found."""
    size, entry = len(pool.joint_nodes), int(pool.used[JOINT_HAND])
    for _ in range(MAX_LOOKS):
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
    """Free the entry of a joint child. It must not be in any list or table any more."""
    pool.joint_nodes[entry] = NONE
    pool.used[JOINTS] -= 1


def clear(pool: Pool) -> None:
    """Free all nodes, edges and joint children."""
    pool.used[[NODES, EDGES, JOINTS, NODE_HAND, EDGE_HAND, JOINT_HAND]] = 0
    pool.fates[:] = FREE
    pool.taken[:] = 0
    pool.joint_nodes[:] = NONE
    pool.buckets[:] = NONE
    pool.joint_buckets[:] = NONE


@kernel
def hash_of_state(state: Words, phase: int) -> np.uint64:
    """Return a hash of a state and its phase."""
    result = np.uint64(phase)
    for word in state:
        result = mix(result ^ word) + STEP
    return mix(result)


@kernel
def find_node(pool: Pool, state: Words, phase: int) -> tuple[int, int]:
    """Return the node of a state, or NONE, and the bucket where the node is or belongs."""
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
    """Copy a packed state. Assigning a slice would create a temporary array."""
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
    """Return a hash of a node and one of its joint moves."""
    return mix(mix(np.uint64(node) + np.uint64(1)) ^ key)


@kernel
def joint_bucket(pool: Pool, node: int, key: np.uint64) -> int:
    """Return the bucket where the entry of a joint move is or belongs."""
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
    """Return the entry of a joint move; NONE if there is none."""
    return int(pool.joint_buckets[joint_bucket(pool, node, key)])


@kernel
def add_joint(pool: Pool, node: int, key: np.uint64, child: int) -> bool:
    """Store the child of a joint move. Return False if the pool is full."""
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
