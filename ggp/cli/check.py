"""`ggp check`: what is wrong with a rulesheet, and where."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ggp.cli.console import print_json

if TYPE_CHECKING:  # loading the language and the tables takes longer than `ggp --help` should
    from rich.console import Console

    import gdl

_STYLES = {"error": "bold red", "warning": "bold yellow", "note": "bold cyan"}


@dataclass(frozen=True, slots=True)
class _Report:
    """All findings about one file."""

    name: str
    findings: tuple[gdl.Diagnostic, ...]
    structure: dict[str, Any] | None = None

    def count(self, severity: str) -> int:
        return sum(str(found.severity) == severity for found in self.findings)


def check(
    files: Annotated[
        list[str],
        typer.Argument(metavar="FILE...", help="Rulesheets, bundled games, or - for stdin."),
    ],
    as_json: Annotated[
        bool, typer.Option("--json", metavar="", help="Print the findings as one JSON document.")
    ] = False,
    no_play: Annotated[
        bool, typer.Option("--no-play", metavar="", help="Read the rules only, do not play them.")
    ] = False,
    playouts: Annotated[
        int,
        typer.Option(
            metavar="NUMBER", min=1, help="How many random games are played of each file."
        ),
    ] = 5,
    steps: Annotated[
        int,
        typer.Option(
            metavar="NUMBER", min=1, help="After how many joint moves a game must be over."
        ),
    ] = 500,
    seconds: Annotated[
        float,
        typer.Option(
            "--seconds",
            metavar="SECONDS",
            min=0.0,
            help="How long each file is played at most, in seconds.",
        ),
    ] = 20.0,
    seed: Annotated[int, typer.Option(metavar="NUMBER", help="Seed of the random games.")] = 0,
    structure: Annotated[
        bool,
        typer.Option(
            "--structure",
            metavar="",
            help="Also tell what falls apart, and what makes no difference.",
        ),
    ] = False,
) -> None:
    """Tell what is wrong with rulesheets, and where.

    Exits with 1 if there is an error among the findings, with 2 if a file cannot be read.

    Examples:
        ggp check my.kif
        ggp check ticTacToe --structure
    """
    import gdl

    limits = None if no_play else gdl.PlayLimits(playouts, steps, seconds, seed)
    reports: list[_Report] = []
    is_readable = True
    for argument in files:
        report = _examine(argument, limits, structure)
        if report is None:
            is_readable = False
            continue
        reports.append(report)
        if not as_json:
            _print(report)
    if as_json:
        print_json([_as_json(report) for report in reports])
    has_errors = any(report.count("error") for report in reports)
    if not is_readable or has_errors:
        raise typer.Exit(1 if is_readable else 2)


def _examine(argument: str, limits: gdl.PlayLimits | None, wants_structure: bool) -> _Report | None:
    """Check one file; None, and a line on standard error, if it cannot be read."""
    import gdl
    from ggp.cli.rulesheets import read_argument
    from ggp.cli.structure import describe
    from ggp.errors import GgpError

    try:
        sheet = read_argument(argument)
    except GgpError as error:
        typer.echo(f"ggp check: {error}", err=True)
        return None
    try:
        rules = gdl.read_rules(sheet.text, sheet.name)
    except gdl.GdlError:
        return _Report(sheet.name, gdl.check(sheet.text, sheet.name))
    findings = gdl.check(rules)
    if limits is not None:
        findings += _play(rules, limits)
    findings = tuple(sorted(findings, key=lambda found: found.span.start))
    is_playable = not any(str(found.severity) == "error" for found in findings)
    told = describe(rules) if wants_structure and is_playable else None
    return _Report(sheet.name, findings, told)


def _play(rules: gdl.Rulesheet, limits: gdl.PlayLimits) -> tuple[gdl.Diagnostic, ...]:
    """Play, and show how far it is if somebody is watching."""
    from rich.console import Console

    import gdl

    with Console(stderr=True).status(f"{rules.name}: reading") as status:

        def show(playout: int, step: int) -> None:
            status.update(f"{rules.name}: playout {playout} of {limits.playouts}, step {step}")

        return gdl.check_play(rules, limits, show)


def _print(report: _Report) -> None:
    from rich.console import Console

    console = Console(highlight=False, soft_wrap=True)
    for found in report.findings:
        _print_finding(console, found)
    if report.structure is not None:
        from ggp.cli.structure import sentences

        for sentence in sentences(report.structure):
            console.print(f"structure: {sentence}", markup=False)
    errors, warnings, notes = (report.count(word) for word in ("error", "warning", "note"))
    counts = f"{_counted(errors, 'error')}, {_counted(warnings, 'warning')}"
    style = _STYLES["error" if errors else "warning"] if errors or warnings else "bold green"
    console.print(f"{report.name}: {counts}, {_counted(notes, 'note')}", style=style, markup=False)


def _print_finding(console: Console, found: gdl.Diagnostic) -> None:
    from rich.text import Text

    severity = str(found.severity)
    style = _STYLES[severity]
    console.print(
        Text.assemble(
            f"{found.span}: ", (f"{severity}: ", style), found.message, (f" [{found.code}]", "dim")
        )
    )
    line, marks = found.picture().split("\n")
    if not line.strip():  # an empty file, or one of comments: there is nothing to point at
        return
    console.print(Text.assemble(f"    {line}\n    ", (marks, style)))


def _counted(count: int, word: str) -> str:
    return f"{count} {word}{'' if count == 1 else 's'}"


def _as_json(report: _Report) -> dict[str, Any]:
    told = {} if report.structure is None else {"structure": report.structure}
    return told | {
        "file": report.name,
        "errors": report.count("error"),
        "warnings": report.count("warning"),
        "notes": report.count("note"),
        "findings": [
            {
                "line": found.span.line,
                "column": found.span.column,
                "length": found.span.end - found.span.start,
                "severity": str(found.severity),
                "code": found.code,
                "message": found.message,
            }
            for found in report.findings
        ],
    }
