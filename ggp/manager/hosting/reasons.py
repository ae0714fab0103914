"""Why facts hold in positions of matches, told to those who see all of the position."""

from __future__ import annotations

from typing import Any

from ggp.manager.domain.sight import sight_of
from ggp.manager.errors import ConflictError, NotThereError
from ggp.manager.store import matches
from ggp.manager.store.database import Database
from ggp.sandbox import SandboxPool


class Reasons:
    """Explains positions; a derivation may name any fact, so who sees a part is told nothing."""

    def __init__(self, database: Database, sandboxes: SandboxPool) -> None:
        self._database = database
        self._sandboxes = sandboxes

    async def why(
        self, number: int, turn: int, fact: str, *, depth: int, key: str = ""
    ) -> dict[str, Any]:
        """Why a fact holds after a turn of a match, or why not, as lines of a tree.

        Facts that depend on what is done there are about the moves of the turn after it.

        Args:
            number: Of the match.
            turn: After which.
            fact: That is asked about.
            depth: How many rules deep.
            key: Of the seat whose person asks; empty for a spectator.

        Raises:
            UnknownMatchError: There is no such match.
            NotThereError: It has no such turn.
            ConflictError: Who asks may not see the position.
            SandboxError: It is no fact of these rules, or takes too long.
        """
        async with self._database.reading() as session:
            match = await matches.find(session, number, with_rules=True)
            if not sight_of(match, key).is_whole:
                raise ConflictError(f"match {number} is explained when it is over")
            if not match.has_begun or turn > match.num_turns:
                raise NotThereError(f"there is no turn {turn} in match {number}")
            moves = await matches.moves_of(session, number, turn + 1)
            text = match.rulesheet.text
        following = moves[turn] if len(moves) > turn else None
        async with self._sandboxes.lent() as sandbox:
            return await sandbox.why(
                text, fact, moves[:turn], following, depth=depth, are_legal=True
            )
