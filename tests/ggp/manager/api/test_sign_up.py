"""Tournaments of people and programs: sign-up, clocks of people, and people who do not come."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from ggp.manager.domain import people as people_module
from tests.ggp.manager.api.course import Client, course, invited, joined
from tests.ggp.manager.desk import SECONDS, Home, ask, over_tournament, until_so

MIXED: dict[str, Any] = {
    "name": "open",
    "games": ["ticTacToe"],
    "players": ["legal"],
    "matches": 1,
    "startclock": 1,
    "playclock": 1,
    "sign_up": True,
    "clock": {"kind": "move", "seconds": 1},
}
ME = {"name": "me", "player": "person"}


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """A person has a second for the first move."""
    monkeypatch.setattr(people_module, "FIRST_SECONDS", 1)


async def second_student(people: dict[str, Client]) -> Client:
    """Return the browser of another student."""
    await joined(people["nobody"], await invited(people["lecturer"], "student"), "Eve")
    return people["nobody"]


async def test_people_and_programs_play_one_tournament(home: Home) -> None:
    """They sign up until it begins. A person who does not come has lost."""
    async with course(home) as (service, people):
        lecturer, student, eve = people["lecturer"], people["student"], await second_student(people)
        made, _ = await ask(lecturer, "POST", "/tournaments", MIXED)
        joined_in = [await ask(one, "POST", "/tournaments/1/players", ME) for one in (student, eve)]
        twice, _ = await ask(eve, "POST", "/tournaments/1/players", ME)
        async with eve.get("/tournaments/1") as answer:
            page = await answer.text()
        _, open_state = await ask(student, "GET", "/tournaments/1")
        by_student, _ = await ask(student, "POST", "/tournaments/1/begin")
        begun, _ = await ask(lecturer, "POST", "/tournaments/1/begin")
        too_late, _ = await ask(student, "DELETE", "/tournaments/1/players/student")
        closed, _ = await ask(student, "POST", "/tournaments/1/players", ME)
        await over_tournament(service.tournaments, 1)
        _, state = await ask(student, "GET", "/tournaments/1")
        async with student.get("/matches/1") as answer:
            board = await answer.text()

    assert (made, [status for status, _ in joined_in], twice) == (201, [200, 200], 409)
    assert "Programs take part in this tournament" in page
    assert (by_student, begun, too_late, closed) == (403, 200, 404, 409)
    assert [one["name"] for one in open_state["pool"]] == ["legal", "student", "Eve"]
    rows = {row["name"]: row for row in state["table"]["rows"]}
    assert set(rows) == {"legal", "student", "Eve"}
    assert (rows["legal"]["wins"], rows["legal"]["losses"]) == (2, 0)
    assert {one["status"] for one in state["fixtures"]} == {"completed"}
    assert "a program" in board or "Eve" in board


async def test_who_waits_for_a_person_holds_up_no_other(home: Home) -> None:
    """While one of two people plays, the other can play somebody else."""
    async with course(home) as (service, _), asyncio.timeout(SECONDS):
        reserved = service.tournaments._reserved
        is_entered = asyncio.Event()

        async def both() -> None:
            async with reserved({(1, 2), (1, 3)}):
                is_entered.set()

        async with reserved({(1, 2)}):
            waiting = asyncio.create_task(both())
            await asyncio.sleep(0)
            async with reserved({(1, 3)}):
                was_entered = is_entered.is_set()
        await waiting

    assert not was_entered


async def test_a_person_plays_one_match_at_a_time(home: Home) -> None:
    """Against two programs, the second match waits for the first."""
    plan = {**MIXED, "players": ["legal", "random"], "clock": {"kind": "move", "seconds": 600}}
    async with course(home) as (_, people):
        lecturer, student = people["lecturer"], people["student"]
        await ask(lecturer, "POST", "/tournaments", plan)
        await ask(student, "POST", "/tournaments/1/players", ME)
        await ask(lecturer, "POST", "/tournaments/1/begin")

        async def of_person(status: str) -> list[dict[str, Any]]:
            _, found = await ask(student, "GET", f"/matches?player=student&status={status}")
            return list(found)

        async def is_running() -> bool:
            return bool(await of_person("running"))

        async def is_next() -> bool:
            found = await of_person("running")
            return bool(found) and bool(await of_person("completed"))

        await until_so(is_running)
        [first] = await of_person("running")
        role = next(seat["role"] for seat in first["seats"] if seat["person"])
        path = f"/matches/{first['number']}"
        hint, _ = await ask(student, "POST", f"{path}/hint", {"role": role})
        back, _ = await ask(student, "POST", f"{path}/take-back", {"role": role, "turns": 0})
        await ask(student, "POST", f"{path}/resign", {"role": role})
        await until_so(is_next)
        await ask(lecturer, "POST", "/tournaments/1/abort")

    assert (hint, back) == (409, 409)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"sign_up": False}, "clock: allowed only with sign_up"),
        ({"form": "continuous"}, "sign_up: a continuous tournament has no sign-up"),
    ],
)
async def test_a_sign_up_that_cannot_be_is_refused(
    home: Home, change: dict[str, Any], message: str
) -> None:
    """The message names the field."""
    async with course(home) as (_, people):
        status, problem = await ask(people["lecturer"], "POST", "/tournaments", {**MIXED, **change})

    assert status == 400
    assert problem["error"].startswith(message)


async def test_a_sign_up_survives_what_happens(home: Home) -> None:
    """People leave, programs only is programs only, and too few do not begin."""
    async with course(home) as (_, people):
        lecturer, student = people["lecturer"], people["student"]
        await ask(lecturer, "POST", "/tournaments", {**MIXED, "players": [], "clock": None})
        refused, problem = await ask(student, "POST", "/tournaments/1/players", ME)
        await ask(student, "POST", "/players", {"name": "mine", "source": "http://127.0.0.1:9"})
        await ask(student, "POST", "/tournaments/1/players", {"name": "mine"})
        too_few, _ = await ask(lecturer, "POST", "/tournaments/1/begin")
        left, _ = await ask(student, "DELETE", "/tournaments/1/players/mine")
        aborted, _ = await ask(lecturer, "POST", "/tournaments/1/abort")
        after, _ = await ask(lecturer, "POST", "/tournaments/1/begin")

    assert (refused, problem["error"]) == (
        409,
        "open has no clock for people, so only programs play",
    )
    assert (too_few, left, aborted, after) == (400, 200, 200, 409)
