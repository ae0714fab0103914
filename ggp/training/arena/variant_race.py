"""The race of variants: play matches of a game to find out whether biased playouts suit it.

Biased playouts win clearly in some games and lose in others, and it is not known beforehand which.
So the search with biased playouts plays against the plain search, from random openings and with the
seats swapped. It plays until a sequential probability ratio test says which search is stronger. If
the time runs out first, the likelier answer counts. A wrong answer then costs little, because both
searches are about equally strong. If only a few rounds were played, the plain search is used.
"""

from __future__ import annotations

from dataclasses import dataclass

import gdl
from ggp.clock import Deadline
from ggp.rating.sprt import Sprt, StopRule
from ggp.search.core.choices import random_index
from ggp.search.fast.lanes import BIASED, PLAIN, has_lanes
from ggp.training.arena.duels import BrokenOffError, DuelTerms, Searcher, play_round

RULE = StopRule(elo0=0, elo1=120, alpha=0.05, beta=0.2)
EXPECTED_ROUNDS = 8  # number of rounds for which there must be time; fewer rounds tell little
MAX_ROUNDS = 24
MIN_SECONDS, MAX_SECONDS = 0.02, 0.2  # per move; with less, matches differ from real ones
MEMORY = 32 << 20  # bytes of a tree
PLAYOUT_STEPS = 256  # plies in each lane, to estimate the length of a match


@dataclass(frozen=True, slots=True)
class RaceResult:
    """The result of a race: the variant to use, and the points of biased playouts."""

    variant: str
    rounds: int
    points: float  # points of biased playouts in these rounds, one per round at most


def race_within(game: gdl.Game, deadline: Deadline, share: float, seed: int) -> str:
    """Race the variants of a game, and return the one to use.

    Return the plain one if the time is too short, or if the game does not support a race.

    Args:
        deadline: Deadline of everything that happens during the startclock.
        share: Share of the time until the deadline that the race may take.
    """
    seconds = share * deadline.remaining()
    each = seconds_a_move(game, seconds) if can_race(game) else 0.0
    if each == 0:
        return PLAIN
    end = Deadline.after(seconds)
    terms = DuelTerms(each, seed=seed, is_over=lambda: end.is_over() or deadline.is_over())
    return race(game, terms).variant


def can_race(game: gdl.Game) -> bool:
    """Return whether variants can play against each other in a game.

    The game needs lanes and several roles, and must not have the role `random`.
    """
    return has_lanes(game) and len(game.roles) > 1 and random_index(game) is None


def seconds_a_move(game: gdl.Game, seconds: float) -> float:
    """Return the seconds per move that leave time for `EXPECTED_ROUNDS` rounds.

    Return 0 if that is too short for a meaningful result.
    """
    assert game.simulator is not None
    plies = max(1.0, game.simulator.playouts(steps=PLAYOUT_STEPS).mean_length)
    each = seconds / (EXPECTED_ROUNDS * len(game.roles) * plies)
    return 0.0 if each < MIN_SECONDS else min(each, MAX_SECONDS)


def race(game: gdl.Game, terms: DuelTerms) -> RaceResult:
    """Let the variants play each other, and return the result.

    If too few rounds were played, the variant to use is the plain one. `can_race` must be true for
    the game.
    """
    biased, plain = Searcher(memory=MEMORY, variant=BIASED), Searcher(memory=MEMORY)
    test = Sprt(RULE)
    points = 0.0
    while test.verdict is None and test.pairs < MAX_ROUNDS:
        try:
            found = play_round(game, biased, plain, terms, test.pairs)
        except BrokenOffError:
            break
        points += found
        test.add(found)
    is_known = test.verdict is not None or test.pairs >= EXPECTED_ROUNDS
    return RaceResult(BIASED if is_known and test.llr > 0 else PLAIN, test.pairs, points)
