"""The entrants of a continuous tournament in the database, and the sums over their matches.

A fixture is marked as counted in the same transaction that adds its match to the sums. So no match
is lost or counted twice if the manager is killed, and old fixtures need not be read again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from enum import StrEnum
from typing import Any

from sqlalchemy import ColumnElement, ForeignKey, String, delete, func, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, mapped_column, selectinload
from sqlalchemy.orm.attributes import set_committed_value

from ggp.manager.errors import ConflictError, NotThereError
from ggp.manager.store import tournaments
from ggp.manager.store.accounts import AccountRow
from ggp.manager.store.failures import LOCKED, failure_of, in_general
from ggp.manager.store.tables import (
    OVER,
    Big,
    DatabaseTable,
    FixtureRow,
    MatchRow,
    Names,
    PlayerRow,
    Status,
    TournamentRow,
)
from ggp.manager.store.tournaments import FixtureEntry
from ggp.rating.ratings import meetings_of
from ggp.tournament.fixture import Fixture, counted_goals
from ggp.tournament.pairing import Choice, seat_key
from ggp.tournament.plan import Entrant

PERSON_OF = "person:"
"""Prefix of the player of a person in a tournament. The number of the account follows it."""
MAX_ENTRANTS = 128
"""Largest number of entrants of a continuous tournament, including those that have left."""
FIRST_REST, LONGEST_REST = 5, 600
"""Shortest and longest wait in seconds until the manager contacts an absent player again. It
doubles each time."""
_LOCKED = (PlayerRow.owner_id == AccountRow.id, AccountRow.is_locked.is_(True))


class Presence(StrEnum):
    """Whether a player currently takes part in a continuous tournament."""

    IN = "in"
    AWAY = "away"
    """The player failed, or its account is locked. It comes back once it can play again."""
    LEFT = "left"
    """A user removed the player."""


class EntrantRow(DatabaseTable):
    """A current or former entrant of a continuous tournament, with the sums of its matches."""

    __tablename__ = "entrants"

    tournament_id: Mapped[int] = mapped_column(
        ForeignKey("tournaments.id", ondelete="CASCADE"), primary_key=True
    )
    name: Mapped[str] = mapped_column(String(100), primary_key=True)
    place: Mapped[int]
    """Counted from 0, in the order of joining."""
    player: Mapped[str] = mapped_column(String(500))
    """A registered name, a spec or an address."""
    dialect: Mapped[str] = mapped_column(String(10))
    state: Mapped[str] = mapped_column(String(10))
    reason: Mapped[str]
    since: Mapped[Big]
    retry: Mapped[Big | None]
    """The time of the manager's next check whether an absent entrant answers."""
    rest: Mapped[int]
    """Length of the entrant's last pause in seconds. 0 after a match in which it did not fail."""
    last_over: Mapped[Big]
    """When the entrant's last match ended. 0 if there was none."""
    last_met: Mapped[Names]
    seatings: Mapped[dict[str, Any]]
    """How often the entrant took each seat. `ggp.tournament.pairing.seat_key` names the seats."""
    matches: Mapped[int] = mapped_column(default=0)
    goals: Mapped[int] = mapped_column(default=0)
    timeouts: Mapped[int] = mapped_column(default=0)
    illegal: Mapped[int] = mapped_column(default=0)
    connection: Mapped[int] = mapped_column(default=0)
    absent: Mapped[int] = mapped_column(default=0)
    """Number of the entrant's matches in which it was absent."""


class EncounterRow(DatabaseTable):
    """The results of two entrants of a continuous tournament against each other."""

    __tablename__ = "encounters"

    tournament_id: Mapped[int] = mapped_column(
        ForeignKey("tournaments.id", ondelete="CASCADE"), primary_key=True
    )
    first: Mapped[str] = mapped_column(String(100), primary_key=True)
    """The name of the two that comes first in alphabetical order."""
    second: Mapped[str] = mapped_column(String(100), primary_key=True)
    wins: Mapped[int] = mapped_column(default=0)
    draws: Mapped[int] = mapped_column(default=0)
    losses: Mapped[int] = mapped_column(default=0)


async def listed(session: AsyncSession, number: int) -> list[EntrantRow]:
    """Return all entrants of a tournament, including those that have left, in order of joining."""
    query = select(EntrantRow).where(EntrantRow.tournament_id == number)
    return list(await session.scalars(query.order_by(EntrantRow.place)))


async def num_entrants(session: AsyncSession) -> dict[int, int]:
    """Map each continuous tournament to its number of entrants, including those that have left."""
    query = select(EntrantRow.tournament_id, func.count()).group_by(EntrantRow.tournament_id)
    return {row[0]: row[1] for row in await session.execute(query)}


async def taking_part(session: AsyncSession, number: int) -> set[int]:
    """Return the accounts that own a player in a tournament, or play in it themselves."""
    plan = (await tournaments.find(session, number)).plan
    named = {one["player"] for one in plan["players"]} | {
        row.player for row in await listed(session, number)
    }
    people = {int(one.removeprefix(PERSON_OF)) for one in named if one.startswith(PERSON_OF)}
    query = select(PlayerRow.owner_id).where(PlayerRow.name.in_(named))
    return people | {owner for owner in await session.scalars(query) if owner is not None}


