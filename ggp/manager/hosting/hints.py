"""A hint for a person: what a short search by our own player would do."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from ggp.clock import Deadline
from ggp.engine import EngineConfig, EnginePool, EngineSetup, MatchEngine
from ggp.manager.errors import ConflictError
from ggp.manager.hosting.match_table import NUM_WARM, MatchTables
from ggp.manager.hosting.page_seat import PageSeat
from ggp.manager.store import matches
from ggp.manager.store.database import Database, finite

SEARCH: Final = EngineConfig(player="mcts", is_pondering=False)
START_SECONDS: Final = 10
"""For reading the rules; what has not been compiled by then is searched by the interpreter."""
FOLLOW_SECONDS: Final = 10.0
LOOK_SECONDS: Final = 0.25
"""Time between two looks whether somebody still wants to know."""


@dataclass(frozen=True, slots=True)
class Hint:
    """The result of a search."""

    move: str
    value: float | None
    """The goal that it expects, 0..100; None if it does not say."""
    thoughts: Mapping[str, Any] = field(default_factory=dict)
    """All that it reported, as `ggp.players.thoughts` has it."""


class Hints:
    """Searches on demand, one at a time: hints take cores from nobody's clock for long."""

    def __init__(
        self,
        database: Database,
        tables: MatchTables,
        pool: EnginePool,
        search: EngineConfig = SEARCH,
    ) -> None:
        self._database = database
        self._tables = tables
        self._pool = pool
        self._config = search
        self._turn = asyncio.Lock()

    async def hint(self, number: int, role: str, seconds: float) -> Hint:
        """Search for a move in a match that runs."""
        match = await self._database.read(matches.find, number, with_rules=True)
        seat = self._tables.person_at(number, role)
        if seat is None or seat.turn is None:
            raise ConflictError(f"no move of {role} is waited for")
        history = await self._database.read(matches.moves_of, number, seat.turn - 1)
        async with self._turn:
            search = asyncio.create_task(self._search(match.rulesheet.text, role, history, seconds))
            try:
                await _until_done(search, seat)
            finally:
                search.cancel()
                await asyncio.gather(search, return_exceptions=True)
        return search.result()

    async def _search(
        self, rules: str, role: str, history: list[tuple[str, ...]], seconds: float
    ) -> Hint:
        await self._pool.start(NUM_WARM)
        setup = EngineSetup(rules, role, START_SECONDS, seconds)
        # Preparing would be a search of the first position, which nobody asked for.
        deadline = Deadline.after(min(seconds, START_SECONDS))
        engine = await MatchEngine.start(self._pool, setup, self._config, deadline)
        try:
            for moves in history[:-1]:
                await engine.update(moves, Deadline.after(FOLLOW_SECONDS))
            choice = await engine.play(history[-1] if history else None, Deadline.after(seconds))
        finally:
            await engine.abort()
        value = choice.search_info.get("value")
        expected = float(value) if isinstance(value, (int, float)) else None
        return Hint(choice.move, expected, finite(dict(choice.search_info)))


async def _until_done(search: asyncio.Task[Hint], seat: PageSeat) -> None:
    asked = seat.turn
    while not search.done():
        await asyncio.wait([search], timeout=LOOK_SECONDS)
        if seat.turn != asked:  # whoever asks next need not wait for this
            raise ConflictError(f"turn {asked} has been played; nobody waits for this any more")
