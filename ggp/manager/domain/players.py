"""Players: who can be seated by a name, a spec, an address or an uploaded file."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from ggp.clock import milliseconds_since_1970
from ggp.errors import UnknownNameError, WrongUseError
from ggp.manager.config import AddressError, ManagerConfig
from ggp.manager.domain import names
from ggp.manager.domain.names import MAX_NAME
from ggp.manager.domain.rights import EVERYBODY, Caller, Right, Role
from ggp.manager.domain.uploads import Uploads
from ggp.manager.errors import ConflictError, NotAllowedError, WrongRequestError
from ggp.manager.store import accounts, players, pool
from ggp.manager.store.database import Database, Session
from ggp.manager.store.tables import PlayerRow, SeatRow, is_upload
from ggp.players import registry
from ggp.players.options import PlayerSpecError
from ggp.protocol.addresses import check_apart, is_address, place
from ggp.protocol.dialects import GGP_BASE
from ggp.seating.local import PLAYERS
from ggp.submission.starter import Starter
from ggp.tournament.plan import Entrant

PERSON = "person"
"""The person who plays by hand, in place of a player's name."""
MOST_OF_STUDENT: Final = 20
"""Players of a student that are not retired."""
MOST_NAMES_OF_STUDENT: Final = 100
"""The same with those that are: their matches stay, and so do their names."""


class RetiredError(WrongRequestError):
    """A player that was taken off the list."""


