"""`ggp scramble`: print the same game under other names and with reordered arguments."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from ggp.cli.checks import check_saving, save_text
from ggp.cli.options import flag, option

Source = Annotated[
    str, typer.Argument(metavar="GAME|FILE", help="A bundled game, a file, or - for stdin.")
]


def scramble(
    game: Source,
    seed: Annotated[int, option("NUMBER", "Seed of the names and orders.")] = 0,
    symbols: Annotated[
        bool,
        flag(
            "Only change the names of symbols and variables, and the order of the rules.",
            "--symbols",
        ),
    ] = False,
    board: Annotated[
        bool,
        flag(
            "Only change the order of arguments, and swap names of constants such as coordinates.",
            "--board",
        ),
    ] = False,
    both: Annotated[bool, flag("Do both, which is the default.", "--both")] = False,
    output: Annotated[
        Path | None, option("FILE", "Write the rules to a file instead of printing them.")
    ] = None,
    mapping: Annotated[
        Path | None,
        option(
            "FILE",
            "Write a JSON file that translates moves and facts between the original "
            "and the scrambled names.",
        ),
    ] = None,
) -> None:
    """Print the same game under other names and with the arguments in another order.

    The new game has the same positions, legal moves, goals and percepts, but they are written with
    other words. Use it to find out whether a player that knows many games by name, such as a
    language model, reasons or recalls.

    Exits with 1 if the rules cannot be read, with 2 if the game or file does not exist.

    Examples:
        ggp scramble ticTacToe --seed 7
        ggp scramble ticTacToe --seed 7 --output other.kif --mapping other.json
    """
    import gdl
    from ggp.rulesheets import find_text

    check_saving("--output", output)
    check_saving("--mapping", mapping)
    if output is not None and mapping is not None and output.absolute() == mapping.absolute():
        raise typer.BadParameter("--output and --mapping must be two different files")
    sheet = find_text(game)
    rules = gdl.read_rules(sheet.text, sheet.name)
    has_neither = not (symbols or board)
    scrambled = gdl.scramble(
        rules, seed, symbols=symbols or both or has_neither, board=board or both or has_neither
    )
    if mapping is not None:
        named = {**scrambled.mapping, "game": sheet.bundled or sheet.name}
        save_text(mapping, json.dumps(named, indent=2) + "\n")
    if output is not None:
        save_text(output, scrambled.text)
    else:
        typer.echo(scrambled.text, nl=False)