async def encounters(session: AsyncSession, number: int) -> list[EncounterRow]:
    """Return the results of each pair of entrants that have met."""
    query = select(EncounterRow).where(EncounterRow.tournament_id == number)
    return list(await session.scalars(query.order_by(EncounterRow.first, EncounterRow.second)))


async def join(session: AsyncSession, number: int, entrant: Entrant, now: int) -> None:
    """Add an entrant to a tournament, or bring back an entrant that has left."""
    row = await session.get(EntrantRow, (number, entrant.name))
    if row is not None and row.state != Presence.LEFT:
        raise ConflictError(f"{entrant.name!r} already takes part; choose another name")
    if row is None:
        query = select(func.count()).where(EntrantRow.tournament_id == number)
        place = await session.scalar(query) or 0
        if place >= MAX_ENTRANTS:
            raise ConflictError(f"{place} players have joined this tournament, the maximum")
        row = EntrantRow(
            tournament_id=number, name=entrant.name, place=place, last_over=0, last_met=[]
        )
        row.seatings = {}
        session.add(row)
    row.player, row.dialect, row.rest = entrant.player, entrant.dialect, 0
    set_in(row, now)
    if await is_locked(session, row.player):
        _set_away(row, now, LOCKED)
    await session.flush()


async def leave(session: AsyncSession, number: int, name: str, now: int, reason: str) -> None:
    """Remove an entrant from a tournament. Its results stay."""
    row = await _named(session, number, name)
    if row.state == Presence.LEFT:
        raise ConflictError(f"{name!r} has already left the tournament")
    row.state, row.reason, row.since, row.retry = Presence.LEFT, reason, now, None


async def set_answering(
    session: AsyncSession, number: int, name: str, now: int, problem: str
) -> None:
    """Let an absent entrant play again or, if there is a `problem`, schedule the next check."""
    row = await _named(session, number, name)
    if row.state != Presence.AWAY:
        return  # the entrant was removed in the meantime
    if problem:
        _set_away(row, now, problem)
    else:
        set_in(row, now)


async def owners(session: AsyncSession, number: int) -> dict[str, int]:
    """Map each entrant whose player was registered by an account to the account's number."""
    query = select(EntrantRow.name, PlayerRow.owner_id).join(
        PlayerRow, PlayerRow.name == EntrantRow.player
    )
    found = await session.execute(query.where(EntrantRow.tournament_id == number))
    return {name: owner for name, owner in found if owner is not None}


async def is_locked(session: AsyncSession, player: str) -> bool:
    """Return whether the account that registered a player is locked."""
    query = select(func.count()).where(PlayerRow.name == player, *_LOCKED)
    return bool(await session.scalar(query))


async def set_locked(session: AsyncSession, account: int, now: int, *, is_locked: bool) -> None:
    """Mark the players of a locked account as away, or let those of an unlocked one play again."""
    names = select(PlayerRow.name).where(PlayerRow.owner_id == account)
    if not is_locked:
        await _let_in(session, now, EntrantRow.player.in_(names), EntrantRow.reason == LOCKED)
        return
    going_on = select(TournamentRow.id).where(TournamentRow.status.not_in(OVER))
    query = select(EntrantRow).where(
        EntrantRow.player.in_(names),
        EntrantRow.state == Presence.IN,
        EntrantRow.tournament_id.in_(going_on),
    )
    for row in await session.scalars(query):
        _set_away(row, now, LOCKED)


async def begin_anew(session: AsyncSession, player: str, now: int) -> None:
    """Let an absent player play again at once, because its name now stands for a new program."""
    await _let_in(session, now, EntrantRow.player == player)


async def _let_in(session: AsyncSession, now: int, *which: ColumnElement[bool]) -> None:
    query = select(EntrantRow).where(EntrantRow.state == Presence.AWAY, *which)
    for row in await session.scalars(query):
        row.rest = 0
        set_in(row, now)


def set_in(row: EntrantRow, now: int) -> None:
    """Let an entrant play from `now` on."""
    row.state, row.reason, row.since, row.retry = Presence.IN, "", now, None


def _set_away(row: EntrantRow, now: int, reason: str) -> None:
    if row.state != Presence.AWAY:
        row.since = now
    row.rest = min(max(FIRST_REST, 2 * row.rest), LONGEST_REST)
    row.state, row.reason, row.retry = Presence.AWAY, reason, now + 1000 * row.rest


def shorten_reasons(rows: Iterable[EntrantRow], own: Collection[str]) -> None:
    """In `rows`, shorten the reasons why players are away, except for players in `own`.

    The database does not change.
    """
    for row in rows:
        if row.state == Presence.AWAY and row.player not in own:
            set_committed_value(row, "reason", in_general(row.reason))


