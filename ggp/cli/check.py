"""`ggp check`: report the faults in a rulesheet, and where they are."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ggp.cli.checks import check_seconds
from ggp.cli.options import Rulesheets, flag, option
from ggp.errors import GgpError

if TYPE_CHECKING:
    import gdl
    from ggp.rulesheets import NamedGame
    from ggp.terminal.check_view import CheckReport


def check(
    files: Rulesheets,
    as_json: Annotated[bool, flag("Print the findings as one JSON document.", "--json")] = False,
    no_play: Annotated[bool, flag("Only read the rules, do not play them.", "--no-play")] = False,
    playouts: Annotated[
        int, option("NUMBER", "Number of random games to play with each file.", min=1)
    ] = 5,
    steps: Annotated[
        int, option("NUMBER", "Number of turns after which a game must be over.", min=1)
    ] = 500,
    seconds: Annotated[
        float,
        option(
            "SECONDS",
            "Maximum time for checking each file, in seconds, including --drawing and --structure.",
            "--seconds",
            min=0.0,
        ),
    ] = 20.0,
    seed: Annotated[int, option("NUMBER", "Seed of the random games.")] = 0,
    drawing: Annotated[
        bool, flag("Also report how facts are drawn, and why some are not.", "--drawing")
    ] = False,
    structure: Annotated[
        bool,
        flag("Also report independent parts, and what makes no difference.", "--structure"),
    ] = False,
) -> None:
    """Report what is wrong with rulesheets, and where.

    Exits with 1 if the rules have an error, with 2 if a file cannot be read.

    Examples:
        ggp check my.kif
        ggp check ticTacToe --structure
    """
    import gdl
    from ggp.terminal.check_view import print_report
    from ggp.terminal.console import print_json

    check_seconds(seconds)
    limits = gdl.PlayLimits(0 if no_play else playouts, steps, seconds, seed)
    reports: list[CheckReport] = []
    is_readable = True
    for argument in files:
        report = _examine(argument, limits, structure, drawing)
        if report is None:
            is_readable = False
            continue
        reports.append(report)
        if not as_json:
            print_report(report)
    if as_json:
        print_json([report.to_json() for report in reports])
    has_errors = any(report.count("error") for report in reports)
    if not is_readable or has_errors:
        raise typer.Exit(1 if is_readable else 2)


def _examine(
    argument: str, limits: gdl.PlayLimits, wants_structure: bool, wants_drawing: bool
) -> CheckReport | None:
    import gdl
    from ggp.clock import Deadline
    from ggp.naming.annotations import with_annotations
    from ggp.rulesheets import find_text, written_game
    from ggp.terminal.check_view import CheckReport, check_play, describe

    deadline = Deadline.after(limits.seconds)
    try:
        sheet = find_text(argument)
    except GgpError as error:
        typer.echo(f"ggp check: {error}", err=True)
        return None
    wanted = {"structure": wants_structure, "drawing": wants_drawing}
    asked = tuple(part for part, is_wanted in wanted.items() if is_wanted)
    try:
        rules = gdl.read_rules(sheet.text, sheet.name)
    except gdl.GdlError:
        found = gdl.check(sheet.text, sheet.name)
        findings = with_annotations(found, sheet.text, sheet.name)
        return CheckReport(sheet.name, findings, skipped=asked)
    found = gdl.check(rules)
    if limits.playouts:
        share = deadline.remaining() / (1 + len(asked))
        found += check_play(rules, replace(limits, seconds=share))
    findings = with_annotations(found, sheet.text, sheet.name, rules)
    if any(str(found.severity) == "error" for found in findings):
        return CheckReport(sheet.name, findings, skipped=asked)
    structure = drawn = None
    if wants_structure:
        structure = describe(rules, deadline.remaining() / len(asked))
    if wants_drawing:
        drawn = _drawn(written_game(sheet, Path(argument).stem), deadline.remaining())
    return CheckReport(sheet.name, findings, structure, drawn)


def _drawn(game: NamedGame, seconds: float) -> dict[str, str]:
    import asyncio

    from ggp.drawing.explanation import explain_drawing

    return {one.fact: one.drawn for one in asyncio.run(explain_drawing(game, seconds))}
