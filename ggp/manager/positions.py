"""Positions of matches as pages show them: a picture, and who may make what move."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import gdl
from ggp.boards.orders import find_orders
from ggp.drawing import PositionRenderer
from ggp.manager.problems import NotThereError
from ggp.manager.store import matches
from ggp.manager.store.database import Database
from ggp.manager.store.matches import Match
from ggp.manager.store.turn_texts import pages
from ggp.match.rulebook import MachineRulebook, Rulebook
from ggp.match.sample_positions import sample_positions
from ggp.sandbox import SandboxPool, SandboxRulebook

MAX_KEPT = 8
"""Rulesheets whose rulebooks are kept; those of strangers are processes."""
MAX_PICTURES = 300
MAX_BYTES_SEEN = 1 << 22
"""Of the states of a match from which is guessed what it looks like."""
MAX_SEEN = 1000
"""Positions from which is guessed what a game looks like, beside those of a match."""


class _Known:
    """A game that somebody looks at: its rules, and what its positions look like."""

    def __init__(self, game: str, text: str, book: Rulebook, seen: list[Sequence[str]]) -> None:
        self.book = book
        self._game = game
        self._orders = find_orders(text)
        self._turn = asyncio.Lock()
        self._seen = seen
        self.renderer = PositionRenderer(game, seen, book.roles, self._orders)

    async def drawn(
        self,
        facts: Sequence[str],
        before: Sequence[str] | None,
        others: Callable[[], Awaitable[list[Sequence[str]]]],
    ) -> str:
        """The picture of a state and of what changed in it; `others` gives states to learn from."""
        async with self._turn:
            if not self.renderer.knows(facts):
                states = await others()
                await asyncio.to_thread(self.learn, [*states, facts])
            return await asyncio.to_thread(
                self.renderer.svg, facts, before
            )  # half a second, at worst

    def learn(self, states: list[Sequence[str]]) -> None:
        """Draw all positions so that these fit in."""
        self._seen = [*self._seen[:MAX_SEEN], *states]
        self.renderer = PositionRenderer(self._game, self._seen, self.book.roles, self._orders)


class Positions:
    """Answers what can be seen in any turn of any match."""

    def __init__(self, database: Database, sandboxes: SandboxPool) -> None:
        self._database = database
        self._sandboxes = sandboxes
        self._games: OrderedDict[int, _Known] = OrderedDict()
        self._pictures: dict[bytes, str] = {}
        self._turn = asyncio.Lock()

    async def view(self, number: int, turn: int) -> dict[str, Any]:
        """The picture of a position, and the legal moves of each role.

        Raises:
            UnknownMatchError: There is no such match.
            NotThereError: It has no such turn.
            GgpError: Its rules cannot be evaluated.
        """
        async with self._database.reading() as session:
            match = await matches.find(session, number, with_rules=True)
            turns = await matches.turns_of(session, number, max(0, turn - 1), turn)
        if not turns or turns[-1].number != turn:
            has = f"it has turns 0 to {match.num_turns}" if match.has_begun else "it has not begun"
            raise NotThereError(f"there is no turn {turn} in match {number}: {has}")
        known = await self._known(match)
        facts, before = turns[-1].facts, turns[0].facts if turn else None
        svg = await known.drawn(facts, before, lambda: self._states(number))
        position = await known.book.at(facts)
        legal = dict(zip(known.book.roles, position.legal, strict=False))
        return {
            "svg": svg,
            "legal": {role: list(moves) for role, moves in legal.items()},
            "terminal": position.is_terminal,
        }

    async def _states(self, number: int) -> list[Sequence[str]]:
        """The states of a match, as many as are worth learning from."""
        states: list[Sequence[str]] = []
        size = 0
        async for page in pages(self._database, number):
            states += [json.loads(turn.facts) for turn in page]
            size += sum(turn.size for turn in page)
            if size > MAX_BYTES_SEEN or len(states) > MAX_SEEN:
                break
        return states

    async def first_picture(self, game: str, text: str, *, is_bundled: bool) -> str:
        """The first position of a game.

        Raises:
            GgpError: Its rules cannot be evaluated.
        """
        key = hashlib.sha256(f"{game}\0{text}".encode()).digest()
        if key not in self._pictures:
            if len(self._pictures) >= MAX_PICTURES:
                self._pictures.clear()
            self._pictures[key] = await self._draw_first(game, text, is_bundled=is_bundled)
        return self._pictures[key]

    async def close(self) -> None:
        """End the processes."""
        while self._games:
            await _close(self._games.popitem()[1].book)

    async def _known(self, match: Match) -> _Known:
        key = match.row.rulesheet_id
        async with self._turn:
            if key not in self._games:
                game = match.row.game
                book = await self._open(game, match.text, is_bundled=match.is_bundled)
                view = game if match.is_bundled else ""
                try:
                    seen = await sample_positions(book)
                    known = await asyncio.to_thread(_Known, view, match.text, book, seen)
                except BaseException:
                    await _close(book)
                    raise
                self._games[key] = known
            self._games.move_to_end(key)
            while len(self._games) > MAX_KEPT:
                await _close(self._games.popitem(last=False)[1].book)
            return self._games[key]

    async def _draw_first(self, game: str, text: str, *, is_bundled: bool) -> str:
        book = await self._open(game, text, is_bundled=is_bundled)
        try:
            seen = await sample_positions(book)
        finally:
            await _close(book)
        view = game if is_bundled else ""
        known = await asyncio.to_thread(_Known, view, text, book, seen)

        async def others() -> list[Sequence[str]]:
            return seen

        return await known.drawn(seen[0], None, others)

    async def _open(self, game: str, text: str, *, is_bundled: bool) -> Rulebook:
        if not is_bundled:
            return await SandboxRulebook.open(text, game, self._sandboxes)
        rules = await asyncio.to_thread(gdl.read_rules, text, game)
        machine = await asyncio.to_thread(gdl.load, rules, "interpreter")
        return MachineRulebook(machine, has_percepts=("sees", 2) in rules.definitions)


async def _close(book: Rulebook) -> None:
    if isinstance(book, SandboxRulebook):
        await book.close()
