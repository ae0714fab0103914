"""Measure how many states a second alpha-beta searches, and what it solves.

    python benchmarks/alphabeta.py [GAME ...] [--seconds 2] [--eval linear] [--twin]
                                   [--boards 4x4 5x4 ...] [--entries 4194304] [--json]

For games, the script searches from the first state with increasing depth for `--seconds`, in
arrays, and with `--twin` also in Python. For boards, it solves Connect Four on boards of
COLUMNSxROWS to the end and compares the value with the known one. A search of a few plies orders
the moves first.

`--seconds` is wall-clock time. The figures use the thread's own time, because the machine may have
other work.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from typing import Any

from boards import KNOWN_VALUES, connect_four

import gdl
from ggp import games
from ggp.clock import Deadline
from ggp.errors import GgpError
from ggp.search.core.result import DepthResult, OutOfTime
from ggp.search.evaluation import NAMES, EvenEvaluation, named
from ggp.search.fast.alphabeta.search import make_search
from ggp.search.textbook.adversarial import alphabeta
from ggp.search.textbook.adversarial.alphabeta import AlphaBetaOptions
from ggp.search.textbook.adversarial.ordering import LearnedOrder
from ggp.search.textbook.adversarial.table import TranspositionTable
from ggp.warming.kernels import warm_up_alphabeta

GAMES = ("connectFour", "breakthrough", "othello", "hex", "ticTacToe", "goFive")
BOARDS = ("4x4", "5x4", "4x5", "6x4", "5x5")
FIRST_LOOK = 12  # plies that are searched before the board is, to know good moves
ENTRIES = 1 << 22
Look = Callable[[int, Deadline], DepthResult]


def measure_game(game: str, options: argparse.Namespace) -> list[dict[str, Any]]:
    """Search a game in arrays, and if requested in Python; return the figures."""
    machine = gdl.load(games.text(game), "scalar")
    state, role = machine.initial_state(), machine.roles[0]
    evaluate = named(machine, options.eval)
    search = make_search(machine, role, evaluate, options.entries)
    if search is None:
        raise GgpError(f"{game}: expected a game and an evaluation that arrays can do")
    search.position.table.rows.fill(0)  # so that the memory is there when the clock runs
    rows = [
        {"game": game, "code": "arrays"}
        | deepen(
            lambda depth, deadline: search.look(state, depth=depth, deadline=deadline),
            options.seconds,
            lambda: search.nodes,
        )
    ]
    if options.twin:
        means = AlphaBetaOptions(LearnedOrder(), TranspositionTable())
        rows.append(
            {"game": game, "code": "python"}
            | deepen(
                lambda depth, deadline: alphabeta.search(
                    machine,
                    state,
                    role,
                    depth=depth,
                    evaluate=evaluate,
                    deadline=deadline,
                    means=means,
                ),
                options.seconds,
            )
        )
    return rows


def deepen(look: Look, seconds: float, nodes: Callable[[], int] | None = None) -> dict[str, Any]:
    """Search with growing depth until the time is over; count incomplete depths if possible.

    Args:
        look: Searches to a depth.
        seconds: By the clock on the wall.
        nodes: Tells the states seen so far, if the search can.
    """
    deadline, depth, seen, found = Deadline.after(seconds), 0, 0, None
    spent = 0.0
    while found is None or not found.is_complete:
        begun = time.thread_time()
        try:
            found = look(depth + 1, deadline)
        except OutOfTime:
            spent += (time.thread_time() - begun) if nodes else 0.0
            break
        spent += time.thread_time() - begun
        depth, seen = depth + 1, seen + found.nodes
    seen = nodes() if nodes else seen
    return {"depth": depth, "nodes": seen, "seconds": spent, "rate": seen / max(spent, 1e-9)}


def solve(board: str, options: argparse.Namespace) -> dict[str, Any]:
    """Solve the first position of a board."""
    columns, rows = map(int, board.split("x"))
    machine = gdl.load(connect_four(columns, rows), "scalar")
    even = EvenEvaluation(machine)
    search = make_search(machine, machine.roles[0], even, options.entries)
    assert search is not None
    search.position.table.rows.fill(0)
    state, never = machine.initial_state(), Deadline.never()
    begun = time.thread_time()
    search.look(state, depth=FIRST_LOOK, deadline=never)
    found = search.look(state, depth=columns * rows, deadline=never)
    seconds = time.thread_time() - begun
    return {
        "board": board,
        "value": found.value,
        "known": KNOWN_VALUES.get((columns, rows)),
        "solved": found.is_complete,
        "nodes": search.nodes,
        "seconds": seconds,
        "rate": search.nodes / seconds,
    }


def print_rows(rows: list[dict[str, Any]]) -> None:
    """Print one row per line, in Markdown."""
    if rows:
        print(f"| {' | '.join(rows[0])} |\n|{'---|' * len(rows[0])}")
    for row in rows:
        print(f"| {' | '.join(map(_shown, row.values()))} |", flush=True)


def _shown(value: object) -> str:
    if isinstance(value, float):
        return f"{value:,.2f}" if value < 1000 else f"{value:,.0f}"
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)


def parse() -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add = parser.add_argument
    add("games", nargs="*", default=GAMES, metavar="GAME", help=f"default {' '.join(GAMES)}")
    add("--boards", nargs="*", default=BOARDS, help=f"default {' '.join(BOARDS)}")
    add("--seconds", type=float, default=2.0, help="wall-clock seconds for each game (default 2)")
    add("--eval", choices=NAMES, default="linear", help="evaluation of the games (default linear)")
    add("--entries", type=int, default=ENTRIES, help=f"states in the table (default {ENTRIES})")
    add("--twin", action="store_true", help="also measure the search in Python")
    add("--json", action="store_true", help="print JSON")
    return parser.parse_args()


def main() -> None:
    """Measure game by game and board by board."""
    options = parse()
    warm_up_alphabeta()
    try:
        measured = [row for game in options.games for row in measure_game(game, options)]
        solved = [solve(board, options) for board in options.boards]
    except (GgpError, ValueError) as error:
        sys.exit(f"alphabeta.py: {error}")
    if options.json:
        print(json.dumps({"games": measured, "boards": solved}, indent=1))
        return
    print_rows(measured)
    print()
    print_rows(solved)


if __name__ == "__main__":
    main()
