"""A player that practises in the startclock: a network, if one can be made that pays."""

from __future__ import annotations

import logging

import gdl
from ggp.clock import Deadline
from ggp.players.network_options import PlayersNetwork
from ggp.search.fast.lanes import has_lanes
from ggp.training.arena.duels import Searcher
from ggp.training.arena.network_gate import quick_gate
from ggp.training.network.batch_play import PracticeError
from ggp.training.network.practice import practise_until

NAME = "practised"
NUM_ROLES = 2
MEMORY = 32 << 20
"""Bytes of a tree in the matches that tell whether practice has paid."""

_log = logging.getLogger(__name__)


def practised(game: gdl.Game, deadline: Deadline, seed: int) -> PlayersNetwork | None:
    """The network after the practice; None if there was no time for it, or if it does not pay."""
    if len(game.roles) != NUM_ROLES or not has_lanes(game):
        return None
    try:
        network = practise_until(game, deadline, seed)
    except PracticeError as error:
        _log.info("no network: %s", error)
        return None
    found = quick_gate(game, Searcher(network, memory=MEMORY), deadline, seed)
    verdict = "it is used" if found.is_passed else "it is not used"
    figures = ", ".join(f"{number} {name}" for name, number in network.figures.items())
    _log.info(
        "practice: %s; %g points of %d matches: %s", figures, found.points, found.matches, verdict
    )
    return PlayersNetwork(NAME, 1.0, network, game) if found.is_passed else None
