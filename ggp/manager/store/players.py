"""Players and their ratings in the database."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import ColumnElement, case, delete, func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from ggp.errors import GgpError
from ggp.manager.store.tables import MatchRow, PlayerRow, RatingRow, SeatRow, Status


@dataclass(frozen=True, slots=True)
class SeatOutcome:
    """The goal that came of a match for who sat in one of its seats."""

    name: str
    goal: int
    is_person: bool
    account: int | None
    """Of the person, or the one that registered the program."""
    is_absent: bool
    """Whether so many answers were replaced that it did not play."""


@dataclass(frozen=True, slots=True)
class PlayerHistory:
    """A player with the matches that it completed, whatever it was registered with."""

    player: PlayerRow
    matches: int
    swapped: int
    """Those that another file or address played than it has now."""
    swapped_until: int | None
    """When the last of these ended; None if there are none."""

    @property
    def swap(self) -> str:
        """In words, for messages, what another file or address played; empty if nothing."""
        if self.swapped_until is None:
            return ""
        until = datetime.fromtimestamp(self.swapped_until / 1000, UTC)
        return (
            f"another file or address played {self.swapped:,} of its {self.matches:,} "
            f"match{'' if self.matches == 1 else 'es'}, the last until {until:%Y-%m-%d %H:%M} UTC"
        )


class PlayerExistsError(GgpError):
    """Another player has this name."""


async def register(
    session: AsyncSession, name: str, source: str, dialect: str, now: int, owner: int | None = None
) -> PlayerRow:
    """Write down a player; one of this name and owner that was retired comes back.

    Another's does not: with the name would come the rating.
    """
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
    elif row.is_retired and row.owner_id == owner:
        row.source, row.dialect, row.is_retired = source, dialect, False
    else:
        raise PlayerExistsError(f"there is a player {name!r} already; expected another name")
    await session.flush()
    return row


async def names_of(session: AsyncSession, account: int | None) -> set[str]:
    """The names of the players that a student has registered."""
    return set(await session.scalars(select(PlayerRow.name).where(PlayerRow.owner_id == account)))


async def listed(session: AsyncSession) -> list[PlayerRow]:
    """All players that are not retired, by name."""
    rows = await session.scalars(select(PlayerRow).where(PlayerRow.is_retired.is_(False)))
    return sorted(rows, key=lambda row: row.name)  # not in the order of the server's language


async def names(session: AsyncSession) -> list[str]:
    """The names of all players, retired ones too."""
    return list(await session.scalars(select(PlayerRow.name)))


async def retired(session: AsyncSession) -> set[str]:
    """The names of those that are retired."""
    return set(await session.scalars(select(PlayerRow.name).where(PlayerRow.is_retired)))


async def retire(session: AsyncSession, name: str) -> None:
    """Take a player off the list; its matches stay."""
    await session.execute(update(PlayerRow).where(PlayerRow.name == name).values(is_retired=True))


async def owned(session: AsyncSession, owners: Collection[int]) -> list[PlayerHistory]:
    """The players of some accounts, by name, retired ones too."""
    found = await _histories(session, PlayerRow.owner_id.in_(owners))
    return sorted(found, key=lambda one: one.player.name)


async def history(session: AsyncSession, name: str) -> PlayerHistory | None:
    """The history of a player that is or was registered; None for another."""
    return next(iter(await _histories(session, PlayerRow.name == name)), None)


async def _histories(session: AsyncSession, wanted: ColumnElement[bool]) -> list[PlayerHistory]:
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
            & MatchRow.annulled.is_(None),
        )
        .where(wanted)
        .group_by(PlayerRow.id)
    )
    return [PlayerHistory(*row) for row in await session.execute(query)]


async def rated(session: AsyncSession) -> list[RatingRow]:
    """The ratings that were computed last, the strongest first."""
    return list(
        await session.scalars(
            select(RatingRow).order_by(RatingRow.elo.desc(), RatingRow.player_name)
        )
    )


async def are_ratings_fresh(session: AsyncSession) -> bool:
    """Whether no match was completed since they were computed."""
    computed = await session.scalar(select(func.min(RatingRow.computed)))
    query = select(func.max(MatchRow.ended)).where(MatchRow.status == Status.COMPLETED)
    ended = await session.scalar(query)
    return ended is None or (computed is not None and ended < computed)


async def outcomes(session: AsyncSession) -> list[list[SeatOutcome]]:
    """Of all matches that count, by number: from the first position to their end, and rated."""
    query = (
        select(
            SeatRow.match_id,
            SeatRow.player_name,
            SeatRow.goal,
            SeatRow.key,
            SeatRow.account_id,
            PlayerRow.owner_id,
            SeatRow.is_absent,
        )
        .join(MatchRow, SeatRow.match_id == MatchRow.id)
        .outerjoin(PlayerRow, SeatRow.player_id == PlayerRow.id)
        .where(
            MatchRow.status == Status.COMPLETED,
            MatchRow.annulled.is_(None),
            MatchRow.origin.is_(None),
            MatchRow.unrated == "",
            SeatRow.goal.is_not(None),
        )
        .order_by(SeatRow.match_id, SeatRow.role_index)
    )
    found: dict[int, list[SeatOutcome]] = {}
    for match, name, goal, key, account, owner, is_absent in await session.execute(query):
        outcome = SeatOutcome(name, goal or 0, bool(key), account if key else owner, is_absent)
        found.setdefault(match, []).append(outcome)
    return list(found.values())


async def forget_ratings(session: AsyncSession) -> None:
    """Have them computed anew: a match that they count does not count any more."""
    await session.execute(delete(RatingRow))


async def keep_ratings(session: AsyncSession, ratings: Iterable[RatingRow]) -> None:
    """Put these in the place of all that were."""
    await forget_ratings(session)
    session.add_all(ratings)
