"""`ggp learn`: weights of an evaluation, learned by self-play, as a small file."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ggp.cli.checks import check_saving, on_cluster, pointing_to_check, save_text
from ggp.cli.options import MAX_SEED, Cluster, GameOrFile

if TYPE_CHECKING:
    import gdl

MAX_GAMES = 1_000_000
MAX_DEPTH = 20


class Method(StrEnum):
    """Method of learning."""

    SAMUEL = "samuel"
    TD = "td"


def learn(
    game: GameOrFile,
    method: Annotated[
        Method,
        typer.Option(
            "--method",
            metavar="METHOD",
            help="td: from the value of the next state, by temporal differences; samuel: from what "
            "a search backs up.",
        ),
    ] = Method.TD,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="The weights file; without it GAME.weights.json, in the current folder.",
            show_default=False,
        ),
    ] = None,
    curve: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Draw the learning curve there, as SVG.", show_default=False
        ),
    ] = None,
    games: Annotated[
        int,
        typer.Option(metavar="NUMBER", min=0, max=MAX_GAMES, help="Games played against itself."),
    ] = 400,
    random_games: Annotated[
        int,
        typer.Option(
            metavar="NUMBER",
            min=0,
            max=MAX_GAMES,
            help="Random games before that; the first weights are learned from how they end.",
        ),
    ] = 1000,
    depth: Annotated[
        int,
        typer.Option(
            metavar="PLIES", min=1, max=MAX_DEPTH, help="How far it looks ahead while it learns."
        ),
    ] = 2,
    rate: Annotated[
        float, typer.Option(metavar="NUMBER", min=0.001, max=10, help="Size of the steps at first.")
    ] = 0.25,
    trace: Annotated[
        float,
        typer.Option(
            "--lambda",
            metavar="NUMBER",
            min=0,
            max=1,
            help="With td: 1 learns from the end of the game only, 0 from the next state only.",
        ),
    ] = 0.5,
    feature: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="An evaluation that is weighed as well as the facts, such as mobility; may be "
            "repeated.",
            show_default=False,
        ),
    ] = None,
    test: Annotated[
        int,
        typer.Option(
            metavar="NUMBER",
            min=0,
            max=MAX_GAMES,
            help="Games against the untrained evaluation at the end, both looking 2 plies ahead.",
        ),
    ] = 100,
    seed: Annotated[
        int, typer.Option(metavar="NUMBER", min=0, max=MAX_SEED, help="Seed of all random choices.")
    ] = 1,
    cluster: Cluster = None,
) -> None:
    """Learn by self-play what the states of a game are worth, and write it to a file.

    Players take the file as --option weights=FILE, or as in alphabeta:weights=FILE. The same seed
    gives the same weights. Shown are the games against the untrained evaluation, which is the mean
    of goal and mobility, as the learning goes on.

    With --cluster the machines of a cluster play the games against the untrained evaluation. Those
    against itself stay here: after each the weights are others. The result is the same.

    Examples:
        ggp learn connectFour --curve curve.svg
        ggp match connectFour alphabeta:weights=connectFour.weights.json alphabeta
    """
    from ggp.rulesheets import find_rules
    from ggp.search.knowledge.evaluation import write_weights
    from ggp.search.knowledge.learning import learn as learning
    from ggp.search.knowledge.learning.contest import ContestConditions
    from ggp.search.knowledge.learning.curve import svg
    from ggp.terminal.learn_view import LearnView

    settings = learning.Settings(
        method=method.value,
        games=games,
        random_games=random_games,
        depth=depth,
        rate=rate,
        trace=trace,
        evaluations=_features(feature or []),
        seed=seed,
        is_on_cluster=cluster is not None,
    )
    rulesheet = find_rules(game)
    name = Path(game).stem
    file = out or Path(f"{name}.weights.json")
    # Before minutes are spent on what goes into them.
    check_saving("--out", file)
    check_saving("--curve", curve)
    view = LearnView(name, test)
    with on_cluster(cluster), pointing_to_check(game), view.bar:
        machine = _machine(rulesheet)
        learned = learning.learn(machine, settings, view.learning)
        weights = learning.to_weights(machine, name, settings, learned)
        conditions = ContestConditions(test, seed=seed)
        score = learning.against_untrained(
            machine, weights, conditions, view.testing, settings.is_on_cluster
        )
    write_weights(learning.scored(weights, score), file)
    if curve is not None:
        save_text(curve, svg(learned.points, f"{name}, {method.value}"))
    view.end(learned, score, file)


def _features(names: list[str]) -> tuple[str, ...]:
    """The evaluations that are features, each once."""
    from ggp.errors import UnknownNameError
    from ggp.search.knowledge.evaluation.naming import SIMPLE

    for name in names:
        if name not in SIMPLE:
            raise typer.BadParameter(f"--feature: {UnknownNameError('evaluation', name, SIMPLE)}")
    return tuple(dict.fromkeys(names))


def _machine(rulesheet: gdl.Rulesheet) -> gdl.Game:
    """The fastest machine for one state after the other."""
    import gdl

    try:
        return gdl.load(rulesheet, "scalar")
    except gdl.GroundingError:
        return gdl.load(rulesheet, "interpreter")
