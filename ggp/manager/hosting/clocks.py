"""Are the clocks of a tournament long enough for the players that this machine runs?

Asked before it begins, and answered by measuring: a process reads the rules of each game, as an
engine does, and follows a few turns by the plain reasoner, which every player falls back on. Timed
by the clock on the wall, so other work on the machine counts. Players elsewhere are not judged.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import time
from dataclasses import dataclass
from typing import Final

from ggp.manager.domain.games import Catalogue
from ggp.manager.domain.players import PlayerRegistry, searches_here
from ggp.match.referee import is_played
from ggp.sandbox import SandboxError, SandboxPool, SandboxRulebook
from ggp.tournament.plan import TournamentPlan

MOST_SECONDS: Final = 5.0
"""Of measuring, however many wait for a process; games that are left then are not judged."""
NUM_TURNS: Final = 3
START_TIMES: Final = 2.0
"""A startclock is this often the time in which the rules are read, or it is called short."""
TURN_TIMES: Final = 4.0
"""A playclock is this often the time of a turn by the rules alone."""


@dataclass(frozen=True, slots=True)
class ClockMeasurement:
    """This machine's times for a game, in seconds, and the number of players that search on it."""

    game: str
    to_read: float
    """From the start of a process to the first position."""
    a_turn: float
    num_searching: int
    """Players in a match that search on this machine."""
    num_cores: int

    def warnings(self, plan: TournamentPlan) -> list[str]:
        """Warnings about what is short in a plan, a line each."""
        found = []
        sharing = max(1.0, self.num_searching / self.num_cores)
        if sharing > 1:
            found.append(
                f"{self.game}: {self.num_searching} players of a match search on "
                f"{self.num_cores} of this machine's cores, and get a part of one each"
            )
        to_start, to_play = START_TIMES * sharing * self.to_read, TURN_TIMES * sharing * self.a_turn
        if plan.startclock < to_start:
            found.append(
                f"{self.game}: startclock {plan.startclock} s is short for this machine; players "
                f"that run here may need {to_start:.1f} s to be ready"
            )
        if plan.playclock < to_play:
            found.append(
                f"{self.game}: playclock {plan.playclock} s is short for this machine; the rules "
                f"alone take {sharing * self.a_turn:.1f} s of it, expected at least {to_play:.1f} s"
            )
        return found


class ClockCheck:
    """Measures, before a tournament begins, whether its clocks are long enough."""

    def __init__(
        self,
        catalogue: Catalogue,
        players: PlayerRegistry,
        sandboxes: SandboxPool,
        num_cores: int,
    ) -> None:
        self._catalogue = catalogue
        self._players = players
        self._sandboxes = sandboxes
        self._num_cores = num_cores

    async def warnings(self, plan: TournamentPlan) -> list[str]:
        """Warnings about what is short in a plan; none where nobody searches on this machine."""
        sources = [await self._players.check_entrant(entrant.player) for entrant in plan.players]
        num_searching = sum(map(searches_here, sources))
        found: list[str] = []
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(MOST_SECONDS):
                for game in dict.fromkeys(plan.games) if num_searching else ():
                    found += await self._short_for(plan, game, num_searching)
        return found

    async def _short_for(self, plan: TournamentPlan, game: str, num_searching: int) -> list[str]:
        try:
            return (await self._measured(game, num_searching)).warnings(plan)
        except SandboxError as error:
            return [f"{game}: {error}"]

    async def _measured(self, game: str, num_searching: int) -> ClockMeasurement:
        rules = await self._catalogue.rules_of(game)
        began = time.monotonic()
        book = await SandboxRulebook.open(rules.text, game, self._sandboxes)
        try:
            position = await book.first()
            to_read = time.monotonic() - began
            rng, num_turns, began = random.Random(1), 0, time.monotonic()
            while num_turns < NUM_TURNS and all(position.legal) and not position.is_terminal:
                moves = [rng.choice(legal) for legal in position.legal]
                position = await book.after(position.facts, moves)
                num_turns += 1
            a_turn = (time.monotonic() - began) / max(1, num_turns)
        finally:
            await book.close()
        num_seats = sum(map(is_played, book.roles))
        return ClockMeasurement(
            game, to_read, a_turn, min(num_seats, num_searching), self._num_cores
        )
