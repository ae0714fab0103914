"""Options of the tree on lanes that go beyond plain UCT."""

from __future__ import annotations

from collections.abc import Mapping

from ggp.players.options import Option, one_of, share, whole
from ggp.search.fast.lanes import DEFAULTS, LaneSettings
from ggp.search.textbook.mcts.search import MctsSettings

MIX = Option(
    "mix",
    one_of(("yes", "no")),
    "yes",
    "on lanes, whether a move that several roles make at once is drawn by lot, so that nobody can "
    "foresee it; no: the best one is made",
)

PLAYING = Option(
    "playing",
    share(0.95),
    DEFAULTS.playing,
    "on lanes, share of the time for random games: the more, the more of them a leaf gets",
)

ROUNDS = Option(
    "rounds",
    whole(0),
    DEFAULTS.rounds,
    "on lanes, times that all lanes play for a batch; 0: as many as give playouts their share of "
    "the time",
)

REACHABLE_GOALS = Option(
    "prospects",
    one_of(("on", "off")),
    "on" if DEFAULTS.goal_bounds else "off",
    "on lanes, whether a node begins with bounds that the rules alone tell: a goal that nothing "
    "can bring any more is ruled out at once",
)

FORESIGHT = Option(
    "foresight",
    one_of(("on", "off")),
    "on" if DEFAULTS.decisive_moves else "off",
    "on lanes, whether it is seen who wins at once: such a node is decided, and in random games "
    "nobody misses a win in one, or allows one without need",
)

LEAVES = Option(
    "leaves",
    whole(1),
    DEFAULTS.leaves,
    "on lanes, how many leaves are chosen at most before what they bring is known",
)

LANE_OPTIONS = (
    FORESIGHT,
    REACHABLE_GOALS,
    PLAYING,
    LEAVES,
    ROUNDS,
    MIX,
)


def lane_settings(
    options: Mapping[str, str], c: float, memory: int, common: MctsSettings, *, has_network: bool
) -> LaneSettings:
    """The settings that a player's options ask for.

    Args:
        options: The player's.
        c: Weight of exploration.
        memory: Bytes of the tree.
        common: What the tree on lanes has in common with the other one.
        has_network: Whether a value network tells what leaves are worth.
    """
    return LaneSettings(
        c=c,
        memory=memory,
        horizon=common.horizon,
        decisive_moves=FORESIGHT.read(options) == "on",
        goal_bounds=REACHABLE_GOALS.read(options) == "on",
        playing=PLAYING.read(options),
        leaves=LEAVES.read(options),
        rounds=ROUNDS.read(options),
        final=common.final,
        child_values=has_network,
        is_mixing=MIX.read(options) == "yes",
    )
