"""Machines of a real cluster help a player, and are not missed when they die."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

import gdl
from ggp.clock import Deadline
from ggp.cluster.connection import connected
from ggp.players.base import Player
from ggp.players.registry import create
from ggp.rulesheets import find_game

if TYPE_CHECKING:
    from ray.cluster_utils import Cluster

HELP_SECONDS = 90.0
LATE_SECONDS = 10.0
"""A safety net: cores may be busy. `benchmarks/cluster_search.py` measures how late answers are."""


@pytest.fixture(scope="module", autouse=True)
def connection(cluster: Cluster) -> Iterator[None]:
    """This process is connected to the cluster."""
    with connected(cluster.address):
        yield


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

    @pytest.mark.thorough
    def test_a_machine_helps_and_when_it_dies_another_one_does(self, cluster: Cluster) -> None:
        game = gdl.load(find_game("connectFour").rulesheet)
        player = create("mcts:nodes=3,tree=python", game, game.roles[0], {}, seed=1)
        state = game.initial_state()
        seconds_until(player, state, 3)
        for _ in range(2):  # faster than anybody is told
            moves = tuple(game.legal_moves(state, role)[0] for role in game.roles)
            state = game.next_state(state, moves)
            player.advance(moves, state)
        seconds_until(player, state, 3)
        node = cluster.add_node(num_cpus=1)
        for lost in cluster.worker_nodes - {node}:
            cluster.remove_node(lost, allow_graceful=False)
        assert seconds_until(player, state, 2) < LATE_SECONDS
        cluster.add_node(num_cpus=1)
        seconds_until(player, state, 3)
