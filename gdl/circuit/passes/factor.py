"""Factoring: compute only once what alternatives have in common.

    (a & b & x) | (a & b & y) | c   becomes   (a & b & (x | y)) | c

Grounding repeats conditions that a rule has only once: each value of each variable gives a product
of its own, with the same conditions. A sum is a gate that reads other gates complemented. Its
products are those of these gates that no other gate reads. The products are rebuilt: the literal
that most of them share is factored out first. If several literals are shared equally often, the one
that is used least elsewhere is chosen. The remaining products then have the best chance to be
shared with other sums.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gdl.circuit.and_gates import ZERO, GateTable, contents, make_and, new_table
from gdl.circuit.netlist import BoolArray, IntArray, Netlist
from gdl.circuit.passes.cone import drop_unused
from gdl.circuit.passes.rewrite import flatten, outputs, rename_outputs
from gdl.native.jit import kernel, lane_kernel

DEEPEST = 50  # levels of nested factors

NONE = -1

# Columns of `Sum.levels`.
_FIRST, _LAST, _ALTERNATIVES, _FACTORS = range(4)


class Sum(NamedTuple):
    """The products of the current sum, and the stacks for the parts that are built from them."""

    order: IntArray  # products in order; each level of the sum has a range of them
    aside: IntArray  # scratch buffer for the products without the shared literal
    starts: IntArray  # where the literals of each product begin
    lengths: IntArray  # how many literals are left in each product
    literals: IntArray
    counts: IntArray  # [2 * nodes] scratch counts, zero between uses
    stamps: IntArray  # [2 * nodes] the last product that each literal was found in
    levels: IntArray  # [DEEPEST + 1, 4] first and last product, alternatives before, factors before
    alternatives: IntArray  # new literals, those of the deepest level last
    factors: IntArray  # new literals that wait for the sum of the remaining products
    buffer: IntArray  # literals of the gate to create


def new_sum(num_nodes: int, most_products: int, most_literals: int) -> Sum:
    """Return room for sums of `most_products` products with `most_literals` literals in all."""

    def room(size: int) -> IntArray:
        return np.zeros(size + 1, np.int32)

    return Sum(
        order=room(most_products),
        aside=room(most_products),
        starts=room(most_products),
        lengths=room(most_products),
        literals=room(most_literals),
        counts=room(2 * num_nodes),
        stamps=np.full(2 * num_nodes, NONE, np.int32),
        levels=np.zeros((DEEPEST + 1, 4), np.int32),
        alternatives=room(most_products),
        factors=room(most_literals),
        buffer=room(most_products + most_literals),
    )


@lane_kernel
def make_sum(uses: IntArray, work: Sum, num: int, mapping: IntArray, table: GateTable) -> int:
    """Return the new literal of the OR of the first `num` products.

    A level has a range of products. Products that share a literal become a factor, with a level of
    its own for what remains of them. The other products are then treated in the same way.
    """
    levels = work.levels
    levels[0, _FIRST], levels[0, _LAST] = 0, num
    levels[0, _ALTERNATIVES], levels[0, _FACTORS] = 0, 0
    level = ZERO
    num_alternatives = num_factors = ZERO
    while True:
        first, last = levels[level, _FIRST], levels[level, _LAST]
        shared = _most_shared(uses, work, first, last) if level < DEEPEST else NONE
        if shared != NONE:
            middle = _bring_forward(work, first, last, shared)
            levels[level, _FIRST] = middle
            end, is_whole = _take_out(work, first, middle, num_factors, mapping)
            if is_whole:
                work.alternatives[num_alternatives] = _make_factor(work, num_factors, end, table)
                num_alternatives += 1
                continue
            level += 1
            levels[level, _FIRST], levels[level, _LAST] = first, middle
            levels[level, _ALTERNATIVES], levels[level, _FACTORS] = num_alternatives, num_factors
            num_factors = end
            continue
        made = _make_or(work, level, num_alternatives, mapping, table)
        if level == 0:
            return made
        num_alternatives, first_factor = levels[level, _ALTERNATIVES], levels[level, _FACTORS]
        work.factors[num_factors] = made
        made = _make_factor(work, first_factor, num_factors + 1, table)
        work.alternatives[num_alternatives] = made
        num_alternatives, num_factors = num_alternatives + 1, first_factor
        level -= 1


@lane_kernel
def _most_shared(uses: IntArray, work: Sum, first: int, last: int) -> int:
    """Return the literal that most products share, or NONE if no two products share one.

    Leave `work.counts` zero, as it was before.
    """
    _count(work, first, last, ZERO + 1)
    best, most = NONE, 1
    for place in range(first, last):
        product = work.order[place]
        for k in range(work.starts[product], work.starts[product] + work.lengths[product]):
            literal = work.literals[k]
            count = work.counts[literal]
            if count < 2 or count < most:
                continue
            fewer = best == NONE or uses[literal] < uses[best]
            tied = best != NONE and uses[literal] == uses[best] and literal > best
            if count > most or fewer or tied:
                best, most = literal, count
    _count(work, first, last, ZERO - 1)
    return best


@lane_kernel
def _count(work: Sum, first: int, last: int, change: int) -> None:
    for place in range(first, last):
        product = work.order[place]
        for k in range(work.starts[product], work.starts[product] + work.lengths[product]):
            work.counts[work.literals[k]] += change


@lane_kernel
def _bring_forward(work: Sum, first: int, last: int, shared: int) -> int:
    middle, num_aside = first, 0
    for place in range(first, last):
        product = work.order[place]
        has_it = False
        for k in range(work.starts[product], work.starts[product] + work.lengths[product]):
            has_it |= work.literals[k] == shared
        if has_it:
            work.order[middle] = product
            middle += 1
        else:
            work.aside[num_aside] = product
            num_aside += 1
    for k in range(num_aside):
        work.order[middle + k] = work.aside[k]
    return middle


@lane_kernel
def _take_out(
    work: Sum, first: int, last: int, num_factors: int, mapping: IntArray
) -> tuple[int, bool]:
    """Factor out the literals that all products from place `first` up to `last` share.

    Returns:
        The new number of literals in `work.factors`, and whether nothing remains of some product.
        If so, the sum of these products is the product of the factored literals.
    """
    _count(work, first, last, ZERO + 1)
    is_whole = False
    end = num_factors
    for place in range(first, last):
        product = work.order[place]
        start, kept = work.starts[product], 0
        for k in range(start, start + work.lengths[product]):
            literal = work.literals[k]
            if work.counts[literal] < last - first:
                work.counts[literal] -= 1
                work.literals[start + kept] = literal
                kept += 1
            elif place == first:
                work.factors[end] = literal
                end += 1
        work.lengths[product] = kept
        is_whole |= kept == 0
    for k in range(num_factors, end):
        literal = work.factors[k]
        work.counts[literal] = 0
        work.factors[k] = mapping[literal >> 1] ^ (literal & 1)
    return end, is_whole


@lane_kernel
def _make_factor(work: Sum, first: int, last: int, table: GateTable) -> int:
    for k in range(first, last):
        work.buffer[k - first] = work.factors[k]
    return make_and(table, work.buffer, last - first)


@lane_kernel
def _make_product(work: Sum, product: int, mapping: IntArray, table: GateTable) -> int:
    start = work.starts[product]
    for k in range(work.lengths[product]):
        literal = work.literals[start + k]
        work.buffer[k] = mapping[literal >> 1] ^ (literal & 1)
    return make_and(table, work.buffer, work.lengths[product])


@lane_kernel
def _make_or(work: Sum, level: int, num: int, mapping: IntArray, table: GateTable) -> int:
    for place in range(work.levels[level, _FIRST], work.levels[level, _LAST]):
        work.alternatives[num] = _make_product(work, work.order[place], mapping, table)
        num += 1
    first = work.levels[level, _ALTERNATIVES]
    for k in range(first, num):
        work.buffer[k - first] = work.alternatives[k] ^ 1
    return make_and(table, work.buffer, num - first) ^ 1


_NONE = -1
_UNREAD = -2

# Indices into `Found.sizes`.
_ROOM_GATES, _ROOM_LITERALS, _MAX_PRODUCTS, _MAX_LITERALS = range(4)


class Found(NamedTuple):
    """The products and sums of a netlist. Literals are those of the old netlist."""

    offsets: IntArray  # [G + 1]
    literals: IntArray
    is_product: BoolArray  # [nodes] whether it is a gate that only one gate reads, complemented
    owners: IntArray  # [nodes] the only sum whose products read the node, or _NONE
    uses: IntArray  # [2 * nodes] how often each literal is read
    needed: BoolArray  # [nodes] which gates are rebuilt
    sizes: NDArray[np.int64]  # numbers of new gates and literals, and the largest sizes of a sum


def factor(netlist: Netlist) -> Netlist:
    """Factor out common literals of the netlist's sums of products, and merge nested ANDs."""
    if not netlist.num_gates:
        return netlist
    num_nodes = netlist.first_gate + netlist.num_gates
    found = _find(netlist, num_nodes)
    gates, literals, products, longest = found.sizes.tolist()
    table = new_table(netlist.first_gate, gates, literals)
    mapping = np.zeros(num_nodes, np.int32)
    mapping[: netlist.first_gate] = 2 * np.arange(netlist.first_gate)
    _make_all(found, new_sum(num_nodes, products, longest), mapping, table)
    offsets, made = contents(table)
    made_anew = replace(rename_outputs(netlist, mapping), offsets=offsets, literals=made)
    return flatten(drop_unused(made_anew))


