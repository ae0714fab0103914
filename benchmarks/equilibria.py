"""Measure how soon small games with hidden information are solved: exploitability over time.

python benchmarks/equilibria.py                # Kuhn poker, Leduc poker, liar's dice
python benchmarks/equilibria.py --openspiel    # and CFR+ of OpenSpiel in C++ on its own games

Exploitability is half of NashConv, as OpenSpiel counts it, in chips. In liar's dice the winner gets
1 and the loser pays 1, so there a chip is 50 goal points. Seconds are processor time of one core.
Building the tree and computing the exploitability do not count.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

import gdl
from ggp import games
from ggp.search.hidden.solving.best_response import expected_goals, exploitability
from ggp.search.hidden.solving.full_width import FullWidth
from ggp.search.hidden.solving.game_tree import GameTree
from ggp.search.hidden.solving.growing import grow
from ggp.search.kernels.arrays import FloatArray

MOMENTS = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)  # seconds
SLICES = 8  # looks at the clock between two moments


@dataclass(frozen=True)
class Known:
    """A game with known results in the literature."""

    name: str
    chip: float  # goal points
    openspiels: str


KNOWN = (
    Known("kuhnPoker", 25, "kuhn_poker"),
    Known("leducPoker", 3, "leduc_poker"),
    Known("liarsDice", 50, "liars_dice"),
)


class Learner(Protocol):
    """A method that learns strategies step by step."""

    num_steps: int

    def run(self, num_steps: int) -> None:
        """Take `num_steps` steps."""
        ...

    def average(self) -> FloatArray:
        """Return the average strategies."""
        ...


class OpenSpiels:
    """CFR+ of OpenSpiel in C++."""

    def __init__(self, name: str) -> None:
        import pyspiel

        self._spiel: Any = pyspiel
        self._game = pyspiel.load_game(name)
        self._solver = pyspiel.CFRPlusSolver(self._game)
        self.num_steps = 0

    def run(self, num_steps: int) -> None:
        """Take `num_steps` steps."""
        for _ in range(num_steps):
            self._solver.evaluate_and_update_policy()
        self.num_steps += num_steps

    def exploitability(self) -> float:
        """Return what a best response wins, in chips."""
        return float(self._spiel.exploitability(self._game, self._solver.average_policy()))


def measure(
    run: Callable[[int], None], look: Callable[[], float], moments: Sequence[float]
) -> list[float]:
    """Return the exploitability at the given moments of processor time."""
    found, spent, num = [], 0.0, 1
    for moment in moments:
        while spent < moment:
            start = time.process_time()
            run(num)
            took = time.process_time() - start
            spent += took
            part = max(moment / SLICES, 0.001)
            num = max(1, min(2 * num, int(num * part / max(took, 1e-6))))
        found.append(look())
    return found


def _chips(tree: GameTree, learner: Learner, chip: float) -> float:
    return exploitability(tree, learner.average()) / chip


def report(title: str, found: Sequence[float], steps: int) -> None:
    """Print a line of the table."""
    print(f"| {title} | {' | '.join(f'{each:.5f}' for each in found)} | {steps:,} |", flush=True)


def report_game(known: Known, with_openspiel: bool) -> None:
    """Print the lines of a game."""
    game = gdl.load(games.text(known.name), "scalar")
    start = time.process_time()
    tree = grow(game)
    seconds = time.process_time() - start
    FullWidth(tree).run(1)  # compiles
    learner = FullWidth(tree)
    look = partial(_chips, tree, learner, known.chip)
    found = measure(learner.run, look, MOMENTS)
    report(f"{known.name}, full steps", found, learner.num_steps)
    value = (expected_goals(tree, learner.average())[0] - 50) / known.chip
    if with_openspiel:
        theirs = OpenSpiels(known.openspiels)
        found = measure(theirs.run, theirs.exploitability, MOMENTS)
        report(f"{known.openspiels}, CFR+ of OpenSpiel", found, theirs.num_steps)
    print(
        f"<!-- {known.name}: value {value:.5f}, {tree.num_nodes:,} nodes, {tree.num_sets:,} "
        f"information sets, grown in {seconds:.1f} s -->",
        flush=True,
    )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--openspiel", action="store_true", help="compare with OpenSpiel's solver")
    with_openspiel = parser.parse_args().openspiel
    print(f"| chips after | {' | '.join(f'{moment:g} s' for moment in MOMENTS)} | steps |")
    print("|---|" + "---|" * (len(MOMENTS) + 1))
    for known in KNOWN:
        report_game(known, with_openspiel)


if __name__ == "__main__":
    main()
