"""The race of variants: whether a game is one for biased playouts is found by playing it.

They win clearly in some games and lose in others, and nobody knows before in which. So the search
with them plays against the plain one, from random openings and with the seats swapped, in the time
that there is, until a sequential probability ratio test says who is stronger. If it does not in
time, what is likelier counts, for who is wrong then loses little: the two were about as strong.
After few rounds the plain search plays.
"""

from __future__ import annotations

from dataclasses import dataclass

import gdl
from ggp.clock import Deadline
from ggp.search.core.choices import random_index
from ggp.search.fast.lanes import BIASED, PLAIN, has_lanes
from ggp.training.arena.duels import BrokenOffError, DuelTerms, Searcher, play_round
from ggp.training.arena.sprt import Sprt, StopRule

RULE = StopRule(elo0=0, elo1=120, alpha=0.05, beta=0.2)
EXPECTED_ROUNDS = 8  # that the time is to be enough for; with fewer it is not known who is better
MOST_ROUNDS = 24
FEWEST_SECONDS, MOST_SECONDS = 0.02, 0.2  # a move; with less a match says little of a real one
MEMORY = 32 << 20  # bytes of a tree
PLAYOUT_STEPS = 256  # in each lane, that tell how long a match is


@dataclass(frozen=True, slots=True)
class RaceResult:
    """Result of a race: the variant that is to play, and its points."""

    variant: str
    rounds: int
    points: float  # that biased playouts won in them


def race_within(game: gdl.Game, deadline: Deadline, share: float, seed: int) -> str:
    """The variant that is to play a game; the plain one if nothing is known.

    Args:
        deadline: Of all that is done in the startclock.
        share: Of the time until then, for the race.
    """
    seconds = share * deadline.remaining()
    each = seconds_a_move(game, seconds) if can_race(game) else 0.0
    if each == 0:
        return PLAIN
    end = Deadline.after(seconds)
    terms = DuelTerms(each, seed=seed, is_over=lambda: end.is_over() or deadline.is_over())
    return race(game, terms).variant


def can_race(game: gdl.Game) -> bool:
    """Whether variants can play against each other: several roles, no chance, lanes."""
    return has_lanes(game) and len(game.roles) > 1 and random_index(game) is None


def seconds_a_move(game: gdl.Game, seconds: float) -> float:
    """So long each move of a race may take that there is time for some rounds.

    0 if that is so short that they would say little.
    """
    assert game.simulator is not None
    plies = max(1.0, game.simulator.playouts(steps=PLAYOUT_STEPS).mean_length)
    each = seconds / (EXPECTED_ROUNDS * len(game.roles) * plies)
    return 0.0 if each < FEWEST_SECONDS else min(each, MOST_SECONDS)


def race(game: gdl.Game, terms: DuelTerms) -> RaceResult:
    """The variant that is to play a game in which they `can_race`; the plain one after a draw."""
    biased, plain = Searcher(memory=MEMORY, variant=BIASED), Searcher(memory=MEMORY)
    test = Sprt(RULE)
    points = 0.0
    while test.verdict is None and test.pairs < MOST_ROUNDS:
        try:
            found = play_round(game, biased, plain, terms, test.pairs)
        except BrokenOffError:
            break
        points += found
        test.add(found)
    is_known = test.verdict is not None or test.pairs >= EXPECTED_ROUNDS
    return RaceResult(BIASED if is_known and test.llr > 0 else PLAIN, test.pairs, points)