async def num_fixtures(session: AsyncSession, number: int) -> int:
    """Return the number for the next fixture: one more than the last fixture's number."""
    query = select(func.max(FixtureRow.number)).where(FixtureRow.tournament_id == number)
    last = await session.scalar(query)
    return 0 if last is None else last + 1


async def add_fixture(session: AsyncSession, number: int, choice: Choice, seed: int) -> Fixture:
    """Store the next fixture. All its players must be entrants of the tournament."""
    fixture = Fixture(await num_fixtures(session, number), 0, choice.game, choice.players, seed)
    await tournaments.add_fixtures(session, number, [fixture])
    return fixture


async def drop_fixture(session: AsyncSession, number: int, fixture: int) -> None:
    """Delete a fixture that has no match, because it cannot be played."""
    await session.execute(
        delete(FixtureRow).where(
            FixtureRow.tournament_id == number,
            FixtureRow.number == fixture,
            FixtureRow.match_id.is_(None),
        )
    )


async def open_fixtures(session: AsyncSession, number: int) -> list[FixtureEntry]:
    """Return the fixtures that are not counted yet.

    They are still to be played, or were being played when the manager stopped.
    """
    return await tournaments.entries(session, number, FixtureRow.is_counted.is_(False))


async def count(session: AsyncSession, number: int, fixture: int, now: int) -> None:
    """Add the result of a fixture to the sums. A second call does nothing.

    Mark the players that failed in the match as away. If the match was annulled, add nothing.
    """
    row = await _fixture(session, number, fixture)
    if row.is_counted:
        return
    row.is_counted = True
    match = row.match
    if match is None:  # the match was annulled
        return
    rows = await _entrants(session, number, row.players)
    for entrant in rows.values():
        entrant.last_over = now
        entrant.last_met = [name for name in row.players if name != entrant.name]
    for name, seat in zip(row.players, match.seats, strict=True):
        problem = await failure_of(session, match, seat)
        if not problem:
            rows[name].rest = 0
        elif rows[name].state == Presence.IN:
            _set_away(rows[name], now, problem)
    await _add(session, number, row, 1)


async def uncount(session: AsyncSession, number: int, fixture: int) -> None:
    """Subtract the result of a fixture from the sums. The fixture is not played again."""
    row = await _fixture(session, number, fixture)
    if row.is_counted:
        await _add(session, number, row, -1)
    row.is_counted = True


async def close(session: AsyncSession, number: int, now: int) -> None:
    """Close a tournament, so that no more matches begin from now on."""
    row = await tournaments.find(session, number)
    row.closes = now if row.closes is None else min(row.closes, now)


async def _add(session: AsyncSession, number: int, row: FixtureRow, by: int) -> None:
    match = row.match
    if match is None or match.status != Status.COMPLETED:
        return
    entrants = await _entrants(session, number, row.players)
    goals = [seat.goal or 0 for seat in match.seats]
    absent = [seat.is_absent for seat in match.seats]
    counted = counted_goals(goals, absent)
    for index, (name, seat) in enumerate(zip(row.players, match.seats, strict=True)):
        entrant, key = entrants[name], seat_key(row.game, index)
        entrant.matches += by
        entrant.goals += by * counted[index]
        entrant.timeouts += by * seat.timeouts
        entrant.illegal += by * seat.illegal
        entrant.connection += by * seat.connection
        entrant.absent += by * seat.is_absent
        seatings: dict[str, int] = entrant.seatings
        entrant.seatings = {**seatings, key: seatings.get(key, 0) + by}
    for meeting in meetings_of(row.players, goals, absent):
        one, other = sorted((meeting.first, meeting.second))
        score = meeting.score if meeting.first == one else 1 - meeting.score
        met = await _encounter(session, number, one, other)
        met.wins += by * (score == 1)
        met.draws += by * (score == 0.5)
        met.losses += by * (score == 0)


async def _encounter(session: AsyncSession, number: int, one: str, other: str) -> EncounterRow:
    row = await session.get(EncounterRow, (number, one, other))
    if row is None:
        row = EncounterRow(tournament_id=number, first=one, second=other, wins=0, draws=0, losses=0)
        session.add(row)
    return row


async def _entrants(
    session: AsyncSession, number: int, names: Iterable[str]
) -> dict[str, EntrantRow]:
    query = select(EntrantRow).where(
        EntrantRow.tournament_id == number, EntrantRow.name.in_(list(names))
    )
    return {row.name: row for row in await session.scalars(query)}


async def _named(session: AsyncSession, number: int, name: str) -> EntrantRow:
    row = await session.get(EntrantRow, (number, name))
    if row is None:
        raise NotThereError(f"{name!r} does not take part in tournament {number}")
    return row


async def _fixture(session: AsyncSession, number: int, fixture: int) -> FixtureRow:
    with_match = selectinload(FixtureRow.match)
    query = (
        select(FixtureRow)
        .options(with_match.selectinload(MatchRow.seats), with_match.undefer(MatchRow.last_turn))
        .where(FixtureRow.tournament_id == number, FixtureRow.number == fixture)
    )
    return (await session.scalars(query)).one()
