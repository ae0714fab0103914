"""`ggp replay`: does our reasoning agree with what was recorded, by another engine or by us?"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ggp.cli.options import Json
from ggp.errors import WrongUseError
from ggp.terminal.console import console, print_json, table

if TYPE_CHECKING:
    from ggp.measure.replays import Pair, Report


class Engine(StrEnum):
    """Reasoners to choose from."""

    INTERPRETER = "interpreter"
    SCALAR = "scalar"
    LANES = "lanes"


def replay(
    rules: Annotated[
        str,
        typer.Argument(metavar="RULES", help="A bundled game, a rulesheet or a folder of them."),
    ],
    traces: Annotated[
        list[Path], typer.Argument(metavar="TRACE...", help="Traces or saved matches, or a folder.")
    ],
    engine: Annotated[
        Engine,
        typer.Option(
            "--engine",
            metavar="ENGINE",
            help="The reasoner that replays: interpreter, scalar or lanes.",
        ),
    ] = Engine.INTERPRETER,
    seconds: Annotated[
        float,
        typer.Option(
            "--seconds", metavar="SECONDS", min=0.1, help="Time for each rulesheet, in seconds."
        ),
    ] = 60.0,
    jobs: Annotated[
        int,
        typer.Option(metavar="NUMBER", min=0, help="Processes for a folder; 0: one for each core."),
    ] = 0,
    json: Json = False,
) -> None:
    """Replay recorded traces and matches, and name the first difference.

    Examples:
        ggp match ticTacToe mcts random --save match.json
        ggp replay ticTacToe match.json
    """
    from ggp.measure.replays import pairs_of, run_pair, run_pairs

    _check_files(traces)
    pairs = pairs_of(Path(rules), traces, engine.value)
    is_folder = Path(rules).is_dir()
    reports: Iterator[Report] = (
        run_pairs(pairs, seconds, jobs or os.cpu_count() or 1)
        if is_folder
        else (run_pair(pair, seconds) for pair in pairs)
    )
    if json:
        found = list(reports)
        print_json([asdict(report) for report in sorted(found, key=lambda report: report.name)])
    else:
        found = _show_all(reports, pairs) if is_folder else _show_each(reports)
    if any(report.is_failure for report in found):
        raise typer.Exit(1)


def _check_files(traces: list[Path]) -> None:
    """See at once whether every file is there."""
    for trace in traces:
        if not trace.exists():
            raise WrongUseError(f"{trace}: there is no such file or folder")


def _show_each(reports: Iterable[Report]) -> list[Report]:
    found = []
    for report in reports:
        effort = f"{report.num_states:,} states, {report.seconds:.1f} s"
        print(f"{report.name}: {report.outcome} ({effort})")
        if report.detail:
            print(f"  {report.detail}")
        found.append(report)
    return found


def _show_all(reports: Iterable[Report], pairs: list[Pair]) -> list[Report]:
    shown = console()
    found: list[Report] = []
    with shown.status(f"{len(pairs)} rulesheets") as status:
        for report in reports:
            found.append(report)
            status.update(f"{len(found)} of {len(pairs)} rulesheets, last {report.name}")
    found.sort(key=lambda report: report.name.casefold())
    rows = [
        (one.name, one.outcome, f"{one.num_states:,}", f"{one.seconds:.1f}", one.detail)
        for one in found
    ]
    shown.print(table(["rulesheet", "outcome", "states", "seconds", ""], rows, "states,seconds"))
    counts = Counter(report.outcome for report in found)
    total = sum(report.num_states for report in found)
    ranked = sorted(counts.items(), key=lambda one: (-one[1], one[0]))
    summary = ", ".join(f"{count} {outcome}" for outcome, count in ranked)
    print(f"{summary}; {total:,} states compared")
    return found
