"""Tournaments in the database: the plan, its fixtures, and the matches that came of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from ggp.errors import GgpError
from ggp.manager.store.status import OVER, Status
from ggp.manager.store.tables import FixtureRow, MatchRow, SeatRow, TournamentRow
from ggp.match.tournament.fixtures import Fixture, Result
from ggp.match.tournament.plan import TournamentPlan


class UnknownTournamentError(GgpError):
    """No tournament has this number."""

    def __init__(self, number: int) -> None:
        super().__init__(f"there is no tournament {number}")


class TournamentExistsError(GgpError):
    """Another tournament has this name."""

    def __init__(self, name: str) -> None:
        super().__init__(f"there is a tournament {name!r} already; expected another name")


@dataclass(frozen=True, slots=True)
class Entry:
    """A fixture, and what has become of it."""

    fixture: Fixture
    match: int | None
    """Its number; None if it has not been set up."""
    status: Status
    goals: tuple[int, ...] | None
    """Of its players; None as long as it is not over."""

    @property
    def result(self) -> Result | None:
        """How it came out; None as long as it is not over."""
        return None if self.goals is None else Result(self.fixture, self.goals)


async def create(session: AsyncSession, plan: TournamentPlan, now: int) -> int:
    """Write a tournament down; its number.

    Raises:
        TournamentExistsError: There is one of its name.
    """
    query = select(TournamentRow).where(TournamentRow.name == plan.name)
    if await session.scalar(query) is not None:
        raise TournamentExistsError(plan.name)
    row = TournamentRow(
        name=plan.name, plan=plan.to_json(), status=Status.WAITING, reason="", created=now
    )
    session.add(row)
    await session.flush()
    return row.id


async def add_fixtures(session: AsyncSession, number: int, fixtures: Sequence[Fixture]) -> None:
    """Write down what is to be played next."""
    session.add_all(
        FixtureRow(
            tournament_id=number,
            number=fixture.number,
            round=fixture.round,
            game=fixture.game,
            players=list(fixture.players),
            seed=fixture.seed,
        )
        for fixture in fixtures
    )


async def link(session: AsyncSession, number: int, fixture: int, match: int) -> None:
    """Say which match plays a fixture."""
    query = select(FixtureRow).where(
        FixtureRow.tournament_id == number, FixtureRow.number == fixture
    )
    row = (await session.scalars(query)).one()
    row.match_id = match


async def entries(session: AsyncSession, number: int) -> list[Entry]:
    """All fixtures so far, in the order of play."""
    query = (
        select(FixtureRow, MatchRow)
        .outerjoin(MatchRow, FixtureRow.match_id == MatchRow.id)
        .where(FixtureRow.tournament_id == number)
        .order_by(FixtureRow.number)
    )
    found = (await session.execute(query)).all()
    matches = [row.match_id for row, _ in found if row.match_id is not None]
    goals = await _goals(session, matches)
    return [_entry(fixture, match, goals) for fixture, match in found]


async def find(session: AsyncSession, number: int) -> TournamentRow:
    """One tournament.

    Raises:
        UnknownTournamentError: There is none of this number.
    """
    row = await session.get(TournamentRow, number)
    if row is None:
        raise UnknownTournamentError(number)
    return row


async def listed(session: AsyncSession, limit: int = 200) -> list[TournamentRow]:
    """The tournaments, the newest first."""
    query = select(TournamentRow).order_by(TournamentRow.id.desc()).limit(limit)
    return list(await session.scalars(query))


async def set_status(
    session: AsyncSession, number: int, status: Status, reason: str = "", now: int | None = None
) -> None:
    """Say where a tournament stands; `now` is when it ended."""
    row = await find(session, number)
    row.status, row.reason = status, reason
    if status in OVER:
        row.ended = now


async def unfinished(session: AsyncSession) -> list[int]:
    """The numbers of tournaments that were set up and are not over."""
    query = select(TournamentRow.id).where(TournamentRow.status.not_in(OVER))
    return list(await session.scalars(query.order_by(TournamentRow.id)))


async def _goals(session: AsyncSession, matches: Sequence[int]) -> dict[int, list[int | None]]:
    goals: dict[int, list[int | None]] = {}
    for start in range(0, len(matches), 500):  # databases bound the length of a list
        some = matches[start : start + 500]
        query = select(SeatRow).where(SeatRow.match_id.in_(some)).order_by(SeatRow.role_index)
        for seat in await session.scalars(query):
            goals.setdefault(seat.match_id, []).append(seat.goal)
    return goals


def _entry(row: FixtureRow, match: MatchRow | None, goals: dict[int, list[int | None]]) -> Entry:
    fixture = Fixture(row.number, row.round, row.game, tuple(row.players), row.seed)
    if match is None:
        return Entry(fixture, None, Status.WAITING, None)
    status = Status(match.status)
    ended = tuple(goal or 0 for goal in goals.get(match.id, ())) if status in OVER else None
    return Entry(fixture, match.id, status, ended)
