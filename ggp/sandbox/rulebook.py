"""The rules of a match, known by a process that can be killed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ggp.match.rulebook import Position
from ggp.sandbox.pool import SandboxPool
from ggp.sandbox.process import Sandbox


class SandboxRulebook:
    """A `Rulebook` whose questions are answered by a process of its own.

    Attributes:
        kif: The rules as prefix KIF without comments, as START carries them.
    """

    def __init__(self, sandbox: Sandbox, text: str, opened: dict[str, Any]) -> None:
        self._sandbox = sandbox
        self._text = text
        self.roles: tuple[str, ...] = tuple(opened["roles"])
        self.has_percepts = bool(opened["has_percepts"])
        self.kif = str(opened["kif"])

    @classmethod
    async def open(
        cls, text: str, name: str = "rules", pool: SandboxPool | None = None
    ) -> SandboxRulebook:
        """Read rules in either notation.

        Args:
            text: The rules.
            name: What they are called in messages.
            pool: Where there may be a process; anywhere if not given.

        Raises:
            SandboxError: They cannot be read or played within the bounds.
        """
        sandbox = pool.sandbox() if pool else Sandbox()
        try:
            return cls(sandbox, text, await sandbox.open(text, name))
        except BaseException:
            await sandbox.close()
            raise

    async def first(self) -> Position:
        """The initial position."""
        return _position(await self._sandbox.ask("first"))

    async def after(self, facts: Sequence[str], moves: Sequence[str]) -> Position:
        """The position after a joint move."""
        return _position(await self._sandbox.ask("after", facts=list(facts), moves=list(moves)))

    async def at(self, facts: Sequence[str]) -> Position:
        """The position of a state."""
        return _position(await self._sandbox.ask("at", facts=list(facts)))

    async def epilog(self) -> str:
        """The rules in Epilog: as they stand, or translated.

        Raises:
            SandboxError: They cannot be.
        """
        return str(await self._sandbox.ask("epilog", text=self._text, name="rules"))

    async def close(self) -> None:
        """End the process."""
        await self._sandbox.close()


def _position(found: dict[str, Any]) -> Position:
    def rows(name: str) -> tuple[tuple[str, ...], ...]:
        return tuple(tuple(row) for row in found[name])

    return Position(
        facts=tuple(found["facts"]),
        is_terminal=found["is_terminal"],
        legal=rows("legal"),
        goals=tuple(found["goals"]),
        percepts=rows("percepts"),
    )
