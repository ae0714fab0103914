"""Matches in the database: their rows, turns and records.

Each function works in the session of its caller.
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
    SeatRow,
    Status,
    TournamentRow,
    TurnRow,
    Unrated,
    is_shown,
)
from ggp.manager.store.turns import drop_all
from ggp.records.record import ENDING, ENDING_REASON, MatchRecord
from ggp.tournament.fixture import Faults, is_absent

INSERTS: dict[str, Callable[[type[TurnRow]], sqlite.Insert | postgresql.Insert]] = {
    "sqlite": sqlite.insert,
    "postgresql": postgresql.insert,
}
"""Maps each kind of database to the insert statement that can skip an existing row."""
WITH_SEATS = (selectinload(MatchRow.seats), undefer(MatchRow.last_turn))
MAX_OF_STUDENT = 8
"""Largest number of open matches that a student may own or play in at the same time."""
MAX_SECONDS_OF_STUDENT = 120
"""Longest startclock and playclock, in seconds, that a student may set, because others wait."""
MAX_ROLE = 100
"""Largest number of characters in the name of a role. Some databases store no more."""


class LongRoleError(GgpError):
    """The name of a role is too long for the database."""


@dataclass(frozen=True, slots=True)
class PlayedTurn:
    """A turn and its result. Turn 0 is the START phase."""

    number: int
    moves: tuple[str, ...]
    facts: tuple[str, ...]
    errors: tuple[str, ...]
    time: int
    replies: tuple[Mapping[str, Any], ...] = ()
    percepts: tuple[tuple[str, ...], ...] = ()
    """The percepts of each role. Empty if the game hides no information."""

    def fields(self) -> dict[str, Any]:
        """Return the fields of the turn, with the names that they have in its row and in JSON."""
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
    """Conditions for the matches to list. None and "" match everything."""

    game: str = ""
    player: str = ""
    status: str = ""
    tournament: int | None = None
    before: int | None = None
    """Only matches with numbers smaller than this one, to get the next page."""
    limit: int = 50
    hidden: Collection[int] = ()
    """The tournaments whose matches the caller may not see."""


async def create(session: AsyncSession, row: MatchRow) -> int:
    """Store a new match and its seats, with the status `waiting`, and return its number."""
    for role in row.roles:
        if len(role) > MAX_ROLE:
            raise LongRoleError(f"role {role:.40}...: expected at most {MAX_ROLE} characters")
    row.status, row.reason = Status.WAITING, ""
    session.add(row)
    await session.flush()
    return row.id


async def add_turn(session: AsyncSession, number: int, turn: PlayedTurn) -> bool:
    """Store a turn of match `number` and return whether it is new.

    If the turn is already stored, leave it unchanged.
    """
    insert = INSERTS[session.get_bind().dialect.name]
    change = insert(TurnRow).values(match_id=number, **turn.fields())
    # Use one statement, because each one goes to another thread or over the network.
    done = await session.execute(change.on_conflict_do_nothing().returning(TurnRow.number))
    is_new = done.scalar() is not None
    if is_new:
        await _count(session, number, turn.errors, 1)
    return is_new


async def choices_of(session: AsyncSession, match: MatchRow) -> list[list[int]]:
    """Return, for each role, the numbers of the turns in which it had a choice."""
    played = await turns_of(session, match.id, 1)
    return [
        [turn.number for turn in played if turn.replies and turn.replies[index]["legal"] > 1]
        for index in range(len(match.roles))
    ]


async def copy_turns(session: AsyncSession, origin: int, number: int, last_turn: int) -> None:
    """Copy the turns of match `origin` up to `last_turn` to match `number`.

    Leave out the errors, because other players made them.
    """
    for turn in await turns_of(session, origin, 0, last_turn):
        silent = replace(turn, errors=("",) * len(turn.errors))
        session.add(TurnRow(match_id=number, **silent.fields()))


async def take_back(session: AsyncSession, number: int, last_turn: int) -> None:
    """Delete all turns after `last_turn`, and subtract their errors from the seats' counts."""
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
    """Set the status of a match. If the status is final, `now` is the time when the match ended."""
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
    """Store the result of a match and mark it as completed."""
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
    """Store the number of the rematch that the people of a match agreed on."""
    (await session.get_one(MatchRow, number)).rematch = rematch


async def set_unrated(session: AsyncSession, number: int, reason: Unrated) -> None:
    """Store why a match counts for no rating. Keep an earlier reason."""
    match = await session.get_one(MatchRow, number)
    match.unrated = match.unrated or reason


async def take_out(session: AsyncSession, number: int) -> None:
    """Remove a rated match from the ratings."""
    await set_unrated(session, number, Unrated.TAKEN_OUT)
    await players.forget_ratings(session)


async def reveal(session: AsyncSession, number: int) -> None:
    """Show a match to everybody, even though it was broken off."""
    (await session.get_one(MatchRow, number)).is_revealed = True


async def give_key(session: AsyncSession, number: int, role: str, key: str) -> None:
    """Replace the key of a person's seat."""
    seat = (SeatRow.match_id == number, SeatRow.role == role)
    await session.execute(update(SeatRow).where(*seat).values(key=key))


