"""Beliefs of roles in games with hidden information. They are updated from turn to turn."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Collection, Sequence

from ggp.mcp_server.bounds import ServerBounds
from ggp.mcp_server.matches import HeldMatch
from ggp.processes.children import OwnsProcesses
from ggp.sandbox import SandboxBeliefs, SandboxPool
from ggp.sandbox.match_questions import SeenTurn


class _Followed:
    """The belief of one role in a match, with the latest answer."""

    def __init__(self) -> None:
        self.turn_lock = asyncio.Lock()
        self.belief: SandboxBeliefs | None = None
        self.asked: tuple[Sequence[SeenTurn], bool] | None = None
        self.likely: dict[str, float] = {}
        self.used = time.monotonic()


class Beliefs(OwnsProcesses):
    """The beliefs of all matches. A limited number of separate processes compute them.

    If the process of a belief has ended, the belief is recomputed from the first turn when needed.
    """

    def __init__(self, bounds: ServerBounds) -> None:
        self._idle_seconds = bounds.search_idle_seconds
        self._sandboxes = SandboxPool(bounds.num_beliefs, patience=bounds.patience_seconds)
        self._followed: dict[tuple[HeldMatch, str], _Followed] = {}

    async def likely(self, match: HeldMatch, role: str) -> dict[str, float]:
        """Return the facts that a role considers possible, with their probability.

        Raises:
            SandboxError: The belief could not be computed within the limits.
        """
        one = self._followed.setdefault((match, role), _Followed())
        async with one.turn_lock:
            one.used = time.monotonic()
            asked = match.seen_by(role), match.is_over
            if one.asked != asked:
                if one.belief is None:
                    rules = match.rules
                    one.belief = await SandboxBeliefs.open(rules.text, rules.name, self._sandboxes)
                found = await one.belief.after(role, asked[0], is_over=asked[1])
                one.likely, one.asked = dict(found.likely), asked
            return one.likely

    async def rest(self, matches: Collection[HeldMatch]) -> None:
        """End processes that were idle for too long, and those of matches not in `matches`."""
        late = time.monotonic() - self._idle_seconds
        for key, one in list(self._followed.items()):
            is_gone = key[0] not in matches
            if one.turn_lock.locked() or not (is_gone or one.used < late):
                continue
            if is_gone:
                del self._followed[key]
            belief, one.belief = one.belief, None
            if belief is not None:
                await belief.close()

    async def close(self) -> None:
        """End all processes."""
        self._followed.clear()
        await self._sandboxes.close()
