"""Rulesheets on which environments are tried."""

from __future__ import annotations

from typing import Final

from ggp import games
from ggp.environments.observations import Kind

# Rulesheets of others, and what each of them is there for.
CORPUS: Final = {
    "3pConnectFour": "three roles that take turns",
    "beatMania": "chance",
    "biddingTicTacToe": "roles that choose at once",
    "blocksWorldParallel": "two puzzles at once",
    "checkers": "jumps",
    "chineseCheckers6": "six roles that take turns",
    "colonelBlottoVariant": "roles that choose at once, several times",
    "coloredtrails": "offers and answers",
    "dotsAndBoxes": "two moves in a row",
    "ggpbase_test_test_case_3b": "no fact that anything depends on",
    "ggpbase_test_test_clean_not_distinct": "a single fact",
    "nonogram_5x5_1": "a puzzle that begins with nothing",
    "pentago": "a move in two parts",
    "ticTacToeParallel": "two games at once",
}
QUICK: Final = ("biddingTicTacToe", "nonogram_5x5_1")

HIDDEN: Final = [name for name in games.names() if "(sees " in games.text(name)]


def whole_state(name: str) -> Kind:
    """The observation that shows all facts of a bundled game, also of one that hides some."""
    return "state" if name in HIDDEN else "facts"


ONE_ROUND = """
(role left) (role right) (init start) (<= (next done) (true start)) (<= terminal (true done))
(beats rock scissors) (beats scissors paper) (beats paper rock)
(<= (legal ?role ?thing) (role ?role) (beats ?thing ?other))
(<= (next (won ?role)) (does ?role ?thing) (does ?other ?what) (beats ?thing ?what))
(<= won (true (won ?role)))
(<= (goal ?role 100) (true (won ?role)))
(<= (goal ?role 50) (role ?role) (not won))
(<= (goal ?role 0) (role ?role) won (not (true (won ?role))))
"""
GUESS = """
(role me) (role random) (init start) (coin heads) (coin tails)
(<= (legal ?role ?coin) (role ?role) (true start) (coin ?coin))
(<= (next (shown ?role ?coin)) (does ?role ?coin))
(<= terminal (not (true start)))
(<= right (true (shown me ?coin)) (true (shown random ?coin)))
(<= (goal me 100) right) (<= (goal me 0) (not right)) (goal random 0)
"""
# A lock of four digits. Only who opens it finds a choice for both, and goals of another sum.
LOCK = """
(role thief) (role owner) (init (step 0)) (digit 1) (digit 2) (digit 3) (digit 4) (digit 5)
(digit 6) (digit 7) (digit 8) (digit 9) (digit 0) (up 0 1) (up 1 2) (up 2 3) (up 3 4) (up 4 5)
(<= open (true (typed 0 7)) (true (typed 1 7)) (true (typed 2 7)) (true (typed 3 7)))
(<= (legal thief ?digit) (true (step ?n)) (distinct ?n 4) (digit ?digit))
(<= (legal owner wait) (true (step ?n)) (distinct ?n 4))
(<= (legal ?role wait) (role ?role) (true (step 4)))
(<= (legal ?role shout) (role ?role) (true (step 4)) open)
(<= (next (step ?m)) (true (step ?n)) (up ?n ?m))
(<= (next (typed ?n ?digit)) (does thief ?digit) (true (step ?n)))
(<= (next (typed ?n ?digit)) (true (typed ?n ?digit)))
(<= terminal (true (step 5)))
(<= (goal owner 100) (not open)) (<= (goal owner 0) open) (goal thief 0)
"""
