"""Options of the search on lanes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ggp.players.evaluation_options import AUTO
from ggp.players.options import Option, one_of, share, whole
from ggp.search.fast.lanes import DEFAULTS as LANE_DEFAULTS
from ggp.search.fast.lanes import VARIANTS, LaneSettings

MIX = Option(
    "mix",
    one_of(("yes", "no")),
    "yes",
    "on lanes, whether to draw the move at random when several roles move at once, so that the "
    "others cannot foresee it; no: make the best move",
)
PLAYING = Option(
    "playing",
    share(0.95),
    LANE_DEFAULTS.playing,
    "on lanes, share of the time for playouts: the larger, the more playouts each leaf gets",
)
ROUNDS = Option(
    "rounds",
    whole(0),
    LANE_DEFAULTS.rounds,
    "on lanes, how often all lanes play for one batch of leaves; 0: as often as the option playing "
    "allows",
)
GOAL_BOUNDS = Option(
    "prospects",
    one_of(("on", "off")),
    "on" if LANE_DEFAULTS.goal_bounds else "off",
    "on lanes, whether new nodes get bounds from the rules alone: goals that can no longer be "
    "reached are ruled out at once",
)
DECISIVE_MOVES = Option(
    "foresight",
    one_of(("on", "off")),
    "on" if LANE_DEFAULTS.decisive_moves else "off",
    "on lanes, whether to look for wins in one move: nodes with one are decided, and in playouts "
    "roles make winning moves and avoid moves that let another role win",
)
LEAVES = Option(
    "leaves",
    whole(1),
    LANE_DEFAULTS.leaves,
    "on lanes, maximum leaves to choose before their values are known",
)
VARIANT = Option(
    "variant",
    one_of((AUTO, *VARIANTS)),
    AUTO,
    "on lanes without a network, whether the search prefers moves that did well in other states "
    "(biased) or not (plain); auto: biased in games for two roles that move in turn, without "
    "chance, with many different moves, and plain in all others. If this loses short matches "
    "during the startclock, the player uses the other one, or alpha-beta without a tree",
)
LANE_OPTIONS = (DECISIVE_MOVES, GOAL_BOUNDS, PLAYING, LEAVES, ROUNDS, MIX, VARIANT)


def with_lane_options(settings: LaneSettings, options: Mapping[str, str]) -> LaneSettings:
    """Return `settings` with the values of all options here except `VARIANT`."""
    return replace(
        settings,
        decisive_moves=DECISIVE_MOVES.read(options) == "on",
        goal_bounds=GOAL_BOUNDS.read(options) == "on",
        playing=PLAYING.read(options),
        leaves=LEAVES.read(options),
        rounds=ROUNDS.read(options),
        is_mixing=MIX.read(options) == "yes",
    )
