"""The circuit as a state machine: one state at a time, on the scalar kernels."""

from __future__ import annotations

from copy import copy

import numpy as np

from gdl.circuit.netlist import IntArray, Netlist, pack, unpack
from gdl.circuit.netlist_machine import NetlistMachine
from gdl.circuit.passes.cone import for_play
from gdl.circuit.playouts import Playouts
from gdl.circuit.scalar.layout import plan
from gdl.circuit.scalar.scalar import DEPTH_LIMIT, Scalar
from gdl.machine import State


class CircuitMachine(NetlistMachine):
    """Plays by a netlist, follows changes from gate to gate; `fork` serves other threads."""

    def __init__(self, netlist: Netlist) -> None:
        self._scalar = Scalar(plan(netlist))
        self._player: tuple[IntArray, Scalar] | None = None
        literals = self._scalar.plan.netlist
        super().__init__(netlist, self._scalar, literals)

    def fork(self) -> CircuitMachine:
        """The same game for another thread; what is large is shared."""
        other = copy(self)
        scalar = self._scalar.fork()
        other.__dict__.update(
            _scalar=scalar,
            _evaluator=scalar,
            _player=self._player and (self._player[0], self._player[1].fork()),
            _loaded=None,
        )
        return other

    def random_playouts(
        self,
        num: int | None = None,
        seconds: float | None = None,
        *,
        seed: int = 0,
        state: State | None = None,
        depth: int = DEPTH_LIMIT,
    ) -> Playouts:
        """Random playouts, so many or for so long; every legal move is as likely as the others.

        Args:
            num: How many; None for as many as the seconds allow.
            seconds: For how long; None for as long as it takes.
            seed: The same seed and number give the same playouts.
            state: Where they start; None for the initial state.
            depth: Moves after which a playout is cut off.
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
