"""Versions of players: numbered, with a note and the log of their check. They can be restored."""

from __future__ import annotations

from urllib.parse import quote

from ggp.clock import milliseconds_since_1970
from ggp.manager.domain.players import PlayerRegistry
from ggp.manager.domain.rights import Caller
from ggp.manager.errors import ConflictError, WrongRequestError
from ggp.manager.store import entrants, messages, versions
from ggp.manager.store.database import Database
from ggp.manager.store.messages import About, News
from ggp.manager.store.tables import PlayerRow
from ggp.manager.store.versions import VersionRow


class Versions:
    """The versions of the registered players."""

    def __init__(self, database: Database, players: PlayerRegistry) -> None:
        self._database = database
        self._players = players

    async def listed(self, name: str, caller: Caller) -> list[VersionRow]:
        """Return the versions of a player, latest first, to its owner or a lecturer."""
        player = await self._owned(name, caller)
        return await self._database.read(versions.listed, player.id)

    async def add(
        self, name: str, source: str, dialect: str, note: str, caller: Caller
    ) -> VersionRow:
        """Add a version of a player from a source, and make it the current one."""
        player = await self._owned(name, caller)
        source = await self._players.checked_source(source, caller, player.name)
        row = VersionRow(source=source, dialect=dialect or player.dialect, note=note, problem="")
        return await self._store(player, row)

    async def upload(
        self, name: str, text: str, class_name: str, note: str, caller: Caller
    ) -> VersionRow:
        """Add a version of a player from a Python file, and make it the current one.

        A version whose check fails is kept with the reason. It does not become the current one.

        Args:
            class_name: The class that plays. Empty if the file has only one player.
        """
        player = await self._owned(name, caller)
        try:
            source = await self._players.uploads.keep(text, caller)
            source = f"{source}:{class_name}" if class_name else source
            source = await self._players.checked_source(source, caller, player.name)
        except WrongRequestError as error:
            _, _, problem = str(error).partition(": ")  # without the field of the API
            row = VersionRow(source="", dialect=player.dialect, note=note, problem=problem)
            await self._store(player, row)
            raise
        row = VersionRow(source=source, dialect=player.dialect, note=note, problem="")
        return await self._store(player, row)

    async def restore(self, name: str, number: int, caller: Caller) -> None:
        """Make an earlier version the current one."""
        player = await self._owned(name, caller)
        row = await self._database.read(versions.find, player, number)
        if not row.is_playable:
            raise ConflictError(f"version {number} of {name} failed its check: {row.problem}")
        self._players.check_source(row.source, f"version {number}")
        async with self._database.writing() as session:
            versions.use(await session.get_one(PlayerRow, player.id), row)
            await entrants.begin_anew(session, player.name, milliseconds_since_1970())

    async def _owned(self, name: str, caller: Caller) -> PlayerRow:
        player = await self._players.named(name, caller)
        caller.check_owns(player.owner_id, name)
        return player

    async def _store(self, player: PlayerRow, row: VersionRow) -> VersionRow:
        now = milliseconds_since_1970()
        async with self._database.writing() as session:
            current = await session.get_one(PlayerRow, player.id)
            if current.is_retired:
                raise ConflictError(f"{player.name} is retired; register it again")
            found = await versions.add(session, current, row, now)
            if row.is_playable:
                await entrants.begin_anew(session, player.name, now)
            elif player.owner_id is not None:
                subject = f"version {row.number} of player {player.id}"
                text = f"Version {row.number} of {player.name} failed its check"
                news = News(About.CHECK, subject, text, f"/players/{quote(player.name)}")
                await messages.tell(session, [player.owner_id], news, now)
            return found
