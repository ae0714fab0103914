"""The race of variants: short matches before a match tell which search suits its game.

In most games the first of `suitable_variants` is best. In some it loses nearly all matches, and we
know no property of the rules by which these could be told. So each other variant plays against it
in the startclock, with a hundredth of a second for a move or more. The points are kept with the
game, so later matches add to them.
"""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Final, NamedTuple

import gdl
from ggp.atomic_file import replace_file
from ggp.clock import Deadline
from ggp.search.core.choices import StuckError, TurnUnknownError
from ggp.search.evaluation import named
from ggp.search.evaluation.naming import LINEAR
from ggp.search.fast.alphabeta.search import make_search
from ggp.search.fast.lanes import ALPHABETA, PLAIN
from ggp.training.arena.duels import (
    BrokenOffError,
    DeepeningSearcher,
    DuelTerms,
    Searcher,
    play_round,
)
from ggp.training.live.store import MAX_BYTES, file_of

SHARE: Final = 0.6
"""Largest share of the startclock that all races of a match take."""
MAX_SECONDS: Final = 12.0
MIN_MOVE_SECONDS: Final = 0.01
"""With half of it, races no longer tell in which games biased playouts lose."""
MAX_MOVE_SECONDS: Final = 0.1
MIN_BATCHES: Final = 4
"""A move must take as long as this many batches of the search on lanes. With fewer, alpha-beta wins
in games where it loses at the speed of a real match."""
MIN_ROUNDS: Final = 2.2
"""There is no race if there is no time for this many rounds."""
MAX_ROUNDS: Final = 40
MEMORY: Final = 32 << 20  # bytes of a tree, or of a table
SUFFIX: Final = ".race"

_log = logging.getLogger(__name__)


class RaceTerms(NamedTuple):
    """When a challenger has won or lost. Leads are in points, see `Standing`."""

    even: float  # points of a round that do not change the lead
    wins: float  # smallest lead with which it is chosen
    decided: float  # lead at which the race ends
    lost: float  # lead at which the race ends
    rounds: int  # moves get so much time that about this number of rounds can be played


TERMS: Final = {
    # In some games playouts gain more from the longer time of a real move. So alpha-beta must win
    # clearly. In most games it loses both matches of the first round.
    ALPHABETA: RaceTerms(even=0.6, wins=0.8, decided=1.2, lost=-0.6, rounds=5),
    PLAIN: RaceTerms(even=0.5, wins=0.5, decided=1.5, lost=-1.5, rounds=6),
}
"""The challengers, in the order of their races."""


@dataclass(slots=True)
class Standing:
    """The result of all races of a challenger so far.

    Attributes:
        rounds: Number of rounds, see `duels`.
        lead: The challenger's points in these rounds, less `RaceTerms.even` for each round.
    """

    rounds: int = 0
    lead: float = 0.0

    def is_final(self, terms: RaceTerms) -> bool:
        """Whether no more rounds are needed."""
        is_decided = self.lead >= terms.decided or self.lead <= terms.lost
        return is_decided or self.rounds >= MAX_ROUNDS


def race(
    game: gdl.Game, variants: Sequence[str], deadline: Deadline, seed: int, *, goes_on: bool = True
) -> str:
    """Play some rounds, if there is time, and return the variant to play with.

    Args:
        variants: The result of `suitable_variants`.
        deadline: The end of the startclock.
        goes_on: Whether to play more rounds if there were some before an earlier match.
    """
    end = deadline.within(min(SHARE * deadline.remaining(), MAX_SECONDS))
    standings = _read(game)
    may_play = goes_on or not standings
    for challenger, terms in TERMS.items():
        if challenger not in variants[1:]:
            continue
        standing = standings.setdefault(challenger, Standing())
        if may_play and not standing.is_final(terms):
            _play(game, (challenger, variants[0]), standing, end, seed)
            _write(standings, game)
        if standing.lead >= terms.wins:
            return challenger
    return variants[0]


def _play(
    game: gdl.Game, variants: tuple[str, str], standing: Standing, end: Deadline, seed: int
) -> None:
    """Play rounds of the first variant against the second until the end, or until it is decided."""
    terms = TERMS[variants[0]]
    own, other = (Searcher(memory=MEMORY, variant=variant) for variant in variants)
    each = _seconds_a_move(game, other, end, terms.rounds)
    if not each:
        return
    challenger = alphabeta(game, MEMORY) if variants[0] == ALPHABETA else own
    if challenger is None:
        return
    duel = DuelTerms(each, seed=seed, is_over=end.is_over)
    try:
        while not standing.is_final(terms):
            points = play_round(game, challenger, other, duel, standing.rounds)
            standing.lead = round(standing.lead + points - terms.even, 6)
            standing.rounds += 1
    except BrokenOffError:
        pass
    except (StuckError, TurnUnknownError) as error:  # after an opening that a match may never see
        _log.debug("the race has ended: %s", error)


def alphabeta(game: gdl.Game, memory: int) -> DeepeningSearcher | None:
    """Return alpha-beta with `memory` bytes, or None if it does not support the game."""
    side = DeepeningSearcher(named(game, LINEAR), memory)
    found = make_search(game, game.roles[0], side.evaluation, num_entries=1)
    return None if found is None else side


def _seconds_a_move(game: gdl.Game, side: Searcher, end: Deadline, rounds: int) -> float:
    """Return the time for each move if about `rounds` rounds are wanted.

    Moves take longer if the batches of `side` need it. Return 0 if there is not enough time.
    """
    assert game.simulator is not None
    plies = max(1.0, game.simulator.first_playouts.mean_length)
    each = end.remaining() / (len(game.roles) * plies)  # if there were one round
    if each / MIN_ROUNDS < MIN_MOVE_SECONDS:
        return 0.0
    search = side.search(game, game.initial_state(), game.roles[0], 0)
    search.step(end)  # apart, because it may wait for kernels
    started = time.thread_time()
    search.step(end)
    least = max(MIN_MOVE_SECONDS, MIN_BATCHES * (time.thread_time() - started))
    if each / MIN_ROUNDS < least:
        return 0.0
    return min(max(least, each / rounds), MAX_MOVE_SECONDS)


def _read(game: gdl.Game) -> dict[str, Standing]:
    file = file_of(game, SUFFIX, is_new=False)
    if file is None or not file.exists():
        return {}
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
        return {
            name: Standing(int(found[name]["rounds"]), float(found[name]["lead"]))
            for name in TERMS
            if name in found
        }
    except (OSError, ValueError, KeyError, TypeError) as error:
        _log.warning("%s is not used: %s", file, error)
        return {}


def _write(standings: dict[str, Standing], game: gdl.Game) -> None:
    played = {name: asdict(each) for name, each in standings.items() if each.rounds}
    file = file_of(game, SUFFIX, is_new=True)
    if file is None or not played:
        return
    try:
        replace_file(file, json.dumps(played).encode())
        gdl.remove_oldest(file.parent, MAX_BYTES)
    except OSError as error:
        _log.debug("cannot store the result of the race: %s", error)
