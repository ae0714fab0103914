"""Rules of games: bundled rules, and rules that clients have loaded, which run in sandboxes."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

import gdl
from ggp import games
from ggp.boards.plain_names import read_names
from ggp.boards.state_view import StateView
from ggp.drawing import PositionRenderer
from ggp.errors import GameNotFoundError
from ggp.match.referee import is_played
from ggp.match.rulebook import MachineRulebook, Position, Rulebook, sample_positions
from ggp.mcp_server.bounds import MAX_RULES_BYTES, ServerBounds
from ggp.mcp_server.refusals import Code, RefusalError, refusing
from ggp.naming.move_names import MoveNames, forms_of
from ggp.sandbox import SandboxPool, SandboxRulebook, questions

SAMPLE_SECONDS: Final = 1.0
TEXT_WIDTH: Final = 78


class GameLooks:
    """Presentation of a game: positions as text and pictures, and names of moves."""

    def __init__(
        self, states: list[Sequence[str]], rules: KnownRules, moves: Collection[str]
    ) -> None:
        self._states = states
        self._rules = rules
        self._place_names = read_names(rules.text)
        self._text = StateView(states, TEXT_WIDTH, self._place_names)
        self._renderer = self._make_renderer(states)
        self._turn = asyncio.Lock()
        forms = forms_of(rules.kif)
        self.names = MoveNames.of_states(states, forms, rules.text, moves, rules.roles)

    def lines(self, facts: Sequence[str], before: Sequence[str] | None) -> list[str]:
        """Return a position as lines of text. Mark where it differs from the position `before`."""
        return self._text.lines(facts, before)

    def belief_lines(self, likely: Mapping[str, float]) -> list[str]:
        """Return the belief of a role as lines of text."""
        view = StateView([*self._states, list(likely)], TEXT_WIDTH, self._place_names)
        return ["".join(piece.text for piece in line) for line in view.belief_pieces(likely)]

    async def svg(
        self,
        facts: Sequence[str],
        before: Sequence[str] | None = None,
        possible: Mapping[str, float] | None = None,
    ) -> str:
        """Return a picture of a position. `possible` contains more facts, which may be true."""
        async with self._turn:
            if not self._renderer.knows([*facts, *(possible or ())]):
                states = [*self._states, [*facts, *(possible or ())]]
                self._renderer = await asyncio.to_thread(self._make_renderer, states)
            return await asyncio.to_thread(self._renderer.svg, facts, before, possible or {})

    def _make_renderer(self, states: list[Sequence[str]]) -> PositionRenderer:
        bundled = self._rules.name if self._rules.is_bundled else ""
        return PositionRenderer(bundled, states, self._rules.roles, self._place_names)


class KnownRules:
    """The rules of one game.

    Attributes:
        handle: Handle of the rules for clients. A bundled game's handle is its name.
        text: The rules as written by the author.
        kif: The rules in prefix KIF without comments.
        book: Answers questions about states.
        first: The initial position.
    """

    def __init__(
        self, handle: str, name: str, text: str, book: Rulebook, kif: str, first: Position
    ) -> None:
        self.handle = handle
        self.name = name
        self.text = text
        self.kif = kif
        self.book = book
        self.first = first
        self.roles = tuple(book.roles)
        self.played = tuple(role for role in self.roles if is_played(role))
        self.has_percepts = book.has_percepts
        self.is_bundled = handle == name
        self.used = time.monotonic()
        self._looks: asyncio.Task[GameLooks] | None = None

    async def looks(self) -> GameLooks:
        """Return the presentation. It is computed on the first call."""
        if self._looks is None or (self._looks.done() and self._looks.exception()):
            self._looks = asyncio.create_task(self._find_looks())
        return await asyncio.shield(self._looks)

    async def _find_looks(self) -> GameLooks:
        states = await sample_positions(self.book, seconds=SAMPLE_SECONDS)
        moves = {move for row in self.first.legal for move in row}
        for facts in states[1:12]:
            moves |= {move for row in (await self.book.at(facts)).legal for move in row}
        return await asyncio.to_thread(GameLooks, states, self, moves)

    async def close(self) -> None:
        """End the process of the rules, if there is one."""
        if self._looks is not None:
            self._looks.cancel()
        if isinstance(self.book, SandboxRulebook):
            await self.book.close()


class RulesStore:
    """All rules that the server has loaded."""

    def __init__(self, sandboxes: SandboxPool, bounds: ServerBounds) -> None:
        self._sandboxes = sandboxes
        self._bounds = bounds
        self._known: dict[str, KnownRules] = {}
        self._turn = asyncio.Lock()

    async def find(self, handle: str) -> KnownRules:
        """Return the rules with the given handle, or the bundled game with that name.

        Raises:
            RefusalError: There are no such rules.
        """
        found = self._known.get(handle)
        if found is None:
            found = await self._bundled(handle)
        found.used = time.monotonic()
        return found

    async def check(self, text: str) -> list[dict[str, Any]]:
        """Return findings on rules with location and fix, within the limits of time and size."""
        num_bytes = len(text.encode("utf-8", "replace"))
        if num_bytes > MAX_RULES_BYTES:
            raise RefusalError(
                Code.LIMIT,
                f"text: expected rules of at most {MAX_RULES_BYTES:,} bytes, got {num_bytes:,}",
                "Define relations by rules with variables instead of listing facts.",
            )
        with refusing(Code.RULES, "Make the rules smaller, or limit what grows in them."):
            return await self._sandboxes.ask(questions.check, text, is_played=True)

    async def add(self, text: str, name: str) -> KnownRules:
        """Load rules that a client has written, and return them with a new handle.

        Raises:
            RefusalError: The rules cannot be played, or too many are loaded.
        """
        loaded = [one for one in self._known.values() if not one.is_bundled]
        if len(loaded) >= self._bounds.max_rules:
            oldest = min(loaded, key=lambda one: one.used)
            if time.monotonic() - oldest.used < self._bounds.spare_seconds:
                raise RefusalError(
                    Code.LIMIT,
                    f"{len(loaded)} rulesheets are loaded, and all are in use",
                    "Try again in a minute.",
                )
            await self.forget(oldest)
        with refusing(Code.RULES, "Correct the rules at the places that load_rules names."):
            book = await SandboxRulebook.open(text, name, self._sandboxes)
            try:
                first = await book.first()
            except BaseException:
                await book.close()
                raise
        handle = f"r-{secrets.token_urlsafe(9)}"
        known = KnownRules(handle, name, text, book, book.kif, first)
        self._known[handle] = known
        return known

    async def forget(self, rules: KnownRules) -> None:
        """Discard the given rules and end their process."""
        self._known.pop(rules.handle, None)
        await rules.close()

    async def forget_idle(self, in_use: Collection[KnownRules]) -> None:
        """Discard the rules that have been unused for too long and are not in `in_use`."""
        late = time.monotonic() - self._bounds.idle_seconds
        for rules in list(self._known.values()):
            if rules.used < late and rules not in in_use:
                await self.forget(rules)

    async def close(self) -> None:
        """Discard all rules."""
        while self._known:
            await self._known.popitem()[1].close()

    async def _bundled(self, name: str) -> KnownRules:
        async with self._turn:
            if name in self._known:
                return self._known[name]
            try:
                text = games.text(name)
            except GameNotFoundError as error:
                meant = " or ".join(error.suggestions)
                hint = f"; did you mean {meant}?" if meant else ""
                raise RefusalError(
                    Code.UNKNOWN,
                    f"there is no game {name!r:.60}{hint}",
                    "Call list_games for the bundled games, or load_rules for your own rules.",
                ) from None
            rules = await asyncio.to_thread(gdl.read_rules, text, name)
            machine = await asyncio.to_thread(gdl.load, rules, "interpreter")
            book = MachineRulebook(machine, has_percepts=rules.has_percepts)
            kif = " ".join(map(str, rules.forms))
            known = KnownRules(name, name, text, book, kif, await book.first())
            self._known[name] = known
            return known
