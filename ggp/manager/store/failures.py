"""Failures of players, as texts that say how a player failed in a match."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from ggp.manager.store import matches
from ggp.manager.store.matches import PlayedTurn
from ggp.manager.store.tables import MatchRow, PlayerRow, SeatRow, Status, is_shown
from ggp.protocol.addresses import is_address

NEARLY_ALL = 0.75
"""A player has failed if at least this share of its moves was illegal when it had a choice."""

UNREACHED: Final = "it could not be reached in its last match"
FAILED: Final = "its last match failed"
LATE: Final = "all its answers in its last match came too late"
ILLEGAL: Final = "nearly all its moves in its last match were illegal"
NO_ANSWER: Final = "it does not answer"
LOCKED: Final = "its account is locked"


def in_general(failure: str) -> str:
    """Return the failure as shown to people who do not own the player: without the reason."""
    what = failure.partition(":")[0]
    return what if what in {UNREACHED, FAILED, LATE, ILLEGAL, LOCKED} else NO_ANSWER


async def failure_of(session: AsyncSession, match: MatchRow, seat: SeatRow) -> str:
    """Return how and why a player failed in a finished match, or "" if it did not fail.

    A player fails if it cannot be reached or breaks down in any turn, if it is late whenever it has
    a choice, or if nearly all its chosen moves are illegal. A failure does not count if the
    player's name stands for a new file or address now.
    """
    if not str(seat.faults) or await _is_replaced(session, seat):
        return ""
    turns = await matches.turns_of(session, match.id)
    at = seat.role_index
    if seat.connection:
        is_away = is_address(seat.source)
        return (UNREACHED if is_away else FAILED) + _why(turns, at, "CE")
    choices = [turn for turn in turns if turn.replies and turn.replies[at]["legal"] > 1]
    is_late = bool(choices) and all(turn.errors[at].startswith("TO") for turn in choices)
    if is_late or seat.timeouts > match.num_turns:  # START is an answer too
        return LATE + _why(turns, at, "TO")
    num_illegal = sum(turn.errors[at].startswith("IL") for turn in choices)
    if choices and num_illegal >= NEARLY_ALL * len(choices):
        return ILLEGAL + _why(turns, at, "IL")
    return ""


async def _is_replaced(session: AsyncSession, seat: SeatRow) -> bool:
    player = None if seat.player_id is None else await session.get(PlayerRow, seat.player_id)
    return player is not None and player.source != seat.source


async def last_failure(session: AsyncSession, player_id: int, hidden: Collection[int]) -> str:
    """Return how a registered player failed in its last completed match, or "" if it did not.

    Matches of the tournaments in `hidden` do not count.
    """
    query = (
        select(SeatRow)
        .join(MatchRow, SeatRow.match_id == MatchRow.id)
        .where(
            SeatRow.player_id == player_id,
            MatchRow.status == Status.COMPLETED,
            is_shown(hidden),
        )
        .order_by(MatchRow.ended.desc(), MatchRow.id.desc(), SeatRow.role_index)
        .limit(1)
    )
    seat = await session.scalar(query)
    if seat is None:
        return ""
    return await failure_of(session, await matches.find(session, seat.match_id), seat)


def _why(turns: Sequence[PlayedTurn], at: int, kind: str) -> str:
    """Return ": " and the reason for the seat's first failure of this kind, or "" if unknown."""
    for turn in turns:
        if turn.replies and turn.errors[at].startswith(kind):
            reason = str(turn.replies[at].get("fallback", ""))
            move = turn.errors[at][len(kind) :].strip()
            return f": {reason or move}" if reason or move else ""
    return ""
