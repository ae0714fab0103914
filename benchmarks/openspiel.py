"""Measure how much faster our lanes play at random than OpenSpiel's games, driven from Python.

    python benchmarks/openspiel.py [GAME ...] [--python VENV/bin/python] [--seconds 1] [--core 0]
                                   [--markdown | --json]

OpenSpiel's games are written by hand in C++. If it is not installed in this environment, create one
for it and pass its Python:

    python -m venv VENV && VENV/bin/pip install open_spiel

Both play games with the same board size on one core, in playouts per second of CPU time, the best
of three measurements. The script looks for rulesheets next to the project
(`../shared/corpus/rules`). Without them it uses the bundled games, and leaves out checkers and
chess.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SHARED = Path(os.environ.get("GGP_SHARED", Path(__file__).resolve().parents[2] / "shared"))
RULES = SHARED / "corpus" / "rules"
REASONERS = Path(__file__).resolve().parent / "reasoners.py"
STRETCHES = 3


@dataclass(frozen=True, slots=True)
class Pair:
    """A game that both programs have.

    Attributes:
        theirs: OpenSpiel's name of the game, with its parameters.
        ours: A rulesheet of the corpus, or a bundled game.
        wanted: How many times faster our lanes are to be; None where that was left open.
        differs: What is not the same.
    """

    theirs: str
    ours: str
    wanted: float | None = None
    differs: str = ""


CORPUS_PAIRS = (
    Pair("tic_tac_toe", "ticTacToe", 200),
    Pair("connect_four(rows=6,columns=8)", "connectFour", 200),
    Pair("breakthrough", "breakthrough", 200),
    Pair("othello", "reversi", 100),
    Pair("hex(board_size=9)", "hex", 4),
    Pair("checkers", "checkers", None, "rules differ: GDL's playouts are longer"),
    Pair("chess", "chess", None, "rules differ in when a game is drawn"),
)
BUNDLED_PAIRS = (
    Pair("tic_tac_toe", "ticTacToe", 200),
    Pair("connect_four", "connectFour", 200),
    Pair("breakthrough", "breakthrough", 200),
    Pair("othello", "othello", 100),
    Pair("hex(board_size=7)", "hex", 4),
)

HEADINGS = ("game", "ours", "OpenSpiel", "ratio", "wanted", "length", "its length", "")


def play_theirs(name: str, seconds: float) -> dict[str, float]:
    """Play OpenSpiel's game at random, as a Python program does."""
    import pyspiel  # only this function needs it

    game, rng = pyspiel.load_game(name), random.Random(1)
    fastest, playouts, moves = 0.0, 0, 0
    for _ in range(STRETCHES):
        start, states = time.process_time(), 0
        while time.process_time() - start < seconds:
            state = game.new_initial_state()
            while not state.is_terminal():
                state.apply_action(rng.choice(state.legal_actions()))
                states += 1
            state.returns()
            playouts += 1
        fastest = max(fastest, states / (time.process_time() - start))
        moves += states
    return {"playouts_per_second": fastest * playouts / moves, "mean_length": moves / playouts}


def run(command: list[str], timeout: float) -> dict[str, Any]:
    """Return the JSON that a command prints; empty if it fails or takes too long."""
    try:
        done = subprocess.run(  # noqa: S603  # our own scripts, in a Python that the user named
            command, stdout=subprocess.PIPE, text=True, timeout=timeout, check=False
        )
    except subprocess.TimeoutExpired:
        print(f"  given up after {timeout:.0f} s", file=sys.stderr)
        return {}
    found: dict[str, Any] = json.loads(done.stdout) if done.returncode == 0 else {}
    return found


