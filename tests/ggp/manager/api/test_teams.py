"""Teams: students join with a key, and a team owns what its members register."""

from __future__ import annotations

from typing import Any

import pytest

from tests.ggp.manager.api.course import Client, course, invited, joined
from tests.ggp.manager.desk import Home, ask, over, two

PLAYER = {"name": "knight", "source": "http://127.0.0.1:9"}


async def second_student(people: dict[str, Client], name: str = "Eve") -> Client:
    """Return the browser of another student."""
    await joined(people["nobody"], await invited(people["lecturer"], "student"), name)
    return people["nobody"]


async def test_a_team_owns_what_its_members_register(home: Home) -> None:
    """Each member sees and retires the players of the team, and others do not."""
    async with course(home) as (_, people):
        student, other = people["student"], await second_student(people)
        made, team = await ask(student, "POST", "/teams", {"name": "Knights"})
        await ask(student, "POST", "/players", PLAYER)
        before, _ = await ask(other, "GET", "/players/knight")
        _, both = await ask(other, "POST", "/me/team", {"key": team["key"]})
        after, _ = await ask(other, "GET", "/players/knight")
        _, table = await ask(people["lecturer"], "GET", "/students")
        retired, _ = await ask(other, "DELETE", "/players/knight")

    assert (made, before, after, retired) == (201, 404, 200, 200)
    assert both["members"] == ["Eve", "student"]
    assert sorted((row["student"], row["team"], row["player"]) for row in table) == [
        ("Eve", "Knights", "knight"),
        ("student", "Knights", "knight"),
    ]


async def test_a_team_outlives_its_members(home: Home) -> None:
    """Its players stay, and students with the key join it again."""
    async with course(home) as (_, people):
        student, lecturer = people["student"], people["lecturer"]
        _, team = await ask(student, "POST", "/teams", {"name": "Knights"})
        await ask(student, "POST", "/players", PLAYER)
        await ask(student, "DELETE", "/me/team")
        gone, _ = await ask(student, "GET", "/players/knight")
        _, listed = await ask(lecturer, "GET", "/teams")
        again, _ = await ask(student, "POST", "/me/team", {"key": team["key"]})
        back, _ = await ask(student, "GET", "/players/knight")

    assert (gone, again, back) == (404, 200, 200)
    assert listed == [{**team, "members": []}]


async def test_an_earlier_player_comes_into_the_team(home: Home) -> None:
    """If its student retires it and registers it again; its versions go on."""
    async with course(home) as (_, people):
        student, other = people["student"], await second_student(people)
        await ask(student, "POST", "/players", PLAYER)
        _, team = await ask(student, "POST", "/teams", {"name": "Knights"})
        await ask(other, "POST", "/me/team", {"key": team["key"]})
        before, _ = await ask(other, "GET", "/players/knight")
        await ask(student, "DELETE", "/players/knight")
        status, back = await ask(student, "POST", "/players", PLAYER)
        after, _ = await ask(other, "GET", "/players/knight")

    assert (before, status, back["version"], after) == (404, 201, 2, 200)


async def test_a_lecturer_assigns_teams(home: Home) -> None:
    """By CSV, all lines or none; a student moves between teams."""
    async with course(home) as (_, people):
        lecturer = people["lecturer"]
        await second_student(people)

        async def assign(text: str) -> tuple[int, Any]:
            return await ask(lecturer, "POST", "/teams/assign", {"text": text})

        _, first = await assign("team,student\nKnights,student\nKnights,eve\n")
        wrong = await assign("team,student\nBishops,student\nBishops,Nobody\n")
        _, unchanged = await ask(lecturer, "GET", "/teams")
        _, moved = await assign("Team; Student\nBishops;Eve\n;student\n")

    assert [(one["name"], one["members"]) for one in first] == [("Knights", ["Eve", "student"])]
    assert wrong == (400, {**wrong[1], "error": "text: line 3: there is no student Nobody"})
    assert unchanged == first
    assert [(one["name"], one["members"]) for one in moved] == [
        ("Bishops", ["Eve"]),
        ("Knights", []),
    ]


@pytest.mark.parametrize(
    ("path", "body", "status", "message"),
    [
        ("/teams", {"name": "lecturer"}, 400, "name: lecturer is taken"),
        ("/teams", {"name": "mcts"}, 400, "name: mcts looks like mcts"),
        ("/me/team", {"key": "wrong"}, 404, "key: no team has this key"),
    ],
)
async def test_a_team_that_cannot_be_is_refused(
    home: Home, path: str, body: dict[str, str], status: int, message: str
) -> None:
    """The message names the field."""
    async with course(home) as (_, people):
        found, problem = await ask(people["student"], "POST", path, body)

    assert found == status
    assert problem["error"].startswith(message)


async def test_a_team_has_a_size_and_a_student_one_team(home: Home) -> None:
    """Nor does a lecturer play in one."""
    async with course(home, team_size=1) as (_, people):
        student, other = people["student"], await second_student(people)
        _, team = await ask(student, "POST", "/teams", {"name": "Knights"})
        full, problem = await ask(other, "POST", "/me/team", {"key": team["key"]})
        twice, _ = await ask(student, "POST", "/teams", {"name": "Bishops"})
        lecturers, _ = await ask(people["lecturer"], "POST", "/teams", {"name": "Rooks"})
    async with course(home, team_size=0) as (_, people):
        none, why = await ask(people["student"], "POST", "/teams", {"name": "Pawns"})

    assert (full, twice, lecturers, none) == (409, 409, 409, 409)
    assert problem["error"] == "Knights has 1 member, the maximum"
    assert "--team-size" in why["error"]


async def test_nobody_logs_in_as_a_team(home: Home) -> None:
    """A team has no password, takes no challenge, and gets no other role."""
    async with course(home) as (_, people):
        student, host = people["student"], people["host"]
        _, team = await ask(student, "POST", "/teams", {"name": "Knights"})
        body = {"name": "Knights", "password": "a long password"}
        login, _ = await ask(people["nobody"], "POST", "/login", body)
        challenge = {"game": "ticTacToe", "players": ["person", "person:@Knights"]}
        challenged, _ = await ask(student, "POST", "/challenges", challenge)
        role, _ = await ask(host, "POST", f"/accounts/{team['id']}", {"role": "host"})
        reset, _ = await ask(host, "POST", f"/accounts/{team['id']}/reset")
        _, listed = await ask(host, "GET", "/accounts")

    assert (login, challenged, role, reset) == (401, 400, 404, 404)
    assert "Knights" not in {one["name"] for one in listed}


async def test_a_member_is_not_rated_against_the_team(home: Home) -> None:
    """A program could lose on purpose to a person of its team."""
    async with course(home) as (service, people):
        lecturer, student = people["lecturer"], people["student"]
        await ask(student, "POST", "/teams", {"name": "Knights"})
        await ask(student, "POST", "/players", PLAYER)
        await ask(lecturer, "POST", "/players", {"name": "shared", "source": "random"})
        await over(service, await service.host.set_up(two(players=("shared", "legal"))))
        _, ratings = await ask(student, "GET", "/ratings")

    assert {one["name"] for one in ratings} == {"shared", "legal"}
