"""/scrimmages: a student challenges another student's player."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from ggp.manager.hosting import scrimmages
from tests.ggp.manager.api.course import Client, course, invited, joined
from tests.ggp.manager.desk import Home, ask

WISH = {"game": "ticTacToe", "player": "anns", "opponent": "eves", "startclock": 1, "playclock": 1}


async def two_students(people: dict[str, Client]) -> tuple[Client, Client]:
    """Return the browsers of two students who have a player each, where nothing answers."""
    ann, eve = people["student"], people["nobody"]
    await joined(eve, await invited(people["lecturer"], "student"), "Eve")
    for client, name, port in ((ann, "anns", 9), (eve, "eves", 10)):
        player = {"name": name, "source": f"http://127.0.0.1:{port}"}
        assert (await ask(client, "POST", "/players", player))[0] == 201
    return ann, eve


async def test_a_scrimmage_begins_when_it_is_accepted(home: Home) -> None:
    """Once, even if the student accepts twice at the same moment. It is unrated by default."""
    async with course(home) as (_, people):
        ann, eve = await two_students(people)
        made, request = await ask(ann, "POST", "/scrimmages", WISH)
        own, _ = await ask(ann, "POST", "/scrimmages/1/accept")
        accepted = await asyncio.gather(
            *(ask(eve, "POST", "/scrimmages/1/accept") for _ in range(3))
        )
        _, listed = await ask(ann, "GET", "/scrimmages")
        _, played = await ask(ann, "GET", "/matches")
        async with eve.get("/scrimmages") as answer:
            page = await answer.text()

    assert (made, request["status"], own) == (201, "open", 403)
    assert sorted(status for status, _ in accepted) == [200, 409, 409]
    assert [(one["status"], one["match"], one["own"]) for one in listed] == [("accepted", 1, True)]
    assert [(one["number"], one["unrated"]) for one in played] == [(1, "it is a scrimmage")]
    assert "anns against eves" in page


async def test_unrated_scrimmages_can_begin_at_once(home: Home) -> None:
    """If the other student wants so; rated ones are still asked about, and nothing is refused."""
    async with course(home) as (_, people):
        ann, eve = await two_students(people)
        await ask(eve, "POST", "/me/scrimmages", {"accepts": "auto"})
        _, unrated = await ask(ann, "POST", "/scrimmages", WISH)
        _, rated = await ask(ann, "POST", "/scrimmages", {**WISH, "rated": True})
        _, accepts = await ask(eve, "GET", "/me/scrimmages")

    assert (unrated["status"], unrated["match"]) == ("accepted", 1)
    assert (rated["status"], rated["match"]) == ("open", None)
    assert accepts == {"accepts": "auto"}


async def test_a_request_is_declined_or_withdrawn(home: Home) -> None:
    """Each by the student whom it concerns; other students have nothing to do with it."""
    async with course(home) as (_, people):
        ann, eve = await two_students(people)
        for _ in range(2):
            await ask(ann, "POST", "/scrimmages", WISH)
        statuses = [
            (await ask(*request))[0]
            for request in (
                (people["lecturer"], "DELETE", "/scrimmages/1"),
                (eve, "DELETE", "/scrimmages/1"),
                (ann, "DELETE", "/scrimmages/2"),
                (eve, "POST", "/scrimmages/1/accept"),
                (eve, "POST", "/scrimmages/9/accept"),
            )
        ]
        _, listed = await ask(eve, "GET", "/scrimmages")

    assert statuses == [403, 200, 200, 409, 404]
    assert [one["status"] for one in listed] == ["withdrawn", "declined"]


@pytest.mark.parametrize(
    ("change", "status", "message"),
    [
        ({"player": "eves"}, 404, "player of yours"),
        ({"opponent": "anns"}, 404, "player of another student"),
        ({"opponent": "mcts"}, 404, "player of another student"),
        ({"game": "threePlayerTicTacToe"}, 400, "game: expected a game for two"),
        ({"startclock": 200}, 400, "startclock: expected at most 120"),
    ],
)
async def test_a_request_that_cannot_be_is_refused(
    home: Home, change: dict[str, Any], status: int, message: str
) -> None:
    """The message says what was expected."""
    async with course(home) as (_, people):
        ann, _ = await two_students(people)
        found, problem = await ask(ann, "POST", "/scrimmages", {**WISH, **change})

    assert found == status
    assert message in problem["error"]


async def test_an_answer_is_for_all_players_of_a_student(home: Home) -> None:
    """Also for those from before the student joined a team."""
    async with course(home) as (_, people):
        ann, eve = await two_students(people)
        await ask(eve, "POST", "/teams", {"name": "Knights"})
        await ask(eve, "POST", "/me/scrimmages", {"accepts": "never"})
        status, _ = await ask(ann, "POST", "/scrimmages", WISH)

    assert status == 403


async def test_students_are_not_flooded(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    """A student makes a bounded number of requests, and may refuse all."""
    monkeypatch.setattr(scrimmages, "MAX_A_DAY", 2)
    async with course(home) as (_, people):
        ann, eve = await two_students(people)
        many = [(await ask(ann, "POST", "/scrimmages", WISH))[0] for _ in range(3)]
        await ask(ann, "POST", "/me/scrimmages", {"accepts": "never"})
        refused, problem = await ask(
            eve, "POST", "/scrimmages", {**WISH, "player": "eves", "opponent": "anns"}
        )
        lecturers, _ = await ask(people["lecturer"], "POST", "/scrimmages", WISH)

    assert many == [201, 201, 429]
    assert (refused, problem["error"]) == (403, "opponent: anns plays no scrimmages")
    assert lecturers in {404, 409}
