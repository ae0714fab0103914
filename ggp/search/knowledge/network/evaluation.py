"""A value network as an evaluation, for searches that value one state after the other."""

from __future__ import annotations

import numpy as np

import gdl
from ggp.search.knowledge.network.kernel import evaluate
from ggp.search.knowledge.network.network import ValueNetwork, layers_for


class NetworkEvaluation:
    """The values that a network gives the states of a game.

    Attributes:
        network: The network.
    """

    def __init__(self, network: ValueNetwork, game: gdl.Game) -> None:
        """The network for a game, see `ValueNetwork.for_game`.

        Raises:
            NetworkError: The game is not compiled, or it is another one.
        """
        self.network = network
        self._game = game
        self._layers = layers_for(network, game)
        assert game.simulator is not None
        self._expander = game.simulator.expander(0)

    def __call__(self, state: gdl.State) -> tuple[float, ...]:
        """The goals to be expected from a state for each role, 0..100."""
        words = self._expander.pack(self._game.facts(state))[None]
        values = np.empty((1, len(self._game.roles)))
        evaluate(self._layers, words, self.phase_of(state), values)
        return tuple(map(float, values[0]))

    def phase_of(self, state: gdl.State) -> int:
        """The phase of a state: which of the second layers counts."""
        return self._expander.phases_of(self._expander.pack(self._game.facts(state)))[0]
