"""The calendar of a course: when students may submit players, and when results are released.

The manager is the only program that writes to its database, so the dates are kept in memory too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ggp.clock import milliseconds_since_1970
from ggp.manager.domain.local_time import LocalTime
from ggp.manager.domain.rights import Caller, Right
from ggp.manager.errors import ConflictError, NotAllowedError, NotThereError, WrongRequestError
from ggp.manager.store import calendar
from ggp.manager.store.calendar import CalendarRow, DateKind
from ggp.manager.store.database import Database

MAX_DATES: Final = 200
NUM_SHOWN: Final = 5
"""Number of coming dates to show."""
NOW: Final = "now"
"""The text that stands for the present time."""
NAMES: Final = {
    DateKind.OPEN: "Submissions open",
    DateKind.FREEZE: "Submissions close",
    DateKind.FINAL: "Final",
    DateKind.RELEASE: "Release of results",
}


@dataclass(frozen=True, slots=True)
class Submissions:
    """Whether students may submit players now, and when that changes.

    Attributes:
        until: The time of the change in milliseconds since 1970. None if none is planned.
    """

    are_open: bool
    until: int | None


class CourseCalendar:
    """The dates of a course."""

    def __init__(self, database: Database, local_time: LocalTime) -> None:
        self._database = database
        self.local_time = local_time
        self.dates: list[CalendarRow] = []
        """All dates, earliest first."""

    async def load(self) -> None:
        """Read the dates from the database."""
        self.dates = await self._database.read(calendar.listed)

    async def add(self, kind: DateKind, text: str, note: str = "") -> CalendarRow:
        """Add a date.

        Args:
            text: The time, as `LocalTime.read` takes it, or `NOW`.

        Raises:
            WrongRequestError: The text is no time, or the time has passed.
            ConflictError: The calendar is full or already has this date.
        """
        now = milliseconds_since_1970()
        time = now if text == NOW else self.local_time.read(text, "time")
        if time < now:
            raise WrongRequestError(
                f"time: {self.local_time.shown(time)} has passed; expected a later time, or {NOW!r}"
            )
        async with self._database.writing() as session:
            known = await calendar.listed(session)
            if len(known) >= MAX_DATES:
                raise ConflictError(f"the calendar has {len(known)} dates, the maximum")
            if any((one.kind, one.time) == (kind, time) for one in known):
                raise ConflictError(f"the calendar already has this date: {NAMES[kind]}")
            row = CalendarRow(kind=kind, time=time, note=note)
            session.add(row)
        await self.load()
        return row

    async def remove(self, number: int) -> None:
        """Remove a date that has not passed.

        Raises:
            NotThereError: There is no such date.
            ConflictError: The date has passed.
        """
        async with self._database.writing() as session:
            row = await session.get(CalendarRow, number)
            if row is None:
                raise NotThereError(f"there is no date {number} in the calendar")
            if row.time <= milliseconds_since_1970():
                raise ConflictError(
                    "this date has passed; add a new date to open or close submissions again"
                )
            await session.delete(row)
        await self.load()

    def submissions(self) -> Submissions:
        """Return whether students may submit players now. Without dates they may."""
        now = milliseconds_since_1970()
        changes = [one for one in self.dates if one.kind in {DateKind.OPEN, DateKind.FREEZE}]
        passed = [one for one in changes if one.time <= now]
        # Before the first opening, submissions are closed. Before the first freeze, they are open.
        is_open = (
            passed[-1].kind == DateKind.OPEN
            if passed
            else not changes or changes[0].kind == DateKind.FREEZE
        )
        wanted = DateKind.FREEZE if is_open else DateKind.OPEN
        later = (one.time for one in changes if one.time > now and one.kind == wanted)
        return Submissions(is_open, next(later, None))

    def is_open_to(self, caller: Caller) -> bool:
        """Return whether the caller may change players now. Lecturers and hosts always may."""
        return caller.may(Right.HOLD) or self.submissions().are_open

    def check_open(self, caller: Caller) -> None:
        """Check that the caller may change players now.

        Raises:
            NotAllowedError: Submissions are closed.
        """
        if not self.is_open_to(caller):
            raise NotAllowedError(self.text)

    @property
    def text(self) -> str:
        """A sentence that says whether submissions are open. Empty if the calendar says nothing."""
        found = self.submissions()
        if found.until is not None:
            state = "open" if found.are_open else "closed"
            return f"Submissions are {state} until {self.local_time.shown(found.until)}."
        if found.are_open:
            return ""
        return "Submissions are closed. No date is set when they open again; ask your lecturer."

    @property
    def upcoming(self) -> list[str]:
        """The next dates as texts, with their notes, earliest first."""
        now = milliseconds_since_1970()
        later = [one for one in self.dates if one.time > now][:NUM_SHOWN]
        return [
            f"{self.local_time.shown(one.time)}: {NAMES[DateKind(one.kind)]}"
            + (f" ({one.note})" if one.note else "")
            for one in later
        ]

    def release_after(self, time: int) -> int | None:
        """Return the time of the first release after `time`, or None if there is none."""
        releases = (one.time for one in self.dates if one.kind == DateKind.RELEASE)
        return next((one for one in releases if one > time), None)
