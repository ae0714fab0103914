"""Lanes: whether a game has them, and the settings of the tree search on them."""

from __future__ import annotations

from dataclasses import dataclass

import gdl

MOST_GATES = 2_000_000
"""Of all phases. Chess has 720,000, and a batch of it takes a quarter of a second."""


def has_lanes(game: gdl.Game) -> bool:
    """True if a game is compiled, and a batch does not take longer than a clock can wait."""
    simulator = game.simulator
    return simulator is not None and simulator.circuit.num_gates <= MOST_GATES


PLAIN, BIASED = VARIANTS = ("plain", "biased")
"""In playouts all moves are as likely, or those that did well are preferred."""


@dataclass(frozen=True, slots=True)
class LaneSettings:
    """Settings of a search on lanes."""

    c: float = 0.3
    """Weight of exploration, for goals scaled to 0..1."""
    memory: int = 1 << 30
    """Bytes of the tree; when it fills up, what was not looked at for longest makes room."""
    horizon: int = 500
    """Longest playout, in moves; a longer one counts as undecided (50)."""
    goal_bounds: bool = True
    """Whether nodes begin with what the rules alone tell of the goals in reach."""
    decisive_moves: bool = True
    """Whether it is seen who wins at once, in new nodes and in playouts."""
    playing: float = 0.1
    """Share of the time for playouts; of a small game's leaves there are several each then."""
    leaves: int = 128
    """Leaves of a batch, at most."""
    rounds: int = 0
    """Times that all lanes play for a batch; 0: as many as make that share, which depends on the
    clock: only with a number a seed repeats a search."""
    variant: str = PLAIN
    """One of `VARIANTS`; what is given leaf values is plain."""
    final: str = "visits"
    """The final choice: the move with the most `visits` or the best mean `value`."""
    child_values: bool = False
    """Whether leaf values tell of each move of a new node, too; then nothing is played out."""
    minimax: float = 0.4
    """With child values, the weight of their minimax in what a move is worth; the rest is the mean
    of the rounds."""
    is_mixing: bool = True
    """Whether moves are sampled where several roles decide at once, so that nobody can foresee."""


DEFAULTS = LaneSettings()
NETWORK_C = 0.1
"""Weight of exploration with a network, whose values vary less than those of playouts."""
