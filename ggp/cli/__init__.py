"""The command `ggp`: one module a verb, and the only place that prints.

Nothing is imported before it is needed, so that `--help` answers at once: a verb's module when the
command line names it (`ggp.cli.verbs`), and what is heavy inside the functions that use it.
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
    """Run the command line; the console script `ggp` calls this."""
    app()
