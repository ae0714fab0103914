"""Positions of matches as pages show them: a picture, and who may make what move."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from typing import Any

import gdl
from ggp.drawing import Artist
from ggp.errors import UnknownNameError
from ggp.manager.store import matches
from ggp.manager.store.database import Database
from ggp.manager.store.matches import Match, Turn
from ggp.match.rulebook import MachineRulebook, Rulebook
from ggp.sandbox import SandboxRulebook

MAX_KEPT = 8
"""Rulesheets whose rulebooks are kept; those of strangers are processes."""


class Positions:
    """Answers what can be seen in any turn of any match."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._books: OrderedDict[int, Rulebook] = OrderedDict()
        self._turn = asyncio.Lock()

    async def view(self, number: int, turn: int) -> dict[str, Any]:
        """The picture of a position, and the legal moves of each role.

        Raises:
            UnknownMatchError: There is no such match.
            UnknownNameError: It has no such turn.
            GgpError: Its rules cannot be evaluated.
        """
        async with self._database.reading() as session:
            match = await matches.find(session, number, with_rules=True)
            turns = await matches.turns_of(session, number)
        if turn >= len(turns):
            raise UnknownNameError("turn", str(turn), ())
        book = await self._book(match)
        position = await book.at(turns[turn].facts)
        legal = dict(zip(book.roles, position.legal, strict=False))
        return {
            "svg": _picture(match, turns, turn),
            "legal": {role: list(moves) for role, moves in legal.items()},
            "terminal": position.is_terminal,
        }

    async def close(self) -> None:
        """End the processes."""
        while self._books:
            await _close(self._books.popitem()[1])

    async def _book(self, match: Match) -> Rulebook:
        key = match.row.rulesheet_id
        async with self._turn:
            if key not in self._books:
                self._books[key] = await _open(match)
            self._books.move_to_end(key)
            while len(self._books) > MAX_KEPT:
                await _close(self._books.popitem(last=False)[1])
            return self._books[key]


def _picture(match: Match, turns: list[Turn], turn: int) -> str:
    game = match.row.game if match.is_bundled else ""
    artist = Artist(game, [one.facts for one in turns], match.row.roles)
    before = turns[turn - 1].facts if turn else None
    return artist.svg(turns[turn].facts, before)


async def _open(match: Match) -> Rulebook:
    if not match.is_bundled:
        return await SandboxRulebook.open(match.text, match.row.game)
    rules = await asyncio.to_thread(gdl.read_rules, match.text, match.row.game)
    machine = await asyncio.to_thread(gdl.load, rules, "interpreter")
    return MachineRulebook(machine, has_percepts=("sees", 2) in rules.definitions)


async def _close(book: Rulebook) -> None:
    if isinstance(book, SandboxRulebook):
        await book.close()
