"""/calendar: the dates of a course, on a manager with accounts."""

from __future__ import annotations

from typing import Annotated

from aiohttp import web
from pydantic import Field

from ggp.manager.api.models import AnswerModel
from ggp.manager.api.route import Routes
from ggp.manager.domain.rights import Right
from ggp.manager.service import SERVICE
from ggp.manager.store.calendar import DateKind
from ggp.manager.web.request_parts import RequestModel, number_of

Moment = Annotated[str, Field(min_length=1, max_length=40, examples=["2099-12-01T18:00"])]
"""A time such as `2026-12-01T18:00`, in the time zone of the host, or with an offset."""


class DateRequest(RequestModel):
    """A date to add."""

    kind: Annotated[DateKind, Field(examples=["freeze"])]
    """`open` and `freeze` open and close submissions, `release` shows results that are held back,
    and `final` only announces the final."""
    time: Moment
    """The time, or `now`."""
    note: Annotated[str, Field(max_length=200)] = ""


class DateAnswer(AnswerModel):
    """A date in the calendar."""

    id: int
    kind: str
    time: int
    note: str


class CalendarAnswer(AnswerModel):
    """The calendar."""

    time_zone: str
    open: bool
    """Whether students may submit players now."""
    until: int | None
    """When that changes. Null if no date is set."""
    dates: list[DateAnswer]


routes = Routes()


@routes.add("GET /calendar", Right.LOOK)
async def show_calendar(request: web.Request) -> CalendarAnswer:
    """Return the dates of the course, earliest first, and whether submissions are open."""
    calendar = request.app[SERVICE].calendar
    found = calendar.submissions()
    return CalendarAnswer(
        time_zone=calendar.local_time.zone.key,
        open=found.are_open,
        until=found.until,
        dates=DateAnswer.each(calendar.dates),
    )


@routes.add("POST /calendar", Right.TEACH, status=201)
async def add_date(request: web.Request, body: DateRequest) -> DateAnswer:
    """Add a date to the calendar."""
    row = await request.app[SERVICE].calendar.add(body.kind, body.time, body.note)
    return DateAnswer.model_validate(row)


@routes.add("DELETE /calendar/{number}", Right.TEACH)
async def remove_date(request: web.Request) -> None:
    """Remove a date that has not passed."""
    await request.app[SERVICE].calendar.remove(number_of(request))
