"""Positions of matches as shown on pages: pictures, legal moves, beliefs and reasons."""

from __future__ import annotations

import asyncio
import hashlib
import itertools
import json
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from ggp.boards.plain_names import read_names
from ggp.drawing import PositionRenderer
from ggp.manager.domain.rights import VisibleMatch, sight_of
from ggp.manager.errors import ConflictError, NotThereError
from ggp.manager.hosting.match_table import OpenRules
from ggp.manager.store import matches
from ggp.manager.store.database import Database
from ggp.manager.store.matches import PlayedTurn
from ggp.manager.store.tables import MatchRow, RulesheetRow
from ggp.manager.store.turns import pages
from ggp.match.rulebook import sample_positions
from ggp.naming.move_names import MoveNames, forms_of
from ggp.sandbox import BelievedPosition, SandboxBeliefs, SandboxPool, position_questions

MAX_BELIEVERS = 8
"""Largest number of processes that compute beliefs."""
PROCESSES_EACH = 2
"""Largest number of processes per game. All matches of the game share them."""
MAX_POSITIONS = 2000
Seen = tuple[tuple[str, tuple[str, ...]], ...]
"""A role's own move and its percepts, for each turn."""
MAX_KEPT = 8
"""Number of rulebooks to keep. For uploaded rules, a rulebook is a process."""
MAX_PICTURES = 300
MAX_NAMED: Final = 200
"""Largest number of turns whose moves one request names."""
MAX_BYTES_SEEN = 1 << 22
"""Largest size of the states of a match that are used to work out the game's picture."""
MAX_SEEN = 1000
"""Number of positions, besides those of a match, that are used to work out a game's picture."""


@dataclass(slots=True)
class _Believer:
    """A process that computes beliefs, one request at a time."""

    turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    beliefs: SandboxBeliefs | None = None


class MatchBeliefs:
    """The beliefs of roles in matches. They contain only what a role could work out itself.

    Matches of the same rules share processes, which continue each belief from its latest turn.
    """

    def __init__(self, sandboxes: SandboxPool) -> None:
        self._sandboxes = sandboxes
        self._believers: OrderedDict[tuple[int, int], _Believer] = OrderedDict()
        self._found: OrderedDict[tuple[int, str, Seen, bool], BelievedPosition] = OrderedDict()

    async def after(
        self, match: MatchRow, sight: VisibleMatch, turns: Sequence[PlayedTurn], *, is_over: bool
    ) -> BelievedPosition:
        """Return what the role of `sight` knows of the position after `turns`.

        Args:
            turns: All turns from the first one, with or without START.
            is_over: Whether the game has ended after `turns`. All roles learn that.
        """
        own = sight.role_index
        seen = tuple((one.moves[own], one.percepts[own]) for one in turns if one.number > 0)
        key = (match.id, sight.role, seen, is_over)
        believer = self._believers.setdefault(
            (match.rulesheet.id, match.id % PROCESSES_EACH), _Believer()
        )
        async with believer.turn:
            if key not in self._found:
                beliefs = await self._opened(believer, match)
                name = str(match.id)
                found = await beliefs.after(sight.role, seen, is_over=is_over, match=name)
                self._found[key] = found
                while len(self._found) > MAX_POSITIONS:
                    self._found.popitem(last=False)
            return self._found[key]

    async def close(self) -> None:
        """End the processes."""
        while self._believers:
            _, believer = self._believers.popitem()
            if believer.beliefs is not None:
                await believer.beliefs.close()

    async def _opened(self, believer: _Believer, match: MatchRow) -> SandboxBeliefs:
        if believer.beliefs is None:
            rules = match.rulesheet
            believer.beliefs = await SandboxBeliefs.open(rules.text, rules.name, self._sandboxes)
        self._believers.move_to_end((match.rulesheet.id, match.id % PROCESSES_EACH))
        idle = [key for key, one in self._believers.items() if not one.turn.locked()]
        for key in idle[: max(0, len(self._believers) - MAX_BELIEVERS)]:
            gone = self._believers.pop(key)
            if gone.beliefs is not None:
                await gone.beliefs.close()
        return believer.beliefs


@dataclass(frozen=True, slots=True)
class ShownPosition:
    """A position as a page shows it."""

    svg: str
    legal: dict[str, tuple[str, ...]]
    readable: dict[str, list[str]]
    """Readable names of the legal moves."""
    is_terminal: bool
    belief: BelievedPosition | None = None
    """What the role knows of the position. None if it knows everything."""


@dataclass(frozen=True, slots=True)
class NamedTurn:
    """Readable names of the moves of a turn, in role order. None stands for a hidden move."""

    number: int
    moves: list[str | None]


NOT_SHOWN = ShownPosition("", {}, {}, is_terminal=False)
"""The position to show if the real one is hidden from spectators."""


