"""The games that can be played on the manager: the bundled ones and those added later."""

from __future__ import annotations

import asyncio
import itertools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import gdl
from ggp import games
from ggp.clock import milliseconds_since_1970
from ggp.manager.errors import ConflictError, WrongRequestError
from ggp.manager.store import rulesheets
from ggp.manager.store.database import Database
from ggp.manager.store.tables import RulesheetRow
from ggp.sandbox import SandboxPool, SandboxRulebook, questions

MAX_COMMENT = 300
"""Longest part of a comment to show, in characters."""
SEES = re.compile(r"^[^;\r\n]*\(\s*sees\s", re.MULTILINE | re.IGNORECASE)
"""Matches a `sees` atom in a line of rules, outside comments."""


@dataclass(frozen=True, slots=True)
class CatalogueEntry:
    """A game, with the information that is available without loading its rules."""

    name: str
    title: str
    roles: tuple[str, ...]
    """Empty for added games, whose rules are read only when a match is set up."""
    rules: str
    """A description in one or two sentences."""
    is_bundled: bool
    hides: bool
    """Whether the rules mention `sees`, so that the game probably hides information (GDL-II)."""

    @property
    def program(self) -> str:
        """The built-in player that is suggested as an opponent in the game."""
        return "hidden" if self.hides else "mcts"


class Catalogue:
    """All games and their rules. Added rulesheets are untrusted, so they are read in sandboxes."""

    def __init__(self, database: Database, sandboxes: SandboxPool, editors: SandboxPool) -> None:
        self._database = database
        self._sandboxes = sandboxes
        self._editors = editors

    async def entries(self) -> list[CatalogueEntry]:
        """Return the bundled games in catalogue order, then the added games sorted by name."""
        bundled = [
            CatalogueEntry(
                *(game.name, game.title, game.roles, game.rules),
                is_bundled=True,
                hides=_speaks_of_sees(games.text(game.name)),
            )
            for game in games.catalogue().values()
        ]
        async with self._database.reading() as session:
            texts = {row.name: row.text for row in reversed(await rulesheets.custom(session))}
        return bundled + [
            CatalogueEntry(
                *(name, name, (), first_comment(text)),
                is_bundled=False,
                hides=_speaks_of_sees(text),
            )
            for name, text in sorted(texts.items())
        ]

    async def add(self, name: str, text: str, *, with_errors: bool = False) -> int:
        """Store a rulesheet under a name and return its number. Refuse one that cannot be played.

        Args:
            with_errors: Whether to accept errors that do not prevent playing.
        """
        if name in games.names():
            raise ConflictError(f"{name} is a bundled game; choose another name")
        book = await SandboxRulebook.open(text, name, self._editors)
        await book.close()
        if not with_errors:
            _check_sound(await self._editors.ask(questions.check, text))
        async with self._database.writing() as session:
            number = await rulesheets.keep(session, name, text, milliseconds_since_1970())
            await rulesheets.prefer(session, number)
        return number

    async def rules_of(self, game: str) -> RulesheetRow:
        """Return the rules of a game. If it is not bundled, read them from the database."""
        row = None
        if game not in games.names():
            row = await self._database.read(rulesheets.latest, game)
        # If there is no such game, `games.text` raises an error that suggests similar names.
        return row or RulesheetRow(name=game, text=games.text(game), is_bundled=True)

    async def roles_of(self, game: str) -> tuple[str, ...]:
        """Return all roles of a game, including `random`."""
        if game in games.catalogue():
            return games.catalogue()[game].roles
        rules = await self.rules_of(game)
        book = await SandboxRulebook.open(rules.text, game, self._sandboxes)
        await book.close()
        return book.roles

    async def hides(self, rules: RulesheetRow) -> bool:
        """Return whether the rules hide information from roles (GDL-II)."""
        if rules.is_bundled:
            return await asyncio.to_thread(_hides_bundled, rules.name)
        book = await SandboxRulebook.open(rules.text, rules.name, self._sandboxes)
        await book.close()
        return book.has_percepts

    async def statistics_of(self, game: str) -> dict[str, object]:
        """Return statistics of random playouts of a game."""
        rules = await self.rules_of(game)
        return await self._sandboxes.ask(questions.statistics, rules.text)


def _check_sound(findings: Sequence[Mapping[str, Any]]) -> None:
    errors = [one for one in findings if one["severity"] == str(gdl.Severity.ERROR)]
    if errors:
        first, rest = errors[0], len(errors) - 1
        more = f", and {rest} more" if rest else ""
        raise WrongRequestError(
            f"with_errors: line {first['line']}, column {first['column']}: "
            f"{first['message']}{more}; correct the rules, or send true to store them as they are"
        )


@cache
def _hides_bundled(game: str) -> bool:
    return gdl.read_rules(games.text(game), game).has_percepts


@cache
def _speaks_of_sees(text: str) -> bool:
    return SEES.search(text) is not None


def first_comment(text: str) -> str:
    r"""Return the comment at the beginning of a rulesheet, or an empty string if it has none.

    >>> first_comment("; Count down\n;; from 3.\n(role player) ; alone")
    'Count down from 3.'
    """
    lines = itertools.takewhile(
        lambda line: line.startswith(";"), gdl.with_line_feeds(text).strip().split("\n")
    )
    return " ".join(line.strip("; \t\r") for line in lines).strip()[:MAX_COMMENT]
