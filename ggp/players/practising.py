"""A player that practises in the startclock: a network, if one can be made that pays."""

from __future__ import annotations

import logging
from collections.abc import Callable

import gdl
from ggp.clock import Deadline
from ggp.players.network_options import PlayersNetwork
from ggp.search.arrays.tree.search import LaneSearch, can_search
from ggp.search.knowledge.network.batch_play import PracticeError
from ggp.search.knowledge.network.network import ValueNetwork
from ggp.search.knowledge.network.quick_gate import quick_gate
from ggp.search.knowledge.network.startclock import practise_until

NAME = "practised"
NUM_ROLES = 2

MakeTree = Callable[[gdl.State, gdl.Role, int, PlayersNetwork | None], LaneSearch]
"""A tree from a state, for a role, with a seed, and perhaps with a network."""

_log = logging.getLogger(__name__)


def practised(
    game: gdl.Game, make: MakeTree, deadline: Deadline, seed: int
) -> PlayersNetwork | None:
    """The network after the practice; None if there was no time for it, or if it does not pay."""
    if len(game.roles) != NUM_ROLES or not can_search(game):
        return None
    try:
        network = practise_until(game, deadline, seed)
    except PracticeError as error:
        _log.info("no network: %s", error)
        return None
    return _tested(network, game, make, deadline, seed)


def _tested(
    network: ValueNetwork, game: gdl.Game, make: MakeTree, deadline: Deadline, seed: int
) -> PlayersNetwork | None:
    known = PlayersNetwork(NAME, 1.0, network, game)
    found = quick_gate(
        game,
        lambda state, role, seed, is_taught: make(state, role, seed, known if is_taught else None),
        deadline,
        seed,
    )
    verdict = "it is used" if found.is_passed else "it is not used"
    figures = ", ".join(f"{number} {name}" for name, number in network.figures.items())
    _log.info(
        "practice: %s; %d won, %d lost, %d drawn: %s",
        figures, found.won, found.lost, found.drawn, verdict,
    )  # fmt: skip
    return known if found.is_passed else None
