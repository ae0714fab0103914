"""Matches in the database: set up, written turn by turn, read again as records; reports on them.

A function here does one thing within the caller's session.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from sqlalchemy import ColumnElement, func, or_, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import joinedload, selectinload, undefer

from ggp.errors import GgpError
from ggp.manager.errors import NotThereError
from ggp.manager.store import players
from ggp.manager.store.tables import (
    OPEN,
    OVER,
    Ending,
    MatchRow,
    ReportRow,
    SeatRow,
    Status,
    TurnRow,
    Unrated,
)
from ggp.manager.store.turns import drop_all
from ggp.records.record import ENDING, ENDING_REASON, MatchRecord
from ggp.tournament.fixture import Faults, is_absent

INSERTS: dict[str, Callable[[type[TurnRow]], sqlite.Insert | postgresql.Insert]] = {
    "sqlite": sqlite.insert,
    "postgresql": postgresql.insert,
}
"""Inserts that can leave a row that is there as it is, by kind of database."""
WITH_SEATS = (selectinload(MatchRow.seats), undefer(MatchRow.last_turn))
MOST_OF_STUDENT = 8
"""Matches that wait or run at once, as their owner or one of their people."""
MOST_SECONDS_OF_STUDENT = 120
"""Startclock and playclock of a match that a student sets up: others wait for its cores."""
MAX_ROLE = 100
"""Characters: some databases keep no more."""


class LongRoleError(GgpError):
    """A role whose name is too long to be kept."""


@dataclass(frozen=True, slots=True)
class PlayedTurn:
    """The result of a turn; number 0 is the START phase."""

    number: int
    moves: tuple[str, ...]
    facts: tuple[str, ...]
    errors: tuple[str, ...]
    time: int
    replies: tuple[Mapping[str, Any], ...] = ()
    percepts: tuple[tuple[str, ...], ...] = ()
    """What each role saw; empty where nothing is hidden."""

    def fields(self) -> dict[str, Any]:
        """The turn as a row and as JSON."""
        return {
            "number": self.number,
            "moves": list(self.moves),
            "facts": list(self.facts),
            "errors": list(self.errors),
            "replies": [dict(reply) for reply in self.replies],
            "percepts": [list(seen) for seen in self.percepts],
            "time": self.time,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchFilter:
    """Which matches to list; None and "" for all."""

    game: str = ""
    player: str = ""
    status: str = ""
    tournament: int | None = None
    before: int | None = None
    """Only matches with a smaller number than this: the next page."""
    limit: int = 50


async def create(session: AsyncSession, row: MatchRow) -> int:
    """Write down a match and its seats; it waits for its turn; returns its number."""
    for role in row.roles:
        if len(role) > MAX_ROLE:
            raise LongRoleError(f"role {role:.40}...: expected at most {MAX_ROLE} characters")
    row.status, row.reason = Status.WAITING, ""
    session.add(row)
    await session.flush()
    return row.id


async def add_turn(session: AsyncSession, number: int, turn: PlayedTurn) -> bool:
    """Write down a turn of match `number`; whether it is new: one that is there stays as it is."""
    insert = INSERTS[session.get_bind().dialect.name]
    change = insert(TurnRow).values(match_id=number, **turn.fields())
    # In one go: each statement is a way to another thread, or over the network.
    done = await session.execute(change.on_conflict_do_nothing().returning(TurnRow.number))
    is_new = done.scalar() is not None
    if is_new:
        await _count(session, number, turn.errors, 1)
    return is_new


async def choices_of(session: AsyncSession, match: MatchRow) -> list[list[int]]:
    """The turns in which each role had a choice."""
    played = await turns_of(session, match.id, 1)
    return [
        [turn.number for turn in played if turn.replies and turn.replies[index]["legal"] > 1]
        for index in range(len(match.roles))
    ]


async def copy_turns(session: AsyncSession, origin: int, number: int, last_turn: int) -> None:
    """Write down the turns of another match as those of match `number`.

    What went wrong in them is left out: it was not the fault of those who sit there now.
    """
    for turn in await turns_of(session, origin, 0, last_turn):
        silent = replace(turn, errors=("",) * len(turn.errors))
        session.add(TurnRow(match_id=number, **silent.fields()))


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
    for index, error in enumerate(errors):
        for name in (name for name, count in asdict(Faults.of(error)).items() if count):
            column = getattr(SeatRow, name)
            seat = (SeatRow.match_id == number, SeatRow.role_index == index)
            await session.execute(update(SeatRow).where(*seat).values({name: column + by}))


async def set_status(
    session: AsyncSession, number: int, status: Status, reason: str = "", now: int | None = None
) -> None:
    """Say where a match stands; `now` is when it ended."""
    row = await session.get(MatchRow, number)
    if row is None:
        raise NotThereError(f"there is no match {number}")
    row.status, row.reason = status, reason
    if status in OVER:
        row.ended = now


async def complete(
    session: AsyncSession,
    number: int,
    goals: Sequence[int],
    now: int,
    ending: Ending = Ending.RULES,
    reason: str = "",
) -> None:
    """Write down how a match came out."""
    await set_status(session, number, Status.COMPLETED, reason, now=now)
    row = await find(session, number)
    row.goals, row.ending = list(goals), ending
    last_turn = select(func.max(TurnRow.number)).where(TurnRow.match_id == number)
    num_turns = await session.scalar(last_turn) or 0
    for seat in row.seats:
        seat.goal = goals[seat.role_index]
        num_faults = seat.timeouts + seat.illegal + seat.connection
        seat.is_absent = is_absent(num_faults, num_turns)


async def set_rematch(session: AsyncSession, number: int, rematch: int) -> None:
    """Write down which match its people agreed to play after a match."""
    (await session.get_one(MatchRow, number)).rematch = rematch


async def set_unrated(session: AsyncSession, number: int, reason: Unrated) -> None:
    """Write down why a match counts for no rating; the first reason stays."""
    match = await session.get_one(MatchRow, number)
    match.unrated = match.unrated or reason


async def take_out(session: AsyncSession, number: int) -> None:
    """Have a match count for no rating any more, whoever set it up so that it did."""
    await set_unrated(session, number, Unrated.TAKEN_OUT)
    await players.forget_ratings(session)


async def reveal(session: AsyncSession, number: int) -> None:
    """Write down that a match is shown to everybody, though it was broken off."""
    (await session.get_one(MatchRow, number)).is_revealed = True


async def give_key(session: AsyncSession, number: int, role: str, key: str) -> None:
    """Put a key in the place of that of a person's seat."""
    seat = (SeatRow.match_id == number, SeatRow.role == role)
    await session.execute(update(SeatRow).where(*seat).values(key=key))


