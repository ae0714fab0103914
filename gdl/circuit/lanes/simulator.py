"""The simulator: random playouts of one game, on lanes and on several threads.

simulator = Simulator(circuit)
result = simulator.playouts(seconds=1.0, threads=2)
result.count, result.mean_length, result.mean_goals
"""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from gdl.circuit.circuit import Circuit
from gdl.circuit.lanes.lanes import DEFAULT_LIMIT, DEFAULT_WIDTH, Lanes
from gdl.circuit.lanes.native_gates import NativeGates
from gdl.circuit.lanes.native_gates_store import store_native_gates, stored_native_gates
from gdl.circuit.lanes.vectors import WORD_BITS
from gdl.circuit.netlist import Netlist
from gdl.circuit.playouts import Playouts, together
from gdl.circuit.schedule import schedule

if TYPE_CHECKING:
    from gdl.circuit.lanes.expander import Expander

# So long may the native gates take to compile; what takes longer is played by tables.
NATIVE_GATES_SECONDS = 60.0

# What is timed to see which gates are faster: so many steps, the best of so many trials.
TRIAL_STEPS = 16
TRIALS = 5

SECONDS_PER_SHIFT = 0.25  # how often playing lanes look whether the native gates are ready


class Simulator:
    """Makes lanes for a game, and keeps its native gates.

    They are compiled in the background once `compile_native_gates` was called. Any
    thread may use a simulator; lanes belong to one thread each.
    """

    def __init__(self, circuit: Circuit, width: int = DEFAULT_WIDTH) -> None:
        self.circuit = circuit
        self.width = width
        self._native_gates: NativeGates | None = None
        self._are_native_gates_better = False
        self._starting = threading.Lock()
        self._stops = threading.Event()
        self._thread: threading.Thread | None = None

    def lanes(self, seed: int = 0) -> Lanes:
        """New lanes, with the best gates that are ready."""
        lanes = Lanes(self.circuit.phases, self.width, seed)
        self.shift(lanes)
        return lanes

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

    # --- the native gates ----------------------------------------------------------------------

    def compile_native_gates(self) -> None:
        """Begin to compile the native gates in the background, unless that was begun before."""
        with self._starting:
            if self._thread is None:
                self._thread = threading.Thread(
                    target=self._compile_native_gates, name="native gates", daemon=True
                )
                self._thread.start()

    def stop_native_gates(self) -> None:
        """Compile no further; what is ready stays."""
        self._stops.set()
        if self._native_gates is not None:
            self._native_gates.stop()

    def wait_for_native_gates(self) -> bool:
        """Wait until the native gates are ready or given up; whether it is used."""
        if self._thread is not None:
            self._thread.join()
        return self.has_native_gates

    @property
    def has_native_gates(self) -> bool:
        """Whether the native gates are ready, and faster than the tables."""
        return self._are_native_gates_better

    def shift(self, lanes: Lanes) -> None:
        """Let lanes use the native gates if they are ready; what was settled is so no more."""
        if (
            self._are_native_gates_better
            and self._native_gates is not None
            and lanes.native_gates is None
        ):
            lanes.use(self._native_gates)

    def _compile_native_gates(self) -> None:
        netlists = [phase.netlist for phase in self.circuit.phases]
        self._native_gates = native_gates = stored_native_gates(
            netlists, self.width
        ) or self._new_native_gates(netlists)
        if native_gates.is_ready:
            self._are_native_gates_better = self._is_faster(native_gates)

    def _new_native_gates(self, netlists: Sequence[Netlist]) -> NativeGates:
        """Native gates compiled here, unless there was no time for that."""
        self._native_gates = native_gates = NativeGates(
            [schedule(x, straight=True) for x in netlists], self.width
        )
        if self._stops.is_set():
            return native_gates
        bound = threading.Timer(NATIVE_GATES_SECONDS, native_gates.stop)
        bound.daemon = True
        bound.start()
        native_gates.compile()
        bound.cancel()
        if native_gates.is_ready:
            store_native_gates(native_gates)
        return native_gates

    def _is_faster(self, native_gates: NativeGates) -> bool:
        """Whether lanes in the native gates play faster than lanes without."""
        by_table = Lanes(self.circuit.phases, self.width)
        by_code = Lanes(self.circuit.phases, self.width)
        by_code.use(native_gates)
        pairs = [(_time_of_steps(by_table), _time_of_steps(by_code)) for _ in range(TRIALS)]
        return min(code for _, code in pairs) < min(table for table, _ in pairs)

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
        end = None if seconds is None else start + seconds
        with ThreadPoolExecutor(threads) as pool:
            parts = list(pool.map(partial(self._play, end=end, steps=steps, limit=limit), players))
        return together(parts, time.perf_counter() - start)

    def _play(self, lanes: Lanes, *, end: float | None, steps: int | None, limit: int) -> Playouts:
        if end is None:
            return lanes.playouts(steps=steps, limit=limit)
        start = time.perf_counter()
        parts = [lanes.playouts(steps=1, limit=limit)]  # also by a thread that came too late
        while (left := end - time.perf_counter()) > 0:
            self.shift(lanes)
            parts.append(lanes.playouts(seconds=min(left, SECONDS_PER_SHIFT), limit=limit))
        return together(parts, time.perf_counter() - start)


def _time_of_steps(lanes: Lanes) -> float:
    """Seconds of this thread's own, so that others who play meanwhile count for nothing."""
    start = time.thread_time()
    lanes.playouts(steps=TRIAL_STEPS)
    return time.thread_time() - start
