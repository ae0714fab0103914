"""`ggp lsp`: run a language server for editors."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from ggp.cli.checks import require
from ggp.cli.options import flag


def lsp(
    no_play: Annotated[bool, flag("Only read the rules, do not play them.", "--no-play")] = False,
) -> None:
    """Help an editor with rulesheets: findings while you type, and much more.

    It speaks the Language Server Protocol on standard input and output. An editor starts it.

    Examples:
        ggp lsp
        ggp lsp --no-play
    """
    require(["pygls"], "the language server", "lsp")
    if sys.stdin.isatty():
        typer.echo(
            "ggp lsp: this server is meant to be started by an editor, see "
            "docs/editors.md; press Ctrl-D to end it",
            err=True,
        )
    from ggp.lsp.features import server

    server(is_playing=not no_play).run()
