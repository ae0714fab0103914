"""What roles of running matches may hold possible, worked out from what they did and saw alone."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Sequence

from ggp.manager.domain.sight import Sight
from ggp.manager.store.matches import PlayedTurn
from ggp.manager.store.tables import MatchRow
from ggp.sandbox import BelievedPosition, SandboxBelief, SandboxPool

MAX_KEPT = 16
"""Beliefs that go on from where they are; each is a process."""
MAX_POSITIONS = 2000
Seen = tuple[tuple[str, tuple[str, ...]], ...]
"""The own move of each turn, and what was seen of it."""


class Beliefs:
    """The beliefs of roles in matches; nobody is told more than a role could work out itself."""

    def __init__(self, sandboxes: SandboxPool) -> None:
        self._sandboxes = sandboxes
        self._open: OrderedDict[tuple[int, str], SandboxBelief] = OrderedDict()
        self._found: OrderedDict[tuple[int, str, Seen, bool], BelievedPosition] = OrderedDict()
        self._turn = asyncio.Lock()

    async def after(
        self, match: MatchRow, sight: Sight, turns: Sequence[PlayedTurn], *, is_over: bool
    ) -> BelievedPosition:
        """The position after these turns of a match, as a role knows it.

        Args:
            match: With its rules.
            sight: Whose percepts are seen.
            turns: All from the first on, START included or not.
            is_over: Whether the game has ended with them, which everybody is told.

        Raises:
            GgpError: It cannot be worked out.
        """
        own = sight.role_index
        seen = tuple((one.moves[own], one.percepts[own]) for one in turns if one.number > 0)
        key = (match.id, sight.role, seen, is_over)
        async with self._turn:
            if key not in self._found:
                belief = await self._opened(match, sight.role)
                self._found[key] = await belief.after(seen, is_over=is_over)
            while len(self._found) > MAX_POSITIONS:
                self._found.popitem(last=False)
            return self._found[key]

    async def close(self) -> None:
        """End the processes."""
        while self._open:
            await self._open.popitem()[1].close()

    async def _opened(self, match: MatchRow, role: str) -> SandboxBelief:
        key = (match.id, role)
        if key not in self._open:
            rules = match.rulesheet
            self._open[key] = await SandboxBelief.open(
                rules.text, rules.name, role, self._sandboxes
            )
        self._open.move_to_end(key)
        while len(self._open) > MAX_KEPT:
            await self._open.popitem(last=False)[1].close()
        return self._open[key]
