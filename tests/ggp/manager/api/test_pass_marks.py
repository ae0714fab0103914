"""/pass-marks: each version of a student's player is tried against a reference player."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import update

from ggp.manager.hosting import pass_marks
from ggp.manager.service import ManagerService
from ggp.manager.store.tables import PlayerRow
from tests.ggp.manager.api.course import Client, course
from tests.ggp.manager.desk import Home, ask, until_so

MARK = {
    "name": "first step",
    "reference": "legal",
    "games": ["ticTacToe", "rockPaperScissors"],
    "matches": 2,
    "points": 1,
    "startclock": 1,
    "playclock": 1,
}


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Trials are looked for at once."""
    monkeypatch.setattr(pass_marks, "LOOK_SECONDS", 0.01)


async def own_player(service: ManagerService, people: dict[str, Client], source: str) -> None:
    """Give the student a player that runs in this process."""
    await ask(people["lecturer"], "POST", "/players", {"name": "anns", "source": source})
    _, account = await ask(people["student"], "GET", "/me")
    change = update(PlayerRow).where(PlayerRow.name == "anns").values(owner_id=account["id"])
    async with service.database.writing() as session:
        await session.execute(change)


async def judged(client: Client, number: int = 1) -> list[dict[str, Any]]:
    """Return the caller's trials once there are `number` and all are decided."""

    async def is_so() -> bool:
        _, found = await ask(client, "GET", "/trials")
        return len(found) >= number and all(
            one["status"] not in {"waiting", "running"} for one in found
        )

    await until_so(is_so)
    _, found = await ask(client, "GET", "/trials")
    return list(found)


async def test_a_version_passes_or_fails(home: Home) -> None:
    """By the points in each game; the matches are there to look at, and count for no rating."""
    async with course(home) as (service, people):
        student, lecturer = people["student"], people["lecturer"]
        await own_player(service, people, "legal")
        made, _ = await ask(lecturer, "POST", "/pass-marks", MARK)
        [drawn] = await judged(student)
        hard = {**MARK, "name": "hard", "points": 2, "games": ["rockPaperScissors"]}
        await ask(lecturer, "POST", "/pass-marks", hard)
        found = {one["mark"]: one for one in await judged(student, 2)}
        _, ratings = await ask(student, "GET", "/ratings")
        async with lecturer.get("/api/v1/trials.csv") as answer:
            table = (await answer.text()).splitlines()
        async with student.get("/me") as answer:
            page = await answer.text()

    assert made == 201
    assert drawn["status"] == found["first step"]["status"] == "passed"
    assert found["hard"]["status"] == "failed"
    assert {one["seat"] for one in drawn["results"] if one["game"] == "rockPaperScissors"} == {0, 1}
    assert all(one["match"] for one in found["hard"]["results"])
    assert ratings == []
    assert table[0] == "mark,owner,player,version,status,game,points,problem"
    assert table[1].startswith("hard,student,anns,1,failed,rockPaperScissors,")
    assert "Pass marks" in page


async def test_each_version_is_tried(home: Home) -> None:
    """Versions that are no longer current are not."""
    async with course(home) as (service, people):
        await own_player(service, people, "legal")
        await ask(people["lecturer"], "POST", "/pass-marks", {**MARK, "games": ["ticTacToe"]})
        await judged(people["student"])
        await ask(people["lecturer"], "POST", "/players/anns/versions", {"source": "random"})
        found = await judged(people["student"], 2)

    assert [(one["version"], one["current"]) for one in found] == [(2, True), (1, False)]


async def test_a_replaced_version_is_tried_again_when_it_is_restored(home: Home) -> None:
    """No trial begins while other matches have all cores."""
    async with course(home) as (service, people):
        student, lecturer = people["student"], people["lecturer"]

        async def until_statuses(*wanted: str) -> None:
            async def is_so() -> bool:
                _, found = await ask(student, "GET", "/trials")
                return [one["status"] for one in found] == list(wanted)

            await until_so(is_so)

        async with service.cores.taken(1000, match=1):
            await own_player(service, people, "legal")
            await ask(lecturer, "POST", "/pass-marks", {**MARK, "games": ["ticTacToe"]})
            await until_statuses("waiting")
            await ask(lecturer, "POST", "/players/anns/versions", {"source": "random"})
            await until_statuses("waiting", "superseded")
            await ask(lecturer, "POST", "/players/anns/versions/1/restore")
            await until_statuses("superseded", "waiting")
        found = await judged(student, 2)

    assert (found[0]["version"], found[0]["status"]) == (2, "superseded")
    assert found[1]["status"] in {"passed", "failed"}


async def test_a_mark_that_cannot_be_played_says_why(home: Home) -> None:
    """The reference player is retired meanwhile, or the mark is withdrawn."""
    async with course(home) as (service, people):
        lecturer, student = people["lecturer"], people["student"]
        await ask(lecturer, "POST", "/players", {"name": "boss", "source": "random"})
        await ask(lecturer, "POST", "/pass-marks", {**MARK, "reference": "boss"})
        await ask(lecturer, "DELETE", "/players/boss")
        await own_player(service, people, "legal")
        [found] = await judged(student)
        await ask(lecturer, "DELETE", "/pass-marks/1")
        _, after = await ask(student, "GET", "/trials")
        again, _ = await ask(lecturer, "POST", "/pass-marks", MARK)

    assert (found["status"], found["problem"]) == (
        "impossible",
        "players: boss is retired; choose another player",
    )
    assert (after, again) == ([], 201)


@pytest.mark.parametrize(
    ("change", "status", "message"),
    [
        ({"reference": "person"}, 400, "reference: expected a program"),
        ({"reference": "nobody"}, 400, "players: expected a registered player"),
        ({"games": ["nothing"]}, 404, "nothing"),
        ({"games": ["threePlayerTicTacToe"]}, 400, "games: expected games for two"),
        ({"games": ["ticTacToe", "ticTacToe"]}, 400, "games: expected each game once"),
        ({"points": 3}, 400, "points: expected at most 2"),
    ],
)
async def test_a_mark_that_cannot_be_is_refused(
    home: Home, change: dict[str, Any], status: int, message: str
) -> None:
    """The message names the field, and students set none."""
    async with course(home) as (_, people):
        found, problem = await ask(people["lecturer"], "POST", "/pass-marks", {**MARK, **change})
        by_student, _ = await ask(people["student"], "POST", "/pass-marks", MARK)

    assert (found, by_student) == (status, 403)
    assert message in problem["error"]
