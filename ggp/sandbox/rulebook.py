"""A match's rules, and a role's belief, known by a process that can be killed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ggp.match.rulebook import Position
from ggp.sandbox.match_questions import SeenTurn, after, at, believe, first
from ggp.sandbox.process import Sandbox, SandboxPool
from ggp.sandbox.questions import epilog


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
        """Read rules in either notation, in a process of a pool or any other.

        Raises:
            SandboxError: They cannot be read or played within the bounds.
        """
        sandbox = pool.sandbox() if pool else Sandbox()
        return cls(sandbox, text, await _opened(sandbox, text, name))

    async def first(self) -> Position:
        """The initial position."""
        return _position(await self._sandbox.ask(first))

    async def after(self, facts: Sequence[str], moves: Sequence[str]) -> Position:
        """The position after a joint move."""
        return _position(await self._sandbox.ask(after, facts, moves))

    async def at(self, facts: Sequence[str]) -> Position:
        """The position of a state."""
        return _position(await self._sandbox.ask(at, facts))

    async def epilog(self) -> str:
        """The rules in Epilog: as they stand, or translated.

        Raises:
            SandboxError: They cannot be.
        """
        return await self._sandbox.ask(epilog, self._text)

    async def close(self) -> None:
        """End the process."""
        await self._sandbox.close()


@dataclass(frozen=True, slots=True)
class BelievedPosition:
    """A position as a role of a game of hidden information knows it.

    Attributes:
        likely: The probability of each fact that may be true.
        worlds: The number of those that agree with what it did and saw.
        is_complete: Whether these are all.
        is_consistent: Whether there are any; else one is made up.
    """

    likely: Mapping[str, float]
    worlds: int
    is_complete: bool
    is_consistent: bool


class SandboxBeliefs:
    """Beliefs of roles in matches with the same rules, worked out by a process of their own."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox

    @classmethod
    async def open(cls, text: str, name: str, pool: SandboxPool) -> SandboxBeliefs:
        """Read rules, in either notation.

        Raises:
            SandboxError: They cannot be read within the bounds.
        """
        sandbox = pool.sandbox()
        await _opened(sandbox, text, name)
        return cls(sandbox)

    async def after(
        self, role: str, turns: Sequence[SeenTurn], *, is_over: bool = False, match: str = ""
    ) -> BelievedPosition:
        """The position after turns, of each of them what the role did and saw.

        Args:
            match: Which of several matches it is.

        Raises:
            SandboxError: It could not be worked out within the bounds, or there is no such role.
        """
        return BelievedPosition(
            **await self._sandbox.ask(believe, role, turns, is_over=is_over, match=match)
        )

    async def close(self) -> None:
        """End the process."""
        await self._sandbox.close()


async def _opened(sandbox: Sandbox, text: str, name: str) -> dict[str, Any]:
    try:
        return await sandbox.open(text, name)
    except BaseException:
        await sandbox.close()
        raise


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
