"""Output of `ggp check`: findings with their locations, and the structure of a game."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from rich.console import Console
from rich.text import Text

import gdl
from ggp.plurals import counted
from ggp.terminal.progress import progress

NUM_SHOWN = 4  # number of parts that are described one by one


def describe(rules: gdl.Rulesheet, seconds: float) -> dict[str, Any]:
    """Return the structure of a game as a JSON object, or `{"known": false}` if it is unknown.

    Args:
        seconds: Approximate time limit for grounding the rules and building the circuit.
    """
    machine = gdl.load(rules, budget=gdl.Budget(seconds / 2))  # the circuit takes the other half
    found = machine.structure
    if found is None:
        return {"known": False}
    relevant = found.relevant
    return {
        "known": True,
        "facts": int(found.changes.sum()),
        "by_themselves": int((found.changes & found.is_autonomous).sum()),
        "irrelevant": found.num_dead,
        "moves": found.netlist.num_inputs,
        "kinds": relevant.num_kinds,
        "passing_matters": not relevant.is_exact,
        "parts": [{"facts": bases, "moves": inputs} for bases, inputs in found.parts.sizes()],
        "apart": _apart(machine.parts),
        "latches": len(found.latches),
        "excluding": sum(bool(latch.excluded) for latch in found.latches),
    }


def _apart(found: gdl.Decomposition | None) -> list[dict[str, int]]:
    ways = found.ways(found.values[0]) if found else None
    subgames = {subgame: None for way in ways or () for subgame in way.subgames}
    return [{"facts": x.netlist.num_bases, "moves": x.netlist.num_inputs} for x in subgames]


def sentences(found: dict[str, Any]) -> Iterator[str]:
    """Yield sentences that express the result of `describe` in words."""
    if not found["known"]:
        yield "not known: the game is too large, or not compiled"
        return
    yield (
        f"{found['facts']} facts change; {found['by_themselves']} of them by themselves, whatever "
        f"is played; {found['irrelevant']} make no difference to the end and the goals"
    )
    passing = "; it may matter whether a role can pass" if found["passing_matters"] else ""
    yield f"{found['moves']} moves, {found['kinds']} of them different in what matters{passing}"
    parts = [f"{part['facts']} facts and {part['moves']} moves" for part in found["parts"]]
    if len(parts) > 1:
        more = f", and {len(parts) - NUM_SHOWN} more" if len(parts) > NUM_SHOWN else ""
        shown = "; ".join(parts[:NUM_SHOWN])
        yield f"{len(parts)} parts that do not touch each other: {shown}{more}"
    pieces = [f"{part['facts']} facts and {part['moves']} moves" for part in found["apart"]]
    if pieces:
        more = f"; and {len(pieces) - NUM_SHOWN} more" if len(pieces) > NUM_SHOWN else ""
        yield f"for the best goal searched apart: {'; '.join(pieces[:NUM_SHOWN])}{more}"
    yield (
        f"{found['latches']} latches, facts that stay as they are; "
        f"{found['excluding']} of them put a goal out of reach"
    )


_STYLES = {"error": "bold red", "warning": "bold yellow", "note": "bold cyan"}


@dataclass(frozen=True, slots=True)
class CheckReport:
    """All findings about one file.

    Attributes:
        findings: The findings, in the order in which they occur in the file.
        structure: The result of `describe`, or None if it was not requested.
        drawing: By relation, how an example of it is drawn. None if it was not requested.
        skipped: Which of `structure` and `drawing` were requested but skipped because of errors.
    """

    name: str
    findings: tuple[gdl.Diagnostic, ...]
    structure: dict[str, Any] | None = None
    drawing: dict[str, str] | None = None
    skipped: tuple[str, ...] = ()

    def count(self, severity: str) -> int:
        """Return the number of findings with the given severity."""
        return sum(str(found.severity) == severity for found in self.findings)

    def to_json(self) -> dict[str, Any]:
        """Return the report as a JSON object."""
        more: dict[str, Any] = {"structure": self.structure, "drawing": self.drawing}
        return {name: value for name, value in more.items() if value is not None} | {
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
    """Check the rules by playing, and return the findings.

    Show the progress if standard error is a terminal.
    """
    with progress(rules.name) as on_progress:
        on_progress("reading")

        def show(playout: int, step: int) -> None:
            on_progress(f"playout {playout} of {limits.playouts}, step {step}")

        return gdl.check_play(rules, limits, show)


def print_report(report: CheckReport) -> None:
    """Print the findings about a file, its structure, and the number of findings."""
    console = Console(highlight=False, emoji=False, soft_wrap=True)
    for found in report.findings:
        _print_finding(console, found)
    if report.structure is not None:
        for sentence in sentences(report.structure):
            console.print(f"structure: {sentence}", markup=False)
    for fact, drawn in (report.drawing or {}).items():
        console.print(f"drawing: {fact}: {drawn}", markup=False)
    for part in report.skipped:
        console.print(f"{part}: not checked because the rules have an error; correct it first")
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
    if not line.strip():  # an empty file, or only comments: there is no text to point at
        return
    console.print(Text.assemble(f"    {line}\n    ", (marks, style)))
