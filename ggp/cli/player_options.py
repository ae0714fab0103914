"""Players and their options as a command line gives them."""

from __future__ import annotations

import typer

# As in `ggp.players.registry`; written twice, so that `--help` need not import the players.
BUILT_IN = (
    *("alphabeta", "astar", "bestfirst", "bfs", "dfs", "expectimax", "expectiminimax", "greedy"),
    *("ids", "legal", "mcts", "minimax", "montecarlo", "random"),
)
NAMED = f"{', '.join(BUILT_IN)} (see ggp players), or package.module:Class for your own"


def options_of(pairs: list[str]) -> dict[str, str]:
    """The options in `KEY=VALUE` texts, by name.

    Raises:
        typer.BadParameter: A text has another form.
    """
    options: dict[str, str] = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals or not key.strip():
            raise typer.BadParameter(f"expected KEY=VALUE, got {pair!r}", param_hint="--option")
        options[key.strip()] = value.strip()
    return options