def measure(pair: Pair, options: argparse.Namespace) -> dict[str, Any]:
    """Measure both sides, one after the other."""
    file = RULES / f"{pair.ours}.kif"
    name = str(file) if RULES.is_dir() else pair.ours
    seconds = str(options.seconds)
    lanes = ["--seconds", seconds, "--engines", "table", "straight"]
    ours = run([sys.executable, str(REASONERS), name, *lanes], options.timeout)
    play = [options.python, __file__, "--play", pair.theirs, "--seconds", seconds]
    theirs = run(play, options.timeout)
    best = max((ours[way] for way in ("table", "straight") if ours.get(way)), default=None)
    rate = theirs.get("playouts_per_second")
    return {
        "game": pair.ours,
        "ours": best,
        "openspiel": rate,
        "ratio": best / rate if best and rate else None,
        "wanted": pair.wanted,
        "mean_length": ours.get("mean_length"),
        "openspiel_mean_length": theirs.get("mean_length"),
        "differs": pair.differs,
    }


def cells(found: dict[str, Any]) -> list[str]:
    """Return a row of the table."""
    ratio, wanted = found["ratio"], found["wanted"]
    mark = " <" if ratio and wanted and ratio < wanted else ""
    rates = [f"{found[key]:,.0f}" if found[key] else "" for key in ("ours", "openspiel")]
    lengths = [
        f"{found[key]:.1f}" if found[key] else ""
        for key in ("mean_length", "openspiel_mean_length")
    ]
    ratio_text = f"{ratio:.1f}{mark}" if ratio else ""
    wanted_text = f"{wanted:g}" if wanted else ""
    return [found["game"], *rates, ratio_text, wanted_text, *lengths, found["differs"]]


def print_table(rows: list[dict[str, Any]], is_markdown: bool) -> None:
    """Print the results, one game per line."""
    lines = [list(HEADINGS), *map(cells, rows)]
    if is_markdown:
        lines.insert(1, ["---", *["---:"] * (len(HEADINGS) - 2), "---"])
        for line in lines:
            print(f"| {' | '.join(line)} |")
        return
    widths = [max(len(line[i]) for line in lines) for i in range(len(HEADINGS))]
    for line in lines:
        first, *others = zip(line, widths, strict=True)
        print(first[0].ljust(first[1]), *(cell.rjust(width) for cell, width in others), sep="  ")


def parse() -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="*", help="games, by our names (default: all)")
    parser.add_argument("--python", default=sys.executable, help="a Python that has open_spiel")
    parser.add_argument(
        "--seconds", type=float, default=1.0, help="seconds per measurement (default 1)"
    )
    parser.add_argument("--core", type=int, default=min(os.sched_getaffinity(0)))
    parser.add_argument("--timeout", type=float, default=300.0, help="seconds for each process")
    parser.add_argument("--markdown", action="store_true", help="print a table in Markdown")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--play", metavar="GAME", help=argparse.SUPPRESS)
    return parser.parse_args()


def has_openspiel(python: str) -> bool:
    """Return whether a Python has OpenSpiel."""
    command = [python, "-c", "import pyspiel"]
    try:
        done = subprocess.run(command, capture_output=True, check=False)  # noqa: S603  # as named
    except OSError:
        return False
    return done.returncode == 0


def main() -> None:
    """Measure game by game, then print the table."""
    options = parse()
    if options.play:
        print(json.dumps(play_theirs(options.play, options.seconds)))
        return
    if not has_openspiel(options.python):
        sys.exit(
            f"{options.python} has no OpenSpiel; install it in its own environment:\n"
            "  python -m venv VENV && VENV/bin/pip install open_spiel\n"
            "and run this again with --python VENV/bin/python"
        )
    pairs = CORPUS_PAIRS if RULES.is_dir() else BUNDLED_PAIRS
    chosen = [pair for pair in pairs if pair.ours in options.games or not options.games]
    if not chosen:
        sys.exit(f"expected some of {', '.join(pair.ours for pair in pairs)}")
    os.sched_setaffinity(0, {options.core})
    rows = []
    for number, pair in enumerate(chosen, start=1):
        print(f"{number}/{len(chosen)} {pair.ours}", file=sys.stderr, flush=True)
        rows.append(measure(pair, options))
    if options.json:
        print(json.dumps(rows, indent=1))
    else:
        print_table(rows, options.markdown)


if __name__ == "__main__":
    main()
