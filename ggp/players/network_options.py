"""The option of players that a value network helps."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import gdl
from ggp.players.options import Option, PlayerSpecError, file_name
from ggp.search.arrays.tree.leaf_values import LeafValues

NETWORK = Option(
    "network",
    file_name("the file of a value network"),
    "",
    "on lanes, the file of a value network that tells what leaves are worth; none: playouts do",
)

C = 0.1
"""Weight of exploration with a network, whose values vary less than those of playouts."""


def leaf_values_from(options: Mapping[str, str], game: gdl.Game) -> LeafValues | None:
    """What the option `network` says of the leaves of a compiled game; None without one.

    Raises:
        PlayerSpecError: The file cannot be used, or is that of another game.
    """
    name = NETWORK.read(options)
    if not name:
        return None
    # Not at the top: whoever plays without lanes does not wait for numba.
    from ggp.search.knowledge.network.file import read_network
    from ggp.search.knowledge.network.network import NetworkError, NetworkValues

    try:
        network = read_network(Path(name).expanduser())
        network.check(game, name)
        return NetworkValues(network, game)
    except NetworkError as error:
        raise PlayerSpecError(f"option network: {error}") from error
