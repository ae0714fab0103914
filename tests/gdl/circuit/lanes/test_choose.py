"""The choice among legal moves is uniform."""

from __future__ import annotations

import numpy as np
import pytest

from gdl.circuit.lanes.playouts.lanes import Lanes
from gdl.circuit.schedule import schedule
from tests.gdl.circuit.lanes.random_netlists import open_choice

pytestmark = pytest.mark.usefixtures("kernels", "lane_steps")

# Upper tail of the normal distribution with probability 0.0001.
UNLIKELY = 3.72


def _chi_square_limit(freedom: int) -> float:
    """The limit that chi-square exceeds once in 10,000 times (Wilson and Hilferty, 1931)."""
    part = 2 / (9 * freedom)
    return float(freedom * (1 - part + UNLIKELY * np.sqrt(part)) ** 3)


@pytest.mark.parametrize("num_inputs", [2, 3, 8, 9, 16, 17, 40, 64, 65, 137, 200])
@pytest.mark.parametrize("share", [0.3, 1.0])
def test_every_legal_move_is_equally_likely(num_inputs: int, share: float) -> None:
    """Chi-square over the legal moves of one state, of which all or a part are legal."""
    netlist = open_choice(num_inputs)
    rng = np.random.default_rng(num_inputs)
    legal = rng.random(num_inputs) < share
    legal[[0, -1]] = True
    lanes = Lanes([schedule(netlist)], seed=num_inputs)
    lanes.restart(legal ^ (np.arange(num_inputs) % 2 == 1))
    lanes.settle()

    counts = np.zeros(num_inputs, np.int64)
    rounds = 50 + num_inputs
    for _ in range(rounds):
        lanes.choose()
        counts += lanes.inputs().sum(axis=0)

    expected = rounds * lanes.num_lanes / legal.sum()
    assert counts[~legal].sum() == 0
    assert counts.sum() == rounds * lanes.num_lanes
    deviation = ((counts[legal] - expected) ** 2 / expected).sum()
    assert deviation < _chi_square_limit(int(legal.sum()) - 1)


def test_lanes_choose_independently() -> None:
    """Two lanes choose the same of two moves half of the time, and so do two steps of a lane."""
    lanes = Lanes([schedule(open_choice(2))], seed=5)
    lanes.restart(np.array([True, False]))
    lanes.settle()

    chosen = []
    for _ in range(400):
        lanes.choose()
        chosen.append(lanes.inputs()[:, 0])

    table = np.array(chosen)
    pairs = table.size / 2
    for same in ((table[:, ::2] == table[:, 1::2]).sum(), (table[::2] == table[1::2]).sum()):
        assert abs(same - pairs / 2) < UNLIKELY * np.sqrt(pairs) / 2
