"""The games that can be played here: those that came with the program, and those added since."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ggp import games
from ggp.manager.store import rulesheets

if TYPE_CHECKING:
    from ggp.manager.service import Service


@dataclass(frozen=True, slots=True)
class CatalogueEntry:
    """What is known of a game without reading its rules."""

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
        names = {row.name for row in await rulesheets.custom(session)}
    return bundled + [
        CatalogueEntry(name, name, (), "", is_bundled=False) for name in sorted(names)
    ]
