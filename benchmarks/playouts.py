"""Measure the random playouts per second of our reasoners and of others.

    python benchmarks/playouts.py [GAME ...] [--seconds 1] [--only ours|prototype] [--core 0]
                                  [--save FILE.json] [--markdown | --json]

Each game is measured in one run on one core. The table has our reasoners (lanes by table and by
straight-line code, scalar, interpreter) and the prototype's best variants. It also has the ratios
of our lanes to the prototype's best and to the published figures of others (`peers.py`). The script
looks for rulesheets and the prototype next to the project (`../shared`, or the folder that
GGP_SHARED names). `--save` adds the results to a file, and the table shows the whole file, so you
can measure in parts.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import prototype
from peers import PEERS, PLAYOUTS_PER_SECOND

REASONERS = Path(__file__).resolve().parent / "reasoners.py"

# How many times the prototype's best our lanes are to be.
BARS = {
    "chess_200": 2.0,
    "othello-comp2007": 2.0,
    "linesOfAction": 2.0,
    "amazons_8x8": 3.0,
    "skirmish": 3.0,
    "speedChess": 3.0,
}
USUAL_BAR = 1.0
TABLE_BARS = {"hex": 5.0}  # against the prototype's tables alone

Row = dict[str, Any]

OURS = ("table", "straight", "scalar", "interpreter")
HEADINGS = (
    "game",
    *OURS,
    *("prot. table", "prot. straight"),
    *("x prot.", "wanted"),
    *(f"x {peer}" for peer in PEERS),
)


def measure_ours(game: str, options: argparse.Namespace) -> Row:
    """Run `reasoners.py` on a game in its own process; return the rates."""
    command = [sys.executable, str(REASONERS), str(prototype.RULES / f"{game}.kif")]
    command += ["--seconds", str(options.seconds), "--engines", *options.engines]
    try:
        done = subprocess.run(  # noqa: S603  # our own script and a file of the corpus
            command, stdout=subprocess.PIPE, text=True, timeout=options.timeout, check=False
        )
    except subprocess.TimeoutExpired:
        print(f"  {game}: given up after {options.timeout:.0f} s", file=sys.stderr)
        return {}
    found: Row = json.loads(done.stdout) if done.returncode == 0 else {}
    return found


def best(row: Row, names: Sequence[str]) -> float | None:
    """Return the best of some rates, or None if there is none."""
    return max((row[name] for name in names if row.get(name)), default=None)


def ratio_to_prototype(game: str, row: Row) -> tuple[float | None, float]:
    """Return the ratio of our lanes to the prototype, and the required one."""
    ours = best(row, ("table", "straight"))
    against: tuple[str, ...] = (prototype.TABLE, prototype.STRAIGHT)
    bar = BARS.get(game, USUAL_BAR)
    if game in TABLE_BARS:
        against, bar = (prototype.TABLE,), TABLE_BARS[game]
    theirs = best(row, against)
    return (ours / theirs if ours and theirs else None), bar


def cells(game: str, row: Row) -> list[str]:
    """Return a row of the table."""
    ratio, bar = ratio_to_prototype(game, row)
    ours = best(row, ("table", "straight"))
    peers = PLAYOUTS_PER_SECOND.get(game, {})
    rates = [row.get(name) for name in (*OURS, prototype.TABLE, prototype.STRAIGHT)]
    ratios = [ours / peers[peer] if ours and peer in peers else None for peer in PEERS]
    shown = "" if ratio is None else f"{ratio:.2f}" + ("" if ratio >= bar else " <")
    wanted = f"{bar:g}" + (" (table)" if game in TABLE_BARS else "")
    return [game, *map(rate_text, rates), shown, wanted, *map(times_text, ratios)]


def rate_text(rate: float | None) -> str:
    """Return a rate with three digits."""
    if not rate:
        return ""
    for unit, size in (("M", 1e6), ("k", 1e3)):
        if rate >= size:
            return (
                f"{rate / size:.3g} {unit}" if rate < 1000 * size else f"{rate / size:.0f} {unit}"
            )
    return f"{rate:.3g}"


def times_text(ratio: float | None) -> str:
    """Return a ratio to another's figure as text."""
    if ratio is None:
        return ""
    return f"{ratio:.1f}" if ratio < 10 else f"{ratio:,.0f}"


