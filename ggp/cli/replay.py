"""`ggp replay`: compare our reasoners' answers with recorded traces and matches."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ggp.cli.options import Json, argument, option
from ggp.errors import WrongUseError
from ggp.terminal.console import console, print_json, table

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
        option(
            "ENGINE", "Reasoner that replays the matches: interpreter, scalar or lanes.", "--engine"
        ),
    ] = ReplayEngine.INTERPRETER,
    seconds: Annotated[
        float, option("SECONDS", "Time for each rulesheet, in seconds.", "--seconds", min=0.1)
    ] = 60.0,
    jobs: Annotated[
        int,
        option("NUMBER", "Number of processes that replay a folder. 0: one for each core.", min=0),
    ] = 0,
    json: Json = False,
) -> None:
    """Replay recorded traces and matches, and report the first difference.

    Examples:
        ggp match ticTacToe mcts random --save match.json
        ggp replay ticTacToe match.json
    """
    from ggp.bench.replays import pairs_of, run_pair, run_pairs

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
        found = _show_all(reports, len(pairs)) if is_folder else _show_each(reports)
    if any(report.is_failure for report in found):
        raise typer.Exit(1)


def _check_files(traces: list[Path]) -> None:
    for trace in traces:
        if not trace.exists():
            raise WrongUseError(f"{trace}: there is no such file or folder")


def _show_each(reports: Iterable[ReplayReport]) -> list[ReplayReport]:
    """Print each report as soon as it is ready, and return all of them."""
    found = []
    for report in reports:
        effort = f"{report.num_states:,} states, {report.seconds:.1f} s"
        print(f"{report.name}: {report.outcome} ({effort})")
        if report.detail:
            print(f"  {report.detail}")
        found.append(report)
    return found


def _show_all(reports: Iterable[ReplayReport], num_pairs: int) -> list[ReplayReport]:
    """Print a table of all reports and a summary once all are ready. Return the reports."""
    shown = console()
    found: list[ReplayReport] = []
    with shown.status(f"{num_pairs} rulesheets") as status:
        for report in reports:
            found.append(report)
            status.update(f"{len(found)} of {num_pairs} rulesheets, last {report.name}")
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
