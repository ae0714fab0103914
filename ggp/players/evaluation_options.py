"""The options of players that value states (`eval`, `weights`, `depth`), declared once for all."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import gdl
from ggp.players.book_options import evaluation_with_book
from ggp.players.network_options import AUTO, NONE, network_evaluation
from ggp.players.options import Option, PlayerSpecError, file_name, one_of, whole
from ggp.search.evaluation import NAMES, Evaluation, WeightsError, named, read_weights
from ggp.search.evaluation.naming import LINEAR

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
NETWORK = Option(
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
EVALUATION_OPTIONS: tuple[Option[Any], ...] = (EVAL, WEIGHTS, NETWORK)


def evaluation_from(options: Mapping[str, str], game: gdl.Game) -> Evaluation:
    """The evaluation that the options ask for; exact where `book` knows more.

    Raises:
        PlayerSpecError: There is no such evaluation, or the weights, the network or the book cannot
            be used for this game.
    """
    return evaluation_with_book(options, game, _estimate_from(options, game))


def _estimate_from(options: Mapping[str, str], game: gdl.Game) -> Evaluation:
    name, file = EVAL.read(options), WEIGHTS.read(options)
    network = NETWORK.read(options)
    if network != NONE:
        if other := next((option for option in ("eval", "weights") if option in options), None):
            raise PlayerSpecError(f"option network: expected without {other}, got both")
        found = network_evaluation(network, game)
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
