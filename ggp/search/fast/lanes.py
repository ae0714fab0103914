"""The lanes that the fast searches play on, where a batch of them is soon over."""

from __future__ import annotations

import gdl

MOST_GATES = 2_000_000
"""Of all phases. Chess has 720,000, and a batch of it takes a quarter of a second."""


def has_lanes(game: gdl.Game) -> bool:
    """True if a game is compiled, and a batch does not take longer than a clock can wait."""
    simulator = game.simulator
    return simulator is not None and simulator.circuit.num_gates <= MOST_GATES
