"""`ggp mcp`: games as tools for language models."""

from __future__ import annotations

from typing import Annotated

from ggp.cli.checks import require_model_context
from ggp.cli.options import flag


def mcp(
    hide_legal: Annotated[
        bool, flag("Do not list legal moves: players find them in the rules.", "--hide-legal")
    ] = False,
) -> None:
    """Give language models any game as tools: play, search, explain, write and check rules.

    It speaks the Model Context Protocol on standard input and output; a client starts it. What is
    refused says why, and what would be right. All ends with the client.

    Examples:
        ggp mcp
        ggp mcp --hide-legal
    """
    require_model_context()
    from ggp.mcp_server.server import run_stdio

    run_stdio(hides_legal=hide_legal)
