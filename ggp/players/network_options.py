"""The options of players that a value network helps: `network` and `share`."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from pathlib import Path

import gdl
from ggp.players.options import Option, PlayerSpecError, file_name, share
from ggp.search.arrays.tree.leaf_values import LeafValues

NETWORK = Option(
    "network",
    file_name("the file of a value network"),
    "",
    "on lanes, the file of a value network that tells what leaves are worth; none: playouts do",
)

SHARE = Option(
    "share",
    share(1.0),
    1.0,
    "on lanes, the network's part of a leaf's value, the rest is what playouts bring; without it "
    "what was best when the network was made, and a network that brings nothing is not used",
)
_log = logging.getLogger(__name__)

C = 0.1
"""Weight of exploration with a network, whose values vary less than those of playouts."""


def leaf_values_from(options: Mapping[str, str], game: gdl.Game) -> LeafValues | None:
    """The values that the option `network` gives the leaves of a compiled game; None without one.

    Raises:
        PlayerSpecError: The file cannot be used, or is that of another game.
    """
    name, part = NETWORK.read(options), SHARE.read(options)
    if not name or part == 0:
        return None
    # Not at the top: whoever plays without lanes does not wait for numba.
    from ggp.search.knowledge.network.file import read_network
    from ggp.search.knowledge.network.network import NetworkError, NetworkValues

    try:
        network = read_network(Path(name).expanduser())
        network.check(game, name)
        is_chosen = SHARE.name in options
        if not network.is_used and not is_chosen:
            _log.info("%s: not used, mcts is not stronger with it; option share uses it", name)
            return None
        return NetworkValues(network, game, part if is_chosen else network.share)
    except NetworkError as error:
        raise PlayerSpecError(f"option network: {error}") from error
