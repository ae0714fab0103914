"""The command `ggp`, with one module for each verb. Only this package may print.

Modules are imported only when they are needed, so that `--help` is fast. A verb's module is
imported if the command line names the verb (`ggp.cli.verbs`). Heavy modules are imported inside
functions.
"""

from __future__ import annotations

from typing import Annotated

import typer

from ggp.cli.verbs import SETTINGS, Root, print_version

app = typer.Typer(
    name="ggp",
    cls=Root,
    help="Play any game whose rules are given in GDL.",
    rich_markup_mode="rich",
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings=SETTINGS,
)


@app.callback()
def root(
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            callback=print_version,
            is_eager=True,
            help="Show the version and exit.",
        ),
    ] = False,
) -> None:
    """Play any game whose rules are given in GDL."""


def main() -> None:
    """Run the command line. The console script `ggp` calls this function."""
    app()
