"""Registered players and their ratings in the database."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from sqlalchemy import ColumnElement, String, case, delete, func, select, update
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, mapped_column

from ggp.errors import GgpError
from ggp.manager.store.accounts import AccountRow
from ggp.manager.store.tables import (
    Big,
    DatabaseTable,
    MatchRow,
    PlayerRow,
    SeatRow,
    Status,
    is_shown,
)
from ggp.plurals import counted

OVERALL: Final = ""
"""The game of an overall rating."""
PROVISIONAL: Final = 430.0
"""Width of a rating's interval, in Elo, above which the rating is provisional."""


class RatingRow(DatabaseTable):
    """The rating of a program, or of a person with an account, from all matches so far.

    Each player has one row per game, and one with the game `OVERALL`.
    """

    __tablename__ = "ratings"

    player_name: Mapped[str] = mapped_column(String(60), primary_key=True)
    """The name in the seats. Programs that are not registered get ratings too."""
    account_id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    """The account of a person. 0 for a program."""
    game: Mapped[str] = mapped_column(String(100), primary_key=True)
    elo: Mapped[float]
    low: Mapped[float]
    high: Mapped[float]
    meetings: Mapped[int]
    computed: Mapped[Big]

    @property
    def kind(self) -> str:
        """Either `person` or `program`."""
        return "person" if self.account_id else "program"

    @property
    def is_provisional(self) -> bool:
        """Whether the rating is still based on too few results."""
        return self.high - self.low > PROVISIONAL


@dataclass(frozen=True, slots=True)
class SeatOutcome:
    """The result of one seat in a match."""

    name: str
    goal: int
    is_person: bool
    account: int | None
    """The account of the person or of the program's owner. None if there is none."""
    is_absent: bool
    """Whether the player counts as absent because so many of its answers were replaced."""
    team: int | None = None
    """The team of the person. None for programs, and if the person has no team."""


@dataclass(frozen=True, slots=True)
class MatchOutcome:
    """The result of a match that counts for ratings."""

    game: str
    ended: int
    """In milliseconds since 1970."""
    seats: list[SeatOutcome]


@dataclass(frozen=True, slots=True)
class PlayerHistory:
    """A player, and how many matches it completed, no matter which files or addresses it used."""

    player: PlayerRow
    matches: int
    swapped: int
    """Number of matches that were played by another file or address than the current one."""
    swapped_until: int | None
    """When the last of these matches ended. None if there are none."""

    @property
    def swap(self) -> str:
        """A text that says how many matches another file or address than the current one played.

        It also says when the last of them ended. Empty if there are none.
        """
        if self.swapped_until is None:
            return ""
        until = datetime.fromtimestamp(self.swapped_until / 1000, UTC)
        return (
            f"another file or address played {self.swapped:,} of its "
            f"{counted(self.matches, 'match', 'matches')}, the last until "
            f"{until:%Y-%m-%d %H:%M} UTC"
        )


class PlayerExistsError(GgpError):
    """Another player already has the name."""


async def register(
    session: AsyncSession,
    name: str,
    source: str,
    dialect: str,
    now: int,
    *owners: int | None,
) -> PlayerRow:
    """Register a player, or bring back a retired player with the same name.

    A retired player comes back only for one of its owners, because its rating belongs to the name.

    Args:
        owners: The accounts and teams that the caller stands for. The player belongs to the first
            one from now on, or to everybody if there is none.
    """
    owner = owners[0] if owners else None
    row = await session.scalar(select(PlayerRow).where(PlayerRow.name == name))
    if row is None:
        row = PlayerRow(
            name=name,
            source=source,
            dialect=dialect,
            created=now,
            is_retired=False,
            owner_id=owner,
        )
        session.add(row)
    elif row.is_retired and row.owner_id in {owner, *owners}:
        row.source, row.dialect, row.is_retired, row.owner_id = source, dialect, False, owner
    else:
        raise PlayerExistsError(f"there is already a player {name!r}; choose another name")
    await session.flush()
    return row


async def names_of(session: AsyncSession, owners: Collection[int]) -> set[str]:
    """Return the names of the players that accounts or teams have registered."""
    query = select(PlayerRow.name).where(PlayerRow.owner_id.in_(owners))
    return set(await session.scalars(query))


async def listed(session: AsyncSession) -> list[PlayerRow]:
    """Return all players that are not retired, sorted by name."""
    rows = await session.scalars(select(PlayerRow).where(PlayerRow.is_retired.is_(False)))
    return sorted(rows, key=lambda row: row.name)  # the server's collation may differ


async def names(session: AsyncSession) -> list[str]:
    """Return the names of all players, including retired ones."""
    return list(await session.scalars(select(PlayerRow.name)))


async def retired(session: AsyncSession) -> set[str]:
    """Return the names of the retired players."""
    return set(await session.scalars(select(PlayerRow.name).where(PlayerRow.is_retired)))


