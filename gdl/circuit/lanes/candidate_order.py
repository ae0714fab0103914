"""The order of the candidates for playouts, which makes some of them more likely.

The chosen candidate is the one whose rank is a random fraction times the number of legal
candidates. So if the fraction tends to be large, candidates at the end are preferred.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gdl.circuit.lanes.candidates import GROUP, Choices
from gdl.circuit.netlist import IntArray, Netlist


class CandidateOrder:
    """The order of the candidates in the tables that the kernels of some lanes read."""

    def __init__(self, choices: Choices, netlist: Netlist, width: int) -> None:
        self._choices = choices
        inputs = choices.does // width - netlist.first_input
        # Candidates of one role, phase and sign stay together.
        owner = np.zeros(len(choices.signs), np.int32)
        for number, start in enumerate(choices.starts[:, :-1].flat):
            owner[start:] = number
        block = np.repeat(2 * owner - choices.signs, GROUP)
        is_real = inputs < netlist.num_inputs
        self._places = np.flatnonzero(is_real)  # padding keeps its place
        self._blocks: IntArray = block[is_real]
        self._inputs: IntArray = inputs[is_real]
        self._legal = choices.legal[is_real]
        self._does = choices.does[is_real]

    def sort(self, scores: NDArray[np.float64], bias: int) -> None:
        """Sort candidates by ascending score, and prefer the last ones by `bias` bits."""
        order = np.lexsort((scores[self._inputs], self._blocks))
        self._choices.legal[self._places] = self._legal[order]
        self._choices.does[self._places] = self._does[order]
        self._choices.bias[0] = bias
