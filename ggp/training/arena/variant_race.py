"""The race of variants: which change of the search on lanes wins in a game is found by playing it.

No variant is good everywhere, and nobody knows before where it is. So each plays against the plain
search, from random openings and with the seats swapped, in the time that there is. A sequential
probability ratio test ends it: a variant that is stronger wins the race, one that is not drops
out. Where none is, or the time is over before it is clear, the plain search plays.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import gdl
from ggp.clock import Deadline
from ggp.search.core.choices import random_index
from ggp.search.fast.lanes import PLAIN, VARIANTS, has_lanes
from ggp.training.arena.duels import BrokenOffError, DuelTerms, Searcher, play_round
from ggp.training.arena.sprt import Sprt, StopRule

RULE = StopRule(elo0=0, elo1=120, alpha=0.05, beta=0.2)
CHALLENGERS = tuple(name for name in VARIANTS if name != PLAIN)
EXPECTED_ROUNDS = 8  # of each, that the time is to be enough for
MOST_ROUNDS = 24
FEWEST_SECONDS, MOST_SECONDS = 0.02, 0.2  # a move; with less a match says little of a real one
MEMORY = 32 << 20  # bytes of a tree
PLAYOUT_STEPS = 256  # in each lane, that tell how long a match is


@dataclass(frozen=True, slots=True)
class RaceResult:
    """The winner of a race, and how it went."""

    variant: str
    rounds: int  # that were played, of all
    points: float  # the mean points of the winner's rounds; 0.5 if it is the plain search


def race_within(game: gdl.Game, deadline: Deadline, share: float, seed: int) -> str:
    """The variant that is to play a game; the plain one if in doubt.

    Args:
        deadline: Of all that is done in the startclock.
        share: Of the time until then, for the race.
    """
    seconds = share * deadline.remaining()
    each = seconds_a_move(game, seconds, len(CHALLENGERS)) if can_race(game) else 0.0
    if each == 0:
        return PLAIN
    end = Deadline.after(seconds)
    terms = DuelTerms(each, seed=seed, is_over=lambda: end.is_over() or deadline.is_over())
    return race(game, terms).variant


def can_race(game: gdl.Game) -> bool:
    """Whether variants can play against each other: several roles, no chance, lanes."""
    return has_lanes(game) and len(game.roles) > 1 and random_index(game) is None


def seconds_a_move(game: gdl.Game, seconds: float, num_challengers: int) -> float:
    """So long each move of a race may take that there is time for some rounds of each challenger.

    0 if that is so short that they would say little.
    """
    assert game.simulator is not None
    plies = max(1.0, game.simulator.playouts(steps=PLAYOUT_STEPS).mean_length)
    matches = num_challengers * EXPECTED_ROUNDS * len(game.roles)
    each = seconds / (matches * plies)
    return 0.0 if each < FEWEST_SECONDS else min(each, MOST_SECONDS)


def race(game: gdl.Game, terms: DuelTerms, challengers: Sequence[str] = CHALLENGERS) -> RaceResult:
    """The variant that is to play a game in which they `can_race`; the plain one if in doubt."""
    plain = Searcher(memory=MEMORY)
    tests = {name: Sprt(RULE) for name in challengers}
    points = dict.fromkeys(challengers, 0.0)
    num_rounds = 0
    for number in range(MOST_ROUNDS):
        for name, test in list(tests.items()):
            try:
                found = play_round(
                    game, Searcher(memory=MEMORY, variant=name), plain, terms, number
                )
            except BrokenOffError:
                return RaceResult(PLAIN, num_rounds, 0.5)
            num_rounds += 1
            points[name] += found
            test.add(found)
            if test.verdict == "elo1":
                return RaceResult(name, num_rounds, points[name] / test.pairs)
            if test.verdict == "elo0":
                del tests[name]
    return RaceResult(PLAIN, num_rounds, 0.5)
