"""`ggp lecture`: recompute the examples of the lectures."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ggp.cli.checks import check_saving
from ggp.cli.options import Json, argument, option
from ggp.terminal.console import console, print_json, table

if TYPE_CHECKING:
    from rich.console import Console

    from ggp.lectures.report import LectureReport, Picture


def lecture(
    name: Annotated[str | None, argument("NAME", "Example of the lectures to compute.")] = None,
    svg: Annotated[Path | None, option("FILE", "Also draw the example's trees as SVG.")] = None,
    json: Json = False,
) -> None:
    """Compute an example of the lectures again and show both results, or list the examples.

    Examples:
        ggp lecture alphabeta --svg trees.svg
    """
    from ggp.lectures.catalogue import EXAMPLES, example

    if name is None:
        if svg is not None:
            raise typer.BadParameter("--svg needs the NAME of an example")
        rows = [(one.name, one.summary) for one in EXAMPLES.values()]
        if json:
            print_json([{"name": one, "summary": summary} for one, summary in rows])
        else:
            console().print(table(["name", "example"], rows))
        return
    found = example(name)
    check_saving("--svg", svg)
    report = found.run()
    if svg is not None:
        from ggp.lectures.sketch import draw_svg

        if not report.sketches:
            raise typer.BadParameter(f"--svg: {name} has no tree to draw, only tables")
        svg.write_text(draw_svg(report.sketches), encoding="utf-8")
    if json:
        print_json(report.as_json())
    else:
        _show(report, console())


def _show(report: LectureReport, console: Console) -> None:
    from ggp.lectures.report import Picture

    console.print(report.title, style="bold", end="")
    console.print(f", from {report.source}", soft_wrap=True)
    for part in report.parts:
        console.print()
        console.print(part.heading, style="bold", soft_wrap=True)
        if isinstance(part, Picture):
            _show_picture(part, console)
        else:
            console.print(table(part.columns, part.rows, ",".join(part.numbers)))
    if report.claims:
        _show_claims(report, console)
    for note in report.notes:
        console.print()
        console.print(note)


def _show_picture(picture: Picture, console: Console) -> None:
    from ggp.lectures.sketch import draw

    lines = [] if picture.sketch is None else draw(picture.sketch)
    for line in [*lines, *picture.lines]:
        console.print(line, soft_wrap=True)


def _show_claims(report: LectureReport, console: Console) -> None:
    rows = [
        (claim.what, claim.lecture, claim.ours, "=" if claim.agrees else "differs")
        for claim in report.claims
    ]
    console.print()
    console.print("Values in the lecture, and values that this program computes", style="bold")
    console.print(table(["what", "lecture", "ours", ""], rows, "lecture,ours"))
    total = len(report.claims)
    console.print(f"{report.num_agreeing} of {total} agree.")
