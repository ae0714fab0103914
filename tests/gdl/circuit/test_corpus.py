"""The three reasoners agree on rulesheets of others, which write what we would not."""

from __future__ import annotations

import pytest

from tests.gdl.circuit.lanes.walks import Walk, game_of
from tests.shared import require
from tests.thorough import all_but

pytestmark = pytest.mark.usefixtures("kernels", "lane_steps")

# What each of them is there for.
CORPUS = {
    "3pConnectFour": "three roles that take turns, three phases",
    "atariGoVariant_7x7": "recursion within a state",
    "beatMania": "chance",
    "biddingTicTacToe": "simultaneous moves, hidden from none",
    "chineseCheckers6": "six roles that take turns",
    "crossers3": "143,000 gates that say the same again and again",
    "gomoku_15x15": "hundreds of moves",
    "knightazons": "moves with many arguments",
    "pentago": "moves in two parts, rotations",
    "sudokuGrade3": "a puzzle with hundreds of moves that ends early",
    "ticTacToeParallel": "two games at once",
    "tictactoe_3d_small_6player": "six roles, axioms with or",
    "urmAdd": "a register machine: many facts, few of them read",
}
QUICK = ["3pConnectFour", "atariGoVariant_7x7", "beatMania", "biddingTicTacToe"]
FOLLOWED = [0, 130, 511]


@pytest.mark.parametrize("game", all_but(QUICK, CORPUS, is_whole=True))
def test_corpus_games_are_played_by_the_rules(game: str) -> None:
    """Facts, legal moves, end and goals of three lanes are right in each of a few steps."""
    walk = Walk(game_of(require("corpus", "rules", f"{game}.kif")), seed=1, followed=FOLLOWED)

    walk.go(steps=10)

    assert walk.num_compared >= 5 * len(FOLLOWED)
