"""Analysis of positions under any rules. It is limited, and separate from hints in matches."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from ggp.manager.errors import BusyError, WrongRequestError
from ggp.manager.hosting.position_search import Hint, PositionSearch
from ggp.match.referee import is_played
from ggp.sandbox import SandboxPool, position_questions
from ggp.sandbox.position_questions import MAX_TURNS

MAX_ASKED: Final = 8
"""Largest number of analyses that run or wait. Only one runs at a time."""
MAX_ROLES: Final = 8
"""Largest number of roles to search for when a request names no role."""
MAX_FORCED: Final = 100
"""Largest number of forced turns to make before the search."""


@dataclass(frozen=True, slots=True)
class PositionAnalysis:
    """The analysis of a position: the values of moves and roles, and the expected lines.

    Attributes:
        goals: The goal of each role, or None if the rules give none.
        forced: The next joint moves, up to the first turn in which a role has a choice.
        deciding: The roles that have a choice after the forced moves, including `random`.
        values: The goal that each role can expect, or None if the search did not cover the role.
        found: The search results by role.
    """

    is_terminal: bool
    goals: dict[str, int | None]
    forced: list[list[str]]
    deciding: list[str]
    values: dict[str, float | None]
    found: dict[str, Hint]


class Analyses:
    """The queue of analyses, which run one at a time in the order of the requests."""

    def __init__(self, editors: SandboxPool, search: PositionSearch) -> None:
        self._editors = editors
        self._search = search
        self._num_asked = 0
        self._turn = asyncio.Lock()

    async def analyze(
        self,
        rules: str,
        moves: Sequence[Sequence[str]],
        role: str | None,
        seconds: float,
        *,
        field: str = "text",
    ) -> PositionAnalysis:
        """Analyse the position after `moves`. Cancelling the call ends the search.

        Args:
            role: The role to search for. If None, search for each role that has a choice, and
                share the time equally.
            field: The name of the request field with the rules, for error messages.

        Raises:
            BusyError: There are too many requests, or there was no time to search.
            WrongRequestError: The game has hidden information, or the role has no choice.
        """
        if self._num_asked >= MAX_ASKED:
            raise BusyError(f"{MAX_ASKED} analyses are running or waiting; try again later")
        self._num_asked += 1
        try:
            asked = await self._position(rules, moves)
            if asked["hides"]:
                raise WrongRequestError(
                    f"{field}: this game has hidden information (rules for `sees`), and the search "
                    "would know everything; expected a game without `sees`"
                )
            moves = asked["moves"]  # as the rules spell the moves
            forced, then = await self._forced(rules, moves, asked)
            searched = _searched(then, role)
            async with self._turn:
                history = [*moves, *forced]
                found = {
                    one: await self._found(rules, one, history, seconds / len(searched))
                    for one in searched
                }
        finally:
            self._num_asked -= 1
        values = dict(then["goals"]) if then["is_terminal"] else dict.fromkeys(then["goals"])
        values |= {one: hint.value for one, hint in found.items()}
        return PositionAnalysis(
            is_terminal=asked["is_terminal"],
            goals=asked["goals"],
            forced=forced,
            deciding=then["deciding"],
            values={one: value for one, value in values.items() if is_played(one)},
            found=found,
        )

    async def _position(self, rules: str, moves: Sequence[Sequence[str]]) -> dict[str, Any]:
        return await self._editors.ask(position_questions.position, rules, moves)

    async def _forced(
        self, rules: str, moves: Sequence[Sequence[str]], position: dict[str, Any]
    ) -> tuple[list[list[str]], dict[str, Any]]:
        """Return the forced turns, and the position that they lead to."""
        forced: list[list[str]] = []
        most = min(MAX_FORCED, MAX_TURNS - len(moves))
        while not position["is_terminal"] and not position["deciding"] and len(forced) < most:
            joint = [legal[0] for legal in position["legal"].values() if legal]
            if len(joint) < len(position["legal"]):
                break
            forced.append(joint)
            position = await self._position(rules, [*moves, *forced])
        return forced, position

    async def _found(
        self, rules: str, role: str, history: Sequence[Sequence[str]], seconds: float
    ) -> Hint:
        hint = await self._search.search(rules, role, history, seconds)
        if not hint.is_searched:
            raise BusyError("there was no time to search; try again later, or with more seconds")
        return hint


def _searched(position: dict[str, Any], role: str | None) -> list[str]:
    able = [one for one in position["deciding"] if is_played(one)]
    if role is not None and role not in filter(is_played, position["legal"]):
        played = ", ".join(filter(is_played, position["legal"]))
        raise WrongRequestError(f"role: expected one of {played}, got {role}")
    if role is not None and able and role not in able:
        raise WrongRequestError(f"role: expected one that has a choice there ({', '.join(able)})")
    if role is None and len(able) > MAX_ROLES:
        raise WrongRequestError(
            f"role: {len(able)} roles have a choice there; expected one of them"
        )
    return [one for one in able if role in {None, one}]
