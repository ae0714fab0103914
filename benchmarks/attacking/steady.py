"""A player that waits and computes nothing, so that its match lasts and costs hardly any CPU time.

ggp serve --player steady:Steady --option seconds=0.3
"""

from __future__ import annotations

import time
from typing import Any, ClassVar

import gdl
from ggp.clock import Deadline
from ggp.players import Option, Player, number


class Steady(Player):
    """A player that makes a random legal move after some seconds."""

    OPTIONS: ClassVar[tuple[Option[Any], ...]] = (
        Option("seconds", number(0), 0.3, "how long each move takes"),
    )

    def choose(self, state: gdl.State, deadline: Deadline) -> gdl.Move:
        """Return a random legal move, after a while."""
        moves = self.legal_moves(state)
        time.sleep(min(self.OPTIONS[0].read(self.options), deadline.remaining() / 2))
        return self.rng.choice(moves)
