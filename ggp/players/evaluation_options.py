"""Options of players that evaluate states: `eval`, `weights`, `depth`, `network`, `book`."""

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

if TYPE_CHECKING:  # so that players without lanes do not wait for numba
    from ggp.search.evaluation.network.network import ValueNetwork
    from ggp.search.fast.tree.leaf_values import LeafValues

AUTO, NONE = "auto", "none"

EVAL = Option(
    "eval",
    one_of(NAMES),
    LINEAR,
    f"how to evaluate the states where the search stops: {', '.join(NAMES)}; see docs/search.md",
)
WEIGHTS = Option(
    "weights",
    file_name("a file that `ggp learn` wrote"),
    "",
    "a file that `ggp learn` wrote, for eval=linear; without it, goal and mobility have equal "
    "weights",
)
EVALUATION_NETWORK = Option(
    "network",
    file_name("the file of a value network", AUTO, NONE),
    NONE,
    "the file of a value network that evaluates states instead of eval; auto: the network stored "
    "for these rules, if there is one; with none, eval is used",
)
DEPTH = Option(
    "depth",
    whole(0),
    0,
    "maximum plies to look ahead. The player searches to depth 1, then 2, and so on, and makes the "
    "best move of the last completed depth. 0: as deep as the clock allows",
)
# Any, because options have values of different types.
EVALUATION_OPTIONS: tuple[Option[Any], ...] = (EVAL, WEIGHTS, EVALUATION_NETWORK)

NETWORK = Option(
    "network",
    file_name("the file of a value network", AUTO, NONE),
    AUTO,
    "on lanes, the file of a value network that evaluates leaves; auto: the network stored for "
    "these rules, if there is one; with none, playouts alone evaluate leaves",
)
SHARE = Option(
    "share",
    or_word(share(1.0), AUTO),
    AUTO,
    "on lanes, the network's share of a leaf's value; playouts give the rest; auto: the share that "
    "was best when the network was trained, and no network if it did not pass the promotion gate",
)
BOOK = Option(
    "book",
    file_name("a file that `ggp book build` wrote"),
    "",
    "a file that `ggp book build` wrote; the player makes moves in it at once",
)
_log = logging.getLogger(__name__)


def evaluation_from(options: Mapping[str, str], game: gdl.Game) -> Evaluation:
    """Return the evaluation that the options select. It is exact in states that the book solves.

    Raises:
        PlayerSpecError: The evaluation is unknown, or the weights, the network or the book cannot
            be used for this game.
    """
    evaluate, book = _estimate_from(options, game), book_from(options, game)
    return evaluate if book is None else BookEvaluation(game, book, evaluate)


def _estimate_from(options: Mapping[str, str], game: gdl.Game) -> Evaluation:
    name, file = EVAL.read(options), WEIGHTS.read(options)
    network = EVALUATION_NETWORK.read(options)
    if network != NONE:
        if other := next((option for option in ("eval", "weights") if option in options), None):
            raise PlayerSpecError(f"option network: cannot be combined with {other}; drop one")
        found = _network_evaluation(network, game)
        if found is not None:
            return found
    if not file:
        return named(game, name)
    if name != LINEAR:
        raise PlayerSpecError(f"option weights: works only with eval={LINEAR}, got eval={name}")
    try:
        weights = read_weights(Path(file).expanduser())
        weights.check(game, file)
        return named(game, name, weights)
    except WeightsError as error:
        raise PlayerSpecError(f"option weights: {error}") from error


def book_from(options: Mapping[str, str], game: gdl.Game) -> Book | None:
    """Return the book that the option `book` names, or None if the option is not given.

    Raises:
        PlayerSpecError: The file cannot be read, or the book belongs to another game.
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


# Cached, because a player and its evaluation read the same file.
@lru_cache(maxsize=2)
def _read_once(file: Path, modified: int) -> Book:
    return read_book(file)


@dataclass(frozen=True, slots=True)
class PlayersNetwork:
    """The network that a player uses in a game.

    Attributes:
        name: The name of the network, as shown in `Player.thoughts`.
        share: The network's share of a leaf's value.
    """

    name: str
    share: float
    _network: ValueNetwork
    _game: gdl.Game

    def leaf_values(self) -> LeafValues:
        """Return a new object that computes leaf values, for use in one thread."""
        from ggp.search.evaluation.network.network import NetworkValues

        return NetworkValues(self._network, self._game, self.share)


def network_from(options: Mapping[str, str], game: gdl.Game) -> PlayersNetwork | None:
    """Return the network that the option `network` selects for a compiled game.

    Return None if there is no network, if the options say not to use it, or if it did not pass the
    promotion gate and the options set no share.

    Raises:
        PlayerSpecError: The file cannot be used, or the network belongs to another game.
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
            _log.info(
                "%s: this network is not used, because mcts is not stronger with it; set "
                "option share to use it",
                name,
            )
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
    """Return the network in the file `name`, and the file's name without its folder.

    If `name` is AUTO, use the network stored for the game, and return None if there is none.
    """
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
