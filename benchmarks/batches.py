"""Measure the time of a batch of the search on lanes, by the number of its leaves.

    python benchmarks/batches.py [GAME or FILE.kif ...] [--leaves 1 8 32 128] [--seconds 2] [--json]

For each game and each number of leaves, a tree grows from the first state. The script prints the
CPU time of a batch in milliseconds, and the iterations a second. Most of a batch is playouts in all
lanes, which take as long from one leaf as from many.
"""

from __future__ import annotations

import argparse
import json
import time
from typing import Any

import gdl
from ggp.clock import Deadline
from ggp.rulesheets import find_text
from ggp.search.fast.lanes import LaneSettings
from ggp.search.fast.tree.search import LaneSearch

GAMES = ("breakthrough", "othello", "hex")
LEAVES = (1, 8, 32, 128)


def measure(game: gdl.Game, leaves: int, seconds: float) -> dict[str, float]:
    """Grow a new tree for `seconds` of CPU time."""
    settings = LaneSettings(leaves=leaves)
    search = LaneSearch(game, game.initial_state(), game.roles[0], 1, settings)
    num, start = 0, time.thread_time()
    while (spent := time.thread_time() - start) < seconds and search.step(Deadline.never()):
        num += 1
    rounds = search.effort.num_iterations
    return {"batch_seconds": spent / max(1, num), "rounds_per_second": rounds / spent}


def measure_game(argument: str, leaves: list[int], seconds: float) -> dict[str, Any]:
    """Return all figures of a game.

    Raises:
        GgpError: There is no such game.
        GdlError: It cannot be played.
    """
    game = gdl.load(find_text(argument).text, "lanes")
    assert game.circuit is not None
    figures = {number: measure(game, number, seconds) for number in leaves}
    return {"game": argument, "gates": game.circuit.num_gates, "leaves": figures}


def main() -> None:
    """Measure the named games."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=GAMES)
    parser.add_argument("--leaves", nargs="+", type=int, default=LEAVES)
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    for argument in options.games:
        found = measure_game(argument, options.leaves, options.seconds)
        if options.json:
            print(json.dumps(found))
            continue
        print(f"{found['game']}: {found['gates']:,} gates")
        for number, figures in found["leaves"].items():
            milliseconds = 1000 * figures["batch_seconds"]
            rate = figures["rounds_per_second"]
            print(f"  {number:4} leaves: {milliseconds:8.2f} ms a batch, {rate:12,.0f} rounds/s")


if __name__ == "__main__":
    main()
