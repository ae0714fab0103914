"""`ggp games`: what comes with the agent."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ggp.cli.console import console, print_json, table

if TYPE_CHECKING:
    from ggp.games import Game


def games(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="NAME", help="Show this game only; with --picture several, or files of rules."
        ),
    ] = None,
    source: Annotated[
        bool, typer.Option("--source", metavar="", help="Print the game's rulesheet.")
    ] = False,
    notation: Annotated[
        str | None,
        typer.Option(
            "--notation", metavar="NOTATION", help="With --source: kif (without it) or epilog."
        ),
    ] = None,
    picture: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Draw the games on one sheet: an SVG or HTML file."),
    ] = None,
    turns: Annotated[
        int,
        typer.Option(
            metavar="NUMBER", min=0, help="With --picture: after so many turns at random."
        ),
    ] = 0,
    json: Annotated[bool, typer.Option("--json", metavar="", help="Print JSON.")] = False,
) -> None:
    """List the bundled games, show one, or draw a picture of them.

    Examples:
        ggp games ticTacToe
        ggp games ticTacToe --source
        ggp games chess checkers --picture boards.svg --turns 6
    """
    from ggp import games as bundled

    if picture is not None:
        from ggp.cli.pictures import draw_games

        drawn = names or bundled.names()
        draw_games(picture, drawn, turns)
        print(f"Drawn in {picture}: {len(drawn)} {'game' if len(drawn) == 1 else 'games'}.")
        return
    if names and len(names) > 1:
        raise typer.BadParameter("expected the NAME of one game; --picture draws several")
    name = names[0] if names else None
    if notation is not None and not source:
        raise typer.BadParameter("--notation says how --source prints; give --source as well")
    if name is None:
        if source:
            raise typer.BadParameter("--source needs the NAME of a game")
        _list(list(bundled.catalogue().values()), json)
    elif source:
        _print_source(name, notation or "kif")
    else:
        bundled.path(name)  # raises the error that suggests a name
        _show(bundled.catalogue()[name], json)


def _list(found: list[Game], is_json: bool) -> None:
    if is_json:
        print_json([asdict(game) for game in found])
        return
    rows = [(game.name, game.title, _roles(game)) for game in found]
    console().print(table(["name", "title", "roles"], rows))


def _show(game: Game, is_json: bool) -> None:
    if is_json:
        print_json(asdict(game))
        return
    from ggp import games as bundled

    counts = ", ".join(f"{count:,}" for count in game.counts)
    lines = {
        "Roles": _roles(game),
        "Rules": game.rules,
        "Lines of play to depth 1, 2, ...": counts,
        "File": str(bundled.path(game.name)),
    }
    print(f"{game.name}: {game.title}")
    for heading, text in lines.items():
        print(f"{heading}: {text}")


def _print_source(name: str, notation: str) -> None:
    from ggp import games as bundled

    if notation == "kif":
        print(bundled.text(name), end="")
    elif notation == "epilog":
        print(bundled.text(name, "epilog"), end="")
    else:
        raise typer.BadParameter(f"--notation: expected kif or epilog, got: {notation}")


def _roles(game: Game) -> str:
    return ", ".join(game.roles)
