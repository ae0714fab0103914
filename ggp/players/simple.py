"""Players that do not think: the first legal move, and a random one."""

from __future__ import annotations

import random

import gdl
from ggp.clock import Deadline
from ggp.players.base import Player
from ggp.search.core.choices import Joint


class LegalPlayer(Player):
    """Makes the first legal move: the least that a game manager accepts."""

    def choose(self, state: gdl.State, deadline: Deadline) -> gdl.Move:
        """The first legal move."""
        return self.legal_moves(state)[0]


class RandomPlayer(Player):
    """Makes a random legal move, each as likely as the others.

    Each turn has its own luck: a player that takes a match up in the middle goes on as one that was
    there from the beginning would have.
    """

    def set_up(self) -> None:
        """Take a seed of its own."""
        self._seed = self.rng.getrandbits(64)
        self._turn = 0

    def choose(self, state: gdl.State, deadline: Deadline) -> gdl.Move:
        """A uniformly random legal move."""
        # In the order of their texts: reasoners may have orders of their own.
        moves = sorted(self.legal_moves(state), key=str)
        return random.Random(f"{self._seed}:{self._turn}").choice(moves)

    def advance(self, moves: Joint, state: gdl.State) -> None:
        """The next turn begins."""
        self._turn += 1