async def retire(session: AsyncSession, name: str) -> None:
    """Retire a player. Its matches stay."""
    await session.execute(update(PlayerRow).where(PlayerRow.name == name).values(is_retired=True))


async def owned(session: AsyncSession, owners: Collection[int]) -> list[PlayerHistory]:
    """Return the players of the given accounts, including retired ones, sorted by name."""
    found = await _histories(session, PlayerRow.owner_id.in_(owners), frozenset())
    return sorted(found, key=lambda one: one.player.name)


async def history(
    session: AsyncSession, name: str, hidden: Collection[int]
) -> PlayerHistory | None:
    """Return the history of an active or retired player, or None if the player is unknown.

    Args:
        hidden: The tournaments whose matches do not count.
    """
    return next(iter(await _histories(session, PlayerRow.name == name, hidden)), None)


async def _histories(
    session: AsyncSession, wanted: ColumnElement[bool], hidden: Collection[int]
) -> list[PlayerHistory]:
    is_other = SeatRow.source != PlayerRow.source
    query = (
        select(
            PlayerRow,
            func.count(MatchRow.id.distinct()),
            func.count(case((is_other, MatchRow.id)).distinct()),
            func.max(case((is_other, MatchRow.ended))),
        )
        .outerjoin(SeatRow, SeatRow.player_id == PlayerRow.id)
        .outerjoin(
            MatchRow,
            (SeatRow.match_id == MatchRow.id)
            & (MatchRow.status == Status.COMPLETED)
            & MatchRow.annulled.is_(None)
            & is_shown(hidden),
        )
        .where(wanted)
        .group_by(PlayerRow.id)
    )
    return [PlayerHistory(*row) for row in await session.execute(query)]


async def rated(session: AsyncSession, game: str) -> list[RatingRow]:
    """Return the stored ratings in a game, or the `OVERALL` ones, strongest player first."""
    query = select(RatingRow).where(RatingRow.game == game)
    return list(await session.scalars(query.order_by(RatingRow.elo.desc(), RatingRow.player_name)))


async def ratings_of(session: AsyncSession, name: str) -> list[RatingRow]:
    """Return the stored ratings of a player, the overall one first, then by game.

    If a person and a program share the name, return the program's ratings.
    """
    query = select(RatingRow).where(RatingRow.player_name == name)
    rows = list(await session.scalars(query.order_by(RatingRow.account_id, RatingRow.game)))
    return [row for row in rows if row.account_id == rows[0].account_id]


async def are_ratings_fresh(session: AsyncSession, released: int) -> bool:
    """Return whether the ratings count all results that everyone may see.

    Args:
        released: When results that were held back were last released by date.
    """
    computed = await session.scalar(select(func.min(RatingRow.computed)))
    query = select(func.max(MatchRow.ended)).where(MatchRow.status == Status.COMPLETED)
    ended = await session.scalar(query)
    return ended is None or (computed is not None and max(ended, released) < computed)


async def outcomes(session: AsyncSession, held: Collection[int]) -> list[MatchOutcome]:
    """Return the matches that count for ratings, in the order in which they were set up.

    A match counts if it is completed and rated, is not annulled, and did not begin in a position of
    another match.

    Args:
        held: The tournaments whose results are held back.
    """
    query = (
        select(
            SeatRow.match_id,
            MatchRow.game,
            MatchRow.ended,
            SeatRow.player_name,
            SeatRow.goal,
            SeatRow.key,
            SeatRow.account_id,
            PlayerRow.owner_id,
            SeatRow.is_absent,
            AccountRow.team_id,
        )
        .join(MatchRow, SeatRow.match_id == MatchRow.id)
        .outerjoin(PlayerRow, SeatRow.player_id == PlayerRow.id)
        .outerjoin(AccountRow, SeatRow.account_id == AccountRow.id)
        .where(
            MatchRow.status == Status.COMPLETED,
            MatchRow.annulled.is_(None),
            MatchRow.origin.is_(None),
            MatchRow.unrated == "",
            SeatRow.goal.is_not(None),
            is_shown(held),
        )
        .order_by(SeatRow.match_id, SeatRow.role_index)
    )
    found: dict[int, MatchOutcome] = {}
    for row in await session.execute(query):
        account = row.account_id if row.key else row.owner_id
        seat = SeatOutcome(
            name=row.player_name,
            goal=row.goal or 0,
            is_person=bool(row.key),
            account=account,
            is_absent=row.is_absent,
            team=row.team_id if row.key else None,
        )
        match = found.setdefault(row.match_id, MatchOutcome(row.game, row.ended or 0, []))
        match.seats.append(seat)
    return list(found.values())


async def forget_ratings(session: AsyncSession) -> None:
    """Delete all ratings so that they are computed again."""
    await session.execute(delete(RatingRow))


async def keep_ratings(session: AsyncSession, ratings: Iterable[RatingRow]) -> None:
    """Replace all stored ratings with the given ones."""
    await forget_ratings(session)
    session.add_all(ratings)
