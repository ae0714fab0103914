"""Players: who can be seated by a name, a spec or an address, and who cannot."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import urlsplit

from ggp.clock import milliseconds_since_1970
from ggp.manager.config import ManagerConfig
from ggp.manager.errors import WrongRequestError
from ggp.manager.store import players
from ggp.manager.store.database import Database
from ggp.manager.store.tables import PlayerRow, SeatRow
from ggp.players import registry
from ggp.players.options import PlayerSpecError
from ggp.protocol.addresses import is_address
from ggp.protocol.dialects import GGP_BASE
from ggp.seating.simple import PLAYERS

PERSON = "person"
"""The person who plays by hand, in place of a player's name."""
MAX_NAME = 60
"""Characters."""
THIS_MACHINE = frozenset({"localhost", "127.0.0.1", "::1"})


class PlayerRegistry:
    """The players that are registered, and what is asked of those that are not."""

    def __init__(self, database: Database, config: ManagerConfig) -> None:
        self._database = database
        self._config = config

    async def register(self, name: str, source: str, dialect: str) -> PlayerRow:
        """Write down a player that can be seated by its name from now on.

        Raises:
            GgpError: It cannot be asked, or the name means somebody else.
        """
        if name == PERSON or is_address(name):
            raise WrongRequestError(f"name: {name} means somebody else; expected another name")
        if name.partition(":")[0] in registry.names():
            raise WrongRequestError(
                f"name: {name} is a player of this program; expected another name"
            )
        self.check_source(source, "source")
        now = milliseconds_since_1970()
        async with self._database.writing() as session:
            return await players.register(session, name, source, dialect, now)

    def check_source(self, source: str, where: str) -> None:
        """See that a player can be asked: an address that is allowed, or a spec of ours.

        Raises:
            AddressError: Players may not run there.
            PlayerSpecError: There is no such player, or it would run foreign code.
            FileRefusedError: It would read files of this machine that are not for players.
        """
        if is_address(source):
            self._config.check_address(source, where)
            return
        name = registry.parse_spec(source).name
        if name not in registry.names():
            known = ", ".join(registry.names())
            raise PlayerSpecError(
                f"{where}: expected a registered player, http://HOST:PORT or one of {known}, "
                f"got {source!r:.100}{_own_player_hint(name)}"
            )
        registry.check(source)
        for option, file in registry.files_of(source).items():
            self._config.check_file(file, f"{where}: option {option}")

    async def check_entrant(self, player: str) -> str:
        """See that a player can take part in a tournament: registered, or to be started or asked.

        Returns:
            Its address or spec.

        Raises:
            GgpError: It is neither, or a person: nobody would sit there all the time.
        """
        if player == PERSON:
            raise WrongRequestError("players: expected players for a tournament, got a person")
        return (await self.seat(player)).source

    async def seat(self, player: str, name: str = "", dialect: str = "") -> SeatRow:
        """A seat of a match for a player; the role is left open.

        Args:
            player: By name, spec or address, or `PERSON`.
            name: The name in this match, if it is another.
            dialect: In which it is spoken to, if not in the one it is registered with.

        Raises:
            GgpError: It cannot be asked.
        """
        if player == PERSON:
            return SeatRow(player_name=PERSON, source="", dialect="")
        async with self._database.reading() as session:
            known = {row.name: row for row in await players.listed(session)}
        row = known.get(player)
        source = player if row is None else row.source
        self.check_source(source, "players")
        return SeatRow(
            player_id=None if row is None else row.id,
            player_name=(name or player)[:MAX_NAME],
            source=source,
            dialect=dialect or (GGP_BASE if row is None else row.dialect),
        )


def check_addresses(players: Iterable[tuple[str, str]]) -> None:
    """See that no two seats of a match are played at one address, where answers would mix.

    Args:
        players: The name of each, and its address or spec.

    Raises:
        WrongRequestError: Two are at the same address; says what would be right.
    """
    seen: dict[str, str] = {}
    for name, source in players:
        if not is_address(source):
            continue
        address = _spelled(source)
        if address in seen:
            whom = (
                f"{name} has two seats" if seen[address] == name else f"{seen[address]} and {name}"
            )
            raise WrongRequestError(
                f"players: {whom} at one address, {source:.100}, where one match is played "
                "in one seat; expected a path of its own for each seat, such as "
                f"{_base(source)}/white and {_base(source)}/black"
            )
        seen[address] = name


def _spelled(address: str) -> str:
    """One spelling for each address."""
    parts = urlsplit(address)
    host = (parts.hostname or "").lower()
    return f"{'localhost' if host in THIS_MACHINE else host}:{parts.port}{parts.path.rstrip('/')}"


def _base(address: str) -> str:
    return f"http://{urlsplit(address).netloc}"


def searches_here(source: str) -> bool:
    """Whether a player, by its address or spec, searches on this machine; a person does not."""
    return bool(source) and not is_address(source) and source not in PLAYERS


def _own_player_hint(name: str) -> str:
    """A hint for a name that means a player of one's own (`sampler:Sampler`): how it takes part."""
    if ":" not in name:
        return ""
    return f"; a player of your own: start it with `ggp serve --player {name}` and give its address"
