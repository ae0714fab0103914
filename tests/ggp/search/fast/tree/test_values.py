"""Values of nodes and edges: those of the children, whatever path they were found on."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

import gdl
from ggp import games
from ggp.search.fast.tree.backup import value_of
from ggp.search.fast.tree.nodes import BEST, LIVE, NO_SUM, OPEN, SHARED, WORST, Pool
from ggp.search.kernels.arrays import NONE
from tests.ggp.search.fast.tree.places import FORMS, shown
from tests.ggp.search.fast.tree.walk import nodes_of, random_game, searched
from tests.thorough import all_but

pytestmark = pytest.mark.usefixtures("kernels")

SEEDS = all_but([0], range(3))
IN_TURNS = [name for name, form in FORMS.items() if not (form.together or form.circles)]
SHARED_OUT = [name for name in IN_TURNS if FORMS[name].is_shared and not FORMS[name].stuck]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("form", shown(IN_TURNS))
def test_a_node_expects_what_its_moves_and_its_own_playouts_bring(form: str, seed: int) -> None:
    """Each of its rounds counts once, whichever way it came.

    Where something is known for sure a round may count as that, not as what it brought.
    """
    machine, book = random_game(form, seed)
    search = searched(machine, 5)
    pool = search._pool

    for node, _ in nodes_of(search, book):
        decider = int(pool.deciders[node])
        if pool.kinds[node] != OPEN or decider == NONE:
            continue
        assert -0.01 <= pool.totals[node, decider] <= BEST * pool.known[node] + 0.01
        edges = slice(edges_of(pool, node).start, edges_of(pool, node).stop)
        children = pool.children[edges][pool.children[edges] != NONE].tolist()
        is_known = pool.is_closed[[node, *children]].any()
        is_known |= (pool.lower[children, decider] == pool.upper[children, decider]).any()
        if is_known:
            continue
        num_own = pool.known[node] - pool.done[edges].sum()
        own = pool.totals[node, decider] - (pool.done[edges] * pool.values[edges]).sum()
        assert num_own >= 0
        assert -0.01 <= own <= BEST * num_own + 0.01


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("form", shown(SHARED_OUT))
def test_players_share_out_the_same_sum_in_each_node(form: str, seed: int) -> None:
    """What one of them hears of another path, the other one hears as well."""
    machine, book = random_game(form, seed)
    search = searched(machine, 5)
    pool = search._pool

    for node, _ in nodes_of(search, book):
        if pool.kinds[node] == OPEN:
            total = pool.totals[node, :2].sum()
            assert total == pytest.approx(pool.used[SHARED] * pool.known[node], abs=0.01)


def test_where_goals_are_not_shared_out_that_is_seen() -> None:
    """Then each role's goals are counted by themselves."""
    unshared = next(n for n in IN_TURNS if not FORMS[n].is_shared and not FORMS[n].stuck)
    machine, _ = random_game(unshared, 0)

    assert searched(machine, 5)._pool.used[SHARED] == NO_SUM


def test_an_edge_is_worth_what_its_child_is() -> None:
    """Always where all rounds of the child came along it, and elsewhere since the last of them."""
    pool = searched(gdl.load(games.text("connectFour"), "lanes"), 20)._pool
    nodes = open_nodes(pool)
    num_parents = Counter(
        int(pool.children[edge]) for node in nodes for edge in edges_of(pool, node)
    )

    num = 0
    for node in nodes:
        for edge in edges_of(pool, node):
            child = int(pool.children[edge])
            if child == NONE or num_parents[child] > 1 or is_proven(pool, child):
                continue
            expected = value_of(pool, child, int(pool.deciders[node]), NONE)
            assert pool.values[edge] == pytest.approx(expected, abs=0.01)
            num += 1
    assert num > 100


def test_a_state_that_was_looked_at_once_takes_no_room() -> None:
    """Unless another path found it."""
    pool = searched(gdl.load(games.text("connectFour"), "lanes"), 20)._pool
    edges = [edge for node in open_nodes(pool) for edge in edges_of(pool, node)]
    once = [edge for edge in edges if pool.counts[edge] == 1]
    more = [edge for edge in edges if pool.counts[edge] > 1]

    assert all(pool.children[edge] != NONE for edge in more)
    assert sum(pool.children[edge] == NONE for edge in once) > len(once) / 2


def open_nodes(pool: Pool) -> list[int]:
    """The nodes in which the game goes on."""
    return np.flatnonzero((pool.fates == LIVE) & (pool.kinds == OPEN)).tolist()


def edges_of(pool: Pool, node: int) -> range:
    """The edges of the one who decides."""
    decider = int(pool.deciders[node])
    first, last = pool.first_edges[node, decider], pool.first_edges[node, decider + 1]
    return range(int(first), int(last))


def is_proven(pool: Pool, node: int) -> bool:
    """Whether anything is."""
    return bool((pool.lower[node] > WORST).any() or (pool.upper[node] < BEST).any())
