"""Pass marks in the database, and the trials of players' versions against them."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from sqlalchemy import (
    JSON,
    Boolean,
    ColumnElement,
    ForeignKey,
    String,
    UniqueConstraint,
    and_,
    select,
)
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, mapped_column

from ggp.manager.errors import NotThereError
from ggp.manager.store.tables import Big, DatabaseTable, Names, PlayerRow


class Verdict(StrEnum):
    """The state of a trial."""

    WAITING = "waiting"
    RUNNING = "running"
    PASSED = "passed"
    FAILED = "failed"
    SUPERSEDED = "superseded"
    """The player has another version now. The trial goes on if this version is restored."""
    IMPOSSIBLE = "impossible"
    """A match could not be set up, for example because the reference player is retired."""


UNFINISHED = frozenset({Verdict.WAITING, Verdict.RUNNING})


class PassMarkRow(DatabaseTable):
    """A pass mark: points that a player must win from a reference player in each of some games."""

    __tablename__ = "pass_marks"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(100), unique=True)
    reference: Mapped[str] = mapped_column(String(500))
    """The reference player: a registered name or a spec."""
    games: Mapped[Names]
    matches: Mapped[int]
    """Number of matches in each game."""
    points: Mapped[int]
    """Points that a player needs in each game. A goal of 100 is a point."""
    startclock: Mapped[int]
    playclock: Mapped[int]
    created: Mapped[Big]
    is_withdrawn: Mapped[bool] = mapped_column(Boolean, default=False)


class TrialRow(DatabaseTable):
    """A trial of one version of a player against a pass mark."""

    __tablename__ = "trials"
    __table_args__ = (UniqueConstraint("mark_id", "player_id", "version"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    mark_id: Mapped[int] = mapped_column(ForeignKey("pass_marks.id", ondelete="CASCADE"))
    player_id: Mapped[int] = mapped_column(ForeignKey("players.id", ondelete="CASCADE"))
    version: Mapped[int]
    status: Mapped[str] = mapped_column(String(12), index=True)
    """One of `Verdict`."""
    problem: Mapped[str] = mapped_column(default="")
    results: Mapped[list[dict[str, Any]]] = mapped_column(JSON, default=list)
    """One entry per match, in the order of play: `game`, `match`, `seat` of the player, and its
    `points`, which are None until the match is over."""
    created: Mapped[Big]
    ended: Mapped[Big | None]

    def points_in(self, game: str) -> float:
        """Return the points that the player has won in a game so far."""
        return sum(one["points"] or 0.0 for one in self.results if one["game"] == game)

    def num_open(self, game: str, matches: int) -> int:
        """Return how many of the `matches` of a game have no result yet."""
        over = [one for one in self.results if one["game"] == game and one["points"] is not None]
        return matches - len(over)


async def listed(session: AsyncSession) -> list[PassMarkRow]:
    """Return the pass marks that are not withdrawn, oldest first."""
    query = select(PassMarkRow).where(PassMarkRow.is_withdrawn.is_(False))
    return list(await session.scalars(query.order_by(PassMarkRow.id)))


async def find(session: AsyncSession, number: int) -> PassMarkRow:
    """Return the pass mark with the given number."""
    row = await session.get(PassMarkRow, number)
    if row is None or row.is_withdrawn:
        raise NotThereError(f"there is no pass mark {number}")
    return row


async def trials(
    session: AsyncSession, *conditions: ColumnElement[bool]
) -> list[tuple[TrialRow, PassMarkRow, PlayerRow]]:
    """Return the trials that meet all conditions, in the order of their creation.

    Leave out those of marks that are withdrawn.
    """
    query = (
        select(TrialRow, PassMarkRow, PlayerRow)
        .join(PassMarkRow, TrialRow.mark_id == PassMarkRow.id)
        .join(PlayerRow, TrialRow.player_id == PlayerRow.id)
        .where(PassMarkRow.is_withdrawn.is_(False), *conditions)
        .order_by(TrialRow.id)
    )
    return [(trial, mark, player) for trial, mark, player in await session.execute(query)]


async def to_play(session: AsyncSession) -> list[tuple[TrialRow, PassMarkRow, PlayerRow]]:
    """Return the unfinished trials of current versions, in the order of their creation."""
    return await trials(session, TrialRow.status.in_(UNFINISHED), _is_current())


async def changed(session: AsyncSession) -> dict[int, Verdict]:
    """Map trials to their new statuses: versions that were replaced, and versions restored."""
    old = await trials(session, TrialRow.status.in_(UNFINISHED), ~_is_current())
    back = await trials(session, TrialRow.status == Verdict.SUPERSEDED, _is_current())
    return {trial.id: Verdict.SUPERSEDED for trial, _, _ in old} | {
        trial.id: Verdict.RUNNING if trial.results else Verdict.WAITING for trial, _, _ in back
    }


def _is_current() -> ColumnElement[bool]:
    return and_(TrialRow.version == PlayerRow.version, PlayerRow.is_retired.is_(False))


async def missing(session: AsyncSession, now: int) -> list[TrialRow]:
    """Return a new trial for each mark and current version of a student's player without one."""
    tried = (
        select(TrialRow.id)
        .where(
            TrialRow.mark_id == PassMarkRow.id,
            TrialRow.player_id == PlayerRow.id,
            TrialRow.version == PlayerRow.version,
        )
        .exists()
    )
    query = (
        select(PassMarkRow.id, PlayerRow.id, PlayerRow.version)
        .join(PlayerRow, PlayerRow.owner_id.is_not(None))
        .where(PassMarkRow.is_withdrawn.is_(False), PlayerRow.is_retired.is_(False), ~tried)
        .order_by(PassMarkRow.id, PlayerRow.id)
    )
    return [
        TrialRow(
            mark_id=mark,
            player_id=player,
            version=version,
            status=Verdict.WAITING,
            results=[],
            created=now,
        )
        for mark, player, version in await session.execute(query)
    ]
