"""The order of the candidates for playouts, by which some of them are chosen more often.

A random fraction times the number of legal candidates is the rank of the chosen one. So a fraction
that tends to be large prefers the candidates at the end.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gdl.circuit.lanes.candidates import GROUP, Choices
from gdl.circuit.netlist import IntArray, Netlist


class CandidateOrder:
    """The order of the candidates of some lanes, as their kernels read them."""

    def __init__(self, choices: Choices, netlist: Netlist, width: int) -> None:
        self._choices = choices
        inputs = choices.does // width - netlist.first_input
        # Candidates of one role, phase and sign stay together.
        owner = np.zeros(len(choices.signs), np.int32)
        for number, start in enumerate(choices.starts[:, :-1].flat):
            owner[start:] = number
        block = np.repeat(2 * owner - choices.signs, GROUP)
        is_real = inputs < netlist.num_inputs
        self._places = np.flatnonzero(is_real)  # padding stays where it is
        self._blocks: IntArray = block[is_real]
        self._inputs: IntArray = inputs[is_real]
        self._legal = choices.legal[is_real]
        self._does = choices.does[is_real]

    def sort(self, scores: NDArray[np.float64], bias: int) -> None:
        """Put candidates with the highest scores last, and prefer the last ones by `bias` bits."""
        order = np.lexsort((scores[self._inputs], self._blocks))
        self._choices.legal[self._places] = self._legal[order]
        self._choices.does[self._places] = self._does[order]
        self._choices.bias[0] = bias