async def find(session: AsyncSession, number: int, *, with_rules: bool = False) -> MatchRow:
    """One match with its seats and, if asked for, its rules."""
    query = select(MatchRow).where(MatchRow.id == number).options(*WITH_SEATS)
    if with_rules:
        query = query.options(joinedload(MatchRow.rulesheet))
    row = await session.scalar(query)
    if row is None:
        raise NotThereError(f"there is no match {number}")
    return row


async def listed(session: AsyncSession, wanted: MatchFilter) -> list[MatchRow]:
    """The matches that fit with their seats, the newest first."""
    query = select(MatchRow).where(*_conditions(wanted)).options(*WITH_SEATS)
    return list(await session.scalars(query.order_by(MatchRow.id.desc()).limit(wanted.limit)))


async def unfinished(
    session: AsyncSession, account: int | None, numbers: Collection[int], limit: int
) -> list[MatchRow]:
    """Matches that are not over, of these numbers or with a seat of an account; newest first."""
    is_own: ColumnElement[bool] = MatchRow.id.in_(numbers)
    if account is not None:
        seats = select(SeatRow.match_id).where(SeatRow.account_id == account)
        is_own = or_(is_own, MatchRow.id.in_(seats))
    query = select(MatchRow).where(MatchRow.status.not_in(OVER), is_own).options(*WITH_SEATS)
    return list(await session.scalars(query.order_by(MatchRow.id.desc()).limit(limit)))


async def completed_of(session: AsyncSession, player: str, limit: int) -> list[MatchRow]:
    """The last matches of a player that were played to their end, the latest first."""
    own = select(SeatRow.match_id).where(SeatRow.player_name == player)
    query = (
        select(MatchRow)
        .options(selectinload(MatchRow.seats))
        .where(
            MatchRow.id.in_(own),
            MatchRow.status == Status.COMPLETED,
            MatchRow.annulled.is_(None),
            MatchRow.origin.is_(None),
        )
    )
    return list(await session.scalars(query.order_by(MatchRow.id.desc()).limit(limit)))


async def turns_of(
    session: AsyncSession, number: int, first: int = 0, last: int | None = None
) -> list[PlayedTurn]:
    """The turns of a match from `first` to `last`, in order."""
    query = select(TurnRow).where(TurnRow.match_id == number, TurnRow.number >= first)
    if last is not None:
        query = query.where(TurnRow.number <= last)
    return [
        PlayedTurn(
            row.number,
            tuple(row.moves),
            tuple(row.facts),
            tuple(row.errors),
            row.time,
            tuple(row.replies),
            tuple(tuple(seen) for seen in row.percepts),
        )
        for row in await session.scalars(query.order_by(TurnRow.number))
    ]


