"""Draw many games on one sheet, and measure how long that takes.

    python benchmarks/pictures.py [--turns 10] [--sheet FILE.svg] [GAME or FILE.kif ...]

For each game, the script prints the milliseconds to find out what it looks like from random
positions (once), the milliseconds to draw one position, and the letters of its SVG. Without
arguments it draws all bundled games. If there is a folder of rulesheets next to the project
(`../shared/corpus/rules`), it also draws the games of `CHOSEN`. `--sheet` keeps the pictures;
`ggp games --picture` makes the same for named games.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import time
from dataclasses import dataclass
from pathlib import Path

import gdl
from ggp import games
from ggp.boards.plain_names import read_names
from ggp.drawing import PositionRenderer
from ggp.drawing.sheet import sheet_svg
from ggp.match.rulebook import MachineRulebook, played, sample_positions
from ggp.rulesheets import find_text

CORPUS = Path(__file__).resolve().parents[2] / "shared" / "corpus" / "rules"
CHOSEN = [
    "2pffa_zerosum",
    "3pConnectFour",
    "amazons",
    "asteroids",
    "atariGoVariant_7x7",
    "beatMania",
    "biddingTicTacToe",
    "blocker",
    "blocks",
    "blokbox_simple",
    "bomberman2p",
    "breakthroughSmallHoles",
    "buttons",
    "catcha_mouse",
    "checkers",
    "chess",
    "chineseCheckers6",
    "chinook",
    "circlesolitaire",
    "cittaceot",
    "crossers3",
    "dotsAndBoxes",
    "doubletictactoe",
    "dresden_BODIE_S_3359288834",
    "dresden_GERMANY_3361209469",
    "dresden_NIKO_S_3359145578",
    "dresden_RONALDINHO_3361209749",
    "dresden_DresdenSinglePlayer1",
    "dresden_Tetris",
    "escortLatch",
    "four_way_battle",
    "futoshiki6",
    "golden_rectangle",
    "gomoku_15x15",
    "gt_prisoner",
    "hanoi",
    "hidato37",
    "hitori",
    "kalaha6x2x4",
    "knightfight",
    "knightsTourLarge",
    "lightsOnParallel",
    "linesOfAction",
    "madBishops",
    "mummyMaze2p_2007",
    "nim4",
    "nineBoardTicTacToe",
    "nonogram_10x10_1",
    "pacman2p",
    "pancakes6",
    "pawnWhopping",
    "pegEuro",
    "pentago",
    "queens08ug",
    "racer",
    "rubiksCube",
    "sheepAndWolf",
    "shmup",
    "skirmish",
    "snake2p",
    "sudokuGrade3",
    "sum15",
    "ticTacToeParallel",
    "tictactoe_3player",
    "tron_10x10",
    "wargame03",
    "withConviction",
    "zhadu",
]
"""Of the corpus: of each kind one or two, also some that a manager has scrambled."""
COLUMNS = 8


@dataclass(frozen=True)
class Drawn:
    """A picture, and the seconds that it took."""

    name: str
    svg: str
    looking: float
    drawing: float


async def draw(name: str, turns: int) -> Drawn:
    """Draw a position of a game after `turns` turns."""
    given = find_text(name)
    rules = gdl.read_rules(given.text, given.name)
    book = MachineRulebook(gdl.load(rules, "interpreter"))
    seen = await sample_positions(book)
    facts, before = await played(book, turns)
    names = read_names("\n".join(map(str, rules.forms)), given.text)
    started = time.perf_counter()
    renderer = PositionRenderer(given.bundled, seen, book.roles, names)
    looked = time.perf_counter()
    svg = renderer.svg(facts, before)
    return Drawn(Path(given.name).stem, svg, looked - started, time.perf_counter() - looked)


def main() -> None:
    """Draw the games and print a line for each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=10)
    parser.add_argument("--sheet", type=Path)
    parser.add_argument("games", nargs="*", metavar="GAME or FILE.kif")
    arguments = parser.parse_args()
    corpus = [str(CORPUS / f"{name}.kif") for name in CHOSEN] if CORPUS.is_dir() else []
    drawn = []
    for name in arguments.games or [*games.names(), *corpus]:
        one = asyncio.run(draw(name, arguments.turns))
        drawn.append(one)
        print(
            f"{one.name:32} {1000 * one.looking:8.1f} {1000 * one.drawing:8.1f} {len(one.svg):8,}",
            flush=True,
        )
    for what, seconds in (
        ("looking", [one.looking for one in drawn]),
        ("drawing", [one.drawing for one in drawn]),
    ):
        middle, most = 1000 * statistics.median(seconds), 1000 * max(seconds)
        print(f"{what}: median {middle:.1f} ms, at most {most:.1f} ms")
    if arguments.sheet:
        sheet = sheet_svg([(one.name, one.svg) for one in drawn], COLUMNS)
        arguments.sheet.write_text(sheet, encoding="utf-8")


if __name__ == "__main__":
    main()
