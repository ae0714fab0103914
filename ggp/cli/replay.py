"""`ggp replay`: compare our reasoners with recorded traces and matches."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import asdict
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ggp.cli.options import Json, argument, option
from ggp.errors import WrongUseError

if TYPE_CHECKING:
    from ggp.bench.replays import ReplayReport


class ReplayEngine(StrEnum):
    """Reasoner to replay with."""

    INTERPRETER = "interpreter"
    SCALAR = "scalar"
    LANES = "lanes"


def replay(
    rules: Annotated[str, argument("RULES", "A bundled game, a rulesheet or a folder of them.")],
    traces: Annotated[list[Path], argument("TRACE...", "Traces or saved matches, or a folder.")],
    engine: Annotated[
        ReplayEngine,
        option("ENGINE", "Reasoner that replays: interpreter, scalar or lanes.", "--engine"),
    ] = ReplayEngine.INTERPRETER,
    seconds: Annotated[
        float, option("SECONDS", "Time for each rulesheet, in seconds.", "--seconds", min=0.1)
    ] = 60.0,
    jobs: Annotated[
        int, option("NUMBER", "Processes for a folder. 0: one for each core.", min=0)
    ] = 0,
    json: Json = False,
) -> None:
    """Replay recorded traces and matches, and report the first difference.

    Examples:
        ggp match ticTacToe mcts random --save match.json
        ggp replay ticTacToe match.json
    """
    from ggp.bench.replays import pairs_of, run_pair, run_pairs
    from ggp.terminal.console import print_json
    from ggp.terminal.replay_view import show_all, show_each

    _check_files(traces)
    pairs = pairs_of(Path(rules), traces, engine.value)
    is_folder = Path(rules).is_dir()
    reports: Iterator[ReplayReport] = (
        run_pairs(pairs, seconds, jobs or os.cpu_count() or 1)
        if is_folder
        else (run_pair(pair, seconds) for pair in pairs)
    )
    if json:
        found = list(reports)
        print_json([asdict(report) for report in sorted(found, key=lambda report: report.name)])
    else:
        found = show_all(reports, len(pairs)) if is_folder else show_each(reports)
    if any(report.is_failure for report in found):
        raise typer.Exit(1)


def _check_files(traces: list[Path]) -> None:
    for trace in traces:
        if not trace.exists():
            raise WrongUseError(f"{trace}: there is no such file or folder")
