"""The options of players that value states: `eval`, `weights`, `depth`, `network`, `book`."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import gdl
from ggp.errors import reason_of
from ggp.players.options import Option, PlayerSpecError, file_name, one_of, or_word, share, whole
from ggp.search.evaluation import NAMES, Evaluation, WeightsError, named, read_weights
from ggp.search.evaluation.book.book import Book, BookError, BookEvaluation
from ggp.search.evaluation.book.file import read_book
from ggp.search.evaluation.naming import LINEAR

if TYPE_CHECKING:  # whoever plays without lanes does not wait for numba
    from ggp.search.evaluation.network.network import ValueNetwork
    from ggp.search.fast.tree.leaf_values import LeafValues

AUTO, NONE = "auto", "none"

EVAL = Option(
    "eval",
    one_of(NAMES),
    LINEAR,
    f"what a state is worth where the search stops: {', '.join(NAMES)}; see docs/search.md",
)
WEIGHTS = Option(
    "weights",
    file_name("a file that `ggp learn` wrote"),
    "",
    "a file that `ggp learn` wrote, for eval=linear; none: goal and mobility count alike",
)
EVALUATION_NETWORK = Option(
    "network",
    file_name("the file of a value network", AUTO, NONE),
    NONE,
    "the file of a value network that tells what a state is worth, instead of eval; auto: the one "
    "that is found by the rules, if there is one; none: eval",
)
DEPTH = Option(
    "depth",
    whole(0),
    0,
    "plies to look ahead at most; it looks one ply ahead, then two, and so on, and answers what "
    "the last completed depth found. 0: as deep as the clock allows",
)
# Any: options of all types stand side by side.
EVALUATION_OPTIONS: tuple[Option[Any], ...] = (EVAL, WEIGHTS, EVALUATION_NETWORK)

NETWORK = Option(
    "network",
    file_name("the file of a value network", AUTO, NONE),
    AUTO,
    "on lanes, the file of a value network that tells what leaves are worth; auto: the one that "
    "is found by the rules, if there is one; none: playouts tell",
)
SHARE = Option(
    "share",
    or_word(share(1.0), AUTO),
    AUTO,
    "on lanes, the network's part of a leaf's value; the rest is what playouts bring; auto: what "
    "was best when the network was made, and a network that brings nothing is not used",
)
BOOK = Option(
    "book",
    file_name("a file that `ggp book build` wrote"),
    "",
    "a file that `ggp book build` wrote: its moves are made at once; none: search every move",
)
_log = logging.getLogger(__name__)


def evaluation_from(options: Mapping[str, str], game: gdl.Game) -> Evaluation:
    """The evaluation that the options ask for; exact in states that `book` has solved.

    Raises:
        PlayerSpecError: There is no such evaluation, or the weights, the network or the book cannot
            be used for this game.
    """
    evaluate, book = _estimate_from(options, game), book_from(options, game)
    return evaluate if book is None else BookEvaluation(game, book, evaluate)


def _estimate_from(options: Mapping[str, str], game: gdl.Game) -> Evaluation:
    name, file = EVAL.read(options), WEIGHTS.read(options)
    network = EVALUATION_NETWORK.read(options)
    if network != NONE:
        if other := next((option for option in ("eval", "weights") if option in options), None):
            raise PlayerSpecError(f"option network: expected without {other}, got both")
        found = _network_evaluation(network, game)
        if found is not None:
            return found
    if not file:
        return named(game, name)
    if name != LINEAR:
        raise PlayerSpecError(
            f"option weights: expected with eval={LINEAR} only, got eval={name} as well"
        )
    try:
        weights = read_weights(Path(file).expanduser())
        weights.check(game, file)
        return named(game, name, weights)
    except WeightsError as error:
        raise PlayerSpecError(f"option weights: {error}") from error


def book_from(options: Mapping[str, str], game: gdl.Game) -> Book | None:
    """The book that the option `book` names; None without one.

    Raises:
        PlayerSpecError: It cannot be read, or is that of another game.
    """
    name = BOOK.read(options)
    if not name:
        return None
    file = Path(name).expanduser()
    try:
        book = _read_once(file, file.stat().st_mtime_ns)
        book.check(game, name)
    except OSError as error:
        raise PlayerSpecError(f"option book: {file}: {reason_of(error)}") from error
    except BookError as error:
        raise PlayerSpecError(f"option book: {error}") from error
    return book


# A player and its evaluation read the same file.
@lru_cache(maxsize=2)
def _read_once(file: Path, modified: int) -> Book:
    return read_book(file)


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
    found = _find(name, game)
    if found is None:
        return None
    network, shown = found
    if isinstance(part, str):
        if not network.is_used:
            _log.info("%s: not used, mcts is not stronger with it; option share uses it", name)
            return None
        part = network.share
    return PlayersNetwork(shown, part, network, game)


def _network_evaluation(name: str, game: gdl.Game) -> Evaluation | None:
    if name == AUTO and game.simulator is None:
        return None
    found = _find(name, game)
    if found is None:
        return None
    from ggp.search.evaluation.network.network import NetworkEvaluation

    return NetworkEvaluation(found[0], game)


def _find(name: str, game: gdl.Game) -> tuple[ValueNetwork, str] | None:
    """The network of a file or, with AUTO, the one that is found for the game; and its file."""
    from ggp.search.evaluation.network.file import find_network, read_network
    from ggp.search.evaluation.network.network import NetworkError, layers_for

    if name == AUTO:
        found = find_network(game)
        return found and (found.network, found.file.name)
    file = Path(name).expanduser()
    try:
        network = read_network(file).for_game(game, name)
        layers_for(network, game)
    except NetworkError as error:
        raise PlayerSpecError(f"option network: {error}") from error
    return network, file.name
