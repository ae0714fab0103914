"""The matches that we play, each with its seat, and the rules for taking a seat.

A match belongs to the manager that began it. Another manager may run a match of the same name at
the same time, but it cannot end this one.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Coroutine
from contextlib import suppress
from typing import NamedTuple

from ggp.engine import EngineError, EnginePool
from ggp.errors import GgpError
from ggp.log import log_event
from ggp.protocol import Start
from ggp.server.admission import Admission
from ggp.server.callers import Caller
from ggp.server.config import ServerConfig
from ggp.server.ongoing import OngoingMatch
from ggp.server.replies import RefusalError
from ggp.server.turn_counts import TurnCounts
from ggp.server.waiting import Client

MAX_REMEMBERED = 1000
"""Number of seats without a match that are remembered, because late messages may refer to them."""


class SeatKey(NamedTuple):
    """One role that we play, identified by data in the messages of its match."""

    match: str
    """The name of the match."""
    address: str
    """The address that messages are sent to: the path and the manager's name for the player."""
    manager: Caller
    """The caller that began the match."""


class BusyError(GgpError):
    """A START must be answered `busy`. The error's text is the reason for the log, or empty."""


class MatchPlaces:
    """The limited number of places for simultaneous matches.

    Attributes:
        matches: The matches being played.
        candidates: Matches that will replace others when their rules have been read.
    """

    def __init__(
        self, config: ServerConfig, pool: EnginePool, admission: Admission, counts: TurnCounts
    ) -> None:
        self._config = config
        self._pool = pool
        self._admission = admission
        self._counts = counts
        self.matches: dict[SeatKey, OngoingMatch] = {}
        self.candidates: dict[SeatKey, OngoingMatch] = {}
        self._without_match: deque[SeatKey] = deque(maxlen=MAX_REMEMBERED)
        self._endings: set[asyncio.Task[None]] = set()

    def refusal(self, caller: Caller) -> str:
        """Return why a caller cannot begin a match now, or "" if it can."""
        pages = [seat for seat in self.matches if seat.manager.page]
        if caller.page and len(pages) >= self._config.page_places():
            return f"pages already play {len(pages)} matches"
        if len(self.matches) >= self._config.max_matches and not self.orphans():
            return f"{len(self.matches)} matches are being played"
        return self._admission.refusal(len(self.matches))

    def orphans(self) -> list[SeatKey]:
        """Return the seats of matches whose managers are overdue."""
        grace = self._config.orphan_grace
        return [seat for seat, match in self.matches.items() if match.is_orphaned(grace)]

    def seat_of(self, match: str, address: str, caller: Caller) -> SeatKey:
        """Return the seat that a message is for. Usually it is the seat at the message's address.

        If no START has reached that address, and the caller has exactly one seat in the match,
        return that seat.

        Raises:
            RefusalError: Only other callers play a match of this name.
        """
        owners = {seat.manager for seat in self.matches if seat.match == match}
        if owners and caller not in owners:
            expected = f"expected a message from the caller that began match {match}"
            several = "address; if a manager has several, name them with --one-manager"
            raise RefusalError(403, f"{expected}, from the same page and {several}; got: {caller}")
        exact = SeatKey(match, address, caller)
        seats = [seat for seat in self.matches if (seat.match, seat.manager) == (match, caller)]
        is_known = exact in seats or exact in self._without_match
        return seats[0] if len(seats) == 1 and not is_known else exact

    def knows(self, match: str, caller: Caller) -> bool:
        """Return whether a caller has begun a match of this name."""
        known = (*self.matches, *self.candidates)
        return any((seat.match, seat.manager) == (match, caller) for seat in known)

    def plays_with(self, address: str) -> bool:
        """Return whether we play a match that this address, or a page there, began."""
        return any(seat.manager.address == address for seat in self.matches)

    async def start(
        self, seat: SeatKey, message: Start, arrived: float, client: Client
    ) -> OngoingMatch:
        """Begin a match, or wait for the one that an equal START began. Return the accepted match.

        Matches that this one replaces continue until its rules have been read.

        Args:
            arrived: When the START arrived, as a time of `ggp.clock.now()`.
            client: The connection that waits for the reply.

        Raises:
            BusyError: The match is not played: there is no place, its rules were not read within
                the startclock, or another message has ended it meanwhile.
            EngineError: The match cannot be played: bad rules, or engine processes keep dying.
            RefusalError: Too many clients are waiting for this match already.
        """
        match = self._awaited(seat, message)
        if match is None:
            if reason := self._hindrance(seat, message):
                self._without_match.append(seat)
                raise BusyError(reason)
            match = OngoingMatch(
                message, arrived, self._config, self._pool, self._admission, self._counts
            )
            self._begin(seat, match)
        try:
            await match.begin(client)
        except asyncio.CancelledError:
            if self.holds(seat, match):
                raise  # the client is gone
            raise BusyError("") from None  # replaced or aborted meanwhile
        except EngineError:
            for table in (self.matches, self.candidates):
                if table.get(seat) is match:
                    del table[seat]
            raise
        if not self._confirm(seat, match):
            raise BusyError("" if match.is_ready else "the rules were not read in time")
        return match

    def _awaited(self, seat: SeatKey, message: Start) -> OngoingMatch | None:
        """Return the match that an equal START began and that has received no PLAY yet, or None."""
        for match in (self.matches.get(seat), self.candidates.get(seat)):
            if match is not None and match.message == message and not match.has_begun_to_play:
                return match
        return None

    def _hindrance(self, seat: SeatKey, message: Start) -> str:
        """Return why a START cannot be served, for the log, or "" if it can."""
        old = self.matches.get(seat)
        # Two roles at one address could not be distinguished, because a PLAY does not name its
        # role.
        is_other_role = old is not None and old.message.role != message.role
        if is_other_role and seat not in self.orphans():
            return "another role of this match already plays at this address"
        if seat in self.candidates:
            return "the match is already being restarted"
        return "" if self._replaced(seat, message) else self.refusal(seat.manager)

    def _begin(self, seat: SeatKey, match: OngoingMatch) -> None:
        """Give a match its place at once, unless it replaces a match with other rules.

        In that case make it a candidate.
        """
        replaced = self._replaced(seat, match.message)
        if all(self.matches[old].message.rules == match.message.rules for old in replaced):
            self._enter(seat, match)
        else:
            self.candidates[seat] = match

    def _confirm(self, seat: SeatKey, match: OngoingMatch) -> bool:
        """Give a candidate its place if its rules have been read and there is room, else abort it.

        Return whether the match has a place now.
        """
        if self.candidates.get(seat) is match:
            del self.candidates[seat]
            is_replacing = bool(self._replaced(seat, match.message))
            if match.is_ready and (is_replacing or not self.refusal(seat.manager)):
                self._enter(seat, match)
            else:
                self.in_background(match.abort())
        return self.matches.get(seat) is match

    def holds(self, seat: SeatKey, match: OngoingMatch) -> bool:
        """Return whether a match is being played or is a candidate."""
        return match in {self.matches.get(seat), self.candidates.get(seat)}

    def take(self, seat: SeatKey) -> OngoingMatch | None:
        """Remove the match at a seat and return it, or return None if there is none."""
        self._drop_candidate(seat)
        self._without_match.append(seat)
        return self.matches.pop(seat, None)

    def drop(self, seat: SeatKey, reason: str) -> None:
        """End a match without a message from its manager."""
        match = self.matches.pop(seat)
        self._counts.endings["dropped"] += 1
        told = {"match": seat.match, "reason": reason, "replaced": match.num_replaced}
        log_event(logging.INFO, "match dropped", **told)
        self.in_background(match.abort())

    def sweep(self) -> None:
        """Drop the matches whose managers have been gone for too long."""
        for seat, match in list(self.matches.items()):
            if match.is_orphaned(self._config.forget_seconds):
                self.drop(seat, "the manager is silent")

    async def close(self) -> None:
        """End every match."""
        for seat in list(self.candidates):
            self._drop_candidate(seat)
        for seat in list(self.matches):
            self.drop(seat, "the server stops")
        await asyncio.gather(*self._endings, return_exceptions=True)

    def in_background(self, ending: Coroutine[None, None, None]) -> None:
        """Run a coroutine that ends a match in a background task."""
        task = asyncio.create_task(ending)
        self._endings.add(task)
        task.add_done_callback(self._endings.discard)

    def _enter(self, seat: SeatKey, match: OngoingMatch) -> None:
        for old in self._replaced(seat, match.message):
            self.drop(old, "START was sent again")
        if len(self.matches) >= self._config.max_matches:
            self.drop(self.orphans()[0], "replaced by a new match")
        self.matches[seat] = match
        with suppress(ValueError):
            self._without_match.remove(seat)

    def _replaced(self, seat: SeatKey, message: Start) -> list[SeatKey]:
        """Return the seats of matches that a START restarts: the same role at any address."""
        named = seat.match, seat.manager
        return [
            old
            for old, match in self.matches.items()
            if (old.match, old.manager) == named
            and (old == seat or match.message.role == message.role)
        ]

    def _drop_candidate(self, seat: SeatKey) -> None:
        candidate = self.candidates.pop(seat, None)
        if candidate is not None:
            self.in_background(candidate.abort())