async def moves_of(session: AsyncSession, number: int, last: int) -> list[tuple[str, ...]]:
    """The joint moves of a match up to turn `last`, in order."""
    query = select(TurnRow.moves).where(
        TurnRow.match_id == number, TurnRow.number >= 1, TurnRow.number <= last
    )
    return [tuple(moves) for moves in await session.scalars(query.order_by(TurnRow.number))]


async def errors_of(session: AsyncSession, number: int, last: int) -> list[tuple[str, ...]]:
    """The errors of the answers of a match up to turn `last`, from START on."""
    query = select(TurnRow.errors).where(TurnRow.match_id == number, TurnRow.number <= last)
    return [tuple(errors) for errors in await session.scalars(query.order_by(TurnRow.number))]


async def record_of(session: AsyncSession, number: int) -> MatchRecord:
    """A match as GGP-Base records it."""
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
    """The record of a match without its turns."""
    row = await find(session, number)
    players = {seat.role_index: seat.player_name for seat in row.seats}
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
        extra=row.extra | _settlement(row),
    )


def _settlement(row: MatchRow) -> dict[str, str]:
    """The fields of a record that say how people have ended a match, against its rules."""
    if row.ending in {"", Ending.RULES}:
        return {}
    return {ENDING: row.ending, ENDING_REASON: row.reason}


async def has_id(session: AsyncSession, match_id: str) -> bool:
    """Whether a match is known by this id in START and records."""
    query = select(func.count()).select_from(MatchRow).where(MatchRow.match_id == match_id)
    return bool(await session.scalar(query))


async def num_open(session: AsyncSession, owner: int | None = None) -> int:
    """Number of matches that are set up and not over; of an account, or of all (None)."""
    query = select(func.count()).select_from(MatchRow).where(MatchRow.status.in_(OPEN))
    if owner is not None:
        seated = select(SeatRow.match_id).where(SeatRow.account_id == owner)
        query = query.where(or_(MatchRow.owner_id == owner, MatchRow.id.in_(seated)))
    return await session.scalar(query) or 0


async def num_by_status(session: AsyncSession) -> dict[str, int]:
    """Number of matches of each status."""
    rows = await session.execute(select(MatchRow.status, func.count()).group_by(MatchRow.status))
    return dict.fromkeys(map(str, Status), 0) | {str(status): num for status, num in rows}


async def open_numbers(session: AsyncSession) -> list[int]:
    """The numbers of the matches that are set up and not over."""
    query = select(MatchRow.id).where(MatchRow.status.in_(OPEN))
    return list(await session.scalars(query.order_by(MatchRow.id)))


async def interrupt_all(session: AsyncSession, reason: str) -> None:
    """Nobody runs the matches that were open any more."""
    change = update(MatchRow).where(MatchRow.status.in_(OPEN))
    await session.execute(change.values(status=Status.INTERRUPTED, reason=reason))


def _conditions(wanted: MatchFilter) -> list[ColumnElement[bool]]:
    conditions: list[ColumnElement[bool]] = []
    if wanted.game:
        conditions.append(MatchRow.game == wanted.game)
    if wanted.status:
        conditions.append(MatchRow.status == wanted.status)
    if wanted.tournament is not None:
        conditions.append(MatchRow.tournament_id == wanted.tournament)
    if wanted.before is not None:
        conditions.append(MatchRow.id < wanted.before)
    if wanted.player:
        seats = select(SeatRow.match_id).where(SeatRow.player_name == wanted.player)
        conditions.append(MatchRow.id.in_(seats))
    return conditions


async def find_report(session: AsyncSession, match: int) -> ReportRow | None:
    """The report on a match; None if nobody asked for one."""
    return await session.get(ReportRow, match)


async def ask_report(session: AsyncSession, match: int, now: int) -> ReportRow:
    """Ask for a report; one that is there already, or was asked for, stays as it is."""
    row = await session.get(ReportRow, match)
    if row is None or row.status == Status.ABORTED:
        row = ReportRow(match_id=match, status=Status.WAITING, asked=now, reason="", content={})
        row = await session.merge(row)
    return row


async def waiting_reports(session: AsyncSession) -> list[int]:
    """The matches whose reports were asked for and are not made, that asked for first first."""
    query = select(ReportRow.match_id).where(ReportRow.status == Status.WAITING)
    return list(await session.scalars(query.order_by(ReportRow.asked, ReportRow.match_id)))


async def complete_report(session: AsyncSession, match: int, content: Mapping[str, Any]) -> None:
    """Write a report down."""
    row = await session.get_one(ReportRow, match)
    row.status, row.content = Status.COMPLETED, dict(content)


async def give_up_report(session: AsyncSession, match: int, reason: str) -> None:
    """Write down that there is no report, and why."""
    row = await session.get_one(ReportRow, match)
    row.status, row.reason = Status.ABORTED, reason
