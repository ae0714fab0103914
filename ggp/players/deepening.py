"""Common part of the players that search ply by ply."""

from __future__ import annotations

from ggp.players.options import Option, whole

DEPTH = Option(
    "depth",
    whole(0),
    0,
    "plies to look ahead at most; it looks one ply ahead, then two, and so on, and answers what "
    "the last completed depth found. 0: as deep as the clock allows",
)
