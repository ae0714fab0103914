"""Play a player against others with swapped seats, each match on one core: how strong is it?

    python benchmarks/strength.py GAME... [--players mcts:network=none openspiel:uct_c=1.4 ...]
                                  [--matches 40] [--seconds 1] [--jobs 1]
                                  [--python VENV/bin/python] [--json]

A player is a spec as `ggp match` takes it (`mcts:c=0.7`, `mcts:tree=python`, `MODULE:CLASS`), the
address of a running player, or `openspiel`. That is the C++ `MCTSBot` of OpenSpiel with its solver
and one random rollout per leaf. Its options are `uct_c` (1.4), `simulations` (in a move, instead of
the time), `memory` (4096 MB) and `times` (1: a multiple of the seconds that others have). The first
player meets each of the others; with `--round-robin` each meets each. Games are bundled ones or
files; against OpenSpiel those in `contest/pairs.py`. `mcts` uses the value network of a game if it
finds one, so compare with `mcts:network=none`, which has learned nothing.

All players think in turn in one process (OpenSpiel and running players in their own). They think
only while they are asked, and only about moves that they choose from several. If OpenSpiel plays,
each state of its game is compared with ours. The script looks for OpenSpiel in `--python`, by
default the environment variable GGP_OPENSPIEL_PYTHON. Create an environment for it with

    python -m venv VENV && VENV/bin/pip install open_spiel
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict
from itertools import combinations
from multiprocessing.queues import Queue
from pathlib import Path
from typing import Any

from contest.elo import elo_table
from contest.errors import ContestError
from contest.match import Fixture, load, play
from contest.score import Outcome, line, summary

import gdl
from ggp.errors import GgpError

PLAIN = "mcts:network=none"
HEADINGS = (
    "game", "player", "opponent", "W", "D", "L", "points", "95 %",
    "median s", "worst overrun", "its median s", "its worst overrun",
)  # fmt: skip


def pairings(players: list[str], is_round_robin: bool) -> list[tuple[str, str]]:
    """Return the pairs of players that meet."""
    if is_round_robin:
        return list(combinations(players, 2))
    return [(players[0], other) for other in players[1:]]


def fixtures(options: argparse.Namespace) -> list[Fixture]:
    """Return all matches, in the order in which they start."""
    return [
        Fixture(game, pair, number, options.seconds, options.seed, options.opening, options.python)
        for game in options.games
        for pair in pairings(options.players, options.round_robin)
        for number in range(options.matches)
    ]


def begin(cores: Queue[int]) -> None:
    """Prepare a process: bind it to one core, and load what all games share."""
    os.sched_setaffinity(0, {cores.get()})
    from ggp.warming.kernels import warm_up_tree

    gdl.warm_up()
    warm_up_tree()


def played(all_fixtures: list[Fixture], jobs: int) -> Iterator[Outcome]:
    """Play the fixtures, `jobs` at a time; yield each when it has ended."""
    context = multiprocessing.get_context("spawn")
    cores: Queue[int] = context.Queue()
    for core in sorted(os.sched_getaffinity(0))[:jobs]:
        cores.put(core)
    for game, engine in {(one.game, one.engine): None for one in all_fixtures}:
        print(f"{game}: getting ready", file=sys.stderr, flush=True)
        load(game, engine)  # to the disk, so that no two processes do the same
    with ProcessPoolExecutor(jobs, context, begin, (cores,)) as pool:
        matches = [pool.submit(play, one) for one in all_fixtures]
        try:
            yield from (one.result() for one in as_completed(matches))
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def row(found: dict[str, Any]) -> list[str]:
    """Return a line of the table."""
    low, high = found["interval_percent"]
    times = [
        f"{thinking[key]:.3f}" if key in thinking else ""
        for thinking in found["thinking"]
        for key in ("median_seconds", "worst_overrun")
    ]
    return [
        *(found[key] for key in ("game", "player", "opponent")),
        *(str(found[key]) for key in ("wins", "draws", "losses")),
        f"{found['points_percent']:.1f} %",
        f"{low:.0f}-{high:.0f}",
        *times,
    ]


def print_table(lines: list[list[str]]) -> None:
    """Print rows of cells, starting with the headings, in aligned Markdown."""
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for cells in [lines[0], ["-" * width for width in widths], *lines[1:]]:
        padded = (cell.ljust(width) for cell, width in zip(cells, widths, strict=True))
        print(f"| {' | '.join(padded)} |")


def print_notes(summaries: list[dict[str, Any]]) -> None:
    """Print notes that do not fit in the table."""
    for found in summaries:
        for side, name in enumerate((found["player"], found["opponent"])):
            thinking = found["thinking"][side]
            work = ", ".join(
                f"{number:,.0f} {what}" for what, number in thinking.get("per_move", {}).items()
            )
            if work:
                mean = thinking["mean_seconds"]
                print(f"{found['game']}: {name}: {work} a move, in {mean:.3f} s (mean)")
        for fault in found["faults"]:
            print(f"{found['game']}: lost without a move: {fault}")


def contest(options: argparse.Namespace) -> list[list[Outcome]]:
    """Play all matches and report the progress; return those of each game and pair together."""
    outcomes: dict[tuple[str, tuple[str, str]], list[Outcome]] = {}
    try:
        for one in played(fixtures(options), options.jobs):
            same = outcomes.setdefault((one.game, one.names), [])
            same.append(one)
            print(line(summary(same, options.seconds)), file=sys.stderr, flush=True)
            if options.records:
                note(one, options.records)
    except KeyboardInterrupt:
        print("interrupted; so far:", file=sys.stderr)
    return list(outcomes.values())


def note(one: Outcome, file: Path) -> None:
    """Append a match to a file."""
    with file.open("a", encoding="utf-8") as opened:
        opened.write(json.dumps(asdict(one)) + "\n")


def parse() -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    cores = len(os.sched_getaffinity(0))
    add("games", nargs="+", metavar="GAME", help="a bundled game, connectFour8, or a file")
    add("--players", nargs="+", default=[PLAIN, "openspiel"], metavar="PLAYER")
    add("--round-robin", action="store_true", help="let each player meet each other player")
    add(
        "--elo",
        action="store_true",
        help="print Elo numbers instead of pairs, with a column for each game",
    )
    add(
        "--seconds",
        type=float,
        default=1.0,
        help="seconds for each move, and to prepare (default 1)",
    )
    add("--matches", type=int, default=40, help="matches of each pair in each game (default 40)")
    add("--opening", type=int, default=0, help="random plies at the start (default 0)")
    add("--jobs", type=int, default=1, help=f"matches at once, at most {cores}, one a core")
    add("--seed", type=int, default=0)
    add(
        "--engine",
        choices=gdl.ENGINES,
        default="auto",
        help="the reasoner that plays the rules (default auto)",
    )
    python = os.environ.get("GGP_OPENSPIEL_PYTHON", sys.executable)
    add("--python", default=python, help=f"a Python that has open_spiel (default {python})")
    add("--records", type=Path, help="file to which a line of JSON is added for each match")
    add("--json", action="store_true", help="print JSON")
    options = parser.parse_args()
    if not 1 <= options.jobs <= cores:
        parser.error(f"--jobs: expected a number from 1 to {cores}, got {options.jobs}")
    if len(options.players) < 2:
        parser.error("--players: expected at least two")
    return options


def main() -> None:
    """Play, then print the table."""
    options = parse()
    try:
        outcomes = contest(options)
    except (GgpError, ContestError, OSError) as error:
        sys.exit(f"strength.py: {error}")
    summaries = [summary(same, options.seconds) for same in outcomes]
    if options.json:
        print(json.dumps(summaries, indent=1))
    elif options.elo:
        print_table(elo_table([one for same in outcomes for one in same]))
    else:
        print_table([list(HEADINGS), *map(row, summaries)])
        print_notes(summaries)


if __name__ == "__main__":
    main()
