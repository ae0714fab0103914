"""The race of variants: short matches between biased and plain playouts before a match.

Biased playouts win more in most games for which `suitable_variant` names them. In a few they lose
nearly all matches, and we know no property of the rules by which these could be told. So the two
variants play each other in the startclock, with a hundredth of a second for a move or more. The
points are kept with the game, so later matches add to them.
"""

from __future__ import annotations

import json
import logging
from dataclasses import asdict, dataclass
from typing import Final

import gdl
from ggp.atomic_file import replace_file
from ggp.clock import Deadline
from ggp.search.core.choices import StuckError, TurnUnknownError
from ggp.search.fast.lanes import BIASED, PLAIN
from ggp.training.arena.duels import EVEN, BrokenOffError, DuelTerms, Searcher, play_round
from ggp.training.live.store import MAX_BYTES, file_of

SHARE: Final = 0.6
"""Largest share of the startclock that a race takes."""
MAX_SECONDS: Final = 12.0
WANTED_ROUNDS: Final = 6
"""Moves get so much time that about this number of rounds can be played."""
MIN_MOVE_SECONDS: Final = 0.01
"""With half of it, races no longer tell in which games biased playouts lose."""
MAX_MOVE_SECONDS: Final = 0.1
DECIDED: Final = 1.5
"""A race ends when one side is this many points ahead of an even score."""
DOUBTFUL: Final = -0.5
"""Plain playouts are chosen if biased ones are this far behind."""
MAX_ROUNDS: Final = 40
MEMORY: Final = 32 << 20  # bytes of a tree
SUFFIX: Final = ".race"

_log = logging.getLogger(__name__)


@dataclass(slots=True)
class Standing:
    """The result of all races of a game so far.

    Attributes:
        rounds: Number of rounds, see `duels`.
        lead: Points of biased playouts in these rounds, less those of an even score.
    """

    rounds: int = 0
    lead: float = 0.0

    @property
    def is_final(self) -> bool:
        """Whether no more rounds are needed."""
        return abs(self.lead) >= DECIDED or self.rounds >= MAX_ROUNDS

    @property
    def variant(self) -> str:
        """The variant to play with."""
        return PLAIN if self.lead <= DOUBTFUL else BIASED


def race(game: gdl.Game, deadline: Deadline, seed: int) -> Standing:
    """Play some rounds, if there is time, and return the result with those of earlier matches.

    Args:
        game: A game for which `suitable_variant` names biased playouts.
        deadline: The end of the startclock.
    """
    standing = _read(game)
    if standing.is_final:
        return standing
    seconds = min(SHARE * deadline.remaining(), MAX_SECONDS)
    end = deadline.within(seconds)
    each = _seconds_a_move(game, seconds, seed)
    if each < MIN_MOVE_SECONDS:
        return standing
    terms = DuelTerms(each, seed=seed, is_over=end.is_over)
    biased, plain = Searcher(memory=MEMORY, variant=BIASED), Searcher(memory=MEMORY)
    try:
        while not standing.is_final:
            standing.lead += play_round(game, biased, plain, terms, standing.rounds) - EVEN
            standing.rounds += 1
    except BrokenOffError:
        pass
    except (StuckError, TurnUnknownError) as error:  # after an opening that a match may never see
        _log.debug("the race has ended: %s", error)
    _write(standing, game)
    return standing


def _seconds_a_move(game: gdl.Game, seconds: float, seed: int) -> float:
    """Return the time for each move. It is 0 if there is no time for a single round."""
    assert game.simulator is not None
    plies = max(1.0, game.simulator.lanes(seed).finish().mean_length)
    round_moves = len(game.roles) * plies
    if seconds < round_moves * MIN_MOVE_SECONDS:
        return 0.0
    each = seconds / (WANTED_ROUNDS * round_moves)
    return min(max(each, MIN_MOVE_SECONDS), MAX_MOVE_SECONDS)


def _read(game: gdl.Game) -> Standing:
    file = file_of(game, SUFFIX, is_new=False)
    if file is None or not file.exists():
        return Standing()
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
        return Standing(int(found["rounds"]), float(found["lead"]))
    except (OSError, ValueError, KeyError, TypeError) as error:
        _log.warning("%s is not used: %s", file, error)
        return Standing()


def _write(standing: Standing, game: gdl.Game) -> None:
    file = file_of(game, SUFFIX, is_new=True)
    if file is None or not standing.rounds:
        return
    try:
        replace_file(file, json.dumps(asdict(standing)).encode())
        gdl.remove_oldest(file.parent, MAX_BYTES)
    except OSError as error:
        _log.debug("cannot store the result of the race: %s", error)
