"""The options of players that a value network helps: `network` and `share`."""

from __future__ import annotations

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
    "on lanes, the network's part of a leaf's value; the rest is what playouts bring",
)
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
        return NetworkValues(network, game, part)
    except NetworkError as error:
        raise PlayerSpecError(f"option network: {error}") from error
