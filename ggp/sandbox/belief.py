"""The belief of a role of a match, kept by a process that can be killed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ggp.sandbox.pool import SandboxPool
from ggp.sandbox.process import Sandbox


@dataclass(frozen=True, slots=True)
class BelievedPosition:
    """A position as a role of a game of hidden information knows it."""

    likely: Mapping[str, float]
    """How likely each fact is that may be true."""
    worlds: int
    """How many there are that agree with what it did and saw."""
    is_complete: bool
    """Whether these are all."""
    is_consistent: bool
    """Whether there are any; else one is made up."""


class SandboxBelief:
    """What a role holds possible, worked out by a process of its own."""

    def __init__(self, sandbox: Sandbox, role: str) -> None:
        self._sandbox = sandbox
        self._role = role

    @classmethod
    async def open(cls, text: str, name: str, role: str, pool: SandboxPool) -> SandboxBelief:
        """Read the rules of a match.

        Args:
            text: The rules, in either notation.
            name: What they are called in messages.
            role: Whose belief it is.
            pool: Where there may be a process.

        Raises:
            SandboxError: They cannot be read within the bounds.
        """
        sandbox = pool.sandbox()
        try:
            await sandbox.open(text, name)
        except BaseException:
            await sandbox.close()
            raise
        return cls(sandbox, role)

    async def after(
        self, turns: Sequence[tuple[str, Sequence[str]]], *, is_over: bool = False
    ) -> BelievedPosition:
        """The position after turns, of each of them what the role did and saw.

        Raises:
            SandboxError: It could not be worked out within the bounds.
        """
        asked = [[move, list(percepts)] for move, percepts in turns]
        found = await self._sandbox.ask("believe", role=self._role, turns=asked, is_over=is_over)
        return BelievedPosition(**found)

    async def close(self) -> None:
        """End the process."""
        await self._sandbox.close()