def print_table(rows: dict[str, Row], is_markdown: bool) -> None:
    """Print the results, one game per line."""
    lines = [list(HEADINGS), *(cells(game, row) for game, row in rows.items())]
    widths = [max(len(line[i]) for line in lines) for i in range(len(HEADINGS))]
    bar = " | " if is_markdown else "  "
    edge = "|" if is_markdown else ""
    for number, line in enumerate(lines):
        padded = [
            cell.rjust(width) if i else cell.ljust(width)
            for i, (cell, width) in enumerate(zip(line, widths, strict=True))
        ]
        print(f"{edge} {bar.join(padded)} {edge}".strip() if is_markdown else bar.join(padded))
        if is_markdown and number == 0:
            print("|---|" + "---:|" * (len(HEADINGS) - 1))


def parse() -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="*", help="rulesheets of the corpus (default: the table's)")
    parser.add_argument(
        "--seconds", type=float, default=1.0, help="seconds per measurement (default 1)"
    )
    parser.add_argument("--only", choices=("ours", "prototype"), help="measure only these")
    parser.add_argument("--engines", nargs="*", choices=OURS, default=list(OURS))
    parser.add_argument("--core", type=int, default=min(os.sched_getaffinity(0)))
    parser.add_argument("--timeout", type=float, default=300.0, help="seconds for each process")
    parser.add_argument("--save", type=Path, help="add to the results in this file")
    parser.add_argument("--markdown", action="store_true", help="print a table in Markdown")
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args()
    if not prototype.RULES.is_dir():
        parser.error(f"there are no rulesheets: {prototype.why_not()}")
    for game in options.games:
        if not (prototype.RULES / f"{game}.kif").exists():
            parser.error(f"there is no rulesheet {prototype.RULES / game}.kif")
    return options


def measure(game: str, options: argparse.Namespace, has_prototype: bool) -> Row:
    """Measure all rates of a game, one after the other."""
    row: Row = {}
    if options.only != "prototype":
        row |= measure_ours(game, options)
    if options.only != "ours" and has_prototype and game in prototype.VARIANTS:
        row |= prototype.measure(game, options.timeout)
    return row


def cpu_seconds() -> float:
    """Return the CPU time of all started processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main() -> None:
    """Measure game by game, then print the table."""
    options = parse()
    os.sched_setaffinity(0, {options.core})
    missing = prototype.why_not()
    if missing and options.only != "ours":
        print(f"without the prototype: {missing}", file=sys.stderr)
    rows: dict[str, Row] = {}
    if options.save and options.save.exists():
        rows = json.loads(options.save.read_text())
    chosen = options.games or list(prototype.VARIANTS)
    for number, game in enumerate(chosen, start=1):
        start, start_cpu = time.perf_counter(), cpu_seconds()
        row = measure(game, options, missing is None)
        rows[game] = rows.get(game, {}) | row
        if options.save:
            options.save.write_text(json.dumps(rows, indent=1) + "\n")
        ratio, bar = ratio_to_prototype(game, rows[game])
        shown = "" if ratio is None else f", {ratio:.2f} x prototype (wanted {bar:g})"
        spent = f"{time.perf_counter() - start:.0f} s ({cpu_seconds() - start_cpu:.0f} s of CPU)"
        print(f"{number}/{len(chosen)} {game}: {spent}{shown}", file=sys.stderr, flush=True)
    if options.json:
        print(json.dumps(rows, indent=1))
    else:
        print_table(rows, options.markdown)


if __name__ == "__main__":
    main()
