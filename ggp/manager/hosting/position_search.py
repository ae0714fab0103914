"""Short searches of positions for hints and analyses, each in its own engine process."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from ggp.clock import Deadline
from ggp.engine import EngineConfig, EnginePool, EngineSetup, MatchEngine, MoveOrigin
from ggp.manager.errors import ConflictError
from ggp.manager.hosting.match_table import NUM_WARM, MatchTables
from ggp.manager.hosting.page_seat import PageSeat
from ggp.manager.store import matches
from ggp.manager.store.database import Database, finite
from ggp.processes.tasks import cancel

SEARCH: Final = EngineConfig(player="mcts:until=value", is_pondering=False)
START_SHARE: Final = 0.25
"""Share of the time to use for preparation. If the rules are not compiled by then, the search
uses the interpreter until they are."""
FOLLOW_SECONDS: Final = 30.0
"""Time limit for making all moves that lead to the position."""
UNTIL_COMPILED: Final = "interpreter, until the rules are compiled"
UNTIL_WARM: Final = (
    "interpreter, until the fast reasoner and search are compiled, once after an install "
    "(`ggp warm` waits for it)"
)
LOOK_SECONDS: Final = 0.25
"""Seconds between two checks that the hint is still wanted."""
SEARCHED: Final = {MoveOrigin.SEARCH, MoveOrigin.BEST_SO_FAR, MoveOrigin.ONLY_MOVE}


@dataclass(frozen=True, slots=True)
class Hint:
    """The result of a search."""

    move: str
    value: float | None
    """The expected goal, from 0 to 100. None if the search does not report it."""
    thoughts: Mapping[str, Any] = field(default_factory=dict)
    """Everything that the search reported, in the format of `ggp.players.thoughts`."""
    is_searched: bool = True
    """Whether there was time to search. Otherwise the move is arbitrary."""
    reasoner: str = ""
    """The reasoner of the search, and why it was used."""


class PositionSearch:
    """A searcher for games without hidden information. Cancelling a call ends its search."""

    def __init__(self, pool: EnginePool, config: EngineConfig = SEARCH) -> None:
        self._pool = pool
        self._config = config

    async def search(
        self, rules: str, role: str, history: Sequence[Sequence[str]], seconds: float
    ) -> Hint:
        """Search for a role's move after a history of joint moves. Use `seconds` in total.

        If the history is long, making its moves takes additional time.
        """
        await self._pool.start_once(NUM_WARM)
        setup = EngineSetup(rules, role, seconds)
        # An engine uses all of this time. What preparation leaves is spent on the first position.
        deadline = Deadline.after(START_SHARE * seconds)
        engine = await MatchEngine.start(self._pool, setup, self._config, deadline)
        try:
            following = Deadline.after(FOLLOW_SECONDS)
            for moves in history[:-1]:
                await engine.update(tuple(moves), following)
            happened = tuple(history[-1]) if history else None
            choice = await engine.play(happened, Deadline.after((1 - START_SHARE) * seconds))
            reasoner = engine.reasoner or (UNTIL_WARM if engine.is_cold else UNTIL_COMPILED)
        finally:
            await engine.abort()
        value = choice.search_info.get("value")
        expected = float(value) if isinstance(value, (int, float)) else None
        thoughts = finite(dict(choice.search_info))
        return Hint(choice.move, expected, thoughts, choice.origin in SEARCHED, reasoner)


class Hints:
    """Hints for people. One search runs at a time, to take little time from running clocks."""

    def __init__(self, database: Database, tables: MatchTables, search: PositionSearch) -> None:
        self._database = database
        self._tables = tables
        self._search = search
        self._turn = asyncio.Lock()

    async def hint(self, number: int, role: str, seconds: float) -> Hint:
        """Search for a move of the person who plays a role in a running match."""
        match = await self._database.read(matches.find, number, with_rules=True)
        seat = self._tables.person_at(number, role)
        if seat is None or seat.turn is None:
            raise ConflictError(f"it is not the turn of {role}")
        history = await self._database.read(matches.moves_of, number, seat.turn - 1)
        async with self._turn:
            search = asyncio.create_task(
                self._search.search(match.rulesheet.text, role, history, seconds)
            )
            try:
                await _until_done(search, seat)
            finally:
                await cancel(search)
        return search.result()


async def _until_done(search: asyncio.Task[Hint], seat: PageSeat) -> None:
    asked = seat.turn
    while not search.done():
        await asyncio.wait([search], timeout=LOOK_SECONDS)
        if seat.turn != asked:  # the next request does not have to wait for this search
            raise ConflictError(f"turn {asked} has been played; ask for a new hint")