async def find(session: AsyncSession, number: int, *, with_rules: bool = False) -> MatchRow:
    """Return a match with its seats and, if `with_rules`, its rules."""
    query = select(MatchRow).where(MatchRow.id == number).options(*WITH_SEATS)
    if with_rules:
        query = query.options(joinedload(MatchRow.rulesheet))
    row = await session.scalar(query)
    if row is None:
        raise NotThereError(f"there is no match {number}")
    return row


async def listed(session: AsyncSession, wanted: MatchFilter) -> list[MatchRow]:
    """Return the matches that meet the conditions, with their seats, newest first."""
    query = select(MatchRow).where(*_conditions(wanted)).options(*WITH_SEATS)
    return list(await session.scalars(query.order_by(MatchRow.id.desc()).limit(wanted.limit)))


async def unfinished(
    session: AsyncSession, account: int | None, numbers: Collection[int], limit: int
) -> list[MatchRow]:
    """Return up to `limit` matches that are not over, newest first.

    These are matches whose number is in `numbers`, and matches in which the account has a seat.
    """
    is_own: ColumnElement[bool] = MatchRow.id.in_(numbers)
    if account is not None:
        seats = select(SeatRow.match_id).where(SeatRow.account_id == account)
        is_own = or_(is_own, MatchRow.id.in_(seats))
    query = select(MatchRow).where(MatchRow.status.not_in(OVER), is_own).options(*WITH_SEATS)
    return list(await session.scalars(query.order_by(MatchRow.id.desc()).limit(limit)))


async def completed_of(
    session: AsyncSession, player: str, limit: int, hidden: Collection[int]
) -> list[MatchRow]:
    """Return up to `limit` matches that a player completed, latest first.

    Leave out annulled matches, those that began in a position of another match, and those of the
    tournaments in `hidden`.
    """
    own = select(SeatRow.match_id).where(SeatRow.player_name == player)
    query = (
        select(MatchRow)
        .options(selectinload(MatchRow.seats))
        .where(
            MatchRow.id.in_(own),
            MatchRow.status == Status.COMPLETED,
            MatchRow.annulled.is_(None),
            MatchRow.origin.is_(None),
            is_shown(hidden),
        )
    )
    return list(await session.scalars(query.order_by(MatchRow.id.desc()).limit(limit)))


async def turns_of(
    session: AsyncSession, number: int, first: int = 0, last: int | None = None
) -> list[PlayedTurn]:
    """Return the turns of a match from `first` to `last`, in order."""
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
    """Return the joint moves of a match up to turn `last`, in order."""
    query = select(TurnRow.moves).where(
        TurnRow.match_id == number, TurnRow.number >= 1, TurnRow.number <= last
    )
    return [tuple(moves) for moves in await session.scalars(query.order_by(TurnRow.number))]


async def errors_of(session: AsyncSession, number: int, last: int) -> list[tuple[str, ...]]:
    """Return the errors of the answers in a match, from START to turn `last`."""
    query = select(TurnRow.errors).where(TurnRow.match_id == number, TurnRow.number <= last)
    return [tuple(errors) for errors in await session.scalars(query.order_by(TurnRow.number))]


async def record_of(session: AsyncSession, number: int) -> MatchRecord:
    """Return the record of a match in GGP-Base's format."""
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
    """Return the record of a match without its turns."""
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
    """Return the fields that a record has if people ended the match before its rules did."""
    if row.ending in {"", Ending.RULES}:
        return {}
    return {ENDING: row.ending, ENDING_REASON: row.reason}


async def has_id(session: AsyncSession, match_id: str) -> bool:
    """Return whether a match has this id, which START and records use."""
    query = select(func.count()).select_from(MatchRow).where(MatchRow.match_id == match_id)
    return bool(await session.scalar(query))


async def num_open(session: AsyncSession, owner: int | None = None) -> int:
    """Return the number of matches that are waiting or running.

    If `owner` is given, count only matches that this account set up or has a seat in.
    """
    query = select(func.count()).select_from(MatchRow).where(MatchRow.status.in_(OPEN))
    if owner is not None:
        seated = select(SeatRow.match_id).where(SeatRow.account_id == owner)
        query = query.where(or_(MatchRow.owner_id == owner, MatchRow.id.in_(seated)))
    return await session.scalar(query) or 0


async def num_by_status(
    session: AsyncSession, table: type[MatchRow] | type[TournamentRow]
) -> dict[str, int]:
    """Return the number of matches or tournaments of each status."""
    rows = await session.execute(select(table.status, func.count()).group_by(table.status))
    return dict.fromkeys(map(str, Status), 0) | {str(status): num for status, num in rows}


async def open_numbers(session: AsyncSession) -> list[int]:
    """Return the numbers of all matches that are waiting or running."""
    query = select(MatchRow.id).where(MatchRow.status.in_(OPEN))
    return list(await session.scalars(query.order_by(MatchRow.id)))


async def interrupt_all(session: AsyncSession, reason: str) -> None:
    """Mark all waiting and running matches as interrupted, because no manager runs them now."""
    change = update(MatchRow).where(MatchRow.status.in_(OPEN))
    await session.execute(change.values(status=Status.INTERRUPTED, reason=reason))


def _conditions(wanted: MatchFilter) -> list[ColumnElement[bool]]:
    conditions: list[ColumnElement[bool]] = []
    if wanted.hidden:
        conditions.append(is_shown(wanted.hidden))
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
