"""Players that do not think: the first legal move, and a random one."""

from __future__ import annotations

import gdl
from ggp.clock import Deadline
from ggp.players.base import Player


class Legal(Player):
    """Makes the first legal move: the least that a game manager accepts."""

    def choose(self, state: gdl.State, deadline: Deadline) -> gdl.Move:
        """The first legal move."""
        return self.legal_moves(state)[0]


class Random(Player):
    """Makes a random legal move, each as likely as the others."""

    def choose(self, state: gdl.State, deadline: Deadline) -> gdl.Move:
        """A uniformly random legal move."""
        return self.rng.choice(self.legal_moves(state))
