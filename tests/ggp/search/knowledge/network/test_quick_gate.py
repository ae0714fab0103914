"""The quick gate passes what clearly wins, and nothing else."""

from __future__ import annotations

import time

import numpy as np
import pytest
from numpy.typing import NDArray

import gdl
from ggp.clock import Deadline
from ggp.search.arrays.tree.search import LaneSearch
from ggp.search.arrays.tree.settings import LaneSettings
from ggp.search.knowledge.network import quick_gate as gate
from ggp.search.knowledge.network.quick_gate import LEAD, quick_gate
from tests.ggp.search.knowledge.network.random_networks import game_of

SETTINGS = LaneSettings(memory=8 << 20)
FOOLISH = LaneSettings(memory=8 << 20, child_values=True, foresight=False)


class Nonsense:
    """Values that say nothing of a state: the search is misled by them."""

    share = 1.0

    def values(self, states: NDArray[np.uint64], _phase: int) -> NDArray[np.float64]:
        """Any numbers."""
        first = (states[:, 0] * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(40)
        return np.stack(
            [first % np.uint64(101), np.uint64(100) - first % np.uint64(101)], 1
        ).astype(np.float64)


@pytest.mark.parametrize("is_better", [True, False])
def test_who_clearly_wins_passes(is_better: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """The other one does not; both are found out before the time is over."""
    monkeypatch.setattr(gate, "LEAST_SECONDS", 0.008)
    monkeypatch.setattr(gate, "MOST_SECONDS", 0.008)
    game = game_of("breakthroughSmall")

    def make(state: gdl.State, role: gdl.Role, seed: int, is_taught: bool) -> LaneSearch:
        if is_taught == is_better:
            return LaneSearch(game, state, role, seed, SETTINGS)
        return LaneSearch(game, state, role, seed, FOOLISH, Nonsense())

    found = quick_gate(game, make, Deadline.after(60), seed=3)

    assert found.is_passed == is_better
    assert (found.won - found.lost) * (1 if is_better else -1) == LEAD


def test_it_ends_in_time_and_passes_nothing_then() -> None:
    """Equals are not decided."""
    game = game_of("breakthroughSmall")

    def make(state: gdl.State, role: gdl.Role, seed: int, _is_taught: bool) -> LaneSearch:
        return LaneSearch(game, state, role, seed, SETTINGS)

    make(game.initial_state(), game.roles[0], 1, True)  # what is made once is made
    start = time.monotonic()
    found = quick_gate(game, make, Deadline.after(0.2), seed=3)

    assert time.monotonic() - start < 2
    assert not found.is_passed
