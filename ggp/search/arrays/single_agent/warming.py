"""Getting the kernels of the search into memory, before the clock of a match runs."""

from __future__ import annotations

import numpy as np

import gdl
from ggp.clock import Deadline
from ggp.search.arrays.single_agent.beam import Beam
from ggp.search.arrays.single_agent.best_first import BestFirst
from ggp.search.arrays.single_agent.board import Board
from ggp.search.arrays.single_agent.breadth import Breadth
from ggp.search.arrays.single_agent.decomposition import DecomposedSearch
from ggp.search.arrays.single_agent.search import SingleAgentSearch, SingleAgentSettings

# A game so small that a few batches of each search use everything.
_RULES = """
(role one) (init (at a)) (choice b) (choice c)
(<= (legal one ?c) (choice ?c))
(<= (next (at ?c)) (does one ?c)) (<= (next (was ?c)) (true (at ?c)))
(<= terminal (true (was b)) (true (at b)))
(<= (goal one 50) (true (at b)) (true (was b)))
"""
_MEMORY = 1 << 20

# Switches, each a part of the game; one is of no use.
_PARTS = """
(role one) (switch a) (switch b) (switch c)
(<= (legal one (press ?s)) (switch ?s))
(<= (next (on ?s)) (does one (press ?s)) (not (true (on ?s))))
(<= (next (on ?s)) (true (on ?s)) (not (does one (press ?s))))
(<= terminal (true (on a)) (true (on b)))
(<= (goal one 100) (true (on a)) (true (on b)))
"""


def warm_up() -> None:
    """Load all kernels of the search; those that are not on the disk are compiled."""
    game = gdl.load(_RULES, "lanes")
    board = Board(game, seed=0)
    start = board.pack(game.initial_state()), 0, _MEMORY
    for search in (
        Breadth(board, *start, board.whole),
        BestFirst(board, *start, board.whole, weight=1),
        Beam(board, *start, horizon=10, rng=np.random.default_rng(0)),
    ):
        for _ in search.batches:
            pass
    _warm_up_parts()


def _warm_up_parts() -> None:
    """Load what looks for the parts of a game."""
    game = gdl.load(_PARTS, "lanes")
    settings = SingleAgentSettings(memory=_MEMORY, apart=False)
    search = DecomposedSearch(
        game,
        game.initial_state(),
        lambda part, state: SingleAgentSearch(part, state, 0, settings),
        horizon=10,
    )
    while search.step(Deadline.never()):
        pass
