"""Matches in the database: set up, written turn by turn, read again as records.

A function here does one thing within the caller's session.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from sqlalchemy import ColumnElement, func, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncSession

from ggp.errors import GgpError
from ggp.manager.store.moves import drop_all
from ggp.manager.store.status import OPEN, OVER, Status
from ggp.manager.store.tables import MatchRow, RulesheetRow, SeatRow, TurnRow
from ggp.records.record import MatchRecord
from ggp.tournament.faults import Faults

INSERTS: dict[str, Callable[[type[TurnRow]], sqlite.Insert | postgresql.Insert]] = {
    "sqlite": sqlite.insert,
    "postgresql": postgresql.insert,
}
"""Inserts that can leave a row that is there as it is, by kind of database."""
MAX_ROLE = 100
"""Characters: some databases keep no more."""


class LongRoleError(GgpError):
    """A role whose name is too long to be kept."""

    def __init__(self, role: str) -> None:
        super().__init__(f"role {role:.40}...: expected at most {MAX_ROLE} characters")


class UnknownMatchError(GgpError):
    """No match has this number."""

    def __init__(self, number: int) -> None:
        super().__init__(f"there is no match {number}")


@dataclass(frozen=True, slots=True)
class SeatPlan:
    """The player that is to play a role."""

    role_index: int
    role: str
    player_name: str
    player_id: int | None = None
    """None for a person."""
    source: str = ""
    """The player's address or spec."""
    dialect: str = ""
    """In which it is spoken to, if it runs elsewhere."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchPlan:
    """A match as it is set up. Clocks are seconds, `created` is milliseconds since 1970."""

    match_id: str
    rulesheet_id: int
    game: str
    roles: tuple[str, ...]
    seats: tuple[SeatPlan, ...]
    startclock: int
    playclock: int
    dialect: str = ""
    is_scrambled: bool = False
    seed: int | None = None
    move_limit: int | None = None
    tournament_id: int | None = None
    random_token: str = ""
    created: int = 0
    extra: Mapping[str, Any] = field(default_factory=dict)
    """Fields of an imported record to which we give no meaning."""


@dataclass(frozen=True, slots=True)
class Turn:
    """The result of a turn; number 0 is the START phase."""

    number: int
    moves: tuple[str, ...]
    facts: tuple[str, ...]
    errors: tuple[str, ...]
    time: int
    replies: tuple[Mapping[str, Any], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchFilter:
    """Which matches to list; None and "" for all."""

    game: str = ""
    player: str = ""
    status: str = ""
    tournament_id: int | None = None
    before: int | None = None
    """Only matches with a smaller number than this: the next page."""
    limit: int = 50


@dataclass(frozen=True, slots=True)
class Match:
    """A match and its seats, without its turns."""

    row: MatchRow
    seats: tuple[SeatRow, ...]
    num_turns: int = 0
    """Joint moves made."""
    has_begun: bool = False
    """Whether START has been answered."""
    text: str = field(default="", repr=False)
    """Its rules, where they were asked for."""
    is_bundled: bool = False
    """Whether the rules came with the program, where they were asked for."""


def status_of(row: MatchRow) -> Status:
    """The status of a match."""
    return Status(row.status)


async def create(session: AsyncSession, plan: MatchPlan) -> int:
    """Write down a match that waits for its turn; returns its number.

    Raises:
        LongRoleError: A role has a name too long to be kept.
    """
    for role in plan.roles:
        if len(role) > MAX_ROLE:
            raise LongRoleError(role)
    row = MatchRow(
        match_id=plan.match_id,
        rulesheet_id=plan.rulesheet_id,
        game=plan.game,
        roles=list(plan.roles),
        startclock=plan.startclock,
        playclock=plan.playclock,
        dialect=plan.dialect,
        is_scrambled=plan.is_scrambled,
        seed=plan.seed,
        move_limit=plan.move_limit,
        status=Status.WAITING,
        reason="",
        random_token=plan.random_token,
        created=plan.created,
        tournament_id=plan.tournament_id,
        extra=dict(plan.extra),
    )
    session.add(row)
    await session.flush()
    session.add_all(
        SeatRow(
            match_id=row.id,
            role_index=seat.role_index,
            role=seat.role,
            player_id=seat.player_id,
            player_name=seat.player_name,
            source=seat.source,
            dialect=seat.dialect,
        )
        for seat in plan.seats
    )
    return row.id


async def add_turn(session: AsyncSession, number: int, turn: Turn) -> bool:
    """Write down a turn of match `number`; whether it is new: one that is there stays as it is."""
    insert = INSERTS[session.get_bind().dialect.name]
    change = insert(TurnRow).values(
        match_id=number,
        number=turn.number,
        moves=list(turn.moves),
        facts=list(turn.facts),
        errors=list(turn.errors),
        replies=[dict(reply) for reply in turn.replies],
        time=turn.time,
    )
    # In one go: each statement is a way to another thread, or over the network.
    done = await session.execute(change.on_conflict_do_nothing().returning(TurnRow.number))
    is_new = done.scalar() is not None
    if is_new:
        await _count(session, number, turn.errors, 1)
    return is_new


async def take_back(session: AsyncSession, number: int, last_turn: int) -> None:
    """Forget all turns after `last_turn`."""
    found = await session.scalars(
        select(TurnRow).where(TurnRow.match_id == number, TurnRow.number > last_turn)
    )
    for row in found:
        await _count(session, number, row.errors, -1)
        await session.delete(row)
    await drop_all(session, number)


async def _count(session: AsyncSession, number: int, errors: Sequence[str], by: int) -> None:
    """Count what was replaced in a turn, or take it off again."""
    for index, error in enumerate(errors):
        for name in (name for name, count in asdict(Faults.of(error)).items() if count):
            column = getattr(SeatRow, name)
            seat = (SeatRow.match_id == number, SeatRow.role_index == index)
            await session.execute(update(SeatRow).where(*seat).values({name: column + by}))


async def set_status(
    session: AsyncSession, number: int, status: Status, reason: str = "", now: int | None = None
) -> None:
    """Say where a match stands; `now` is when it ended."""
    row = await _row(session, number)
    row.status, row.reason = status, reason
    if status in OVER:
        row.ended = now


async def complete(session: AsyncSession, number: int, goals: Sequence[int], now: int) -> None:
    """Write down how a match came out."""
    await set_status(session, number, Status.COMPLETED, now=now)
    row = await _row(session, number)
    row.goals = list(goals)
    for seat in await _seats(session, [number]):
        seat.goal = goals[seat.role_index]


async def find(session: AsyncSession, number: int, *, with_rules: bool = False) -> Match:
    """One match.

    Raises:
        UnknownMatchError: There is none of this number.
    """
    row = await _row(session, number)
    seats = await _seats(session, [number])
    last = await session.scalar(select(func.max(TurnRow.number)).where(TurnRow.match_id == number))
    match = Match(row, tuple(seats), last or 0, has_begun=last is not None)
    if not with_rules:
        return match
    rulesheet = await session.get_one(RulesheetRow, row.rulesheet_id)
    return replace(match, text=rulesheet.text, is_bundled=rulesheet.is_bundled)


async def listed(session: AsyncSession, wanted: MatchFilter) -> list[Match]:
    """The matches that fit, the newest first."""
    query = select(MatchRow).where(*_conditions(wanted)).order_by(MatchRow.id.desc())
    rows = list(await session.scalars(query.limit(wanted.limit)))
    numbers = [row.id for row in rows]
    seats = await _seats(session, numbers)
    last = select(TurnRow.match_id, func.max(TurnRow.number)).where(TurnRow.match_id.in_(numbers))
    found = await session.execute(last.group_by(TurnRow.match_id))
    turns = {row[0]: row[1] for row in found}
    return [
        Match(
            row,
            tuple(seat for seat in seats if seat.match_id == row.id),
            turns.get(row.id, 0),
            has_begun=row.id in turns,
        )
        for row in rows
    ]


async def turns_of(
    session: AsyncSession, number: int, first: int = 0, last: int | None = None
) -> list[Turn]:
    """The turns of a match from `first` to `last`, in order."""
    query = select(TurnRow).where(TurnRow.match_id == number, TurnRow.number >= first)
    if last is not None:
        query = query.where(TurnRow.number <= last)
    return [
        Turn(
            row.number,
            tuple(row.moves),
            tuple(row.facts),
            tuple(row.errors),
            row.time,
            tuple(row.replies),
        )
        for row in await session.scalars(query.order_by(TurnRow.number))
    ]


async def moves_of(session: AsyncSession, number: int, last: int) -> list[tuple[str, ...]]:
    """The joint moves of a match up to turn `last`, in order."""
    query = select(TurnRow.moves).where(
        TurnRow.match_id == number, TurnRow.number >= 1, TurnRow.number <= last
    )
    return [tuple(moves) for moves in await session.scalars(query.order_by(TurnRow.number))]


async def record_of(session: AsyncSession, number: int) -> MatchRecord:
    """A match as GGP-Base records it.

    Raises:
        UnknownMatchError: There is none of this number.
    """
    head = await record_head(session, number)
    turns = await turns_of(session, number)
    return replace(
        head,
        states=tuple(turn.facts for turn in turns),
        state_times=tuple(turn.time for turn in turns),
        moves=tuple(turn.moves for turn in turns[1:]),
        errors=tuple(turn.errors for turn in turns),
    )


async def record_head(session: AsyncSession, number: int) -> MatchRecord:
    """The record of a match without its turns.

    Raises:
        UnknownMatchError: There is none of this number.
    """
    match = await find(session, number)
    row = match.row
    players = {seat.role_index: seat.player_name for seat in match.seats}
    return MatchRecord(
        match_id=row.match_id,
        start_time=row.created,
        startclock=row.startclock,
        playclock=row.playclock,
        random_token=row.random_token,
        player_names=tuple(players.get(index, role) for index, role in enumerate(row.roles)),
        goals=tuple(row.goals) if row.goals is not None else None,
        is_completed=row.status == Status.COMPLETED,
        is_aborted=row.status == Status.ABORTED,
        is_scrambled=row.is_scrambled,
        extra=row.extra,
    )


async def has_id(session: AsyncSession, match_id: str) -> bool:
    """Whether a match is known by this id in START and records."""
    query = select(func.count()).select_from(MatchRow).where(MatchRow.match_id == match_id)
    return bool(await session.scalar(query))


async def num_open(session: AsyncSession) -> int:
    """Number of matches that are set up and not over."""
    query = select(func.count()).select_from(MatchRow).where(MatchRow.status.in_(OPEN))
    return await session.scalar(query) or 0


async def open_numbers(session: AsyncSession) -> list[int]:
    """The numbers of the matches that are set up and not over."""
    query = select(MatchRow.id).where(MatchRow.status.in_(OPEN))
    return list(await session.scalars(query.order_by(MatchRow.id)))


async def interrupt_all(session: AsyncSession, reason: str) -> None:
    """Nobody runs the matches that were open any more."""
    change = update(MatchRow).where(MatchRow.status.in_(OPEN))
    await session.execute(change.values(status=Status.INTERRUPTED, reason=reason))


async def _row(session: AsyncSession, number: int) -> MatchRow:
    row = await session.get(MatchRow, number)
    if row is None:
        raise UnknownMatchError(number)
    return row


async def _seats(session: AsyncSession, numbers: Sequence[int]) -> list[SeatRow]:
    query = select(SeatRow).where(SeatRow.match_id.in_(numbers))
    return list(await session.scalars(query.order_by(SeatRow.match_id, SeatRow.role_index)))


def _conditions(wanted: MatchFilter) -> list[ColumnElement[bool]]:
    conditions: list[ColumnElement[bool]] = []
    if wanted.game:
        conditions.append(MatchRow.game == wanted.game)
    if wanted.status:
        conditions.append(MatchRow.status == wanted.status)
    if wanted.tournament_id is not None:
        conditions.append(MatchRow.tournament_id == wanted.tournament_id)
    if wanted.before is not None:
        conditions.append(MatchRow.id < wanted.before)
    if wanted.player:
        seats = select(SeatRow.match_id).where(SeatRow.player_name == wanted.player)
        conditions.append(MatchRow.id.in_(seats))
    return conditions
