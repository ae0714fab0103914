"""The quick gate: does the search with a network beat the same one without, in a few seconds?

Short rounds of two matches, until one side leads clearly: it passes only where that is the
network's. The rest is left open.
"""

from __future__ import annotations

import random
import time
from typing import NamedTuple

import gdl
from ggp.clock import Deadline
from ggp.search.core.choices import choices_in
from ggp.search.core.result import OutOfTime
from ggp.training.arena.duels import PLAIN, DuelTerms, Searcher, play_round

LEAD = 4.0
"""Points that one side must have more than the other."""
RESERVE_SECONDS = 0.5
"""Before the deadline: the search that follows has a tree to make."""
OPENING_PLIES = 3
ROUNDS = 4
"""For which the time shall be enough."""
LEAST_SECONDS, MOST_SECONDS = 0.015, 0.05
"""Of a move; in less there is room for a batch or two, which says nothing about a real turn."""


class Verdict(NamedTuple):
    """The end of the matches: whether the network leads clearly, and its points."""

    is_passed: bool
    points: float
    matches: int


def quick_gate(
    game: gdl.Game, own: Searcher, deadline: Deadline, seed: int, other: Searcher = PLAIN
) -> Verdict:
    """Play until one side leads clearly, or the time is over.

    Args:
        game: A game of two roles.
        own: The side with the network.
        deadline: When it must have ended.
        seed: Of the openings.
        other: The side without.
    """
    end = deadline.earlier(RESERVE_SECONDS)
    size, points, rounds = len(game.roles), 0.0, 0
    seconds = end.remaining() / (ROUNDS * size * max(1, _plies(game, random.Random(seed))))
    while abs(2 * points - rounds * size) < LEAD:
        seconds = min(MOST_SECONDS, max(LEAST_SECONDS, seconds))
        begin = time.monotonic()
        try:
            found = play_round(
                game, own, other, DuelTerms(seconds, OPENING_PLIES, seed), rounds, end
            )
        except OutOfTime:
            break
        points, rounds = points + size * found, rounds + 1
        # Where others are at work, matches take longer than their moves: then these are shorter.
        room = end.remaining() / max(1, ROUNDS - rounds)
        seconds *= min(1.0, room / (time.monotonic() - begin))
    return Verdict(2 * points - rounds * size >= LEAD, points, rounds * size)


def _plies(game: gdl.Game, luck: random.Random) -> int:
    state, plies = game.initial_state(), 0
    while not game.is_terminal(state) and (choices := choices_in(game, state)):
        state = game.next_state(state, [luck.choice(moves) for moves in choices])
        plies += 1
    return plies
