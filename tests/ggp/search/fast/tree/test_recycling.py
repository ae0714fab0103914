"""A pool that is full: what is old makes room, and everything still hangs together."""

from __future__ import annotations

import numpy as np
import pytest

import gdl
from ggp import games
from ggp.clock import Deadline
from ggp.search.fast.lanes import LaneSettings
from ggp.search.fast.tree.nodes import (
    EDGES,
    FREE,
    GRAIN,
    JOINTS,
    LIVE,
    NODES,
    NOW,
    RETIRED,
    Pool,
    find_node,
)
from ggp.search.fast.tree.recycling import LOOKS_A_STAMP
from ggp.search.fast.tree.search import LaneSearch
from ggp.search.kernels.arrays import NONE
from tests.thorough import all_but

pytestmark = pytest.mark.usefixtures("kernels")

TINY = LaneSettings(memory=1 << 19, state_graph=False)  # one or two thousand nodes


def search_in(name: str) -> LaneSearch:
    """A search with hardly any memory."""
    machine = gdl.load(games.text(name), "lanes")
    return LaneSearch(machine, machine.initial_state(), machine.roles[0], 1, TINY)


def children_of(pool: Pool, node: int) -> list[int]:
    """All children that a node knows."""
    decider = int(pool.deciders[node])
    if decider != NONE:
        first, last = pool.first_edges[node, decider], pool.first_edges[node, decider + 1]
        return [int(child) for child in pool.children[first:last] if child != NONE]
    found, entry = [], int(pool.first_joints[node])
    while entry != NONE:
        assert pool.joint_nodes[entry] == node
        found.append(int(pool.joint_children[entry]))
        entry = int(pool.next_joints[entry])
    return found


def check(pool: Pool) -> None:
    """Everything in use is counted, belongs to one node, and leads to nodes in use."""
    live = [int(node) for node in np.flatnonzero(pool.fates == LIVE)]
    num_retired = int((pool.fates == RETIRED).sum())
    assert len(live) + num_retired == pool.used[NODES]
    assert int(pool.taken.sum()) * GRAIN == pool.used[EDGES]
    assert int((pool.joint_nodes != NONE).sum()) == pool.used[JOINTS]
    owned = np.zeros(len(pool.taken), np.int32)
    for node in map(int, np.flatnonzero(pool.fates != FREE)):
        first, last = int(pool.first_edges[node, 0]), int(pool.first_edges[node, -1])
        owned[first // GRAIN : -(-last // GRAIN)] += 1 if last > first else 0
    assert (owned == pool.taken).all()
    for node in live:
        assert find_node(pool, pool.states[node], int(pool.phases[node]))[0] == node
        for child in children_of(pool, node):
            assert pool.fates[child] != FREE


@pytest.mark.parametrize(
    "name", all_but(["goofspiel"], ["connectFour", "goofspiel", "othello", "pig"])
)
def test_a_full_pool_hangs_together(name: str) -> None:
    """At any time in the middle of recycling, in games with and without joint children."""
    search = search_in(name)
    pool = search._pool

    sweeps, before = 0, 0
    for number in range(12_000):
        if not search.step(Deadline.never()) or (number >= 600 and sweeps > 1):
            break
        used = int(pool.used[NODES])
        sweeps += used < before
        before = used
        if number < 600 and number % 25 == 0:
            check(pool)

    check(pool)
    assert sweeps > 1
    assert search.result().visits > 3 * len(pool.fates)


def test_a_match_with_a_full_pool_goes_on() -> None:
    """After each move the tree goes on with what it knew below it; a full pool never aborts."""
    search = search_in("connectFour")
    machine = search.game

    for turn in range(10):
        for _ in range(30):
            search.step(Deadline.never())
        result = search.result()
        line = (
            result.line[0]
            if turn % 4
            else tuple(machine.legal_moves(search.state, role)[-1] for role in machine.roles)
        )
        following = machine.next_state(search.state, line)
        if machine.is_terminal(following):
            break
        search.advance(line, following)
        check(search._pool)
        assert search.result().move in machine.legal_moves(following, machine.roles[0])

    assert turn > 5


def test_the_visits_below_a_move_stay_where_there_is_room() -> None:
    """Nothing is lost by a move: the child's visits are those of the new root."""
    machine = gdl.load(games.text("breakthrough"), "lanes")
    settings = LaneSettings(memory=64 << 20)
    search = LaneSearch(machine, machine.initial_state(), machine.roles[0], 1, settings)
    for _ in range(100):
        search.step(Deadline.never())
    moves = search.result().line[0]
    following = machine.next_state(search.state, moves)
    state = search._expander.pack(machine.facts(following))
    child, _ = find_node(search._pool, state, 1 % search._expander.num_phases)
    visits = int(search._pool.visits[child])

    search.advance(moves, following)

    assert search.result().visits == visits > 0


def test_a_move_by_another_way_finds_the_state_that_is_known() -> None:
    """Where equal states are one node, it does not matter which moves led there."""
    search = search_in("ticTacToe")
    machine = search.game
    while search.step(Deadline.never()):
        pass
    moves = search.result().line[0]
    num = search.effort.num_nodes

    search.advance(moves, machine.next_state(search.state, moves))

    assert search.effort.num_nodes == num


def test_what_proves_a_value_is_not_forgotten() -> None:
    """Proven moves at the root stay proven while the pool is swept again and again."""
    search = search_in("breakthroughSmall")
    proven: dict[gdl.Move, tuple[float, float]] = {}
    for _ in range(300):
        if not search.step(Deadline.never()):
            break

    for each in search.result().moves:
        proven[each.move] = (each.lower, each.upper)
    for _ in range(100):
        search.step(Deadline.never())

    for each in search.result().moves:
        low, high = proven[each.move]
        assert low <= each.lower
        assert each.upper <= high


@pytest.mark.parametrize(("patience", "stays"), [(0.5, True), (2.0, False)])
def test_a_line_looked_at_long_stays_long(patience: float, stays: bool) -> None:
    """A search that tries another move for a while does not lose what it knows of the first."""
    machine = gdl.load(games.text("connectFour"), "lanes")
    settings = LaneSettings(memory=64 << 20)
    search = LaneSearch(machine, machine.initial_state(), machine.roles[0], 1, settings)
    for _ in range(400):
        search.step(Deadline.never())
    pool = search._pool
    root, _ = find_node(pool, search._expander.pack(machine.facts(search.state)), 0)
    child = max(children_of(pool, root), key=lambda node: int(pool.visits[node]))
    stamps = int(pool.visits[child]) // LOOKS_A_STAMP
    now = int(pool.used[NOW]) + int(patience * stamps)
    pool.stamps[child] = pool.used[NOW]
    others = np.arange(len(pool.stamps)) != child
    pool.stamps[others & (pool.fates == LIVE)] = now

    search._recycler.sweep(lambda: None)

    assert stamps > 10
    assert (pool.fates[child] == LIVE) == stays
