"""Count the states that alpha-beta and minimax visit, with and without improvements.

python benchmarks/pruning.py connectFour:6 othello:6 --plies 6 --markdown

A game has a depth in plies. The position is reached by random moves (seed 7), and evaluated for the
role that moves there. The script checks that every row finds the same value. The rows with
deepening search depth 1, 2, ... and count the states of all depths. Counts do not depend on the
machine.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable, Mapping

import gdl
from ggp import games
from ggp.clock import Deadline
from ggp.search.core.playout import random_joint
from ggp.search.evaluation import Evaluation, named
from ggp.search.textbook.adversarial import alphabeta, minimax
from ggp.search.textbook.adversarial.alphabeta import AlphaBetaOptions
from ggp.search.textbook.adversarial.depth_searches import AlphaBetaToDepth
from ggp.search.textbook.adversarial.ordering import LearnedOrder, Shuffled
from ggp.search.textbook.adversarial.table import TranspositionTable
from ggp.search.textbook.deepening import DeepeningSearch

DEFAULT = ("ticTacToe:9", "connectFour:6", "breakthroughSmall:4", "othello:6")
SEED = 7
NEVER = Deadline.never()

MEANS: Mapping[str, Callable[[], AlphaBetaOptions]] = {
    "as listed": AlphaBetaOptions,
    "at random": lambda: AlphaBetaOptions(Shuffled(random.Random(SEED))),
    "killers, history": lambda: AlphaBetaOptions(LearnedOrder()),
    "table": lambda: AlphaBetaOptions(table=TranspositionTable()),
    "table, killers, history": lambda: AlphaBetaOptions(LearnedOrder(), TranspositionTable()),
}
DEEPENING: Mapping[str, Callable[[], AlphaBetaOptions]] = {
    "deepening, as listed": AlphaBetaOptions,
    "deepening, all": MEANS["table, killers, history"],
}


class Position:
    """A state of a game, the searching role, the depth and the evaluation."""

    def __init__(self, name: str, depth: int, plies: int, evaluation: str) -> None:
        self.machine = gdl.load(games.text(name), "scalar")
        self.depth = depth
        self.evaluate: Evaluation = named(self.machine, evaluation)
        rng = random.Random(SEED)
        self.state = self.machine.initial_state()
        for _ in range(plies):
            joint = random_joint(self.machine, self.state, rng)
            self.state = self.machine.next_state(self.state, joint)
        self.role = self.machine.control(self.state) or self.machine.roles[0]

    def minimax(self) -> tuple[float, int]:
        """Return the value and the number of states visited."""
        found = minimax.search(
            self.machine,
            self.state,
            self.role,
            depth=self.depth,
            evaluate=self.evaluate,
            deadline=NEVER,
            paranoid=True,
        )
        return found.value, found.nodes

    def alphabeta(self, means: AlphaBetaOptions) -> tuple[float, int]:
        """Return the value and the number of states visited."""
        found = alphabeta.search(
            self.machine,
            self.state,
            self.role,
            depth=self.depth,
            evaluate=self.evaluate,
            deadline=NEVER,
            means=means,
        )
        return found.value, found.nodes

    def deepening(self, means: AlphaBetaOptions) -> tuple[float, int]:
        """Return the value and the number of states visited at all depths."""
        look = AlphaBetaToDepth(self.evaluate, means)
        search = DeepeningSearch(self.machine, self.state, self.role, look, self.depth)
        while search.step(NEVER):
            pass
        return search.result().value, search.effort.num_iterations


def rows_of(position: Position) -> dict[str, int]:
    """Return the states visited, by search."""
    value, nodes = position.minimax()
    found = {"minimax": (value, nodes)}
    found |= {name: position.alphabeta(make()) for name, make in MEANS.items()}
    found |= {name: position.deepening(make()) for name, make in DEEPENING.items()}
    wrong = [name for name, (each, _) in found.items() if each != value]
    if wrong:
        sys.exit(f"expected the value {value} everywhere, got others from {', '.join(wrong)}")
    return {name: nodes for name, (_, nodes) in found.items()}


def main() -> None:
    """Print a table: a row for each search, a column for each game."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=DEFAULT, help="GAME:DEPTH, the depth in plies")
    parser.add_argument(
        "--plies", type=int, default=0, help="random plies before the search (default 0)"
    )
    parser.add_argument(
        "--eval", default="linear", help="evaluation of the leaves (default linear)"
    )
    parser.add_argument("--markdown", action="store_true", help="print a table in Markdown")
    options = parser.parse_args()

    columns: dict[str, dict[str, int]] = {}
    for text in options.games:
        name, _, depth = text.partition(":")
        columns[text] = rows_of(Position(name, int(depth or 4), options.plies, options.eval))
    names = list(next(iter(columns.values())))
    figures = [[f"{column[name]:,}" for column in columns.values()] for name in names]
    lines = [
        ["states", *columns],
        *([name, *row] for name, row in zip(names, figures, strict=True)),
    ]
    if options.markdown:
        lines = [["", *line, ""] for line in lines]
        lines.insert(1, ["", *("---" for _ in range(len(columns) + 1)), ""])
    for line in lines:
        print((" | " if options.markdown else "  ").join(line).strip(" "))


if __name__ == "__main__":
    main()
