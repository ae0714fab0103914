"""Machines of a real cluster help a player, and are not missed when they die."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from ray.cluster_utils import Cluster

import gdl
from ggp.clock import Deadline
from ggp.cluster.connection import connected
from ggp.players.base import Player
from ggp.players.registry import create
from ggp.rulesheets import find_game

HELP_SECONDS = 90.0
LATE_SECONDS = 0.25
"""Tests run side by side, on cores that others use; `benchmarks/cluster_search.py` is stricter."""


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    """A head without a CPU, to which this process is connected."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        head = Cluster(initialize_head=True, head_node_args={"num_cpus": 0})
        try:
            with connected(head.address):
                yield head
        finally:
            head.shutdown()


def seconds_until(player: Player, state: gdl.State, num_machines: int) -> float:
    """Search until so many machines do, and a little on; how late the latest answer was."""
    end, late = time.monotonic() + HELP_SECONDS, 0.0
    while time.monotonic() < end:
        deadline = Deadline.after(0.4)
        move = player.choose(state, deadline)
        late = max(late, -deadline.remaining())
        assert move in player.legal_moves(state)
        if player.thoughts["machines"] == num_machines:
            return late
    raise AssertionError(f"expected {num_machines} machines, got {player.thoughts}")


class TestMachines:
    """A cluster whose nodes come and go."""

    def test_a_machine_helps_and_when_it_dies_another_one_does(self, cluster: Cluster) -> None:
        game = gdl.load(find_game("breakthrough").rulesheet)
        player = create("mcts:nodes=2", game, game.roles[0], {}, seed=1)
        state = game.initial_state()
        assert seconds_until(player, state, 1) < LATE_SECONDS
        node = cluster.add_node(num_cpus=1)
        seconds_until(player, state, 2)
        moves = tuple(game.legal_moves(state, role)[0] for role in game.roles)
        state = game.next_state(state, moves)
        player.advance(moves, state)
        moves = tuple(game.legal_moves(state, role)[0] for role in game.roles)
        state = game.next_state(state, moves)
        player.advance(moves, state)
        seconds_until(player, state, 2)
        cluster.remove_node(node, allow_graceful=False)
        assert seconds_until(player, state, 1) < LATE_SECONDS
        cluster.add_node(num_cpus=1)
        seconds_until(player, state, 2)
