"""Measure beliefs in random matches: is the true state among the worlds, and how fast are they?

    python benchmarks/belief.py [GAME ...] [--matches 1000] [--seconds 0.5] [--worlds 65536]
                                [--turns 60] [--core 0] [--json]

A referee plays random matches, as many of each game, and asks the belief of every role after every
turn whether the true state is in it. A belief that is complete must have it: the number of those
that do not is 0. Of the others it is told how often they have it all the same, how often their
worlds agree with all that was seen, and how long a turn took at most. A world a second is one joint
move made in one world and compared with what was seen; those of the same game and turn are one
call. Without names: all games with `sees` that come with the program, and those of the shared
material.
"""

from __future__ import annotations

import argparse
import json
import os
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gdl
from ggp import games
from ggp.measure.beliefs import believers, judged_match

SHARED = Path(os.environ.get("GGP_SHARED", Path(__file__).resolve().parents[2] / "shared"))


def all_games() -> Iterator[tuple[str, str]]:
    """Name and rules of each game of incomplete information."""
    for name in games.names():
        if "(sees" in games.text(name):
            yield name, games.text(name)
    for path in sorted((SHARED / "corpus_gdl2").glob("*.gdl")):
        yield path.stem, path.read_text()


def measured(rules: str, matches: int, options: argparse.Namespace) -> dict[str, Any]:
    """The figures of a game."""
    game = gdl.load(rules)
    beliefs = believers(game, seed=1, max_worlds=options.worlds)
    rng = random.Random(1)
    found = [
        judgement
        for _ in range(matches)
        for judgement in judged_match(game, beliefs, rng, options.seconds, options.turns)
    ]
    samples = [judgement for judgement in found if not judgement.is_complete]
    seconds = sum(judgement.seconds for judgement in found)
    return {
        "engine": game.engine,
        "matches": matches,
        "turns": len(found),
        "complete": len(found) - len(samples),
        "complete without it": sum(j.is_complete and not j.is_true for j in found),
        "samples with it": f"{sum(j.is_true for j in samples)} of {len(samples)}",
        "made up": sum(not judgement.is_consistent for judgement in found),
        "most worlds": max(judgement.num_worlds for judgement in found),
        "worlds a second": round(sum(b.num_tried for b in beliefs.values()) / seconds),
        "mean ms": round(1e3 * seconds / len(found), 1),
        "most ms": round(1e3 * max(judgement.seconds for judgement in found)),
    }


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("games", nargs="*")
    parser.add_argument("--matches", type=int, default=1000, help="of all games together")
    parser.add_argument("--seconds", type=float, default=0.5, help="for a turn of one role")
    parser.add_argument("--worlds", type=int, default=1 << 16)
    parser.add_argument("--turns", type=int, default=60, help="most turns of a match")
    parser.add_argument("--core", type=int)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    if options.core is not None:
        os.sched_setaffinity(0, {options.core})
    chosen = [(n, rules) for n, rules in all_games() if not options.games or n in options.games]
    rows = {}
    for name, rules in chosen:
        rows[name] = row = measured(rules, -(-options.matches // len(chosen)), options)
        if not options.json:
            if len(rows) == 1:
                print("| game | " + " | ".join(row) + " |\n" + "|---" * (1 + len(row)) + "|")
            print(f"| {name} | " + " | ".join(map(str, row.values())) + " |", flush=True)
    if options.json:
        print(json.dumps(rows, indent=1))


if __name__ == "__main__":
    main()
