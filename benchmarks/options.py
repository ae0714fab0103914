"""Measure the worth of options of `mcts`: a player with them against one without, at equal time.

python benchmarks/options.py connectFour hex --on playing=0.3 --seconds 1 --matches 40 --markdown

Both play in this process, in turn, on one thread, and neither thinks during the other's turn. The
time is the thread's own computing time, so a busy machine disturbs less. Each opening of some
random moves is played twice with swapped seats. In a match the higher goal gets all points; equal
goals get half. The interval is that of the mean over the pairs, 95 %.
"""

from __future__ import annotations

import argparse
import math
import random
import statistics
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import gdl
from ggp import games
from ggp.clock import Deadline
from ggp.players import create

OPENING_PLIES = 2
GAMES = ("connectFour", "breakthroughSmall", "othello", "hex", "goofspiel")


@dataclass(frozen=True, slots=True)
class Setting:
    """The two players of a comparison, and its conditions."""

    on: str  # options, as KEY=VALUE,KEY=VALUE
    off: str
    seconds: float  # per move
    matches: int
    seed: int


@dataclass(frozen=True, slots=True)
class Cell:
    """The results of one game."""

    game: str
    points: tuple[float, ...]  # of each pair of matches, 0..1
    depth: float  # plies of a match on average

    @property
    def mean(self) -> float:
        """Return the share of points in percent."""
        return 100 * statistics.fmean(self.points)

    @property
    def interval(self) -> float:
        """Return half of the 95 % interval of the mean, in percent; Student's t for few pairs."""
        num = len(self.points)
        if num < 2:
            return 100.0
        factor = 1.96 + 2.4 / (num - 1)
        return 100 * factor * statistics.stdev(self.points) / math.sqrt(num)


class ThreadDeadline(Deadline):
    """A deadline on the computing time of this thread, which other processes do not affect."""

    __slots__ = ()

    @classmethod
    def after(cls, seconds: float) -> ThreadDeadline:
        """Return the deadline at which this thread has computed for `seconds` more."""
        return cls(time.thread_time() + seconds)

    def remaining(self) -> float:
        """Return the seconds left to compute, not below 0."""
        return max(0.0, self.moment - time.thread_time())

    def is_over(self) -> bool:
        """Return whether this thread has computed for its seconds."""
        return time.thread_time() >= self.moment


def play(
    machine: gdl.Game, opening: gdl.State, specs: Sequence[str], seconds: float, seed: int
) -> tuple[list[int], int]:
    """Play a match between two players; return the goals and the number of plies."""
    players = [
        create(spec, machine, role, {"memory": "128"}, seed=seed + number)
        for number, (spec, role) in enumerate(zip(specs, machine.roles, strict=True))
    ]
    state, plies = opening, 0
    while not machine.is_terminal(state):
        joint = tuple(player.choose(state, ThreadDeadline.after(seconds)) for player in players)
        state = machine.next_state(state, joint)
        plies += 1
        for player in players:
            player.advance(joint, state)
    return [machine.goal(state, role) for role in machine.roles], plies


def opened(machine: gdl.Game, rng: random.Random) -> gdl.State:
    """Return a non-terminal state after some random moves."""
    while True:
        state = machine.initial_state()
        for _ in range(OPENING_PLIES):
            moves = [rng.choice(machine.legal_moves(state, role)) for role in machine.roles]
            state = machine.next_state(state, moves)
            if machine.is_terminal(state):
                break
        else:
            return state


def share(goals: Sequence[int], own: int) -> float:
    """Return a role's share of the points: 1 for the higher goal, 1/2 for equal goals, else 0."""
    mine, other = goals[own], goals[1 - own]
    return 0.5 if mine == other else float(mine > other)


def _spec(options: str) -> str:
    """Return a player with some options, without a network unless one is named."""
    is_taught = any(part.startswith("network=") for part in options.split(","))
    return f"mcts:{','.join(filter(None, [options, '' if is_taught else 'network=none']))}"


def compare(name: str, text: str, setting: Setting) -> Cell:
    """Play all matches of a game."""
    machine = gdl.load(text, "lanes")
    rng = random.Random(setting.seed)
    on, off = _spec(setting.on), _spec(setting.off)
    points, plies = [], []
    for pair in range(setting.matches // 2):
        opening, seed = opened(machine, rng), setting.seed + 10 * pair
        first, num = play(machine, opening, (on, off), setting.seconds, seed)
        second, also = play(machine, opening, (off, on), setting.seconds, seed + 5)
        points.append((share(first, 0) + share(second, 1)) / 2)
        plies += [num, also]
    return Cell(name, tuple(points), statistics.fmean(plies))


def rules_of(name: str) -> tuple[str, str]:
    """Return name and text of a bundled game or a file."""
    path = Path(name)
    return (path.stem, path.read_text()) if path.suffix == ".kif" else (name, games.text(name))


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare on each game and print a line for each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=GAMES, metavar="GAME")
    parser.add_argument("--on", required=True, help="options of one side, KEY=VALUE,KEY=VALUE")
    parser.add_argument("--off", default="", help="options of the other side")
    parser.add_argument("--seconds", type=float, default=0.1, help="seconds per move")
    parser.add_argument(
        "--matches", type=int, default=40, help="matches per game, half in each seat"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--markdown", action="store_true", help="print rows of a table")
    options = parser.parse_args(arguments)
    setting = Setting(options.on, options.off, options.seconds, options.matches, options.seed)
    against = f" against {setting.off}" if setting.off else ""
    for game in options.games:
        start = time.perf_counter()
        cell = compare(*rules_of(game), setting)
        taken = time.perf_counter() - start
        parts = (
            f"{setting.on}{against}",
            cell.game,
            f"{cell.mean:.0f} ± {cell.interval:.0f} %",
            f"{2 * len(cell.points)} matches",
            f"{cell.depth:.0f} plies",
            f"{taken:.0f} s",
        )
        print("| " + " | ".join(parts) + " |" if options.markdown else "  ".join(parts), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
