"""The command `ggp`: one module for each verb, and the only package that prints.

Modules are imported only when they are needed, so that `--help` answers at once. A verb's module is
imported when the command line names the verb (`ggp.cli.verbs`), and functions import heavy modules.
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
