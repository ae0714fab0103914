"""Players that can take a seat: registered names, specs, addresses and uploaded files."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Final

from ggp.clock import milliseconds_since_1970
from ggp.errors import UnknownNameError, WrongUseError
from ggp.manager.config import AddressError, ManagerConfig
from ggp.manager.domain import names
from ggp.manager.domain.names import MAX_NAME
from ggp.manager.domain.rights import EVERYBODY, Caller, Right, Role
from ggp.manager.domain.uploads import Uploads
from ggp.manager.errors import ConflictError, NotAllowedError, WrongRequestError
from ggp.manager.store import accounts, entrants, players, versions
from ggp.manager.store.database import Database, Session
from ggp.manager.store.tables import PlayerRow, SeatRow, is_upload
from ggp.manager.store.versions import VersionRow
from ggp.players import registry
from ggp.players.options import PlayerSpecError
from ggp.protocol.addresses import check_apart, is_address, place
from ggp.protocol.dialects import GGP_BASE
from ggp.seating.local import PLAYERS
from ggp.submission.starter import Starter
from ggp.tournament.plan import Entrant

PERSON = "person"
"""The name that stands for a person instead of a player."""
MAX_OF_STUDENT: Final = 20
"""Largest number of active players per student."""
MAX_NAMES_OF_STUDENT: Final = 100
"""Largest number of a student's players, including retired ones, which keep their names."""


class RetiredError(WrongRequestError):
    """The player is retired."""


