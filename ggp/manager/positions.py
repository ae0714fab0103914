"""Positions of matches as pages show them: a picture, and who may make what move."""

from __future__ import annotations

import asyncio
import hashlib
import random
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
MAX_PICTURES = 300
NUM_LOOKED_AT = 12
"""Positions from which is guessed what a game looks like."""


class Positions:
    """Answers what can be seen in any turn of any match."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._books: OrderedDict[int, Rulebook] = OrderedDict()
        self._pictures: dict[bytes, str] = {}
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

    async def first_picture(self, game: str, text: str, *, is_bundled: bool) -> str:
        """The first position of a game.

        Raises:
            GgpError: Its rules cannot be evaluated.
        """
        key = hashlib.sha256(f"{game}\0{text}".encode()).digest()
        if key not in self._pictures:
            if len(self._pictures) >= MAX_PICTURES:
                self._pictures.clear()
            self._pictures[key] = await _draw_first(game, text, is_bundled=is_bundled)
        return self._pictures[key]

    async def close(self) -> None:
        """End the processes."""
        while self._books:
            await _close(self._books.popitem()[1])

    async def _book(self, match: Match) -> Rulebook:
        key = match.row.rulesheet_id
        async with self._turn:
            if key not in self._books:
                self._books[key] = await _open(
                    match.row.game, match.text, is_bundled=match.is_bundled
                )
            self._books.move_to_end(key)
            while len(self._books) > MAX_KEPT:
                await _close(self._books.popitem(last=False)[1])
            return self._books[key]


def _picture(match: Match, turns: list[Turn], turn: int) -> str:
    game = match.row.game if match.is_bundled else ""
    artist = Artist(game, [one.facts for one in turns], match.row.roles)
    before = turns[turn - 1].facts if turn else None
    return artist.svg(turns[turn].facts, before)


async def _draw_first(game: str, text: str, *, is_bundled: bool) -> str:
    """Some moves are made, to see what may stand on the board later."""
    book = await _open(game, text, is_bundled=is_bundled)
    try:
        luck = random.Random(0)
        position = await book.first()
        states = [position.facts]
        while not position.is_terminal and all(position.legal) and len(states) < NUM_LOOKED_AT:
            moves = [luck.choice(legal) for legal in position.legal]
            position = await book.after(position.facts, moves)
            states.append(position.facts)
    finally:
        await _close(book)
    artist = Artist(game if is_bundled else "", states, book.roles)
    return artist.svg(states[0])


async def _open(game: str, text: str, *, is_bundled: bool) -> Rulebook:
    if not is_bundled:
        return await SandboxRulebook.open(text, game)
    rules = await asyncio.to_thread(gdl.read_rules, text, game)
    machine = await asyncio.to_thread(gdl.load, rules, "interpreter")
    return MachineRulebook(machine, has_percepts=("sees", 2) in rules.definitions)


async def _close(book: Rulebook) -> None:
    if isinstance(book, SandboxRulebook):
        await book.close()
