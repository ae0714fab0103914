"""Measure beliefs in matches: is the true state among the worlds, and how fast are they?

    python benchmarks/belief.py [GAME ...] [--matches 1000] [--seconds 0.5] [--worlds 65536]
                                [--turns 60] [--player SPEC] [--playclock 2] [--core 0]
                                [--limit SECONDS] [--json]

A referee plays random matches, the same number of each game. After every turn it checks for every
role whether the true state is in the role's belief. A complete belief must contain it, so the
number of complete beliefs without it must be 0. For the other beliefs the script counts how often
they contain it nevertheless, how often their worlds agree with everything seen, and the longest
time for a turn. A world per second is one joint move made in one world and compared with what was
seen; the worlds of the same game and turn are one call. Without names, it plays all bundled games
with `sees`, and those of the shared material.

With `--player hidden:iterations=200` the roles do not play at random: such a player takes each role
and gets its belief. Then the script also counts illegal answers, and answers that came after the
playclock. The clock runs while the belief follows the turn and while the player chooses. The games
take turns, so a run that `--limit` ends has some matches of each.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from judged_matches import Judgement, Players, believers, judged_match

import gdl
from ggp import games
from ggp.warming import kernels as warming

SHARED = Path(os.environ.get("GGP_SHARED", Path(__file__).resolve().parents[2] / "shared"))


def all_games() -> Iterator[tuple[str, str]]:
    """Return name and rules of each game with incomplete information."""
    for name in games.names():
        if "(sees" in games.text(name):
            yield name, games.text(name)
    for path in sorted((SHARED / "corpus_gdl2").glob("*.gdl")):
        yield path.stem, path.read_text()


class Measured:
    """The figures of a game."""

    def __init__(self, rules: str, options: argparse.Namespace) -> None:
        self._game = gdl.load(rules)
        self._beliefs = believers(self._game, seed=1, max_worlds=options.worlds)
        self._rng = random.Random(1)
        self._options = options
        self._players: Players | None = None
        if options.player is not None:
            self._players = Players(options.player, options.startclock, options.playclock)
        self._found: list[Judgement] = []
        self.matches = 0

    def play(self) -> None:
        """Play one more match."""
        options = self._options
        match = judged_match(
            self._game, self._beliefs, self._rng, options.seconds, options.turns, self._players
        )
        self._found += match
        self.matches += 1

    def row(self) -> dict[str, Any]:
        """Return the figures so far as a row."""
        found = self._found
        samples = [judgement for judgement in found if not judgement.is_complete]
        seconds = sum(judgement.seconds for judgement in found)
        row = {
            "engine": self._game.engine,
            "matches": self.matches,
            "turns": len(found),
            "complete": len(found) - len(samples),
            "complete without it": sum(j.is_complete and not j.is_true for j in found),
            "samples with it": f"{sum(j.is_true for j in samples)} of {len(samples)}",
            "made up": sum(not judgement.is_consistent for judgement in found),
            "most worlds": max(judgement.num_worlds for judgement in found),
            "worlds a second": round(sum(b.num_tried for b in self._beliefs.values()) / seconds),
            "mean ms": round(1e3 * seconds / len(found), 1),
            "most ms": round(1e3 * max(judgement.seconds for judgement in found)),
        }
        answers = [judgement.answer for judgement in found if judgement.answer is not None]
        if answers:
            row["illegal"] = sum(not answer.is_legal for answer in answers)
            row["late"] = sum(answer.is_late for answer in answers)
            row["slowest answer ms"] = round(1e3 * max(answer.seconds for answer in answers))
        return row


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("games", nargs="*")
    parser.add_argument("--matches", type=int, default=1000, help="matches of all games together")
    parser.add_argument("--seconds", type=float, default=0.5, help="seconds for a turn of one role")
    parser.add_argument("--worlds", type=int, default=1 << 16)
    parser.add_argument("--turns", type=int, default=60, help="maximum turns of a match")
    parser.add_argument("--player", help="player of all roles (default: random moves)")
    parser.add_argument("--startclock", type=float, default=1.0)
    parser.add_argument("--playclock", type=float, default=2.0)
    parser.add_argument(
        "--limit", type=float, default=float("inf"), help="seconds for all matches together"
    )
    parser.add_argument("--core", type=int)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    if options.core is not None:
        os.sched_setaffinity(0, {options.core})
    if options.player is not None:
        warming.warm_up(print)
    known = dict(all_games())
    if strangers := set(options.games) - set(known):
        parser.error(f"expected some of {', '.join(known)}, got {', '.join(strangers)}")
    measured = {name: Measured(known[name], options) for name in options.games or known}
    end = time.monotonic() + options.limit
    for _ in range(-(-options.matches // len(measured))):
        for game in measured.values():
            if time.monotonic() < end:
                game.play()
    rows = {name: game.row() for name, game in measured.items() if game.matches}
    if options.json:
        print(json.dumps(rows, indent=1))
        return
    for number, (name, row) in enumerate(rows.items()):
        if number == 0:
            print("| game | " + " | ".join(row) + " |\n" + "|---" * (1 + len(row)) + "|")
        print(f"| {name} | " + " | ".join(map(str, row.values())) + " |", flush=True)


if __name__ == "__main__":
    main()
