"""A short search of a position, in an engine process of its own, for whoever wants to know."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from ggp.clock import Deadline
from ggp.engine import EngineConfig, EnginePool, EngineSetup, MatchEngine, MoveOrigin
from ggp.manager.hosting.match_table import NUM_WARM
from ggp.manager.store.database import finite

SEARCH: Final = EngineConfig(player="mcts:until=value", is_pondering=False)
START_SHARE: Final = 0.25
"""Part of the time for getting ready; what is not compiled by then is searched by the interpreter
until it is."""
FOLLOW_SECONDS: Final = 30.0
"""For making the moves that lead to the position, all together."""
UNTIL_COMPILED: Final = "interpreter, until the rules are compiled"
UNTIL_WARM: Final = (
    "interpreter, until the fast reasoner and search are there, which are compiled once after an "
    "install (`ggp warm` waits for it)"
)
SEARCHED: Final = {MoveOrigin.SEARCH, MoveOrigin.BEST_SO_FAR, MoveOrigin.ONLY_MOVE}


@dataclass(frozen=True, slots=True)
class Hint:
    """The result of a search."""

    move: str
    value: float | None
    """The goal that it expects, 0..100; None if it does not say."""
    thoughts: Mapping[str, Any] = field(default_factory=dict)
    """All that it reported, as `ggp.players.thoughts` has it."""
    is_searched: bool = True
    """Whether there was time for that; else it is any move."""
    reasoner: str = ""
    """The reasoner that it searched on, and why."""


class PositionSearch:
    """Searches positions of games in which nothing is hidden; whoever is cancelled ends it."""

    def __init__(self, pool: EnginePool, config: EngineConfig = SEARCH) -> None:
        self._pool = pool
        self._config = config

    async def search(
        self, rules: str, role: str, history: Sequence[Sequence[str]], seconds: float
    ) -> Hint:
        """Search for a move of a role after these joint moves, in so many seconds in all.

        Where many moves lead there, making them takes more.
        """
        await self._pool.start_once(NUM_WARM)
        setup = EngineSetup(rules, role, seconds)
        # An engine takes all of this time: what is left it spends on the first position.
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
