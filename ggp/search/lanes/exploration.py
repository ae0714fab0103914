"""The weight of exploration, by how long a game lasts."""

from __future__ import annotations

import gdl

LEAST, MOST = 0.5, 1.2
STEPS = 256  # of random playouts, in all lanes: milliseconds, and the same for the same seed


def constant_by_length(simulator: gdl.Simulator, seed: int) -> float:
    """A weight from 0.5 in long games to 1.2 in short ones, told from random playouts.

    In a long game one move decides little, and chance in the playouts much: values differ by less.
    """
    length = simulator.playouts(steps=STEPS, seed=seed).mean_length
    return min(MOST, max(LEAST, 0.4 + 18 / max(1.0, length)))
