"""The command `ggp`: one module a verb, and the only place that prints.

Verbs import what is heavy inside their functions, so that `ggp --help` answers at once.
"""

from __future__ import annotations

from typing import Annotated

import typer

from ggp.cli.check import check
from ggp.cli.format import format_rules
from ggp.cli.games import games
from ggp.cli.match import match
from ggp.cli.ping import ping
from ggp.cli.replay import replay
from ggp.cli.root import Root, print_version
from ggp.cli.serve import serve

app = typer.Typer(
    name="ggp",
    cls=Root,
    help="Play any game whose rules are given in GDL.",
    rich_markup_mode="rich",
    add_completion=False,
    pretty_exceptions_enable=False,
)


@app.callback()
def root(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=print_version, is_eager=True, help="Show the version and exit."
        ),
    ] = False,
) -> None:
    """Play any game whose rules are given in GDL."""


app.command()(serve)
app.command()(match)
app.command()(ping)
app.command()(games)
app.command()(replay)
app.command()(check)
app.command("format")(format_rules)


def main() -> None:
    """Run the command line; the console script `ggp` calls this."""
    app()
