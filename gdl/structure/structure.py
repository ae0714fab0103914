"""The structure of a game: all that is found out about its circuit."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gdl.circuit.netlist import NO, YES, Netlist
from gdl.structure.cofactors import cofactors
from gdl.structure.dependence import dependence
from gdl.structure.division import Division, divide
from gdl.structure.latches import Latch, latches
from gdl.structure.relevance import PartView, ends_read, view_of
from gdl.structure.support import cones

IntArray = NDArray[np.int32]
BoolArray = NDArray[np.bool_]

MOST_CELLS = 100_000_000  # of a table of bases and bases, or bases and inputs
MOST_VISITS = 1_500_000_000  # literals looked at for latches: a second or two


@dataclass(frozen=True, eq=False)
class Structure:
    """Structure of a game, as its circuit shows it. `B` bases, `I` inputs.

    Attributes:
        netlist: The circuit: names the bases and the inputs.
        changes: `[B]` whether a base changes at all.
        is_autonomous: `[B]` whether a base runs on its own, whatever is done: step counters, turns.
        relevant: The game seen by the bases that can make a difference to the end or to a goal.
        parts: What these fall into.
        decoys: What the others fall into.
        latches: Bases that stay as they are once they have a value.
    """

    netlist: Netlist
    changes: BoolArray  # [B]
    is_autonomous: BoolArray  # [B]
    relevant: PartView
    parts: Division
    decoys: Division
    latches: tuple[Latch, ...]

    @property
    def num_dead(self) -> int:
        """Bases that change and make no difference."""
        return int((self.changes & ~self.relevant.is_seen).sum())


def analyse(netlist: Netlist) -> Structure | None:
    """The structure of a game, given by its circuit; None if that is too large.

    Args:
        netlist: With all facts, of all phases.
    """
    num_bases = netlist.num_bases
    if num_bases * max(num_bases, netlist.num_inputs) > MOST_CELLS:
        return None
    functions = cofactors(netlist)
    if functions is None:
        return None
    depends = dependence(functions, cones(functions))
    relevant = view_of(functions, depends, ends_read(functions))
    changes = (netlist.next != NO) & (netlist.next != YES)
    parts = divide(functions, depends, relevant.is_seen & changes)
    return Structure(
        netlist=netlist,
        changes=changes,
        is_autonomous=depends.is_autonomous,
        relevant=relevant,
        parts=parts,
        decoys=divide(functions, depends, ~relevant.is_seen & changes),
        latches=latches(netlist, MOST_VISITS),
    )
