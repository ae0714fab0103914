"""Factoring: what alternatives have in common is said once.

    (a & b & x) | (a & b & y) | c   becomes   (a & b & (x | y)) | c

Grounding multiplies out what the rules say once for all: a sum of products has a product for each
value of each variable. A sum is a gate that reads other gates complemented; of those, the ones that
no other gate reads are its products. They are made anew: the literal that most products share is
taken out first; of equals the one that is used least elsewhere, so that what stays behind has the
best chance to be shared with other sums.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gdl.circuit.native.jit import lane_kernel
from gdl.circuit.netlist import Netlist
from gdl.circuit.passes.rewrite import outputs, rename_outputs
from gdl.circuit.table import ZERO, GateTable, contents, make_and, new_table

IntArray = NDArray[np.int32]
BoolArray = NDArray[np.bool_]

LARGEST = 300_000  # literals; of more, it takes too long for what is found
DEEPEST = 50  # factors that are taken out of each other


def factor(netlist: Netlist) -> Netlist:
    """The netlist with common factors taken out of its sums of products."""
    if len(netlist.literals) > LARGEST:
        return netlist
    old = _old_gates(netlist)
    needed = np.zeros(netlist.first_gate + netlist.num_gates, np.bool_)
    needed[_roots(netlist) >> 1] = True
    sizes = np.zeros(4, np.int64)
    _find_sums(old, needed, sizes)
    mapping = np.zeros(len(needed), np.int32)
    mapping[: netlist.first_gate] = 2 * np.arange(netlist.first_gate)
    work = _new_work(netlist, sizes.tolist())
    _make_all(old, needed, mapping, work)
    offsets, literals = contents(work.table)
    return replace(rename_outputs(netlist, mapping), offsets=offsets, literals=literals)


# --- What is a product, and of which sum --------------------------------------------------------


class _OldGates(NamedTuple):
    """The gates of a netlist, and what they are to each other."""

    offsets: IntArray  # [G + 1]
    literals: IntArray
    uses: IntArray  # [2 nodes] how many gates read each literal
    is_product: BoolArray  # [nodes] whether a gate reads it, complemented, and nothing else does
    owners: IntArray  # [nodes] the one sum in whose products alone a node is read, or -1


def _roots(netlist: Netlist) -> IntArray:
    return np.concatenate([outputs(netlist), netlist.feedback])


def _old_gates(netlist: Netlist) -> _OldGates:
    nodes, is_complemented = netlist.literals >> 1, netlist.literals & 1 == 1
    num_nodes = netlist.first_gate + netlist.num_gates
    uses = np.bincount(netlist.literals, minlength=2 * num_nodes).astype(np.int32)
    is_product = (uses[0::2] == 0) & (uses[1::2] == 1)
    is_product[: netlist.first_gate] = False
    is_product[_roots(netlist) >> 1] = False
    readers = np.repeat(np.arange(netlist.num_gates, dtype=np.int32), np.diff(netlist.offsets))
    is_term = is_complemented & is_product[nodes]
    sum_of = np.full(num_nodes, -1, np.int32)
    sum_of[nodes[is_term]] = readers[is_term]
    owner = np.where(is_complemented, np.int32(-1), sum_of[netlist.first_gate + readers])
    least, most = np.full(num_nodes, netlist.num_gates, np.int32), np.full(num_nodes, -1, np.int32)
    np.minimum.at(least, nodes, owner)
    np.maximum.at(most, nodes, owner)
    owners = np.where(least == most, most, np.int32(-1))
    owners[_roots(netlist) >> 1] = -1
    return _OldGates(netlist.offsets, netlist.literals, uses, is_product, owners)


@lane_kernel
def _find_sums(old: _OldGates, needed: BoolArray, sizes: NDArray[np.int64]) -> None:
    """Mark all gates that are made anew, and measure the sums.

    Args:
        old: The gates.
        needed: `[nodes]` with marks at what outputs read.
        sizes: `[4]` set to the products of all sums and their literals, and to those of the
            largest sum.
    """
    first = len(needed) - (len(old.offsets) - 1)
    for gate in range(len(old.offsets) - 2, -1, -1):
        if not needed[first + gate]:
            continue
        num_products = _num_products(old, gate)
        num_literals = ZERO
        for k in range(old.offsets[gate], old.offsets[gate + 1]):
            literal = old.literals[k]
            if num_products > 1 and _is_term(old, literal):
                num_literals += _need_product(old, (literal >> 1) - first, needed)
            else:
                needed[literal >> 1] = True
        if num_products > 1:
            sizes[0] += num_products
            sizes[1] += num_literals
            sizes[2] = max(sizes[2], num_products)
            sizes[3] = max(sizes[3], num_literals)


@lane_kernel
def _is_term(old: _OldGates, literal: int) -> bool:
    """Whether a literal is that of a product in its sum."""
    return literal & 1 == 1 and old.is_product[literal >> 1]


@lane_kernel
def _num_products(old: _OldGates, gate: int) -> int:
    num_products = ZERO
    for k in range(old.offsets[gate], old.offsets[gate + 1]):
        num_products += _is_term(old, old.literals[k])
    return num_products


@lane_kernel
def _is_inside(old: _OldGates, literal: int) -> bool:
    """Whether a literal of a product is a gate that no other sum reads: its literals count."""
    return literal & 1 == 0 and old.owners[literal >> 1] >= 0


@lane_kernel
def _need_product(old: _OldGates, product: int, needed: BoolArray) -> int:
    """Mark what a product reads; of how many literals it is."""
    first = len(needed) - (len(old.offsets) - 1)
    size = ZERO
    for k in range(old.offsets[product], old.offsets[product + 1]):
        literal = old.literals[k]
        inner = (literal >> 1) - first
        if inner < 0 or not _is_inside(old, literal):
            needed[literal >> 1] = True
            size += 1
            continue
        for i in range(old.offsets[inner], old.offsets[inner + 1]):
            needed[old.literals[i] >> 1] = True
            size += 1
    return size


# --- Making sums --------------------------------------------------------------------------------


class _Work(NamedTuple):
    """Room for the sum that is being made. Literals are old ones unless they are called new."""

    table: GateTable
    pool: IntArray  # the literals of its products
    starts: IntArray  # [products] where those of each begin
    lengths: IntArray  # [products] how many are left of each
    order: IntArray  # [2, products] the products by frame, and room to sort them
    counts: IntArray  # [2 nodes] in how many products each literal is; all 0 between two steps
    factors: IntArray  # new literals taken out of products, by frame
    alternatives: IntArray  # new literals that say the same as products, by frame
    frames: IntArray  # [DEEPEST + 1, 4] first and last product, first alternative, first factor
    buffer: IntArray  # the literals of a gate


def _new_work(netlist: Netlist, sizes: list[int]) -> _Work:
    """Room for all gates, and for the largest sum.

    Each factor is taken out of two products or more, so there are at most as many as products; each
    makes two gates.
    """
    num_nodes = netlist.first_gate + netlist.num_gates
    all_products, all_literals, products, literals = sizes
    return _Work(
        table=new_table(
            netlist.first_gate,
            netlist.num_gates + 4 * all_products,
            len(netlist.literals) + 2 * all_literals + 6 * all_products,
        ),
        pool=np.empty(literals, np.int32),
        starts=np.empty(products, np.int32),
        lengths=np.empty(products, np.int32),
        order=np.empty((2, products), np.int32),
        counts=np.zeros(2 * num_nodes, np.int32),
        factors=np.empty(literals + 1, np.int32),
        alternatives=np.empty(2 * products + 1, np.int32),
        frames=np.zeros((DEEPEST + 1, 4), np.int32),
        buffer=np.empty(len(netlist.literals) + literals + 2 * products + 2, np.int32),
    )


@lane_kernel
def _make_all(old: _OldGates, needed: BoolArray, mapping: IntArray, work: _Work) -> None:
    """Make the needed gates, and note the new literal of each node."""
    first = len(needed) - (len(old.offsets) - 1)
    for gate in range(len(old.offsets) - 1):
        if not needed[first + gate]:
            continue
        start, end = old.offsets[gate], old.offsets[gate + 1]
        num_products = _num_products(old, gate)
        if num_products > 1:
            _collect(old, gate, first, work)
            made = _make_sum(old, num_products, mapping, work)
        size = ZERO
        for k in range(start, end):
            literal = old.literals[k]
            if num_products <= 1 or not _is_term(old, literal):
                work.buffer[size] = mapping[literal >> 1] ^ (literal & 1)
                size += 1
        if num_products > 1:
            work.buffer[size] = made ^ 1
            size += 1
        mapping[first + gate] = make_and(work.table, work.buffer, size)


@lane_kernel
def _collect(old: _OldGates, gate: int, first: int, work: _Work) -> None:
    """Write down the products of a sum, each literal once."""
    num_products, size = ZERO, ZERO
    for k in range(old.offsets[gate], old.offsets[gate + 1]):
        if not _is_term(old, old.literals[k]):
            continue
        product = (old.literals[k] >> 1) - first
        start = size
        for i in range(old.offsets[product], old.offsets[product + 1]):
            literal = old.literals[i]
            inner = (literal >> 1) - first
            if inner < 0 or not _is_inside(old, literal):
                size = _add(work, literal, size)
                continue
            for j in range(old.offsets[inner], old.offsets[inner + 1]):
                size = _add(work, old.literals[j], size)
        for i in range(start, size):
            work.counts[work.pool[i]] = 0
        work.starts[num_products], work.lengths[num_products] = start, size - start
        work.order[0, num_products] = num_products
        num_products += 1


@lane_kernel
def _add(work: _Work, literal: int, size: int) -> int:
    """Write a literal down unless it was for this product; how many there are."""
    work.pool[size] = literal
    is_new = work.counts[literal] == 0
    work.counts[literal] = 1
    return size + int(is_new)


@lane_kernel
def _make_sum(old: _OldGates, num_products: int, mapping: IntArray, work: _Work) -> int:
    """The new literal of the OR of the products that were collected.

    A frame is a list of products; what is left of those that share a literal is one on top.
    """
    frames, alternatives, factors = work.frames, work.alternatives, work.factors
    depth, num_alternatives, num_factors = ZERO, ZERO, ZERO
    frames[0, 0], frames[0, 1], frames[0, 2], frames[0, 3] = 0, num_products, 0, 0
    while True:
        begin, end = frames[depth, 0], frames[depth, 1]
        shared = _most_shared(old, work, begin, end) if depth < DEEPEST else -1
        if shared >= 0:
            inside = _sort_out(work, begin, end, shared)
            num_factors = _take_out(work, inside, end, mapping, num_factors)
            frames[depth, 1] = inside
            if _shortest(work, inside, end) > 0:
                depth += 1
                frames[depth, 0], frames[depth, 1] = inside, end
                frames[depth, 2], frames[depth, 3] = num_alternatives, num_factors
                continue
        else:
            for i in range(begin, end):
                made = _make_product(work, work.order[0, i], mapping)
                alternatives[num_alternatives] = made
                num_alternatives += 1
            start = frames[depth, 2]
            for i in range(start, num_alternatives):
                work.buffer[i - start] = alternatives[i] ^ 1
            made = make_and(work.table, work.buffer, num_alternatives - start) ^ 1
            num_alternatives = ZERO + start
            if depth == 0:
                return made
            depth -= 1
            factors[num_factors] = made
            num_factors += 1
        start = frames[depth, 3]
        for i in range(start, num_factors):
            work.buffer[i - start] = factors[i]
        alternatives[num_alternatives] = make_and(work.table, work.buffer, num_factors - start)
        num_alternatives += 1
        num_factors = ZERO + start


@lane_kernel
def _make_product(work: _Work, product: int, mapping: IntArray) -> int:
    start = work.starts[product]
    for k in range(work.lengths[product]):
        literal = work.pool[start + k]
        work.buffer[k] = mapping[literal >> 1] ^ (literal & 1)
    return make_and(work.table, work.buffer, ZERO + work.lengths[product])


@lane_kernel
def _count(work: _Work, begin: int, end: int, step: int) -> None:
    """Add a number to the count of each literal of some products, or set the counts to 0."""
    for i in range(begin, end):
        product = work.order[0, i]
        start = work.starts[product]
        for k in range(start, start + work.lengths[product]):
            literal = work.pool[k]
            work.counts[literal] = (work.counts[literal] + step) * step


@lane_kernel
def _most_shared(old: _OldGates, work: _Work, begin: int, end: int) -> int:
    """The literal that most products share, if any two share one; else -1.

    Of equals that which fewest gates read, then the last.
    """
    _count(work, begin, end, 1)
    best, most = ZERO - 1, ZERO + 1
    for i in range(begin, end):
        product = work.order[0, i]
        start = work.starts[product]
        for k in range(start, start + work.lengths[product]):
            literal = work.pool[k]
            count = work.counts[literal]
            more = old.uses[best] - old.uses[literal]
            is_better = more > 0 or (more == 0 and literal > best)
            if count > most or (count == most and count > 1 and is_better):
                best, most = ZERO + literal, ZERO + count
    _count(work, begin, end, 0)
    return best


@lane_kernel
def _sort_out(work: _Work, begin: int, end: int, shared: int) -> int:
    """Put the products with a literal behind those without; where they begin."""
    order = work.order
    num_inside, num_outside = ZERO, ZERO
    for i in range(begin, end):
        product = order[0, i]
        start = work.starts[product]
        is_inside = False
        for k in range(start, start + work.lengths[product]):
            is_inside |= work.pool[k] == shared
        order[1, num_inside] = product
        order[0, begin + num_outside] = product
        num_inside += is_inside
        num_outside += not is_inside
    for i in range(num_inside):
        order[0, begin + num_outside + i] = order[1, i]
    return begin + num_outside


@lane_kernel
def _take_out(work: _Work, begin: int, end: int, mapping: IntArray, num_factors: int) -> int:
    """Take what products have in common out of them; how many factors there are then."""
    _count(work, begin, end, 1)
    before = num_factors
    for i in range(begin, end):
        product = work.order[0, i]
        start = work.starts[product]
        kept = ZERO
        for k in range(work.lengths[product]):
            literal = work.pool[start + k]
            if work.counts[literal] != end - begin:
                work.pool[start + kept] = literal
                kept += 1
            elif i == begin:
                work.factors[num_factors] = literal
                num_factors += 1
        work.lengths[product] = kept
    _count(work, begin, end, 0)
    for k in range(before, num_factors):
        literal = work.factors[k]
        work.counts[literal] = 0
        work.factors[k] = mapping[literal >> 1] ^ (literal & 1)
    return num_factors


@lane_kernel
def _shortest(work: _Work, begin: int, end: int) -> int:
    """The number of literals left of the shortest product. Where none are, it says all."""
    least = ZERO + work.lengths[work.order[0, begin]]
    for i in range(begin, end):
        least = min(least, ZERO + work.lengths[work.order[0, i]])
    return int(least)
