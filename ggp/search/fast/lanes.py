"""Lanes: which games support them, and the settings of the tree search on lanes."""

from __future__ import annotations

from dataclasses import dataclass

import gdl

MAX_GATES = 2_000_000
"""Maximum number of gates in all phases. Chess has 720,000, and a batch of it takes a quarter of a
second."""


def has_lanes(game: gdl.Game) -> bool:
    """Return whether a game is compiled, and small enough to run a batch within a playclock."""
    simulator = game.simulator
    return simulator is not None and simulator.circuit.num_gates <= MAX_GATES


PLAIN, BIASED = VARIANTS = ("plain", "biased")
"""The variants of a search without a network: in playouts all moves are equally likely (plain), or
moves that did well are preferred, in playouts and in the tree (biased)."""

ALPHABETA = "alphabeta"
"""The search in arrays that plays some games better than any variant of a search on lanes."""


@dataclass(frozen=True, slots=True)
class LaneSettings:
    """Settings of a search on lanes."""

    c: float = 0.3
    """Weight of exploration, for goals scaled to 0..1."""
    memory: int = 1 << 30
    """Size of the tree in bytes. When it is full, the least recently visited nodes are dropped."""
    horizon: int = 500
    """Maximum length of a playout, in moves. A longer one counts as undecided (50)."""
    goal_bounds: bool = True
    """Whether new nodes get bounds from the rules alone, which say which goals can still be
    reached."""
    decisive_moves: bool = True
    """Whether to detect immediate wins, in new nodes and in playouts."""
    state_graph: bool = True
    """Whether to look for exact values by listing all states that can still be reached."""
    playing: float = 0.1
    """Share of the time for playouts. In a small game this allows several for each leaf."""
    leaves: int = 128
    """Maximum number of leaves in a batch."""
    rounds: int = 0
    """How often all lanes play for a batch. 0 means as often as `playing` allows; this depends on
    the clock, so the same seed does not repeat a search."""
    variant: str = PLAIN
    """One of `VARIANTS`. A search with leaf values is always plain."""
    final: str = "visits"
    """Which move to choose in the end: the one with most `visits` or with the best mean `value`."""
    child_values: bool = False
    """Whether leaf values also evaluate each move of a new node. Then there are no playouts if
    their share is 1."""
    minimax: float = 0.4
    """With child values, the weight of their minimax in the value of a move. The rest is the mean
    of the iterations."""
    is_mixing: bool = True
    """Whether to draw moves at random if several roles move at once, so that they cannot be
    foreseen."""


DEFAULTS = LaneSettings()
NETWORK_C = 0.1
"""Weight of exploration with a network, whose values vary less than those of playouts."""
