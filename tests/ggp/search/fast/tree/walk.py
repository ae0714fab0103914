"""Going through the tree of a search and the states of its game side by side."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from functools import cache

import numpy as np

import gdl
from ggp.clock import Deadline
from ggp.search.fast.lanes import LaneSettings
from ggp.search.fast.tree.nodes import OPEN
from ggp.search.fast.tree.search import LaneSearch
from ggp.search.fast.tree.selection import child_of
from ggp.search.kernels.arrays import NONE
from tests.ggp.search.fast.tree.places import FORMS, random_rules
from tests.ggp.search.fast.tree.textbook import Joint, Textbook

MEBIBYTE = 1 << 20
SMALL = LaneSettings(memory=8 * MEBIBYTE, rounds=2, state_graph=False)


@cache
def random_game(form: str, seed: int) -> tuple[gdl.Game, Textbook]:
    """A random game, compiled, and all about it."""
    rules = random_rules(FORMS[form], seed)
    return gdl.load(rules, "lanes"), Textbook(gdl.load(rules, "interpreter"))


def searched(
    machine: gdl.Game,
    steps: int,
    state: gdl.State | None = None,
    role: int = 0,
    settings: LaneSettings = SMALL,
) -> LaneSearch:
    """A search after so many steps, fewer if nothing is left to learn."""
    start = machine.initial_state() if state is None else state
    search = LaneSearch(machine, start, machine.roles[role], seed=1, settings=settings)
    for _ in range(steps):
        if not search.step(Deadline.never()):
            break
    search.result()
    return search


def nodes_of(search: LaneSearch, book: Textbook) -> Iterator[tuple[int, gdl.State]]:
    """The nodes of the tree, each with its state in the book; the root first."""
    pool, inputs = search._pool, search._expander.inputs
    state = book.machine.state_of(search.game.facts(search.state))
    waiting, seen = [(search._root, state)], {search._root}
    while waiting:
        node, state = waiting.pop()
        yield node, state
        if pool.kinds[node] != OPEN:
            continue
        firsts = pool.first_edges[node]
        choices = [range(int(a), int(b)) for a, b in itertools.pairwise(firsts)]
        for edges in itertools.product(*choices):
            child = int(child_of(pool, node, np.array(edges, np.int32)))
            if child != NONE and child not in seen:
                seen.add(child)
                joint: Joint = tuple(inputs[int(pool.inputs[edge])][1] for edge in edges)
                waiting.append((child, book.places[state].after[joint]))
