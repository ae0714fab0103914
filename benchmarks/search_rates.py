"""Measure the playouts a second that a search backs up, ours and OpenSpiel's, in one run.

    python benchmarks/search_rates.py [GAME ...] [--player mcts:network=none] [--seconds 1]
                                      [--repeats 5] [--python VENV/bin/python] [--core 0] [--json]

Both search from the first state, in turn and equally often, on one core: `mcts` from an empty tree,
and OpenSpiel's C++ `MCTSBot` with its solver and one random rollout per simulation. For our search,
a playout counts if its goals were backed up, and an iteration is a leaf that was evaluated. Figures
are medians of all repeats, in wall-clock time. `strength.py` explains where the script looks for
OpenSpiel.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from statistics import median
from typing import Any

from contest.errors import ContestError
from contest.match import load
from contest.openspiel import BotOptions, Spiel
from contest.pairs import PAIRS

import gdl
from ggp.clock import Deadline
from ggp.errors import GgpError
from ggp.players.registry import create
from ggp.players.searching import SearchPlayer

GAMES = ("connectFour8", "breakthrough", "othello")
PLAIN = "mcts:network=none"
HEADINGS = ("game", "iterations/s", "playouts/s", "OpenSpiel's simulations/s", "ratio")


def search_ours(machine: gdl.Game, spec: str, seconds: float, seed: int) -> dict[str, Any]:
    """Run a new player's search for `seconds`; return its work."""
    player = create(spec, machine, machine.roles[0], {}, seed)
    if not isinstance(player, SearchPlayer):
        raise ContestError(f"{spec}: expected a player that keeps a tree")
    search = player.new_search(machine.initial_state())
    start, deadline = time.perf_counter(), Deadline.after(seconds)
    while not deadline.is_over() and search.step(deadline):
        pass
    spent, effort = time.perf_counter() - start, search.effort
    return {
        "iterations_per_second": effort.num_iterations / spent,
        "playouts_per_second": effort.num_playouts / spent,
    }


def search_theirs(spiel: Spiel, seconds: float, seed: int) -> float:
    """Return the simulations a second of a new bot."""
    options = BotOptions()
    spiel.ask(
        "seat",
        uct_c=options.uct_c,
        seconds=seconds,
        simulations=None,
        memory=options.memory,
        seed=seed,
    )
    found = spiel.ask("search")
    return float(found["simulations"] / found["seconds"])


def measure(game: str, options: argparse.Namespace) -> dict[str, Any]:
    """Measure both sides of a game, in turn."""
    machine, spiel = load(game), Spiel(options.python, PAIRS[game].theirs)
    search_ours(machine, options.player, options.seconds / 4, seed=0)  # loads what is left
    ours, theirs = [], []
    try:
        for seed in range(1, options.repeats + 1):
            ours.append(search_ours(machine, options.player, options.seconds, seed))
            theirs.append(search_theirs(spiel, options.seconds, seed))
    finally:
        spiel.close()
    rates = {key: median(one[key] for one in ours) for key in ours[0]}
    simulations = median(theirs)
    return {
        "game": game,
        "openspiel": PAIRS[game].theirs,
        "player": options.player,
        **rates,
        "simulations_per_second": simulations,
        "ratio": rates["playouts_per_second"] / simulations,
    }


def print_table(rows: list[dict[str, Any]]) -> None:
    """Print one game per line, in Markdown."""
    print(f"| {' | '.join(HEADINGS)} |")
    print("|---|" + "---:|" * (len(HEADINGS) - 1))
    for one in rows:
        rates = (one[f"{what}_per_second"] for what in ("iterations", "playouts", "simulations"))
        cells = [one["game"], *(f"{rate:,.0f}" for rate in rates), f"{one['ratio']:.1f}"]
        print(f"| {' | '.join(cells)} |")


def parse() -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add = parser.add_argument
    python = os.environ.get("GGP_OPENSPIEL_PYTHON", sys.executable)
    add("games", nargs="*", default=GAMES, metavar="GAME", help=f"default {' '.join(GAMES)}")
    add("--player", default=PLAIN, help=f"ours, as for ggp match (default {PLAIN})")
    add("--seconds", type=float, default=1.0, help="seconds of each search (default 1)")
    add("--repeats", type=int, default=5, help="searches of each side (default 5)")
    add("--core", type=int, default=min(os.sched_getaffinity(0)), help="the core that both use")
    add("--python", default=python, help=f"a Python that has open_spiel (default {python})")
    add("--json", action="store_true", help="print JSON")
    options = parser.parse_args()
    unknown = [game for game in options.games if game not in PAIRS]
    if unknown:
        parser.error(f"expected some of {', '.join(PAIRS)}, got {unknown[0]}")
    return options


def main() -> None:
    """Measure game by game, then print the table."""
    options = parse()
    os.sched_setaffinity(0, {options.core})
    rows = []
    try:
        for game in options.games:
            print(game, file=sys.stderr, flush=True)
            rows.append(measure(game, options))
    except (ContestError, GgpError) as error:
        sys.exit(f"search_rates.py: {error}")
    if options.json:
        print(json.dumps(rows, indent=1))
    else:
        print_table(rows)


if __name__ == "__main__":
    main()