class PlayerRegistry:
    """The registered players, and the checks of all players that are to take a seat."""

    def __init__(self, database: Database, config: ManagerConfig, starter: Starter) -> None:
        self._database = database
        self._config = config
        self.uploads = Uploads(database, config.submissions, starter)

    async def register(
        self, name: str, source: str, dialect: str, caller: Caller = EVERYBODY
    ) -> PlayerRow:
        """Register a player, so that it can take a seat under its name.

        A student's player runs at an address or is an uploaded file. No two students may use the
        same address.
        """
        if is_address(name) or names.like(name, (PERSON,)):
            raise WrongRequestError(f"name: {name} has another meaning; choose another name")
        name = names.shown(name)
        if names.like(name.partition(":")[0], registry.names()):
            raise WrongRequestError(f"name: {name} is a built-in player; choose another name")
        source = await self.checked_source(source, caller, name)
        now = milliseconds_since_1970()
        async with self._database.writing() as session:
            if caller.owner is not None:
                await self._check_quota(session, name, caller.owner)
            await _check_unlike(session, name)
            await entrants.begin_anew(session, name, now)
            owners = () if caller.owner is None else (caller.owner, *caller.owners)
            row = await players.register(session, name, source, dialect, now, *owners)
            version = VersionRow(source=source, dialect=dialect, note="", problem="")
            await versions.add(session, row, version, now)
            return row

    async def checked_source(self, source: str, caller: Caller, name: str) -> str:
        """Check that the caller may register a player `name` with this source.

        Returns:
            The source, with the class of the player if it is a file.
        """
        if is_upload(source):
            return await self.uploads.checked_source(source, caller)
        if caller.may(Right.HOLD):
            self.check_source(source, "source")
        else:
            await self._check_students_source(source, caller)
        for row in await self._database.read(players.listed) if is_address(source) else ():
            if row.name != name and _is_at(row, source) and not caller.sees(row.owner_id):
                raise ConflictError(
                    f"source: another player is at {source:.100}; give your own address"
                )
        return source

    async def _check_students_source(self, source: str, caller: Caller) -> None:
        """Check that the source of a student's player is an address that students may use."""
        try:
            if is_address(source):
                self._config.check_students_address(source, "source")
                return
            self.check_source(source, "source")
            raise PlayerSpecError(
                "source: expected http://HOST:PORT of a running player, or the source "
                f"that POST /submissions returned, got {source!r:.100}"
            )
        except (AddressError, PlayerSpecError) as error:
            addresses = self._config.students_addresses()
            example = next(iter(addresses), "") or await self.uploads.example(caller)
            raise WrongRequestError(str(error), example) from error

    async def is_registered(self, name: str) -> bool:
        """Return whether a player is registered under this name, no matter who registered it."""
        return name in {row.name for row in await self._database.read(players.listed)}

    async def _check_quota(self, session: Session, name: str, owner: int) -> None:
        owned = [one.player for one in await players.owned(session, {owner})]
        rows = [row for row in owned if row.name != name]
        num_shown = sum(not row.is_retired for row in rows)
        if num_shown >= MAX_OF_STUDENT:
            raise ConflictError(f"you have {num_shown} players, the maximum; retire one first")
        if len(rows) >= MAX_NAMES_OF_STUDENT:
            raise ConflictError(
                f"you have used {len(rows)} names, the maximum; "
                "reuse the name of one of your retired players"
            )

    async def visible(self, caller: Caller) -> list[PlayerRow]:
        """Return the players that the caller may see: own and shared ones, or all for lecturers."""
        async with self._database.reading() as session:
            return [row for row in await players.listed(session) if caller.sees(row.owner_id)]

    async def named(self, name: str, caller: Caller) -> PlayerRow:
        """Return the player with this name, if the caller may see it."""
        rows = await self.visible(caller)
        for row in rows:
            if row.name == name:
                return row
        raise UnknownNameError("player", name, [row.name for row in rows])

    async def swap_of(self, name: str, hidden: Collection[int]) -> str:
        """Return how many matches the player completed with another file or address, as a text.

        The text also says when the last of them ended. It is empty if all were played with the
        current file or address. Matches of the tournaments in `hidden` do not count.
        """
        history = await self._database.read(players.history, name, hidden)
        return "" if history is None else history.swap

    async def retire(self, name: str, caller: Caller) -> None:
        """Retire a player. Its matches are kept."""
        caller.check_owns((await self.named(name, caller)).owner_id, name)
        await self._database.write(players.retire, name)

    async def check_seats(self, wanted: Iterable[str], caller: Caller) -> None:
        """Check that the caller may set up a match with these players.

        A student must play in person or use one of the student's own players. All other players
        must be shared or built in.
        """
        if caller.may(Right.HOLD):
            return
        wanted = list(wanted)
        known = {row.name: row for row in await self.visible(caller)}
        for player in wanted:
            if player in known or player == PERSON:
                continue
            if is_address(player) or registry.parse_spec(player).name not in registry.names():
                raise NotAllowedError(
                    f"players: {player:.100} is not yours; expected your own players, {PERSON}, "
                    f"or one of {', '.join([*known, *registry.names()])}; play other students' "
                    "players in tournaments, and other people through challenges"
                )
        own = {name for name, row in known.items() if caller.owns(row.owner_id)}
        if not own.intersection(wanted) and PERSON not in wanted:
            raise NotAllowedError(f"players: expected one of your own players, or {PERSON}")

    async def check_own(self, name: str, caller: Caller) -> None:
        """Check that the caller, as owner or lecturer, may enter or withdraw a player."""
        if not caller.may(Right.HOLD):
            caller.check_owns((await self.named(name, caller)).owner_id, name)

    async def check_entrant_of(self, entrant: Entrant, caller: Caller) -> None:
        """Check that the caller may enter a player. A student's player must keep its name."""
        await self.check_own(entrant.player, caller)
        if entrant.name != entrant.player and not caller.may(Right.HOLD):
            raise NotAllowedError(f"name: expected {entrant.player:.100}, the name of the player")

    def check_source(self, source: str, where: str) -> None:
        """Check that a source is an allowed address, an uploaded file or a built-in player."""
        if is_address(source):
            self._config.check_address(source, where)
            return
        if is_upload(source):
            self.uploads.submission(source, where)
            return
        name = registry.parse_spec(source).name
        if name not in registry.names():
            known = ", ".join(registry.names())
            raise PlayerSpecError(
                f"{where}: expected a registered player, http://HOST:PORT or one of {known}, "
                f"got {source!r:.100}{self._own_player_hint(name)}"
            )
        registry.check(source)
        for option, file in registry.files_of(source).items():
            self._config.check_file(file, f"{where}: option {option}")

    def check_still_allowed(self, row: PlayerRow, where: str) -> None:
        """Check a student's address again, because the allowed networks may have changed."""
        is_students = self._config.has_accounts and row.owner_id is not None
        if is_students and is_address(row.source):
            self._config.check_students_address(row.source, where)

    def _own_player_hint(self, name: str) -> str:
        is_file = ".py" in name
        if is_file and self._config.submissions is not None:
            return (
                "; upload the file first, on the page Players (My players for students) or with "
                "POST /api/v1/submissions, which answers with its source"
            )
        if not is_file and ":" not in name:
            near = UnknownNameError("player", name, registry.names()).suggestions
            return f"; did you mean {' or '.join(near)}?" if near else ""
        return (
            f"; for your own player, start it with `ggp serve --player {name}` and give its address"
        )

    async def entrant_source(self, player: str) -> str:
        """Return the source of a player for a tournament. People cannot take part."""
        if player == PERSON:
            raise WrongRequestError(
                "players: expected programs, because people cannot take part in a tournament"
            )
        return (await self.seat(player)).source

    async def seat(self, player: str, name: str = "", dialect: str = "") -> SeatRow:
        """Return a seat for a player in a match, without its role.

        Args:
            name: The player's name in this match. Empty to use `player`.
            dialect: The dialect in this match. Empty to use the registered one.
        """
        if player == PERSON:
            return SeatRow(player_name=PERSON, source="", dialect="")
        async with self._database.reading() as session:
            known = {row.name: row for row in await players.listed(session)}
            retired = set(await players.names(session)) - set(known)
        if player in retired and player.partition(":")[0] not in registry.names():
            raise RetiredError(f"players: {player:.100} is retired; choose another player")
        row = known.get(player)
        source = player if row is None else row.source
        self.check_source(source, "players")
        if row is not None:
            self.check_still_allowed(row, "players")
        return SeatRow(
            player_id=None if row is None else row.id,
            player_name=(name or player)[:MAX_NAME],
            source=source,
            dialect=dialect or (GGP_BASE if row is None else row.dialect),
            version=None if row is None else row.version,
        )


async def _check_unlike(session: Session, name: str) -> None:
    """Check that the name does not resemble that of an account or a player, retired or not."""
    known = await players.names(session)
    if found := names.like(name, (other for other in known if other != name)):
        raise ConflictError(f"name: {name} looks like the player {found:.60}; choose another name")
    people = [row.name for row in await accounts.listed(session, (*Role, accounts.TEAM))]
    if name not in known and names.like(name, people):
        raise ConflictError(f"name: {name} is the name of an account; choose another name")


def check_addresses(players: Iterable[tuple[str, str]]) -> None:
    """Check that no two seats of a match use the same address, because their answers would mix."""
    try:
        check_apart(players)
    except WrongUseError as error:
        raise WrongRequestError(str(error)) from error


def _is_at(row: PlayerRow, source: str) -> bool:
    return is_address(row.source) and place(row.source) == place(source)


def searches_here(source: str) -> bool:
    """Return whether the player with this source searches on this machine.

    Return False for people, players at an address, and the simple players `legal` and `random`.
    """
    return bool(source) and not is_address(source) and source not in PLAYERS
