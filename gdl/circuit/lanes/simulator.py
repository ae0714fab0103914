"""The simulator: random playouts of one game, on lanes and on several threads.

simulator = Simulator(circuit)
result = simulator.playouts(seconds=1.0, threads=2)
result.count, result.mean_length, result.mean_goals
"""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property, partial
from typing import TYPE_CHECKING

import numpy as np

from gdl.circuit.assembler.code import GateCode, gate_code
from gdl.circuit.circuit import Circuit
from gdl.circuit.lanes.lanes import DEFAULT_LIMIT, DEFAULT_WIDTH, Lanes
from gdl.circuit.lanes.vectors import WORD_BITS
from gdl.circuit.playouts import Playouts, together

if TYPE_CHECKING:
    from gdl.circuit.lanes.expander import Expander


class Simulator:
    """Makes lanes for a game, and has the machine code of its gates.

    Any thread may use a simulator; lanes belong to one thread each.
    """

    def __init__(self, circuit: Circuit, width: int = DEFAULT_WIDTH) -> None:
        self.circuit = circuit
        self.width = width
        self._assembling = threading.Lock()

    def lanes(self, seed: int = 0) -> Lanes:
        """New lanes."""
        return Lanes(self.circuit.phases, self.width, seed, self.code)

    @property
    def code(self) -> GateCode | None:
        """Machine code for the gates; None where none can be run, and tables say what they do."""
        with self._assembling:  # once, also if several threads ask
            return self._code

    @cached_property
    def _code(self) -> GateCode | None:
        return gate_code(self.circuit.phases, self.width)

    def expander(self, seed: int = 0) -> Expander:
        """An expander of its own for whoever asks; the seed is that of its random playouts."""
        from gdl.circuit.lanes.expander import Expander  # it needs the simulator

        return Expander(self, seed)

    @property
    def memory(self) -> int:
        """Bytes that the values of one thread's lanes take."""
        num_slots = max(phase.num_slots for phase in self.circuit.phases)
        return num_slots * self.width * WORD_BITS // 8

    def warm_up(self) -> None:
        """Play one step, so that the kernels are loaded."""
        self.lanes().playouts(steps=1)

    # --- Playouts -----------------------------------------------------------------------------

    def playouts(
        self,
        *,
        seconds: float | None = None,
        steps: int | None = None,
        threads: int = 1,
        seed: int = 0,
        limit: int = DEFAULT_LIMIT,
    ) -> Playouts:
        """Random playouts from the first state, on several threads at once.

        Args:
            seconds: Play for so long.
            steps: Or play so many steps in each lane; the same seed gives the same playouts.
            threads: How many play; each has lanes of its own.
            seed: Of the first thread's random choices; the others' are drawn from it.
            limit: Moves after which a playout is ended.
        """
        seeds = [seed, *np.random.default_rng(seed).integers(2**32, size=threads - 1).tolist()]
        players = [self.lanes(one) for one in seeds]
        start = time.perf_counter()
        play = partial(Lanes.playouts, seconds=seconds, steps=steps, limit=limit)
        with ThreadPoolExecutor(threads) as pool:
            parts = list(pool.map(play, players))
        return together(parts, time.perf_counter() - start)