def _find(netlist: Netlist, num_nodes: int) -> Found:
    roots = np.concatenate([outputs(netlist), netlist.feedback]) >> 1
    uses = np.bincount(netlist.literals, minlength=2 * num_nodes).astype(np.int32)
    is_product = (uses[0::2] == 0) & (uses[1::2] == 1)
    is_product[: netlist.first_gate] = False
    is_product[roots] = False
    owners = np.full(num_nodes, _UNREAD, np.int32)
    sums = np.full(num_nodes, _NONE, np.int32)
    _find_owners(netlist.offsets, netlist.literals, is_product, sums, owners)
    owners[roots] = _NONE
    owners[: netlist.first_gate] = _NONE
    needed = np.zeros(num_nodes, np.bool_)
    needed[roots] = True
    sizes = np.zeros(4, np.int64)
    found = Found(netlist.offsets, netlist.literals, is_product, owners, uses, needed, sizes)
    _mark_needed(found)
    return found


@kernel
def _find_owners(
    offsets: IntArray,
    literals: IntArray,
    is_product: BoolArray,
    sums: IntArray,
    owners: IntArray,
) -> None:
    first = len(owners) - (len(offsets) - 1)
    for gate in range(len(offsets) - 1):
        for k in range(offsets[gate], offsets[gate + 1]):
            if literals[k] & 1 and is_product[literals[k] >> 1]:
                sums[literals[k] >> 1] = gate
    for gate in range(len(offsets) - 1):
        for k in range(offsets[gate], offsets[gate + 1]):
            node = literals[k] >> 1
            owner = _NONE if literals[k] & 1 else sums[first + gate]
            owners[node] = owner if owners[node] in (_UNREAD, owner) else _NONE


