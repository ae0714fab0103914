"""The games that are asked about, and those that are left out."""

from __future__ import annotations

BUNDLED: tuple[str, ...] = ("connectFour", "ticTacToe")
CORPUS: tuple[str, ...] = ()
TACTICS_GAMES = (*BUNDLED, *(f"corpus/{name}" for name in CORPUS))
MATCH_GAMES = (
    "breakthrough",
    "connectFour",
    "hex",
    "othello",
    "corpus/2pffa_zerosum",
    "corpus/atariGoVariant_7x7",
    "corpus/checkers",
    "corpus/cittaceot",
    "corpus/dotsAndBoxes",
    "corpus/nineBoardTicTacToe",
    "corpus/pawnWhopping",
    "corpus/zhadu",
)
"""OpenSpiel has the first four."""
EXCLUDED: dict[str, tuple[str, ...]] = {}
