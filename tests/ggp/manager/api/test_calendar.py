"""/calendar: submissions open and close at set times."""

from __future__ import annotations

import re
from typing import Any

import pytest

from ggp.manager.api.players import PLAYER
from ggp.manager.domain import calendar
from tests.ggp.manager.api.course import course
from tests.ggp.manager.desk import Home, ask

HOUR = 3_600_000
START = 1_800_000_000_000
"""Fri 15 Jan 2027, 08:00 UTC."""
MINE = {"name": "mine", "source": "http://127.0.0.1:9"}


class HandMovedClock:
    """A clock that stands still until the test moves it."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> int:
        """Return the time in milliseconds since 1970."""
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> HandMovedClock:
    """The clock of the calendar."""
    made = HandMovedClock()
    monkeypatch.setattr(calendar, "milliseconds_since_1970", made)
    return made


async def test_students_change_nothing_during_a_freeze(home: Home, clock: HandMovedClock) -> None:
    """The refusal says until when, and lecturers are not affected."""
    freeze = {"kind": "freeze", "time": "2027-01-15T09:00"}
    again = {"kind": "open", "time": "2027-01-15T11:00", "note": "second round"}
    async with course(home) as (_, people):
        student, lecturer = people["student"], people["lecturer"]
        made = [await ask(lecturer, "POST", "/calendar", date) for date in (freeze, again)]
        before, _ = await ask(student, "POST", "/players", MINE)
        clock.now += HOUR
        refused = [
            await ask(student, *request)
            for request in (
                ("POST", "/players", {**MINE, "name": "other"}),
                ("POST", "/submissions", {"text": PLAYER}),
                ("DELETE", "/players/mine"),
            )
        ]
        of_lecturer, _ = await ask(lecturer, "POST", "/players", {"name": "l", "source": "legal"})
        pages = [await _text(student, path) for path in ("/me", "/players", "/tournaments")]
        _, shown = await ask(student, "GET", "/calendar")
        clock.now += 2 * HOUR
        after, _ = await ask(student, "DELETE", "/players/mine")
        _, open_again = await ask(student, "GET", "/calendar")

    until = "Submissions are closed until Fri 15 Jan 2027, 11:00 (UTC)."
    assert [status for status, _ in made] == [201, 201]
    assert (before, of_lecturer, after) == (201, 201, 200)
    assert refused == [(403, {"error": until})] * 3
    assert all(until in page for page in pages)
    assert (shown["open"], shown["until"]) == (False, START + 3 * HOUR)
    assert [date["note"] for date in shown["dates"]] == ["", "second round"]
    assert (open_again["open"], open_again["until"]) == (True, None)


async def _text(client: Any, path: str) -> str:
    async with client.get(path, headers={"Accept": "text/html"}) as answer:
        return str(await answer.text())


async def test_submissions_are_closed_before_they_open(home: Home, clock: HandMovedClock) -> None:
    """A calendar that begins with an opening closes everything before it."""
    async with course(home) as (_, people):
        await ask(
            people["lecturer"], "POST", "/calendar", {"kind": "open", "time": "2027-01-15T09:00"}
        )
        early, problem = await ask(people["student"], "POST", "/players", MINE)
        clock.now += HOUR
        late, _ = await ask(people["student"], "POST", "/players", MINE)

    assert (early, late) == (403, 201)
    assert problem == {"error": "Submissions are closed until Fri 15 Jan 2027, 09:00 (UTC)."}


async def test_submissions_can_be_closed_now(home: Home) -> None:
    """Without a date to open again, the message says whom to ask. Pages have no form any more."""

    async def has_forms() -> list[bool]:
        found = []
        for path in ("/players", "/players/mine", "/me"):
            async with people["student"].get(path) as answer:
                page = await answer.text()
            found.append(">Register<" in page or "Add version" in page)
        return found

    async with course(home) as (_, people):
        await ask(people["student"], "POST", "/players", MINE)
        before = await has_forms()
        await ask(people["lecturer"], "POST", "/calendar", {"kind": "freeze", "time": "now"})
        status, problem = await ask(
            people["student"], "POST", "/players", {**MINE, "name": "other"}
        )
        after = await has_forms()

    assert status == 403
    assert problem["error"].endswith("ask your lecturer.")
    assert (before, after) == ([True] * 3, [False] * 3)


@pytest.mark.parametrize(
    ("request_of_lecturer", "status", "message"),
    [
        ({"kind": "freeze", "time": "2026-01-15T09:00"}, 400, "time: .* has passed"),
        ({"kind": "freeze", "time": "soon"}, 400, "time: expected a date and a time such as"),
        (
            {"kind": "holiday", "time": "now"},
            400,
            "kind: expected one of open, freeze, final or release",
        ),
        ({"kind": "final", "time": "2027-03-01T09:00"}, 409, "already has this date: Final"),
    ],
)
async def test_a_date_that_cannot_be_is_refused(
    home: Home,
    clock: HandMovedClock,
    request_of_lecturer: dict[str, str],
    status: int,
    message: str,
) -> None:
    """The message names the field."""
    assert clock.now == START
    async with course(home) as (_, people):
        lecturer = people["lecturer"]
        await ask(lecturer, "POST", "/calendar", {"kind": "final", "time": "2027-03-01T09:00"})
        found, problem = await ask(lecturer, "POST", "/calendar", request_of_lecturer)

    assert found == status
    assert re.match(message, problem["error"]) or re.search(message, problem["error"])


async def test_only_lecturers_change_the_calendar(home: Home, clock: HandMovedClock) -> None:
    """A date that has passed stays, so that nothing that it did is undone."""
    async with course(home) as (_, people):
        student, lecturer = people["student"], people["lecturer"]
        date = {"kind": "freeze", "time": "2027-01-15T09:00"}
        by_student, _ = await ask(student, "POST", "/calendar", date)
        _, made = await ask(lecturer, "POST", "/calendar", date)
        _, other = await ask(lecturer, "POST", "/calendar", {**date, "time": "2027-01-15T10:00"})
        stolen, _ = await ask(student, "DELETE", f"/calendar/{made['id']}")
        removed, _ = await ask(lecturer, "DELETE", f"/calendar/{other['id']}")
        clock.now += HOUR
        too_late, _ = await ask(lecturer, "DELETE", f"/calendar/{made['id']}")
        page = await _text(lecturer, "/students")

    assert (by_student, stolen, removed, too_late) == (403, 403, 200, 409)
    assert "Submissions close" in page