@lane_kernel
def _count_products(found: Found, gate: int) -> int:
    num = 0
    for k in range(found.offsets[gate], found.offsets[gate + 1]):
        num += found.literals[k] & 1 and found.is_product[found.literals[k] >> 1]
    return num if num > 1 else 0


@kernel
def _mark_needed(found: Found) -> None:
    """Mark the nodes that needed gates read, and add up the room for the new gates."""
    offsets, literals, needed, sizes = found.offsets, found.literals, found.needed, found.sizes
    first = len(needed) - (len(offsets) - 1)
    for gate in range(len(offsets) - 2, -1, -1):
        if not needed[first + gate]:
            continue
        num = _count_products(found, gate)
        length = ZERO
        for k in range(offsets[gate], offsets[gate + 1]):
            node = literals[k] >> 1
            if num and literals[k] & 1 and found.is_product[node]:
                length += _mark_product(found, node - first, first)
            else:
                needed[node] = True
        # Each factor reduces the number of alternatives, so there are fewer factors than products.
        sizes[_ROOM_GATES] += 1 + 3 * num
        sizes[_ROOM_LITERALS] += offsets[gate + 1] - offsets[gate] + length + 3 * num
        sizes[_MAX_PRODUCTS] = max(sizes[_MAX_PRODUCTS], num)
        longest = max(length, offsets[gate + 1] - offsets[gate])
        sizes[_MAX_LITERALS] = max(sizes[_MAX_LITERALS], longest)


@lane_kernel
def _mark_product(found: Found, product: int, first: int) -> int:
    length = 0
    for k in range(found.offsets[product], found.offsets[product + 1]):
        node = found.literals[k] >> 1
        if found.owners[node] < 0:
            found.needed[node] = True
            length += 1
            continue
        inner = node - first
        length += found.offsets[inner + 1] - found.offsets[inner]
        for j in range(found.offsets[inner], found.offsets[inner + 1]):
            found.needed[found.literals[j] >> 1] = True
    return length


@kernel
def _make_all(found: Found, work: Sum, mapping: IntArray, table: GateTable) -> None:
    offsets, literals = found.offsets, found.literals
    first = len(mapping) - (len(offsets) - 1)
    for gate in range(len(offsets) - 1):
        if not found.needed[first + gate]:
            continue
        num = _count_products(found, gate)
        alternatives = ZERO
        if num:
            _load(found, work, gate, first)
            alternatives = make_sum(found.uses, work, num, mapping, table)
        size = ZERO
        for k in range(offsets[gate], offsets[gate + 1]):
            if num and literals[k] & 1 and found.is_product[literals[k] >> 1]:
                continue
            work.buffer[size] = mapping[literals[k] >> 1] ^ (literals[k] & 1)
            size += 1
        if num:
            work.buffer[size] = alternatives ^ 1
            size += 1
        mapping[first + gate] = make_and(table, work.buffer, size)


@lane_kernel
def _load(found: Found, work: Sum, gate: int, first: int) -> None:
    num, size = 0, 0
    for k in range(found.offsets[gate], found.offsets[gate + 1]):
        product = found.literals[k] >> 1
        if found.literals[k] & 1 and found.is_product[product]:
            work.order[num] = num
            work.starts[num] = size
            size = _load_product(found, work, product, first, size)
            work.lengths[num] = size - work.starts[num]
            num += 1


@lane_kernel
def _load_product(found: Found, work: Sum, product: int, first: int, size: int) -> int:
    for k in range(found.offsets[product - first], found.offsets[product - first + 1]):
        literal = found.literals[k]
        if found.owners[literal >> 1] < 0:
            size = _append(work, literal, product, size)
            continue
        inner = (literal >> 1) - first
        for j in range(found.offsets[inner], found.offsets[inner + 1]):
            size = _append(work, found.literals[j], product, size)
    return size


@lane_kernel
def _append(work: Sum, literal: int, product: int, size: int) -> int:
    if work.stamps[literal] != product:
        work.stamps[literal] = product
        work.literals[size] = literal
        size += 1
    return size