class PlayerRegistry:
    """The players that are registered, and what is asked of those that are not."""

    def __init__(self, database: Database, config: ManagerConfig, starter: Starter) -> None:
        self._database = database
        self._config = config
        self.uploads = Uploads(database, config.submissions, starter)

    async def register(
        self, name: str, source: str, dialect: str, caller: Caller = EVERYBODY
    ) -> PlayerRow:
        """Write down a player that can be seated by its name from now on.

        A student's is at an address or was uploaded, and at none where another student's is.
        """
        if is_address(name) or names.like(name, (PERSON,)):
            raise WrongRequestError(f"name: {name} means somebody else; expected another name")
        name = names.shown(name)
        if names.like(name.partition(":")[0], registry.names()):
            raise WrongRequestError(
                f"name: {name} is a player of this program; expected another name"
            )
        if is_upload(source):
            source = await self.uploads.check_player(source, caller)
        elif caller.may(Right.HOLD):
            self.check_source(source, "source")
        else:
            await self._check_students_source(source, caller)
        now = milliseconds_since_1970()
        async with self._database.writing() as session:
            if caller.owner is not None:
                await self._check_quota(session, name, caller.owner)
            for row in await players.listed(session) if is_address(source) else ():
                if _is_at(row, source) and not caller.sees(row.owner_id):
                    raise ConflictError(
                        f"source: another's player is at {source:.100}; expected your own's address"
                    )
            await _check_unlike(session, name)
            await pool.begin_anew(session, name, now)
            return await players.register(session, name, source, dialect, now, caller.owner)

    async def _check_students_source(self, source: str, caller: Caller) -> None:
        """See that a student's player may be asked at an address for them; no other one may."""
        try:
            if is_address(source):
                self._config.check_students_address(source, "source")
                return
            self.check_source(source, "source")
            raise PlayerSpecError(
                "source: expected http://HOST:PORT of a running player, or what POST "
                f"/submissions has answered, got {source!r:.100}"
            )
        except (AddressError, PlayerSpecError) as error:
            addresses = self._config.students_addresses()
            example = next(iter(addresses), "") or await self.uploads.example(caller)
            raise WrongRequestError(str(error), example) from error

    async def is_registered(self, name: str) -> bool:
        """Whether a player is, by whomever."""
        return name in {row.name for row in await self._database.read(players.listed)}

    async def _check_quota(self, session: Session, name: str, owner: int) -> None:
        owned = [one.player for one in await players.owned(session, {owner})]
        rows = [row for row in owned if row.name != name]
        num_shown = sum(not row.is_retired for row in rows)
        if num_shown >= MOST_OF_STUDENT:
            raise ConflictError(f"{num_shown} players are yours; expected fewer, retire one")
        if len(rows) >= MOST_NAMES_OF_STUDENT:
            raise ConflictError(
                f"{len(rows)} players were yours; expected the name of one that you retired"
            )

    async def visible(self, caller: Caller) -> list[PlayerRow]:
        """The players that somebody sees: one's own and everybody's; all for lecturers."""
        async with self._database.reading() as session:
            return [row for row in await players.listed(session) if caller.sees(row.owner_id)]

    async def named(self, name: str, caller: Caller) -> PlayerRow:
        """A player that somebody sees."""
        rows = await self.visible(caller)
        for row in rows:
            if row.name == name:
                return row
        raise UnknownNameError("player", name, [row.name for row in rows])

    async def swap_of(self, name: str) -> str:
        """In words, what another file or address played under a player's name; empty if nothing."""
        history = await self._database.read(players.history, name)
        return "" if history is None else history.swap

    async def retire(self, name: str, caller: Caller) -> None:
        """Take a player off the list; its matches stay."""
        caller.check_owns((await self.named(name, caller)).owner_id, name)
        await self._database.write(players.retire, name)

    async def check_seats(self, wanted: Iterable[str], caller: Caller) -> None:
        """See that somebody may set up a match of these players.

        Who does not hold matches for others plays in it, or has a player of its own play; the
        others are everybody's or players of this program.
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
                    f"players: {player:.100} is not yours; expected players of your own, {PERSON}, "
                    f"or one of {', '.join([*known, *registry.names()])}; those of others are met "
                    "in tournaments, and people by challenges"
                )
        own = {name for name, row in known.items() if caller.owns(row.owner_id)}
        if not own.intersection(wanted) and PERSON not in wanted:
            raise NotAllowedError(f"players: expected a player of your own among them, or {PERSON}")

    async def check_own(self, name: str, caller: Caller) -> None:
        """See that somebody may say where a player takes part: its own, or any for lecturers."""
        if not caller.may(Right.HOLD):
            caller.check_owns((await self.named(name, caller)).owner_id, name)

    async def check_entrant_of(self, entrant: Entrant, caller: Caller) -> None:
        """See that somebody may let a player take part: its own, by the name that it has here."""
        await self.check_own(entrant.player, caller)
        if entrant.name != entrant.player and not caller.may(Right.HOLD):
            raise NotAllowedError(f"name: expected that of the player, {entrant.player:.100}")

    def check_source(self, source: str, where: str) -> None:
        """See that a player can be asked: an address that is allowed, or a spec of ours."""
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
        """See that a student's player may be asked where it is: networks may change later."""
        is_students = self._config.has_accounts and row.owner_id is not None
        if is_students and is_address(row.source):
            self._config.check_students_address(row.source, where)

    def _own_player_hint(self, name: str) -> str:
        is_file = ".py" in name
        if is_file and self._config.submissions is not None:
            return (
                "; upload the file first, on the page Players, as a student under My players, or "
                "by POST /api/v1/submissions, which answers with its source"
            )
        if not is_file and ":" not in name:
            near = UnknownNameError("player", name, registry.names()).suggestions
            return f"; did you mean {' or '.join(near)}?" if near else ""
        return (
            f"; a player of your own: start it with `ggp serve --player {name}` and give its "
            "address"
        )

    async def check_entrant(self, player: str) -> str:
        """The address or spec of a player, if it can take part in a tournament: no person can."""
        if player == PERSON:
            raise WrongRequestError("players: expected players for a tournament, got a person")
        return (await self.seat(player)).source

    async def seat(self, player: str, name: str = "", dialect: str = "") -> SeatRow:
        """A seat of a match for a player; the role is left open.

        Args:
            name: The name in this match, if it is another.
            dialect: In which it is spoken to, if not in the one it is registered with.
        """
        if player == PERSON:
            return SeatRow(player_name=PERSON, source="", dialect="")
        async with self._database.reading() as session:
            known = {row.name: row for row in await players.listed(session)}
            retired = set(await players.names(session)) - set(known)
        if player in retired and player.partition(":")[0] not in registry.names():
            raise RetiredError(f"players: {player:.100} is retired; expected one that is not")
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
        )


async def _check_unlike(session: Session, name: str) -> None:
    """See that no other player, retired ones too, nor an account has a name taken for this one."""
    known = await players.names(session)
    if found := names.like(name, (other for other in known if other != name)):
        raise ConflictError(
            f"name: {name} looks like the player {found:.60}; expected another name"
        )
    people = [row.name for row in await accounts.listed(session, list(Role))]
    if name not in known and names.like(name, people):
        raise ConflictError(f"name: somebody is called {name}; expected another name")


def check_addresses(players: Iterable[tuple[str, str]]) -> None:
    """See that no two seats of a match are played at one address, where answers would mix."""
    try:
        check_apart(players)
    except WrongUseError as error:
        raise WrongRequestError(str(error)) from error


def _is_at(row: PlayerRow, source: str) -> bool:
    return is_address(row.source) and place(row.source) == place(source)


def searches_here(source: str) -> bool:
    """Whether a player, by its address or spec, searches on this machine; a person does not."""
    return bool(source) and not is_address(source) and source not in PLAYERS
