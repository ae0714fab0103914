"""The sheet of `ggp games --picture`: a picture of each game, drawn by its rules alone."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import gdl
from ggp.boards.orders import find_orders
from ggp.cli.failures import CommandFailedError, WrongUseError, reason_of
from ggp.cli.match import check_saving
from ggp.cli.rulesheets import read_argument
from ggp.drawing import PositionRenderer
from ggp.drawing.sheet import sheet_html, sheet_svg
from ggp.match.rulebook import MachineRulebook
from ggp.match.sample_positions import played, sample_positions


def draw_games(file: Path, names: Sequence[str], turns: int) -> None:
    """Write a sheet with a picture of each game.

    Args:
        file: Ends in `.svg` or `.html`.
        names: Bundled games, or files of rules.
        turns: After how many of a random game.

    Raises:
        WrongUseError: The file has another ending, or there is no such game.
        typer.BadParameter: There is no such folder.
        CommandFailedError: The file cannot be written.
        GdlError: Rules cannot be read or evaluated.
    """
    makers = {".svg": sheet_svg, ".html": sheet_html}
    if file.suffix not in makers:
        raise WrongUseError(f"--picture: expected a file that ends in .svg or .html, got: {file}")
    check_saving("--picture", file)
    pictures = [asyncio.run(_picture(name, turns)) for name in names]
    try:
        file.write_text(makers[file.suffix](pictures), encoding="utf-8")
    except OSError as error:
        raise CommandFailedError(f"{file}: {reason_of(error)}") from error


async def _picture(name: str, turns: int) -> tuple[str, str]:
    given = read_argument(name)
    rules = gdl.read_rules(given.text, given.name)
    book = MachineRulebook(gdl.load(rules, "interpreter"))
    orders = find_orders("\n".join(map(str, rules.forms)))
    renderer = PositionRenderer(given.bundled, await sample_positions(book), book.roles, orders)
    facts, before = await played(book, turns)
    return Path(given.name).stem, renderer.svg(facts, before)
