"""Sums of products as they are made with their common factors taken out, see `factor`."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gdl.circuit.native.jit import lane_kernel
from gdl.circuit.table import ZERO, GateTable, make_and

IntArray = NDArray[np.int32]

DEEPEST = 50  # factors that are taken out of each other

NONE = -1

# Columns of `Sum.levels`.
_FIRST, _LAST, _ALTERNATIVES, _FACTORS = range(4)


class Sum(NamedTuple):
    """The products of the sum in work, in order, and the stacks that hold what is made of them."""

    order: IntArray  # products; a level of the sum has a stretch of them
    aside: IntArray  # room for the products that have not the shared literal
    starts: IntArray  # where the literals of each product begin
    lengths: IntArray  # how many are left
    literals: IntArray
    counts: IntArray  # [2 * nodes] zero between uses
    stamps: IntArray  # [2 * nodes] the last product that each literal was found in
    levels: IntArray  # [DEEPEST + 1, 4] first and last product, alternatives before, factors before
    alternatives: IntArray  # new literals, those of the deepest level last
    factors: IntArray  # new literals that wait for the sum of what is left
    buffer: IntArray  # literals of the gate that is made


def new_sum(num_nodes: int, most_products: int, most_literals: int) -> Sum:
    """Room for sums of so many products with so many literals in all."""

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
    """The new literal of the OR of the first products, so many.

    A level has some products: those that share a literal become a factor, and a level of its own
    for what else they say; and so on with the others.
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
    """The literal that most products share, if any two share one; counts are zero afterwards."""
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
    """Add to the count of each literal in each product."""
    for place in range(first, last):
        product = work.order[place]
        for k in range(work.starts[product], work.starts[product] + work.lengths[product]):
            work.counts[work.literals[k]] += change


@lane_kernel
def _bring_forward(work: Sum, first: int, last: int, shared: int) -> int:
    """Put the products that have a literal before the others; where the others begin."""
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
    """Take what all of some products share out of them.

    Returns:
        How many factors wait now, and whether nothing is left of one product: then it says all
        that the others say.
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
    """The AND of waiting factors."""
    for k in range(first, last):
        work.buffer[k - first] = work.factors[k]
    return make_and(table, work.buffer, last - first)


@lane_kernel
def _make_product(work: Sum, product: int, mapping: IntArray, table: GateTable) -> int:
    """The AND of what is left of a product."""
    start = work.starts[product]
    for k in range(work.lengths[product]):
        literal = work.literals[start + k]
        work.buffer[k] = mapping[literal >> 1] ^ (literal & 1)
    return make_and(table, work.buffer, work.lengths[product])


@lane_kernel
def _make_or(work: Sum, level: int, num: int, mapping: IntArray, table: GateTable) -> int:
    """The OR of a level's alternatives, the last of so many, and of the products it has left."""
    for place in range(work.levels[level, _FIRST], work.levels[level, _LAST]):
        work.alternatives[num] = _make_product(work, work.order[place], mapping, table)
        num += 1
    first = work.levels[level, _ALTERNATIVES]
    for k in range(first, num):
        work.buffer[k - first] = work.alternatives[k] ^ 1
    return make_and(table, work.buffer, num - first) ^ 1
