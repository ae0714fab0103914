"""`ggp lecture`: recompute the examples of the lectures."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ggp.cli.checks import check_saving
from ggp.cli.options import Json, argument, option
from ggp.terminal.console import console, print_json, table


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
        from ggp.terminal.lecture_view import show

        show(report, console())
