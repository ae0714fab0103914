"""`ggp learn`: learn a value network, or weights of an evaluation, by self-play."""

from __future__ import annotations

from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ggp.cli.checks import check_saving, on_cluster, pointing_to_check, save_text
from ggp.cli.options import MAX_SEED, Cluster, GameOrFile, flag, option
from ggp.errors import CommandFailedError

if TYPE_CHECKING:
    import gdl

MAX_GAMES = 1_000_000
MAX_DEPTH = 20
MAX_MINUTES = 60 * 24 * 7
MAX_MATCHES = 10_000
OF_NETWORK, OF_WEIGHTS = "Options of --method network", "Options of --method td and samuel"
UNITS = (32, 64, 128, 256)

EVERYWHERE = frozenset({"game", "method", "out", "curve", "seed"})
OF_NETWORKS = frozenset({"minutes", "batches", "units", "resume", "gate_matches", "gate_seconds"})


class Method(StrEnum):
    """What to learn and how: a value network, or weights of facts with one of two algorithms."""

    NETWORK = "network"
    TD = "td"
    SAMUEL = "samuel"


_of_network = partial(option, rich_help_panel=OF_NETWORK)
_of_weights = partial(option, rich_help_panel=OF_WEIGHTS)


def learn(
    context: typer.Context,
    game: GameOrFile,
    method: Annotated[
        Method,
        option(
            "METHOD",
            "network: a value network, for mcts. td: weights of facts, learned by "
            "temporal differences, that is, from the value of the next state. "
            "samuel: weights of facts, learned from the values that a search backs "
            "up.",
            "--method",
        ),
    ] = Method.NETWORK,
    out: Annotated[
        Path | None,
        option(
            "FILE",
            "File to write. Default: GAME.network or GAME.weights.json in the current folder.",
            show_default=False,
        ),
    ] = None,
    curve: Annotated[
        Path | None, option("FILE", "Draw the learning curve as SVG.", show_default=False)
    ] = None,
    seed: Annotated[int, option("NUMBER", "Seed of all random choices.", min=0, max=MAX_SEED)] = 1,
    minutes: Annotated[
        float,
        _of_network(
            "NUMBER",
            "Minutes of training. Ratings and the gate take extra time.",
            min=0.01,
            max=MAX_MINUTES,
        ),
    ] = 10.0,
    batches: Annotated[
        int | None,
        _of_network(
            "NUMBER",
            "Train for this many batches of 256 games, not for a time. The same seed then gives "
            "the same network.",
            min=1,
            max=MAX_GAMES,
            show_default=False,
        ),
    ] = None,
    units: Annotated[
        int,
        _of_network(
            "NUMBER",
            "Hidden units of the network: 32, 64, 128 or 256. Larger networks know more and are "
            "slower.",
        ),
    ] = 64,
    resume: Annotated[
        bool,
        flag(
            "Resume a training that was stopped, from its checkpoint.",
            "--resume",
            rich_help_panel=OF_NETWORK,
        ),
    ] = False,
    gate_matches: Annotated[
        int,
        _of_network(
            "NUMBER",
            "Maximum number of matches against plain mcts that decide whether "
            "players use the network. 0: players use it without a test.",
            min=0,
            max=MAX_MATCHES,
        ),
    ] = 40,
    gate_seconds: Annotated[
        float,
        _of_network(
            "SECONDS", "Seconds per move in these matches, for both sides.", min=0.001, max=60
        ),
    ] = 0.2,
    games: Annotated[
        int, _of_weights("NUMBER", "Number of self-play games.", min=0, max=MAX_GAMES)
    ] = 400,
    random_games: Annotated[
        int,
        _of_weights(
            "NUMBER",
            "Number of random games before the self-play. Their results give the first weights.",
            min=0,
            max=MAX_GAMES,
        ),
    ] = 1000,
    depth: Annotated[
        int, _of_weights("PLIES", "Search depth while learning.", min=1, max=MAX_DEPTH)
    ] = 2,
    rate: Annotated[
        float,
        _of_weights("NUMBER", "Learning rate at the start. It decreases.", min=0.001, max=10),
    ] = 0.25,
    trace: Annotated[
        float,
        _of_weights(
            "NUMBER",
            "With td: 1 learns only from the end of the game, 0 only from the next state.",
            "--lambda",
            min=0,
            max=1,
        ),
    ] = 0.5,
    feature: Annotated[
        list[str] | None,
        _of_weights(
            "NAME",
            "Another evaluation to weigh together with the facts, such as mobility. May be "
            "repeated.",
            show_default=False,
        ),
    ] = None,
    test: Annotated[
        int,
        _of_weights(
            "NUMBER",
            "Test games at the end against the untrained evaluation, both with depth 2.",
            min=0,
            max=MAX_GAMES,
        ),
    ] = 100,
    cluster: Cluster = None,
) -> None:
    """Learn the values of a game's states by self-play and write them to a file.

    By default, train a value network from scratch. It plays batches of games against itself and
    learns from their results. Then a gate compares mcts with the network to mcts without it, with
    the same time per move. The file stores whether players use the network. A new network replaces
    an older one in its file only if it is stronger. The state of the training is saved next to the
    file about every 30 seconds, and --resume continues a training that was stopped. This method is
    for compiled games without the role random in which one role moves at a time.

    --method td and samuel learn weights of facts, for any game. Players that look a few plies ahead
    use them, as in alphabeta:weights=FILE. The command shows the progress of the learning and the
    test games against the untrained evaluation, which is the mean of goal and mobility. With
    --cluster the machines of a cluster play the test games, with the same result.

    Examples:
        ggp learn breakthrough --minutes 20 --curve curve.svg
        ggp match breakthrough mcts:network=breakthrough.network mcts
        ggp learn pig --method td
    """
    _check_options(context, method)
    name = Path(game).stem
    file = out or Path(f"{name}.network" if method is Method.NETWORK else f"{name}.weights.json")
    # Check the files before minutes of work depend on them.
    check_saving("--out", file)
    check_saving("--curve", curve)
    if method is Method.NETWORK:
        if units not in UNITS:
            allowed = ", ".join(map(str, UNITS))
            raise typer.BadParameter(f"--units: expected one of {allowed}, got {units}")
        from ggp.training.network.learning import use_one_thread

        use_one_thread()
        _learn_network(
            game,
            file,
            curve,
            is_resumed=resume,
            plan={"minutes": minutes, "batches": batches or 0, "units": units, "seed": seed},
            gate={"matches": gate_matches, "seconds": gate_seconds, "seed": seed},
        )
        return
    from ggp.rulesheets import find_rules
    from ggp.search.evaluation import write_weights
    from ggp.terminal.learn_view import LearnView
    from ggp.training.weights import learn as learning
    from ggp.training.weights.curve import svg
    from ggp.training.weights.selfplay import ContestConditions

    settings = learning.Settings(
        method="samuel" if method is Method.SAMUEL else "td",
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


def _check_options(context: typer.Context, method: Method) -> None:
    for param in context.command.params:
        name = param.name or ""
        source = context.get_parameter_source(name)
        if name in EVERYWHERE or source is None or source.name != "COMMANDLINE":
            continue
        if (name in OF_NETWORKS) != (method is Method.NETWORK):
            others = "network" if name in OF_NETWORKS else "td or samuel"
            raise typer.BadParameter(
                f"{param.opts[0]} only works with --method {others}, but this is --method "
                f"{method.value}"
            )


def _learn_network(
    game: str,
    file: Path,
    curve: Path | None,
    *,
    is_resumed: bool,
    plan: dict[str, Any],
    gate: dict[str, Any],
) -> None:
    import gdl
    from ggp.rulesheets import find_rules
    from ggp.terminal.learn_view import NetworkView, curve_svg
    from ggp.terminal.progress import load_search_kernels
    from ggp.training.arena.network_gate import GateTerms
    from ggp.training.network.batch_play import PracticeError
    from ggp.training.network.learning import LearningOrder, check_files, learn_network
    from ggp.training.network.training_run import TrainingPlan

    rulesheet = find_rules(game)
    name = Path(game).stem
    order = LearningOrder(TrainingPlan(**plan), file, GateTerms(**gate), is_resumed)
    check_files(order)
    load_search_kernels("learn", "auto")
    view = NetworkView(name)
    with pointing_to_check(game), view.bar:
        machine = gdl.load(rulesheet)
        try:
            learned = learn_network(machine, order, view)
        except PracticeError as error:
            raise CommandFailedError(
                f"{name}: {error}; use --method td, which learns weights for any game"
            ) from error
        except KeyboardInterrupt:
            if order.checkpoint.exists():
                typer.echo(
                    f"the training is saved in {order.checkpoint}; to resume it, give the "
                    "same command with --resume",
                    err=True,
                )
            raise
    if curve is not None:
        save_text(curve, curve_svg(learned, name))
    view.end(learned)


def _features(names: list[str]) -> tuple[str, ...]:
    from ggp.errors import UnknownNameError
    from ggp.search.evaluation.naming import SIMPLE

    for name in names:
        if name not in SIMPLE:
            raise typer.BadParameter(f"--feature: {UnknownNameError('evaluation', name, SIMPLE)}")
    return tuple(dict.fromkeys(names))


def _machine(rulesheet: gdl.Rulesheet) -> gdl.Game:
    """Return the game on the scalar circuit, or on the interpreter if the rules cannot be ground.

    These reasoners are the fastest ones for single states.
    """
    import gdl

    try:
        return gdl.load(rulesheet, "scalar")
    except gdl.GroundingError:
        return gdl.load(rulesheet, "interpreter")