class _Known:
    def __init__(
        self, rules: OpenRules, seen: list[Sequence[str]], legal: Sequence[Sequence[str]]
    ) -> None:
        self.rules = rules
        self._names = MoveNames.of_states(
            seen,
            forms_of(rules.kif),
            rules.sheet.text,
            itertools.chain(*legal),
            rules.rulebook.roles,
        )
        self._view = rules.sheet.name if rules.sheet.is_bundled else ""
        self._place_names = read_names(rules.sheet.text)
        self._turn = asyncio.Lock()
        self._sampled = seen
        self._seen = seen
        self._plain = self._make_renderer(seen)
        """A renderer that knows nothing of what happened in matches."""
        self.renderer = self._plain

    async def drawn(
        self,
        facts: Sequence[str],
        before: Sequence[str] | None,
        others: Callable[[], Awaitable[list[Sequence[str]]]],
    ) -> str:
        async with self._turn:
            if not self.renderer.knows(facts):
                states = await others()
                await asyncio.to_thread(self.learn, [*states, facts])
            # This takes at most half a second.
            return await asyncio.to_thread(self.renderer.svg, facts, before)

    async def drawn_belief(self, belief: BelievedPosition) -> str:
        """Return a picture of what a role knows. It does not depend on earlier pictures."""
        certain = [fact for fact, share in belief.likely.items() if share >= 1]
        possible = {fact: share for fact, share in belief.likely.items() if share < 1}

        def draw() -> str:
            renderer = self._plain
            if not renderer.knows(belief.likely):
                renderer = self._make_renderer([*self._sampled, list(belief.likely)])
            return renderer.svg(certain, None, possible)

        async with self._turn:
            return await asyncio.to_thread(draw)

    async def named(
        self, legal: Mapping[str, Sequence[str]], facts: Sequence[str]
    ) -> dict[str, list[str]]:
        """Return readable names of moves, using only the given facts."""

        def write() -> dict[str, list[str]]:
            names = {role: self._names.write(moves, facts) for role, moves in legal.items()}
            return {role: [names[role][move] for move in moves] for role, moves in legal.items()}

        return await asyncio.to_thread(write)

    async def named_turns(
        self, turns: Sequence[PlayedTurn], first: int, sight: VisibleMatch
    ) -> list[NamedTurn]:
        """Return readable names of the moves from turn `first` on, as far as `sight` allows.

        Args:
            turns: The turn before `first`, then the turns to name, in order.
        """

        def write() -> list[NamedTurn]:
            return [
                NamedTurn(turn.number, self._move_names(turn, before, sight))
                for before, turn in itertools.pairwise(turns)
                if turn.number >= first
            ]

        return await asyncio.to_thread(write)

    def _move_names(
        self, turn: PlayedTurn, before: PlayedTurn, sight: VisibleMatch
    ) -> list[str | None]:
        facts = before.facts if sight.is_whole else ()
        return [
            self._names.write([move], facts)[move] if sight.is_whole or role == sight.role else None
            for role, move in zip(self.rules.rulebook.roles, turn.moves, strict=True)
        ]

    async def drawn_first(self) -> str:
        async with self._turn:
            return await asyncio.to_thread(self.renderer.svg, self._seen[0], None)

    def learn(self, states: list[Sequence[str]]) -> None:
        self._seen = [*self._seen[:MAX_SEEN], *states]
        self.renderer = self._make_renderer(self._seen)

    def _make_renderer(self, states: list[Sequence[str]]) -> PositionRenderer:
        return PositionRenderer(self._view, states, self.rules.rulebook.roles, self._place_names)


