"""Tournaments in the database: their plans, their fixtures, and the matches of the fixtures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from sqlalchemy import ColumnElement, func, insert, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import selectinload

from ggp.errors import GgpError
from ggp.manager.errors import NotThereError
from ggp.manager.store import players
from ggp.manager.store.tables import OVER, FixtureRow, MatchRow, Status, TournamentRow, Visibility
from ggp.tournament.fixture import Faults, Fixture, Result, counted_goals
from ggp.tournament.plan import TournamentPlan

ANNULLED: Final = "annulled"
"""Status of an annulled fixture that is not played again. Only fixtures have this status."""


class TournamentExistsError(GgpError):
    """Another tournament already has the name."""


@dataclass(frozen=True, slots=True)
class FixtureEntry:
    """A fixture and its outcome so far."""

    fixture: Fixture
    match: int | None
    """The number of the match that counts. If the fixture is `ANNULLED`, the match that counted."""
    status: str
    """The status of the match, or `ANNULLED`."""
    goals: tuple[int, ...] | None
    """The players' goals as played. None until the match is over."""
    faults: tuple[Faults, ...] = ()
    absent: tuple[bool, ...] = ()
    """Whether each player counts as absent, regardless of its goal."""
    annulled: tuple[int, ...] = ()
    """The numbers of the fixture's matches that no longer count."""

    @property
    def counted(self) -> tuple[int, ...] | None:
        """The players' goals as tables count them. None until the match is over."""
        return None if self.goals is None else counted_goals(self.goals, self.absent)

    @property
    def result(self) -> Result | None:
        """The result of the fixture. None until the match is over."""
        counted = self.counted
        if counted is None:
            return None
        return Result(self.fixture, counted, self.faults, self.absent)


@dataclass(frozen=True, slots=True)
class Hold:
    """Who sees the results of a tournament, and from when on.

    Attributes:
        since: When the results were held back last. None if they never were.
        release: When everyone may see them. See `TournamentRow.release`.
    """

    visibility: Visibility = Visibility.EVERYONE
    since: int | None = None
    release: int | None = None

    def write(self, row: TournamentRow) -> None:
        """Store the fields in the row of a tournament."""
        if self.visibility == Visibility.EVERYONE:
            row.visibility, row.release = self.visibility, None
            return
        row.visibility, row.held_since, row.release = self.visibility, self.since, self.release
        row.is_announced = False


@dataclass(frozen=True, slots=True)
class Terms:
    """What a tournament has besides its plan.

    Attributes:
        hold: Who sees the results. By default everyone.
        is_open: Whether players sign up before it begins.
        clock: The clock of the people, as JSON. None if only programs take part.
    """

    hold: Hold = Hold()
    is_open: bool = False
    clock: dict[str, Any] | None = None


async def create(
    session: AsyncSession, plan: TournamentPlan, now: int, terms: Terms | None = None
) -> int:
    """Store a new tournament and return its number."""
    query = select(TournamentRow).where(TournamentRow.name == plan.name)
    if await session.scalar(query) is not None:
        raise TournamentExistsError(
            f"there is already a tournament {plan.name!r}; choose another name"
        )
    row = TournamentRow(
        name=plan.name, plan=plan.to_json(), status=Status.WAITING, reason="", created=now
    )
    terms = terms or Terms()
    terms.hold.write(row)
    row.is_open, row.clock = terms.is_open, terms.clock
    session.add(row)
    await session.flush()
    return row.id


async def add_fixtures(session: AsyncSession, number: int, fixtures: Sequence[Fixture]) -> None:
    """Store fixtures that are to be played next."""
    rows = [{"tournament_id": number, **asdict(fixture)} for fixture in fixtures]
    if rows:
        await session.execute(insert(FixtureRow), rows)


async def num_unfinished(session: AsyncSession) -> int:
    """Return the number of tournaments that are not over."""
    query = select(func.count()).select_from(TournamentRow)
    return await session.scalar(query.where(TournamentRow.status.not_in(OVER))) or 0


async def link(session: AsyncSession, number: int, fixture: int, match: int) -> None:
    """Store which match was set up for a fixture."""
    query = select(FixtureRow).where(
        FixtureRow.tournament_id == number, FixtureRow.number == fixture
    )
    row = (await session.scalars(query)).one()
    row.match_id = match


async def entries(
    session: AsyncSession, number: int, *conditions: ColumnElement[bool]
) -> list[FixtureEntry]:
    """Return a tournament's stored fixtures that meet all conditions, in the order of play."""
    query = (
        select(FixtureRow)
        .options(selectinload(FixtureRow.match).selectinload(MatchRow.seats))
        .where(FixtureRow.tournament_id == number, *conditions)
        .order_by(FixtureRow.number)
    )
    annulled = await _annulled(session, number)
    return [
        _entry(row, tuple(annulled.get(row.number, ()))) for row in await session.scalars(query)
    ]


