"""Rulesheets of others on which environments are tried."""

from __future__ import annotations

from typing import Final

# What each of them is there for.
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
