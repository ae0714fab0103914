"""The rules of a match, and the beliefs of its roles, held by a process that can be killed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ggp.match.rulebook import Position
from ggp.sandbox.match_questions import SeenTurn, after, at, believe, first
from ggp.sandbox.process import Sandbox, SandboxPool
from ggp.sandbox.questions import epilog


class SandboxRulebook:
    """A `Rulebook` that asks a separate process.

    Attributes:
        kif: The rules in prefix KIF without comments, as in START.
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
        """Read rules in KIF or Epilog, in a process of `pool`, or in a separate one without a pool.

        Raises:
            SandboxError: The rules cannot be read or played within the limits.
        """
        sandbox = pool.sandbox() if pool else Sandbox()
        return cls(sandbox, text, await _opened(sandbox, text, name))

    async def first(self) -> Position:
        """Return the initial position."""
        return _position(await self._sandbox.ask(first))

    async def after(self, facts: Sequence[str], moves: Sequence[str]) -> Position:
        """Return the position after a joint move."""
        return _position(await self._sandbox.ask(after, facts, moves))

    async def at(self, facts: Sequence[str]) -> Position:
        """Return the position of the state with the given facts."""
        return _position(await self._sandbox.ask(at, facts))

    async def epilog(self) -> str:
        """Return the rules in Epilog, translated if necessary.

        Raises:
            SandboxError: The rules cannot be translated.
        """
        return await self._sandbox.ask(epilog, self._text)

    async def close(self) -> None:
        """End the process."""
        await self._sandbox.close()


@dataclass(frozen=True, slots=True)
class BelievedPosition:
    """A position as a role knows it in a game with hidden information.

    Attributes:
        likely: The probability of each fact that may be true.
        worlds: Number of worlds that agree with what the role has done and seen.
        is_complete: Whether all worlds were found.
        is_consistent: Whether any such world was found. If not, the position describes a world
            that is made up.
    """

    likely: Mapping[str, float]
    worlds: int
    is_complete: bool
    is_consistent: bool


class SandboxBeliefs:
    """The beliefs of roles in matches with the same rules, computed in a separate process."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox

    @classmethod
    async def open(cls, text: str, name: str, pool: SandboxPool) -> SandboxBeliefs:
        """Read the rules, in either notation.

        Raises:
            SandboxError: The rules cannot be read within the limits.
        """
        sandbox = pool.sandbox()
        await _opened(sandbox, text, name)
        return cls(sandbox)

    async def after(
        self, role: str, turns: Sequence[SeenTurn], *, is_over: bool = False, match: str = ""
    ) -> BelievedPosition:
        """Return the position after `turns`. Each turn has the role's own move and its percepts.

        Args:
            match: Identifies one of several matches with the same rules.

        Raises:
            SandboxError: The limits were exceeded, or there is no such role.
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