async def between(session: AsyncSession, number: int, first: int, end: int) -> list[FixtureEntry]:
    """Return the fixtures from number `first` up to, but not including, `end`."""
    numbers = (FixtureRow.number >= first, FixtureRow.number < end)
    return await entries(session, number, *numbers)


async def last_round(session: AsyncSession, number: int) -> int:
    """Return the number of the last round that has fixtures."""
    query = select(func.max(FixtureRow.round)).where(FixtureRow.tournament_id == number)
    return await session.scalar(query) or 0


async def open_matches(session: AsyncSession, number: int) -> list[int]:
    """Return the numbers of a tournament's matches that are not over."""
    query = select(MatchRow.id).where(
        MatchRow.tournament_id == number, MatchRow.status.not_in(OVER)
    )
    return list(await session.scalars(query.order_by(MatchRow.id)))


async def fixture_of(session: AsyncSession, number: int, match: int) -> FixtureRow:
    """Return the fixture for which a match of a tournament is played."""
    query = select(FixtureRow).where(
        FixtureRow.tournament_id == number, FixtureRow.match_id == match
    )
    fixture = await session.scalar(query)
    if fixture is None:
        raise NotThereError(
            f"match: expected a match that counts in tournament {number}, got {match}"
        )
    return fixture


async def annul(session: AsyncSession, number: int, match: int) -> None:
    """Annul a match of a tournament, so that its fixture is played again."""
    fixture = await fixture_of(session, number, match)
    row = await session.get_one(MatchRow, match)
    row.annulled, fixture.match_id = fixture.number, None
    await players.forget_ratings(session)


async def find(session: AsyncSession, number: int) -> TournamentRow:
    """Return the tournament with the given number."""
    row = await session.get(TournamentRow, number)
    if row is None:
        raise NotThereError(f"there is no tournament {number}")
    return row


async def listed(session: AsyncSession, limit: int = 200) -> list[TournamentRow]:
    """Return the tournaments, newest first."""
    query = select(TournamentRow).order_by(TournamentRow.id.desc()).limit(limit)
    return list(await session.scalars(query))


async def held(session: AsyncSession) -> list[TournamentRow]:
    """Return the tournaments whose results are held back, or were so until a date."""
    query = select(TournamentRow).where(TournamentRow.visibility != Visibility.EVERYONE)
    return list(await session.scalars(query))


async def not_announced(session: AsyncSession) -> list[TournamentRow]:
    """Return the tournaments whose results were held back and not yet announced."""
    query = select(TournamentRow).where(TournamentRow.is_announced.is_(False))
    return list(await session.scalars(query))


async def set_status(
    session: AsyncSession, number: int, status: Status, reason: str = "", now: int | None = None
) -> None:
    """Set the status of a tournament. If the status is final, `now` is the time when it ended."""
    row = await find(session, number)
    row.status, row.reason = status, reason
    if status in OVER:
        row.ended = now


async def unfinished(session: AsyncSession) -> list[int]:
    """Return the numbers of the tournaments that have begun or are to begin, and are not over."""
    query = select(TournamentRow.id).where(
        TournamentRow.status.not_in(OVER), TournamentRow.is_open.is_(False)
    )
    return list(await session.scalars(query.order_by(TournamentRow.id)))


async def _annulled(session: AsyncSession, number: int) -> dict[int, list[int]]:
    query = select(MatchRow.annulled, MatchRow.id).where(
        MatchRow.tournament_id == number, MatchRow.annulled.is_not(None)
    )
    found: dict[int, list[int]] = {}
    for fixture, match in await session.execute(query.order_by(MatchRow.id)):
        found.setdefault(fixture or 0, []).append(match)
    return found


def _entry(row: FixtureRow, annulled: tuple[int, ...]) -> FixtureEntry:
    fixture = _fixture(row)
    if row.match is None and row.is_counted and annulled:
        return FixtureEntry(fixture, annulled[-1], ANNULLED, None, annulled=annulled)
    return entry_of(fixture, row.match, annulled)


def _fixture(row: FixtureRow) -> Fixture:
    return Fixture(row.number, row.round, row.game, tuple(row.players), row.seed)


def entry_of(
    fixture: Fixture, match: MatchRow | None, annulled: tuple[int, ...] = ()
) -> FixtureEntry:
    """Return the entry of a fixture, given the row of its match."""
    if match is None:
        return FixtureEntry(fixture, None, Status.WAITING, None, annulled=annulled)
    status = Status(match.status)
    faults = [seat.faults for seat in match.seats]
    if match.hides and status not in OVER:
        faults = []  # they would show players how the others play
    return FixtureEntry(
        fixture,
        match.id,
        status,
        tuple(seat.goal or 0 for seat in match.seats) if status in OVER else None,
        tuple(faults),
        tuple(seat.is_absent for seat in match.seats) if status in OVER else (),
        annulled,
    )
