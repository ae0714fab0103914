"""A circuit: all that is kept of a game once it has been compiled."""

from __future__ import annotations

import time
from dataclasses import dataclass

from gdl.circuit.build import build
from gdl.circuit.netlist import Netlist
from gdl.circuit.passes import optimise
from gdl.circuit.passes.blocks import halve_feedback, separate_blocks
from gdl.circuit.passes.complement_moves import complement_moves
from gdl.circuit.passes.growth import find_growth
from gdl.circuit.passes.parts import rewrite_by_parts
from gdl.circuit.passes.phases import split_phases
from gdl.circuit.passes.split import split
from gdl.circuit.schedule import Schedule, schedule
from gdl.ground.program import GroundProgram


@dataclass(frozen=True, eq=False)
class Circuit:
    """A compiled game.

    Attributes:
        netlist: With all facts of a state; what plays one state at a time.
        phases: What plays on lanes, see `gdl.circuit.passes.phases`. Facts that make no difference
            to play are missing.
    """

    netlist: Netlist
    phases: tuple[Schedule, ...]

    @property
    def num_gates(self) -> int:
        """Gates of all phases together."""
        return sum(phase.netlist.num_gates for phase in self.phases)


def make_circuit(program: GroundProgram, seconds: float = 10.0) -> Circuit:
    """The circuit of a ground program.

    Args:
        program: What can happen in the game.
        seconds: How long may be spent on making the circuit smaller; building it comes on top.
    """
    return circuit_of(build(program), seconds)


def circuit_of(netlist: Netlist, seconds: float = 10.0) -> Circuit:
    """The circuit of a netlist, which is made smaller for so many seconds at most."""
    end = time.monotonic() + seconds
    smaller = optimise(netlist, seconds=seconds / 2)
    playing = optimise(smaller, play=True, seconds=max(0.0, end - time.monotonic()))
    phases = split_phases(find_growth(playing))
    phases = [rewrite_by_parts(complement_moves(phase)) for phase in phases]
    plans = tuple(schedule(separate_blocks(split(phase))) for phase in phases)
    return Circuit(halve_feedback(smaller), plans)
