"""Results that are held back: who sees the results of a tournament, and from when on.

`ggp.manager.domain.rights.sees_results` decides who sees them. Ratings never count results that are
held back, because everyone sees the ratings.

The manager is the only program that writes to its database, so the tournaments whose results are
held back are kept in memory too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ggp.clock import milliseconds_since_1970
from ggp.manager.domain.calendar import CourseCalendar
from ggp.manager.domain.rights import has_seat, sees_results
from ggp.manager.errors import HeldBackError, WrongRequestError
from ggp.manager.store import entrants, matches, players, tournaments
from ggp.manager.store.database import Database
from ggp.manager.store.tables import Visibility
from ggp.manager.store.tournaments import Hold

HELD: Final = "held back"
"""The status of a tournament as shown to callers who may not see its results."""


@dataclass(frozen=True, slots=True)
class HeldTournament:
    """A tournament whose results are held back, or were so until a date."""

    name: str
    visibility: Visibility
    since: int
    release: int | None


class HeldResults:
    """The tournaments whose results not everyone may see.

    Attributes:
        num_changes: Number of changes so far that may have hidden results.
    """

    def __init__(self, database: Database, calendar: CourseCalendar) -> None:
        self._database = database
        self._calendar = calendar
        self._holds: dict[int, HeldTournament] = {}
        self.num_changes = 0

    async def load(self) -> None:
        """Read from the database which results are held back."""
        found = await self._database.read(tournaments.held)
        self._holds = {
            row.id: HeldTournament(
                row.name, Visibility(row.visibility), row.held_since or 0, row.release
            )
            for row in found
        }

    def release_of(self, number: int) -> int | None:
        """Return when everyone may see a tournament's results that are held back.

        Return None if only a lecturer releases them.
        """
        hold = self._holds[number]
        return hold.release or self._calendar.release_after(hold.since)

    def held(self) -> frozenset[int]:
        """Return the numbers of the tournaments whose results are held back now."""
        now = milliseconds_since_1970()
        releases = {number: self.release_of(number) for number in self._holds}
        return frozenset(
            number for number, release in releases.items() if release is None or release > now
        )

    def last_release(self) -> int:
        """Return when results were last released by date. 0 if that has not happened."""
        now = milliseconds_since_1970()
        releases = (self.release_of(number) or 0 for number in self._holds)
        return max((release for release in releases if release <= now), default=0)

    async def hidden(self) -> frozenset[int]:
        """Return the numbers of the tournaments whose results the caller may not see."""
        return frozenset([number for number in self.held() if not await self._sees(number)])

    async def _sees(self, number: int) -> bool:
        visibility = self._holds[number].visibility
        taking_part = (
            await self._database.read(entrants.taking_part, number)
            if visibility == Visibility.PARTICIPANTS
            else ()
        )
        return sees_results(visibility, taking_part)

    def why(self, number: int) -> str:
        """Return a sentence that says until when a tournament's results are held back."""
        hold, release = self._holds[number], self.release_of(number)
        if release is None:
            when = "until a lecturer releases them"
        else:
            when = f"until {self._calendar.local_time.shown(release)}"
        who = {
            Visibility.PARTICIPANTS: "; until then, only participants see them",
            Visibility.LECTURERS: "",
        }
        return f"The results of {hold.name} are held back {when}{who[hold.visibility]}."

    async def is_hidden(self, number: int) -> bool:
        """Return whether the caller may not see the results of a tournament."""
        return number in self.held() and not await self._sees(number)

    async def check(self, number: int) -> None:
        """Check that the caller may see the results of a tournament.

        Raises:
            HeldBackError: The results are held back.
        """
        if await self.is_hidden(number):
            raise HeldBackError(self.why(number))

    async def check_match(self, number: int, key: str) -> None:
        """Check that the caller may see a match.

        Args:
            key: The key of a seat, or empty.

        Raises:
            HeldBackError: The match is of a tournament whose results are held back.
        """
        tournament = await self._hidden_of(number, key)
        if tournament is not None:
            raise HeldBackError(self.why(tournament))

    async def is_match_hidden(self, number: int, key: str) -> bool:
        """Return whether `check_match` raises an error."""
        return await self._hidden_of(number, key) is not None

    async def _hidden_of(self, number: int, key: str) -> int | None:
        """Return the tournament that hides a match from the caller, or None if none does.

        People see the matches that they play themselves.
        """
        if not self.held():
            return None
        match = await self._database.read(matches.find, number)
        tournament = match.tournament_id
        if tournament is None or has_seat(match, key) or not await self.is_hidden(tournament):
            return None
        return tournament

    def hold(self, visibility: Visibility, release: str | None) -> Hold:
        """Return a hold that begins now.

        Args:
            release: When everyone may see the results, as `LocalTime.read` takes it. None for the
                next release in the calendar or, without one, until a lecturer releases them.

        Raises:
            WrongRequestError: The release is not needed, is no time, or has passed.
        """
        now, local_time = milliseconds_since_1970(), self._calendar.local_time
        if visibility == Visibility.EVERYONE:
            if release is not None:
                raise WrongRequestError("release: expected none, because everyone sees the results")
            return Hold()
        time = None if release is None else local_time.read(release, "release")
        if time is not None and time <= now:
            raise WrongRequestError(
                f"release: {local_time.shown(time)} has passed; expected a later time, or results "
                f"for {Visibility.EVERYONE}"
            )
        return Hold(visibility, now, time)

    async def switch(self, number: int, hold: Hold) -> None:
        """Change who sees the results of a tournament."""
        async with self._database.writing() as session:
            hold.write(await tournaments.find(session, number))
            await players.forget_ratings(session)
        await self.load()
        self.num_changes += 1
