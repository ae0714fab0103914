"""The state machine that plays one state of a game at a time, with the scalar kernels."""

from __future__ import annotations

import time

import numpy as np

from gdl.circuit.netlist import IntArray, Netlist, pack, unpack
from gdl.circuit.netlist_machine import NetlistMachine
from gdl.circuit.passes.cone import for_play
from gdl.circuit.playouts import Playouts
from gdl.circuit.scalar import kernels
from gdl.circuit.scalar.layout import ScalarPlan, plan
from gdl.machine import State

DEPTH_LIMIT = 100_000  # moves of a playout; games that are meant to end have fewer
_FIRST_CHUNK = 64  # states before the first check of the clock
_CHUNK_SECONDS = 0.01


class Scalar:
    """A game with a current state, which can be any state. Use it in one thread at a time.

    Packed states are `[W]` words, see `gdl.circuit.netlist.pack`.
    """

    def __init__(self, planned: ScalarPlan) -> None:
        self.plan = planned
        self._memory = planned.memory.copy()

    def fork(self) -> Scalar:
        """Return another instance of the same game, for another thread."""
        return Scalar(self.plan)

    def load(self, words: IntArray) -> None:
        """Make a packed state the current one."""
        kernels.load(self.plan.at, self.plan.layout, self._memory, words)

    def holds(self, literal: int) -> bool:
        """Return whether a literal of the plan's netlist is true."""
        return bool(self._memory[self.plan.at.values + (literal >> 1)] != (literal & 1))

    def legal(self, role: int) -> IntArray:
        """Return the inputs that are legal for a role, in ascending order."""
        at, layout, memory = self.plan.at, self.plan.layout, self._memory
        parts = [np.zeros(0, np.int32)]
        for group in range(layout[at.role_groups + role], layout[at.role_groups + role + 1]):
            if self.holds(int(layout[at.guards + group])):
                start = at.members + layout[at.group_starts + group]
                parts.append(memory[start : start + memory[at.group_sizes + group]])
        return np.sort(np.concatenate(parts))

    def make(self, moves: IntArray) -> IntArray:
        """Make a joint move, given as one input or -1 per role. Return the next packed state."""
        at = self.plan.at
        self._memory[at.chosen : at.chosen + at.num_roles] = moves
        kernels.make(at, self.plan.layout, self._memory)
        return self._memory[at.following : at.following + at.num_words].copy()

    def playouts(
        self,
        start: IntArray,
        num: int | None = None,
        seconds: float | None = None,
        seed: int = 0,
        depth: int = DEPTH_LIMIT,
    ) -> Playouts:
        """Play `num` random playouts from a packed state, or as many as fit into `seconds`."""
        at, layout, memory = self.plan.at, self.plan.layout, self._memory
        # The order of legal moves depends on all earlier states. Start from fresh memory, so that
        # the same seed gives the same playouts.
        np.copyto(memory, self.plan.memory)
        totals = np.zeros(kernels.GOALS + at.num_roles, np.int64)
        settings = np.array([0, 0, depth, _random_state(seed)], np.int64)
        begun = now = time.perf_counter()
        end = begun + seconds if seconds is not None else np.inf
        most_playouts = num if num is not None else (1 << 62 if seconds is not None else 0)
        chunk = _FIRST_CHUNK
        while totals[kernels.PLAYOUTS] < most_playouts and now < end:
            settings[kernels.MAX_PLAYOUTS] = most_playouts - totals[kernels.PLAYOUTS]
            settings[kernels.MAX_STATES] = chunk
            kernels.play(at, layout, memory, start, settings, totals)
            last, now = now, time.perf_counter()
            if now - last < _CHUNK_SECONDS:
                chunk *= 2
        return Playouts(
            count=int(totals[kernels.PLAYOUTS]),
            cut=int(totals[kernels.CUT]),
            moves=int(totals[kernels.STATES]),
            goal_totals=tuple(totals[kernels.GOALS :].tolist()),
            seconds=now - begun,
            stuck=int(totals[kernels.STUCK]),
        )


def _random_state(seed: int) -> int:
    """Return an initial state of the random generator. Different seeds give states far apart.

    The state is never a fixed point of the generator, such as 0.
    """
    mixed = (seed + 1) * 0x9E3779B97F4A7C15 % (1 << 64)
    return 1 + (mixed ^ (mixed >> 31)) % ((1 << 62) - 2)


class CircuitMachine(NetlistMachine):
    """A state machine that plays by a netlist and follows changes from gate to gate.

    Use `fork` to get a machine for another thread.
    """

    def __init__(self, netlist: Netlist) -> None:
        self._scalar = Scalar(plan(netlist))
        self._player: tuple[IntArray, Scalar] | None = None
        literals = self._scalar.plan.netlist
        super().__init__(netlist, self._scalar, literals)

    def fork(self) -> CircuitMachine:
        """Return a machine for another thread. Both share all large data."""
        other = type(self).__new__(type(self))
        scalar = self._scalar.fork()
        own = {
            "_scalar": scalar,
            "_evaluator": scalar,
            "_player": self._player and (self._player[0], self._player[1].fork()),
            "_loaded": None,
        }
        vars(other).update(vars(self) | own)
        return other

    def __reduce__(self) -> tuple[type[CircuitMachine], tuple[Netlist]]:
        return type(self), (self.netlist,)

    def __deepcopy__(self, memo: object) -> CircuitMachine:
        return self.fork()

    def random_playouts(
        self,
        num: int | None = None,
        seconds: float | None = None,
        *,
        seed: int = 0,
        state: State | None = None,
        depth: int = DEPTH_LIMIT,
    ) -> Playouts:
        """Play random playouts, in which every legal move is equally likely.

        Args:
            num: The number of playouts, or None for as many as `seconds` allow.
            seconds: The time limit, or None for no limit.
            seed: The same seed and number give the same playouts.
            state: Where the playouts start, or None for the initial state.
            depth: The number of moves after which a playout is cut off.
        """
        if self._player is None:
            netlist = for_play(self.netlist)
            chosen = np.array([self._names.number[fact] for fact in netlist.bases], np.int32)
            self._player = chosen, Scalar(plan(netlist))
        chosen, player = self._player
        start = self._initial if state is None else state
        assert isinstance(start, bytes)
        bases = unpack(np.frombuffer(start, np.int32), self.netlist.num_bases)
        return player.playouts(pack(bases[None, chosen])[0], num, seconds, seed, depth)
