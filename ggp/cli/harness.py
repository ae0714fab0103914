"""`ggp harness`: write a Python file with which language models can play a game in a framework."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ggp.cli.checks import check_saving, pointing_to_check, save_text
from ggp.cli.options import argument, option

FORMATS = ("plain", "inspect", "kaggle", "openenv")


def harness(
    game: Annotated[str, argument("GAME|FILE", "A bundled game, a file, or - for stdin.")],
    form: Annotated[
        str,
        option("FORMAT", "Framework: plain (none), inspect, kaggle or openenv.", "--format"),
    ] = "plain",
    seed: Annotated[
        int, option("NUMBER", "First seed of the matches, and the seed of the examples.", min=0)
    ] = 0,
    prose: Annotated[
        bool, typer.Option("--prose", help="Print only the text that models are given.")
    ] = False,
    output: Annotated[Path | None, option("FILE", "Write to a file instead of printing.")] = None,
) -> None:
    """Make a harness for language models from the rules of any game.

    The harness is one Python file. It holds the rules in plain prose, each sentence with its line
    of the rulesheet; a legend of the board; worked examples that are checked against the game; a
    JSON schema of positions; and the code that connects a framework: Inspect, kaggle-environments,
    OpenEnv, or none.

    Exits with 1 if the rules cannot be played, with 2 if the game or file does not exist.

    Examples:
        ggp harness ticTacToe --prose
        ggp harness connectFour --format inspect --output connect_four.py
    """
    from ggp.errors import WrongUseError
    from ggp.harness.examples import examples_of, text_of
    from ggp.harness.game import HarnessGame
    from ggp.harness.writing import Format, harness_file
    from ggp.rulesheets import find_text

    if form not in list(Format):
        raise WrongUseError(f"--format: expected {', '.join(FORMATS)}, got {form}")
    check_saving("--output", output)
    sheet = find_text(game)
    with pointing_to_check(game):
        made = HarnessGame(sheet.bundled or Path(sheet.name).stem, sheet.text)
        if prose:
            text = f"{made.briefing}\n\n{text_of(made, examples_of(made, seed))}\n"
        else:
            text = harness_file(made, sheet.text, Format(form), seed)
    if output is not None:
        save_text(output, text)
    else:
        typer.echo(text, nl=False)
