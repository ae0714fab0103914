"""`ggp games`: list, show and draw the bundled games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from ggp import games as bundled
from ggp.cli.checks import check_saving, pointing_to_check, save_text
from ggp.cli.options import Json, argument, flag, option
from ggp.errors import WrongUseError
from ggp.plurals import counted
from ggp.terminal.console import console, print_json, table


def games(
    names: Annotated[
        list[str] | None,
        argument(
            "NAME", "Show only this game. --prose also takes a file, --picture several games."
        ),
    ] = None,
    source: Annotated[bool, flag("Print the game's rulesheet.", "--source")] = False,
    prose: Annotated[
        bool, flag("Print the rules of a game or a file in prose.", "--prose")
    ] = False,
    notation: Annotated[
        str | None, option("NOTATION", "With --source: kif (default) or epilog.", "--notation")
    ] = None,
    picture: Annotated[
        Path | None, option("FILE", "Draw the games on one sheet, an .svg or .html file.")
    ] = None,
    turns: Annotated[
        int,
        option("NUMBER", "With --picture: draw the position after this many random turns.", min=0),
    ] = 0,
    json: Json = False,
) -> None:
    """List the bundled games, show one, or draw pictures of them.

    Examples:
        ggp games ticTacToe
        ggp games ticTacToe --source
        ggp games my.kif --prose
        ggp games hex othello --picture boards.svg --turns 6
    """
    if picture is not None:
        drawn = names or bundled.names()
        _draw(picture, drawn, turns)
        print(f"Drawn in {picture}: {counted(len(drawn), 'game')}.")
        return
    if names and len(names) > 1:
        raise typer.BadParameter("expected the NAME of one game; only --picture takes several")
    name = names[0] if names else None
    if notation is not None and not source:
        raise typer.BadParameter("--notation needs --source, whose output it changes")
    if prose and (source or json):
        raise typer.BadParameter("give only one of --prose, --source and --json")
    if name is None:
        if source or prose:
            asked = "source" if source else "prose"
            raise typer.BadParameter(f"--{asked} needs the NAME of a game")
        _list(json)
    elif prose:
        print(_prose(name))
    elif source:
        if notation not in {None, "kif", "epilog"}:
            raise typer.BadParameter(f"--notation: expected kif or epilog, got: {notation}")
        print(bundled.text(name, "epilog" if notation == "epilog" else "kif"), end="")
    else:
        _show(name, json)


def _list(is_json: bool) -> None:
    found = list(bundled.catalogue().values())
    if is_json:
        print_json([asdict(game) for game in found])
        return
    rows = [(game.name, game.title, ", ".join(game.roles)) for game in found]
    console().print(table(["name", "title", "roles"], rows))


def _prose(name: str) -> str:
    from ggp.harness.game import HarnessGame
    from ggp.rulesheets import find_text

    with pointing_to_check(name):
        sheet = find_text(name)
        return HarnessGame(sheet.bundled or Path(sheet.name).stem, sheet.text).briefing


def _draw(file: Path, names: Sequence[str], turns: int) -> None:
    import asyncio

    from ggp.drawing.position_renderer import random_picture
    from ggp.drawing.sheet import sheet_html, sheet_svg
    from ggp.rulesheets import find_game

    makers = {".svg": sheet_svg, ".html": sheet_html}
    if file.suffix not in makers:
        raise WrongUseError(f"--picture: expected a file that ends in .svg or .html, got: {file}")
    check_saving("--picture", file)
    pictures = []
    for name in names:
        game = find_game(name)
        pictures.append((game.name, asyncio.run(random_picture(game, turns))))
    save_text(file, makers[file.suffix](pictures))


def _show(name: str, is_json: bool) -> None:
    if name not in bundled.names() and Path(name).is_file():
        raise typer.BadParameter(f"{name} is a file; show its rules with --prose or --picture")
    bundled.path(name)  # raises an error that suggests a similar name
    game = bundled.catalogue()[name]
    if is_json:
        print_json(asdict(game))
        return
    counts = ", ".join(f"{count:,}" for count in game.counts)
    lines = {
        "Roles": ", ".join(game.roles),
        "Rules": game.rules,
        "Lines of play to depth 1, 2, ...": counts,
        "File": str(bundled.path(game.name)),
        "Rules in prose": f"ggp games {game.name} --prose",
    }
    print(f"{game.name}: {game.title}")
    for heading, text in lines.items():
        print(f"{heading}: {text}")
