"""Online outcome sampling, as Python sees it.

search = OutcomeSampling(game, role, seed=1)
search.follow(belief.turns)
while not deadline.is_over():
    search.step(deadline)
search.distribution()
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np

import gdl
from ggp.belief import first_information, information
from ggp.clock import Deadline
from ggp.errors import GgpError
from ggp.search.hidden.key_index import NONE, number_of
from ggp.search.hidden.oos.sampling import (
    DEEPEST,
    LONGEST_PATH,
    PASSED,
    PLAYS,
    TRIED,
    Manner,
    Play,
    run,
)
from ggp.search.hidden.oos.table import (
    BYTES_PER_SET,
    BYTES_PER_SLOT,
    SETS,
    SLOTS,
    make_table,
)
from ggp.search.hidden.solving.knowledge import Turn
from ggp.search.result import Effort, MoveValue, SearchResult

_FEWEST_PLAYS: Final = 16  # between two looks at the clock, at first
_MOST_PLAYS: Final = 1 << 14
_SHORT, _LONG = 0.002, 0.006  # seconds that should pass between two looks at the clock


@dataclass(frozen=True, slots=True)
class OutcomeSettings:
    """Settings of the search.

    Attributes:
        exploring: The part of the moves of who learns that are drawn with equal odds.
        aiming: The part of the plays that are aimed at the match.
        horizon: Longest play in turns; a longer one counts as undecided (50).
        memory: Bytes of the table.
    """

    exploring: float = 0.4
    aiming: float = 0.9
    horizon: int = 500
    memory: int = 1 << 28


DEFAULTS: Final = OutcomeSettings()


class OutcomeSampling:
    """Strategies of all roles, learned from plays that begin in the first state."""

    def __init__(
        self,
        game: gdl.Game,
        role: gdl.Role,
        seed: int,
        settings: OutcomeSettings = DEFAULTS,
        chunk: int | None = None,
    ) -> None:
        """A search without knowledge, before the first move.

        Args:
            game: A compiled game.
            role: For whom.
            seed: Of all that is drawn.
            settings: How to search.
            chunk: Plays of a step, so that the same seed finds the same; None: as many as take
                some thousandths of a second.

        Raises:
            GgpError: The game is not compiled.
            ValueError: All plays are to be aimed, or less than none.
        """
        if not 0 <= settings.aiming < 1:
            raise ValueError(f"aiming: expected 0 up to below 1, got {settings.aiming:g}")
        arrays = game.arrays(has_percepts=True)
        if arrays is None or game.numbering is None:
            raise GgpError("expected a compiled game, got one that the interpreter plays")
        self._game, self._numbering = arrays, game.numbering
        self._own = game.roles.index(role)
        self._manner = Manner(self._own, settings.exploring, settings.aiming, settings.horizon)
        num_roles, num_inputs = len(game.roles), len(arrays.inputs)
        known = [first_information(seat) for seat in range(num_roles)]
        self._first_known = known[self._own]
        self._play = Play(
            layout=arrays.layout,
            memory=arrays.memory,
            table=make_table(settings.memory),
            start=arrays.pack(game.initial_state()),
            start_known=np.array(known, np.uint64),
            percept_starts=arrays.percepts.starts,
            percepts=arrays.percepts.literals,
            move_numbers=arrays.percepts.move_numbers,
            players=np.array([not gdl.is_random(each) for each in game.roles], np.int32),
            aim_moves=np.zeros(0, np.int32),
            aim_known=np.zeros(0, np.uint64),
            known=np.zeros(num_roles, np.uint64),
            is_inside=np.zeros(num_roles, np.int32),
            reaches=np.zeros(num_roles),
            legal=np.zeros(num_inputs, np.int32),
            stamps=np.zeros(num_inputs, np.int64),
            path=np.zeros((LONGEST_PATH, 4), np.int32),
            led=np.zeros((LONGEST_PATH, 4)),
            now=np.array([-1, 0, 0, 0, 0], np.int64),
            odds=np.zeros(2),
            settings=np.array([0, 0, 0, random.Random(seed).randrange(1, 1 << 62)], np.int64),
            counters=np.zeros(6, np.int64),
        )
        self._own_inputs = {
            move: number for number, (seat, move) in enumerate(arrays.inputs) if seat == self._own
        }
        self._seed = seed
        self._is_timed = chunk is None
        self._chunk = chunk or _FEWEST_PLAYS

    @property
    def effort(self) -> Effort:
        """The work done so far, and the memory held."""
        counters, used = self._play.counters, self._play.table.used
        num_bytes = int(BYTES_PER_SET * used[SETS] + BYTES_PER_SLOT * used[SLOTS])
        plays = int(counters[PLAYS])
        return Effort(plays, plays, int(used[SETS]), int(counters[DEEPEST]), num_bytes)

    @property
    def passing(self) -> float:
        """The part of the aimed plays that come to where the match is; 1 if none was aimed yet."""
        counters = self._play.counters
        return float(counters[PASSED] + 1) / float(counters[TRIED] + 1)

    def follow(self, turns: Iterable[Turn]) -> None:
        """Aim from now on at what our role has done and seen."""
        moves, knowns = [], []
        known = first_information(self._own)
        numbers = {move: number for number, move in enumerate(self._numbering.moves[self._own])}
        percepts = {seen: number for number, seen in enumerate(self._numbering.percepts[self._own])}
        for turn in turns:
            seen = [percepts[percept] for percept in turn.percepts]
            known = information(known, numbers[turn.own_move], seen)
            moves.append(self._own_inputs[turn.own_move])
            knowns.append(known)
        aims = np.array(moves, np.int32), np.array(knowns, np.uint64)
        self._play = self._play._replace(aim_moves=aims[0], aim_known=aims[1])
        self._play.counters[[TRIED, PASSED, DEEPEST]] = 0

    def step(self, deadline: Deadline) -> bool:
        """Some plays, for some thousandths of a second; True."""
        begun = time.perf_counter()
        self.run(self._chunk)
        seconds = time.perf_counter() - begun
        if not self._is_timed:
            return True
        if seconds < _SHORT:
            self._chunk = min(2 * self._chunk, _MOST_PLAYS)
        elif seconds > _LONG:
            self._chunk = max(self._chunk // 2, 1)
        return True

    def run(self, num: int) -> None:
        """So many plays, and tries of plays that are aimed."""
        run(self._game.at, self._play, self._manner, num)

    def result(self) -> SearchResult | None:
        """The moves by their shares, but first one that is drawn by them; None if not known.

        What they are worth is not known. The draw changes with the plays, not with how
        often one asks: that depends on the clock.
        """
        shares = self.distribution()
        if shares is None:
            return None
        plays = int(self._play.counters[PLAYS])
        rng = random.Random(self._seed + plays)
        drawn = rng.choices([*shares], [*shares.values()])[0]
        order = [drawn, *(move for move in shares if move != drawn)]
        moves = tuple(
            MoveValue(move, 50.0, round(shares[move] * plays), share=shares[move]) for move in order
        )
        return SearchResult(drawn, 50.0, plays, moves=moves)

    def distribution(self) -> dict[gdl.Move, float] | None:
        """The share of each move where the match is, most frequent first; None if not known."""
        known = self._play.aim_known
        return self.distribution_at(int(known[-1] if len(known) else self._first_known))

    def distribution_at(self, known: int) -> dict[gdl.Move, float] | None:
        """As `distribution`, wherever a role knows what `ggp.belief.information` says it does."""
        table = self._play.table
        number = number_of(table.buckets, table.keys, known)
        if number == NONE:
            return None
        first, size = int(table.firsts[number]), int(table.sizes[number])
        slots = slice(first, first + size)
        sums = table.sums[slots]
        shares = sums / sums.sum() if sums.sum() > 0 else table.shares[slots]
        moves = [self._game.inputs[move][1] for move in table.moves[slots].tolist()]
        pairs = zip(moves, shares.tolist(), strict=True)
        return dict(sorted(pairs, key=lambda pair: (-pair[1], str(pair[0]))))
