"""Images of states under the symmetries of a game: what is true of a state is true of them too."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

import gdl

Words = NDArray[np.uint64]


class Images:
    """Turns packed states by the symmetries of a game. Each role stays what it is."""

    def __init__(self, game: gdl.Game) -> None:
        """Those of a compiled game; of most only the identity is known."""
        assert game.simulator is not None
        assert game.circuit is not None
        of_game = game.circuit.netlist.bases
        of_state = game.simulator.circuit.phases[0].netlist.bases
        place_of = {fact: place for place, fact in enumerate(of_state)}
        number_of = {fact: number for number, fact in enumerate(of_game)}
        numbers = [number_of[fact] for fact in of_state]
        self._becomes: list[NDArray[np.int64]] = []
        for symmetry in game.symmetries:
            facts = [of_game[symmetry.bases[number]] for number in numbers]
            if all(fact in place_of for fact in facts):
                self._becomes.append(np.array([place_of[fact] for fact in facts], np.int64))

    def __len__(self) -> int:
        return len(self._becomes)

    def drawn(self, states: Words, rng: np.random.Generator) -> Words:
        """One image of each state, drawn by lot."""
        if len(self) <= 1:
            return states
        bits = np.unpackbits(states.view(np.uint8), axis=1, bitorder="little")
        drawn = rng.integers(0, len(self), len(bits))
        for number, becomes in enumerate(self._becomes):
            rows = np.flatnonzero(drawn == number)
            turned = np.zeros((len(rows), bits.shape[1]), np.uint8)
            turned[:, becomes] = bits[rows, : len(becomes)]
            bits[rows] = turned
        packed: Words = np.packbits(bits, axis=1, bitorder="little").view(np.uint64)
        return packed
