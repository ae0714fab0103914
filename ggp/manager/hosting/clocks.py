"""A check that the clocks of a tournament are long enough for players on this machine.

The check takes measurements before the tournament begins. A process reads the rules of each game as
an engine does. Then it plays a few turns with the interpreter, which every player can fall back on.
The times are wall-clock times, so other work on the machine counts. Players at an address are
not checked.
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

MAX_SECONDS: Final = 5.0
"""Longest time to measure, including the wait for a process. Then the other games are skipped."""
NUM_TURNS: Final = 3
START_TIMES: Final = 2.0
"""A startclock counts as short if it is less than this many times the time to read the rules."""
TURN_TIMES: Final = 4.0
"""A playclock counts as short if it is less than this many times the time to compute a turn."""


@dataclass(frozen=True, slots=True)
class ClockMeasurement:
    """The seconds that this machine takes for a game, and how many players share its cores."""

    game: str
    to_read: float
    """Time from the start of a process until it has the first position."""
    a_turn: float
    num_searching: int
    """Number of players in one match that search on this machine."""
    num_cores: int

    def warnings(self, plan: TournamentPlan) -> list[str]:
        """Return warnings about clocks in `plan` that are too short, one line each."""
        found = []
        sharing = max(1.0, self.num_searching / self.num_cores)
        if sharing > 1:
            found.append(
                f"{self.game}: {self.num_searching} players of a match share "
                f"{self.num_cores} of this machine's cores"
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
    """A check of the clocks of tournaments that have not begun yet."""

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
        """Return warnings about short clocks, or an empty list if no player searches here."""
        sources = [await self._players.entrant_source(entrant.player) for entrant in plan.players]
        num_searching = sum(map(searches_here, sources))
        found: list[str] = []
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(MAX_SECONDS):
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
