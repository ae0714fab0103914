"""The options of players that a value network helps: `network` and `share`."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import gdl
from ggp.players.options import Option, PlayerSpecError, file_name, one_of, share_or
from ggp.search.evaluation import Evaluation
from ggp.search.fast.tree.leaf_values import LeafValues

if TYPE_CHECKING:  # whoever plays without lanes does not wait for numba
    from ggp.search.evaluation.network.network import ValueNetwork

AUTO, NONE = "auto", "none"

NETWORK = Option(
    "network",
    file_name("the file of a value network", AUTO, NONE),
    AUTO,
    "on lanes, the file of a value network that tells what leaves are worth; auto: the one that "
    "is found by the rules, if there is one; none: playouts tell",
)

SHARE = Option(
    "share",
    share_or(AUTO),
    AUTO,
    "on lanes, the network's part of a leaf's value; the rest is what playouts bring; auto: what "
    "was best when the network was made, and a network that brings nothing is not used",
)
PRACTISE = Option(
    "practise",
    one_of(("yes", "no")),
    "no",
    "on lanes, whether to practise a network in a startclock of 30 s or more where none is found; "
    "it is used if it wins short matches at the end of that time",
)
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class PlayersNetwork:
    """The network that a player uses in a game.

    Attributes:
        name: What it is called where players tell of it.
        share: Its part of a leaf's value.
    """

    name: str
    share: float
    _network: ValueNetwork
    _game: gdl.Game

    def leaf_values(self) -> LeafValues:
        """Leaf values for one thread."""
        from ggp.search.evaluation.network.network import NetworkValues

        return NetworkValues(self._network, self._game, self.share)


def network_from(options: Mapping[str, str], game: gdl.Game) -> PlayersNetwork | None:
    """The network that the option `network` means for a compiled game; None without one.

    Raises:
        PlayerSpecError: The file cannot be used, or is that of another game.
    """
    name, part = NETWORK.read(options), SHARE.read(options)
    if name == NONE or part == 0:
        return None
    found = _found(game) if name == AUTO else _read(name, game)
    if found is None:
        return None
    network, told = found
    if isinstance(part, str):
        if not network.is_used:
            _log.info("%s: not used, mcts is not stronger with it; option share uses it", name)
            return None
        part = network.share
    return PlayersNetwork(told, part, network, game)


def network_evaluation(name: str, game: gdl.Game) -> Evaluation | None:
    """The evaluation by a file, or by what is found for the game; None if nothing is found.

    Raises:
        PlayerSpecError: The file cannot be used, or is that of another game.
    """
    if name == AUTO and game.simulator is None:
        return None
    found = _found(game) if name == AUTO else _read(name, game)
    if found is None:
        return None
    from ggp.search.evaluation.network.network import NetworkEvaluation

    return NetworkEvaluation(found[0], game)


def _found(game: gdl.Game) -> tuple[ValueNetwork, str] | None:
    from ggp.search.evaluation.network.file import find_network

    found = find_network(game)
    return found and (found.network, found.file.name)


def _read(name: str, game: gdl.Game) -> tuple[ValueNetwork, str]:
    from ggp.search.evaluation.network.file import read_network
    from ggp.search.evaluation.network.network import NetworkError, layers_for

    file = Path(name).expanduser()
    try:
        network = read_network(file).for_game(game, name)
        layers_for(network, game)
    except NetworkError as error:
        raise PlayerSpecError(f"option network: {error}") from error
    return network, file.name
