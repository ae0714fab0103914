"""The store: states of a puzzle in flat arrays, each with the path that led to it.

Equal states share a node. A mask says which bases are compared.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gdl import kernel
from ggp.search.kernels.arrays import NONE, ByteArray, IntArray, LongArray, Words
from ggp.search.kernels.hashing import STEP, mix

# Entries of `Store.counters`.
NODES, SEEN, PERIOD = range(3)

# Entries of `Ends.counters`: what is known about the best end so far.
GOAL, PLIES, LAST, MOVE = range(4)

_BYTES_PER_NODE = 4 + 4 + 4 + 4 + 8  # without the state: path, depth, links, hash table
_TABLE_PER_NODE = 2


class Store(NamedTuple):
    """The states found so far: `N` nodes, `W` words of a state."""

    states: Words  # [N, W]
    parents: IntArray  # [N] NONE for the first node
    moves: IntArray  # [N] the input that led here from the parent
    depths: IntArray  # [N] moves from the first node
    following: IntArray  # [N] next nodes, for searches that keep lists
    table: IntArray  # [power of two] hash table: node + 1, or 0 if empty
    mask: Words  # [W] the bits that distinguish states
    counters: LongArray  # nodes in use, states seen, phases of the game


def make_store(num_bytes: int, mask: Words, num_phases: int) -> Store:
    """Create an empty store that takes about `num_bytes` bytes when full, and few before that.

    It can hold at least a thousand states. States in different phases are different states.
    """
    per_node = _BYTES_PER_NODE + 8 * len(mask)
    num_nodes = min(max(1024, num_bytes // per_node), (1 << 30) - 1)
    # Between a quarter and half of the places stay free. Untouched memory costs nothing.
    table_size = 1 << (_TABLE_PER_NODE * num_nodes - 1).bit_length() - 1
    num_nodes = min(num_nodes, 3 * table_size // 4)
    return Store(
        states=np.empty((num_nodes, len(mask)), np.uint64),
        parents=np.empty(num_nodes, np.int32),
        moves=np.empty(num_nodes, np.int32),
        depths=np.empty(num_nodes, np.int32),
        following=np.empty(num_nodes, np.int32),
        table=np.zeros(table_size, np.int32),
        mask=mask,
        counters=np.array([0, 0, num_phases], np.int64),
    )


class Ends(NamedTuple):
    """The best end found so far: the one with the highest goal, and then with the fewest moves."""

    counters: LongArray  # its goal or NONE, its moves, the node before it, the last move


def no_end() -> Ends:
    """Create `Ends` without an end."""
    return Ends(np.full(4, NONE, np.int64))


class Made(NamedTuple):
    """The children of a batch of pairs, see `gdl.Expander`. There are `L` rows and `R` = 1 role."""

    children: Words  # [L, W]
    is_terminal: ByteArray  # [L]
    goals: NDArray[np.int16]  # [L, R] goals of terminal states
    legal_starts: IntArray  # [L * R + 1] where the legal moves of each child begin
    choices: IntArray  # [L] written: how many moves each new node has


class Pairs(NamedTuple):
    """`K` moves to make, each with its node. There is room for all moves of a batch."""

    nodes: IntArray  # [K]
    moves: IntArray  # [K]


# Kernels do not assign slices, because numba takes seconds to compile that.


@kernel
def _copy(states: Words, row: int, others: Words, other_row: int) -> None:
    for word in range(states.shape[1]):
        states[row, word] = others[other_row, word]


@kernel
def first_place(store: Store, states: Words, row: int, depth: int) -> int:
    """Return the first index of the hash table where a state after `depth` moves may be."""
    number = np.uint64(depth % store.counters[PERIOD])
    for word in range(len(store.mask)):
        number = mix(number ^ (states[row, word] & store.mask[word]))
        number += STEP
    return int(mix(number) & np.uint64(len(store.table) - 1))


@kernel
def place_of(store: Store, states: Words, row: int, depth: int, place: int) -> int:
    """Return the index of the hash table where a state after `depth` moves is or belongs.

    Begin to look at `place`, the result of `first_place`.
    """
    table, bits, period = store.table, store.mask, store.counters[PERIOD]
    while table[place] != 0:
        known = table[place] - 1
        differing = np.uint64(0)
        for word in range(len(bits)):
            differing |= (store.states[known, word] ^ states[row, word]) & bits[word]
        if differing == np.uint64(0) and store.depths[known] % period == depth % period:
            break
        place = place + 1 if place + 1 < len(table) else 0
    return place


@kernel
def _plant(store: Store, states: Words) -> None:
    _copy(store.states, 0, states, 0)
    store.parents[0] = store.moves[0] = NONE
    store.depths[0] = 0
    store.table[first_place(store, states, 0, 0)] = 1
    store.counters[NODES] = 1


def plant(store: Store, state: Words) -> None:
    """Put the first state into an empty store, as node 0."""
    _plant(store, state[np.newaxis])


@kernel
def list_pairs(pairs: Pairs, nodes: IntArray, num: int, starts: IntArray, legal: IntArray) -> int:
    """List all legal moves of the first `num` nodes, and return how many there are."""
    end = 0
    for leaf in range(num):
        for index in range(starts[leaf], starts[leaf + 1]):
            pairs.nodes[end] = nodes[leaf]
            pairs.moves[end] = legal[index]
            end += 1
    return end


@kernel
def load_states(store: Store, nodes: IntArray, num: int, states: Words) -> None:
    """Copy the states of the first `num` nodes to `states`."""
    for leaf in range(num):
        _copy(states, leaf, store.states, nodes[leaf])


@kernel
def load_parents(
    store: Store, pairs: Pairs, first: int, num: int, parents: Words, moves: IntArray
) -> None:
    """Copy the states and moves of `num` pairs from `first` on to `parents` and `moves`."""
    for row in range(num):
        _copy(parents, row, store.states, pairs.nodes[first + row])
        moves[row, 0] = pairs.moves[first + row]


@kernel
def note_end(store: Store, ends: Ends, node: int, move: int, goal: int) -> None:
    """Record that the game ends after a move. Keep this end if it is the best so far."""
    counters, plies = ends.counters, store.depths[node] + 1
    if goal > counters[GOAL] or (goal == counters[GOAL] and plies < counters[PLIES]):
        counters[GOAL], counters[PLIES], counters[LAST], counters[MOVE] = goal, plies, node, move


@kernel
def add_children(
    store: Store, ends: Ends, pairs: Pairs, first: int, made: Made, added: IntArray
) -> int:
    """Add the children of `len(added)` pairs from `first` on. Return how many nodes are new.

    The store must have room for them. A known state keeps its node, with the shorter of both paths.
    Paths never contain cycles, because a node is always closer to the first one than its children.

    Args:
        added: Written: the new nodes.
    """
    num, num_added = len(added), 0
    children = made.children
    # The table is not in the CPU cache. Reading all entries at once takes hardly longer than
    # reading one.
    seen = 0
    for row in range(num):
        added[row] = first_place(
            store, children, row, int(store.depths[pairs.nodes[first + row]]) + 1
        )
        seen += store.table[added[row]]
    for row in range(num):
        node, move = int(pairs.nodes[first + row]), int(pairs.moves[first + row])
        if made.is_terminal[row]:
            note_end(store, ends, node, move, int(made.goals[row, 0]))
            continue
        depth = int(store.depths[node]) + 1
        place = place_of(store, children, row, depth, int(added[row]))
        known = int(store.table[place]) - 1
        if known == NONE:
            child = int(store.counters[NODES])
            store.table[place] = child + 1
            store.counters[NODES] = child + 1
            added[num_added] = child
            made.choices[num_added] = made.legal_starts[row + 1] - made.legal_starts[row]
            num_added += 1
        elif store.depths[known] > depth:
            child = known
        else:
            continue
        _copy(store.states, child, children, row)  # bits outside the mask may differ
        store.parents[child] = node
        store.moves[child] = move
        store.depths[child] = depth
    store.counters[SEEN] += num if seen >= 0 else 0
    return num_added


def way_to(store: Store, ends: Ends) -> list[int]:
    """Return the inputs that lead from the first node to the best end, which must exist."""
    node, way = int(ends.counters[LAST]), [int(ends.counters[MOVE])]
    while store.parents[node] != NONE:
        way.append(int(store.moves[node]))
        node = int(store.parents[node])
    return way[::-1]


def depth_of(store: Store) -> int:
    """Return the number of moves from the first node to the newest."""
    return int(store.depths[store.counters[NODES] - 1])


def bytes_in_use(store: Store) -> int:
    """Return the bytes of the nodes in use and of the hash table."""
    per_node = 4 * 4 + 8 * len(store.mask)
    return int(store.counters[NODES]) * per_node + store.table.nbytes
