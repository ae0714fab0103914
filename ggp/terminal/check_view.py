"""Output of `ggp check`: findings with their places, and the structure of a game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rich.console import Console
from rich.text import Text

import gdl
from ggp.terminal.console import counted
from ggp.terminal.progress import progress

_STYLES = {"error": "bold red", "warning": "bold yellow", "note": "bold cyan"}


@dataclass(frozen=True, slots=True)
class CheckReport:
    """All findings about one file.

    Attributes:
        name: Of the file.
        findings: In the order of their places.
        structure: As `ggp.analysis.structure.describe` gives it; None if it was not asked for.
    """

    name: str
    findings: tuple[gdl.Diagnostic, ...]
    structure: dict[str, Any] | None = None

    def count(self, severity: str) -> int:
        """Number of the findings that are so severe."""
        return sum(str(found.severity) == severity for found in self.findings)

    def to_json(self) -> dict[str, Any]:
        """The findings, for programs."""
        structure = {} if self.structure is None else {"structure": self.structure}
        return structure | {
            "file": self.name,
            "errors": self.count("error"),
            "warnings": self.count("warning"),
            "notes": self.count("note"),
            "findings": [
                {
                    "line": found.span.line,
                    "column": found.span.column,
                    "length": found.span.end - found.span.start,
                    "severity": str(found.severity),
                    "code": found.code,
                    "message": found.message,
                }
                for found in self.findings
            ],
        }


def check_play(rules: gdl.Rulesheet, limits: gdl.PlayLimits) -> tuple[gdl.Diagnostic, ...]:
    """Play, and show how far it is if somebody is watching."""
    with progress(rules.name) as say:
        say("reading")

        def show(playout: int, step: int) -> None:
            say(f"playout {playout} of {limits.playouts}, step {step}")

        return gdl.check_play(rules, limits, show)


def print_report(report: CheckReport) -> None:
    """Print the findings about a file, its structure, and how many they are."""
    console = Console(highlight=False, soft_wrap=True)
    for found in report.findings:
        _print_finding(console, found)
    if report.structure is not None:
        from ggp.analysis.structure import sentences

        for sentence in sentences(report.structure):
            console.print(f"structure: {sentence}", markup=False)
    errors, warnings, notes = (report.count(word) for word in ("error", "warning", "note"))
    counts = f"{counted(errors, 'error')}, {counted(warnings, 'warning')}"
    style = _STYLES["error" if errors else "warning"] if errors or warnings else "bold green"
    console.print(f"{report.name}: {counts}, {counted(notes, 'note')}", style=style, markup=False)


def _print_finding(console: Console, found: gdl.Diagnostic) -> None:
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
