"""A hint for a person: what a short search by our own player would do."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Final

from ggp.clock import Deadline
from ggp.engine import EngineConfig, EnginePool, MatchEngine, MatchSetup
from ggp.manager.furniture import NUM_WARM, Tables
from ggp.manager.problems import ConflictError
from ggp.manager.store import matches
from ggp.manager.store.database import Database

SEARCH: Final = EngineConfig(player="mcts", is_pondering=False)
START_SECONDS: Final = 10
"""For reading the rules; what has not been compiled by then is searched by the interpreter."""
FOLLOW_SECONDS: Final = 10.0


@dataclass(frozen=True, slots=True)
class Hint:
    """What a search found."""

    move: str
    value: float | None
    """The goal that it expects, 0..100; None if it does not say."""


class Hints:
    """Searches on demand, one at a time: hints take cores from nobody's clock for long."""

    def __init__(
        self, database: Database, tables: Tables, pool: EnginePool, search: EngineConfig = SEARCH
    ) -> None:
        self._database = database
        self._tables = tables
        self._pool = pool
        self._config = search
        self._turn = asyncio.Lock()

    async def hint(self, number: int, role: str, seconds: float) -> Hint:
        """What to do in a match that runs.

        Raises:
            ConflictError: The role is not asked for a move.
            UnknownMatchError: There is no such match.
            EngineError: The rules or the position cannot be searched.
        """
        async with self._database.reading() as session:
            match = await matches.find(session, number, with_rules=True)
            turns = await matches.turns_of(session, number)
        seat = self._tables.person_at(number, role)
        if seat is None or seat.turn is None:
            raise ConflictError(f"no move of {role} is waited for")
        history = [turn.moves for turn in turns[1 : seat.turn]]
        async with self._turn:
            return await self._search(match.text, role, history, seconds)

    async def _search(
        self, rules: str, role: str, history: list[tuple[str, ...]], seconds: float
    ) -> Hint:
        await self._pool.start(NUM_WARM)
        setup = MatchSetup(rules, role, START_SECONDS, seconds)
        # Preparing would be a search of the first position, which nobody asked for.
        deadline = Deadline.after(min(seconds, START_SECONDS))
        engine = await MatchEngine.start(self._pool, setup, self._config, deadline)
        try:
            for moves in history[:-1]:
                await engine.update(moves, Deadline.after(FOLLOW_SECONDS))
            choice = await engine.play(history[-1] if history else None, Deadline.after(seconds))
        finally:
            await engine.abort()
        value = choice.thoughts.get("value")
        return Hint(choice.move, float(value) if isinstance(value, (int, float)) else None)
