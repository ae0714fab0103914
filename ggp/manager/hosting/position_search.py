"""Short searches of positions, each in its own engine process: hints in matches, and analyses.

A hint is for a person in a match. An analysis is for a position of any rules. Analyses have a queue
of their own, and its length is limited.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from ggp.clock import Deadline
from ggp.engine import EngineConfig, EnginePool, EngineSetup, MatchEngine, MoveOrigin
from ggp.manager.errors import BusyError, ConflictError, WrongRequestError
from ggp.manager.hosting.match_table import NUM_WARM, MatchTables
from ggp.manager.hosting.page_seat import PageSeat
from ggp.manager.store import matches
from ggp.manager.store.database import Database, finite
from ggp.match.referee import is_played
from ggp.processes.tasks import cancel
from ggp.sandbox import SandboxPool, position_questions
from ggp.sandbox.position_questions import MAX_TURNS

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
MAX_ASKED: Final = 8
"""Largest number of analyses that run or wait. Only one runs at a time."""
MAX_ROLES: Final = 8
"""Largest number of roles to search for when a request names no role."""
MAX_FORCED: Final = 100
"""Largest number of forced turns to make before the search."""
SEARCHED: Final = {MoveOrigin.SEARCH, MoveOrigin.BEST_SO_FAR, MoveOrigin.ONLY_MOVE}


@dataclass(frozen=True, slots=True)
class Hint:
    """The result of a search."""

    move: str
    value: float | None
    """The expected goal, from 0 to 100. None if the search does not report it."""
    thoughts: Mapping[str, Any] = field(default_factory=dict)
    """Everything that the search reported, in the format of `ggp.players.thoughts`."""
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

        Raises:
            BusyError: There was no time to search, so any move would be arbitrary.
        """
        await self._pool.start_once(NUM_WARM)
        setup = EngineSetup(rules, role, seconds)
        # The engine uses all of this time. Once prepared, it searches the first position.
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
        if choice.origin not in SEARCHED:
            raise BusyError("there was no time to search; try again later, or allow more seconds")
        value = choice.search_info.get("value")
        expected = float(value) if isinstance(value, (int, float)) else None
        thoughts = finite(dict(choice.search_info))
        return Hint(choice.move, expected, thoughts, reasoner)


class Hints:
    """Hints for people. Only one search runs at a time, because it slows running matches down."""

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
                    f"{field}: this game has hidden information (rules for `sees`), but the "
                    "search would know everything; only games without `sees` can be analysed"
                )
            moves = asked["moves"]  # as the rules spell the moves
            forced, then = await self._forced(rules, moves, asked)
            searched = _searched(then, role)
            async with self._turn:
                history = [*moves, *forced]
                found = {
                    one: await self._search.search(rules, one, history, seconds / len(searched))
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
        """Return the joint moves of the forced turns, and the position after them."""
        forced: list[list[str]] = []
        most = min(MAX_FORCED, MAX_TURNS - len(moves))
        while not position["is_terminal"] and not position["deciding"] and len(forced) < most:
            joint = [legal[0] for legal in position["legal"].values() if legal]
            if len(joint) < len(position["legal"]):
                break
            forced.append(joint)
            position = await self._position(rules, [*moves, *forced])
        return forced, position


def _searched(position: dict[str, Any], role: str | None) -> list[str]:
    able = [one for one in position["deciding"] if is_played(one)]
    if role is not None and role not in filter(is_played, position["legal"]):
        played = ", ".join(filter(is_played, position["legal"]))
        raise WrongRequestError(f"role: expected one of {played}, got {role}")
    if role is not None and able and role not in able:
        raise WrongRequestError(
            "role: expected a role that has a choice in this position "
            f"({', '.join(able)}), got {role}"
        )
    if role is None and len(able) > MAX_ROLES:
        raise WrongRequestError(
            f"role: expected one of the {len(able)} roles that have a choice in this "
            "position, got none"
        )
    return [one for one in able if role in {None, one}]