class Positions:
    """The positions of all matches, as each viewer may see them."""

    def __init__(self, database: Database, sandboxes: SandboxPool, beliefs: MatchBeliefs) -> None:
        self._database = database
        self._sandboxes = sandboxes
        self._beliefs = beliefs
        self._games: OrderedDict[int, _Known] = OrderedDict()
        self._pictures: dict[bytes, str] = {}
        self._turn = asyncio.Lock()

    async def view(self, number: int, turn: int, key: str = "") -> ShownPosition:
        """Return the picture and legal moves of a position, as far as the caller may see them."""
        async with self._database.reading() as session:
            match = await matches.find(session, number, with_rules=True)
            turns = await matches.turns_of(session, number, max(0, turn - 1), turn)
        if not turns or turns[-1].number != turn:
            raise NotThereError(f"there is no turn {turn} in match {number}: {match.known_turns}")
        sight = sight_of(match, key)
        if not sight.is_whole:
            return await self._seen_by(sight, match, turns[-1])
        known = await self._known(match.rulesheet)
        facts, before = turns[-1].facts, turns[0].facts if turn else None
        svg = await known.drawn(facts, before, lambda: self._states(number))
        book = known.rules.rulebook
        position = await book.at(facts)
        legal = dict(zip(book.roles, position.legal, strict=False))
        names = await known.named(legal, facts)
        return ShownPosition(svg, legal, names, position.is_terminal)

    async def names(self, number: int, first: int, key: str = "") -> list[NamedTurn]:
        """Return readable names of the moves of `MAX_NAMED` turns, as far as the caller sees them.

        Args:
            first: Number of the first of these turns, at least 1.
        """
        async with self._database.reading() as session:
            match = await matches.find(session, number, with_rules=True)
            turns = await matches.turns_of(session, number, first - 1, first - 1 + MAX_NAMED)
        known = await self._known(match.rulesheet)
        return await known.named_turns(turns, first, sight_of(match, key))

    async def _seen_by(
        self, sight: VisibleMatch, match: MatchRow, turn: PlayedTurn
    ) -> ShownPosition:
        if not sight.role:
            if turn.number > 0:
                return NOT_SHOWN
            first = await self.first_picture(match.rulesheet)
            return ShownPosition(first, {}, {}, is_terminal=False)
        turns = await self._database.read(matches.turns_of, match.id, 1, turn.number)
        known = await self._known(match.rulesheet)
        position = await known.rules.rulebook.at(turn.facts)
        belief = await self._beliefs.after(match, sight, turns, is_over=position.is_terminal)
        svg = await known.drawn_belief(belief)
        legal = {sight.role: position.legal[sight.role_index] if position.legal else ()}
        names = await known.named(legal, ())
        return ShownPosition(svg, legal, names, position.is_terminal, belief)

    async def _states(self, number: int) -> list[Sequence[str]]:
        states: list[Sequence[str]] = []
        size = 0
        async for page in pages(self._database, number):
            states += [json.loads(turn.facts) for turn in page]
            size += sum(turn.size for turn in page)
            if size > MAX_BYTES_SEEN or len(states) > MAX_SEEN:
                break
        return states

    async def first_picture(self, sheet: RulesheetRow) -> str:
        """Return the picture of the first position of a game."""
        key = hashlib.sha256(f"{sheet.name}\0{sheet.text}".encode()).digest()
        if key not in self._pictures:
            if len(self._pictures) >= MAX_PICTURES:
                self._pictures.clear()
            self._pictures[key] = await self._draw_first(sheet)
        return self._pictures[key]

    async def close(self) -> None:
        """End the processes."""
        await self._beliefs.close()
        while self._games:
            await self._games.popitem()[1].rules.close()

    async def _known(self, sheet: RulesheetRow) -> _Known:
        async with self._turn:
            if sheet.id not in self._games:
                rules = await OpenRules.open(sheet, self._sandboxes)
                try:
                    self._games[sheet.id] = await _looked_at(rules)
                except BaseException:
                    await rules.close()
                    raise
            self._games.move_to_end(sheet.id)
            while len(self._games) > MAX_KEPT:
                await self._games.popitem(last=False)[1].rules.close()
            return self._games[sheet.id]

    async def _draw_first(self, sheet: RulesheetRow) -> str:
        rules = await OpenRules.open(sheet, self._sandboxes)
        try:
            known = await _looked_at(rules)
        finally:
            await rules.close()
        return await known.drawn_first()


async def _looked_at(rules: OpenRules) -> _Known:
    seen = await sample_positions(rules.rulebook)
    return await asyncio.to_thread(_Known, rules, seen, (await rules.rulebook.first()).legal)


class Reasons:
    """Explanations of facts. They may name any fact, so callers must see the whole match."""

    def __init__(self, database: Database, sandboxes: SandboxPool) -> None:
        self._database = database
        self._sandboxes = sandboxes

    async def why(
        self, number: int, turn: int, fact: str, *, depth: int, key: str = ""
    ) -> dict[str, Any]:
        """Explain why a fact holds after a turn of a match or does not, as the lines of a tree.

        Facts that depend on moves, such as `next`, refer to the moves of the following turn.

        Args:
            key: The key of the caller's seat. Empty for a spectator.
        """
        async with self._database.reading() as session:
            match = await matches.find(session, number, with_rules=True)
            if not sight_of(match, key).is_whole:
                raise ConflictError(
                    f"match {number} has hidden information; "
                    "its positions are explained when it is over"
                )
            if not match.has_begun or turn > match.num_turns:
                raise NotThereError(f"there is no turn {turn} in match {number}")
            moves = await matches.moves_of(session, number, turn + 1)
            text = match.rulesheet.text
        following = moves[turn] if len(moves) > turn else None
        return await self._sandboxes.ask(
            position_questions.why, text, fact, moves[:turn], following, depth=depth, are_legal=True
        )
