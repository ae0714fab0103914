"""The games that can be played here: those that came with the program, and those added since."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ggp import games
from ggp.manager.store import rulesheets

if TYPE_CHECKING:
    from ggp.manager.service import Service


MAX_COMMENT = 300
"""Characters of a comment that are shown."""


@dataclass(frozen=True, slots=True)
class CatalogueEntry:
    """A game, as far as it is known without reading its rules."""

    name: str
    title: str
    roles: tuple[str, ...]
    """Empty for games that were added; they are read when somebody wants to play."""
    rules: str
    """In a sentence or two."""
    is_bundled: bool


async def all_games(service: Service) -> list[CatalogueEntry]:
    """The catalogue in its own order, then what was added, by name."""
    bundled = [
        CatalogueEntry(game.name, game.title, game.roles, game.rules, is_bundled=True)
        for game in games.catalogue().values()
    ]
    async with service.database.reading() as session:
        texts = {row.name: row.text for row in reversed(await rulesheets.custom(session))}
    return bundled + [
        CatalogueEntry(name, name, (), first_comment(text), is_bundled=False)
        for name, text in sorted(texts.items())
    ]


def first_comment(text: str) -> str:
    r"""The text of the comment with which a rulesheet begins; empty if it has none.

    >>> first_comment("; Count down\n;; from 3.\n(role player) ; alone")
    'Count down from 3.'
    """
    lines = itertools.takewhile(lambda line: line.startswith(";"), text.strip().splitlines())
    return " ".join(line.strip("; \t") for line in lines).strip()[:MAX_COMMENT]
