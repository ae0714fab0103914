"""What students do with their players and matches, and what lecturers see of it."""

from __future__ import annotations

import pytest

from tests.ggp.manager.api.course import course, invited, joined
from tests.ggp.manager.desk import Home, ask, over, until_turn

pytestmark = pytest.mark.usefixtures("quick_hashes")


async def test_a_student_touches_no_other_ones_player(home: Home) -> None:
    """Nor sees, asks, seats or retires it, nor takes its address or, once retired, its name."""
    player = {"name": "mine", "source": "http://127.0.0.1:9/a"}
    async with course(home) as (_, people):
        student, other = people["student"], people["nobody"]
        await joined(other, await invited(people["lecturer"], "student"), "Eve")
        await ask(people["lecturer"], "POST", "/players", {"name": "common", "source": "legal"})
        made, _ = await ask(student, "POST", "/players", player)
        spec, _ = await ask(student, "POST", "/players", {"name": "big", "source": "mcts"})
        _, seen = await ask(other, "GET", "/players")
        statuses = [
            (await ask(other, method, path, body))[0]
            for method, path, body in (
                ("GET", "/players/mine/status", None),
                ("DELETE", "/players/mine", None),
                ("DELETE", "/players/common", None),
                ("POST", "/players", {"name": "eves", "source": "http://localhost:9/a/"}),
                ("POST", "/matches", {"game": "ticTacToe", "players": ["mine", "person"]}),
                (
                    "POST",
                    "/matches",
                    {"game": "ticTacToe", "players": ["http://127.0.0.1:9/a", "person"]},
                ),
                ("POST", "/matches", {"game": "ticTacToe", "players": ["common", "random"]}),
            )
        ]
        _, all_seen = await ask(people["lecturer"], "GET", "/players")
        retired, _ = await ask(student, "DELETE", "/players/mine")
        stolen, _ = await ask(
            other, "POST", "/players", {**player, "source": "http://127.0.0.1:9/b"}
        )
        back, _ = await ask(student, "POST", "/players", player)

    assert (made, spec) == (201, 400)
    assert [one["name"] for one in seen] == ["common"]
    assert statuses == [404, 404, 403, 409, 403, 403, 403]
    assert [one["name"] for one in all_seen] == ["common", "mine"]
    assert (retired, stolen, back) == (200, 400, 201)


async def test_a_student_brings_its_own_player_to_a_continuous_tournament(home: Home) -> None:
    """And takes it out; no other one's, none by address, and lecturers alone end it."""
    player = {"name": "mine", "source": "http://127.0.0.1:9/a"}
    plan = {"name": "all day", "form": "continuous", "games": ["ticTacToe"], "players": []}
    async with course(home) as (_, people):
        student, other, lecturer = people["student"], people["nobody"], people["lecturer"]
        await joined(other, await invited(lecturer, "student"), "Eve")
        await ask(student, "POST", "/players", player)
        held = [(await ask(one, "POST", "/tournaments", plan))[0] for one in (student, lecturer)]
        place = "/tournaments/1/players"
        statuses = [
            (await ask(one, method, path, body))[0]
            for one, method, path, body in (
                (other, "POST", place, {"name": "mine"}),
                (student, "POST", place, {"name": "other", "player": "mine"}),
                (student, "POST", place, {"name": "x", "player": "random"}),
                (student, "POST", place, {"name": "mine"}),
                (other, "DELETE", f"{place}/mine", None),
                (student, "POST", "/tournaments/1/end", None),
            )
        ]
        pages = []
        for one in (student, other):
            async with one.get("/tournaments/1") as answer:
                pages.append(await answer.text())
        taken_out, _ = await ask(student, "DELETE", f"{place}/mine")
        ended, _ = await ask(lecturer, "POST", "/tournaments/1/end")

    assert held == [403, 201]
    assert statuses[3] == taken_out == ended == 200
    assert [400 < status < 410 for status in statuses] == [True, True, True, False, True, True]
    assert ["Take out mine" in page for page in pages] == [True, False]
    assert all('id="join"' in page and 'id="end"' not in page for page in pages)


async def test_a_student_moves_only_in_matches_of_its_own(home: Home) -> None:
    """Nor breaks another's off; a host may."""
    match = {"game": "ticTacToe", "players": ["person", "random"]}
    move = {"role": "xplayer", "move": "(mark 1 1)", "turn": 1}
    async with course(home) as (service, people):
        student, other = people["student"], people["nobody"]
        await joined(other, await invited(people["lecturer"], "student"), "Eve")
        _, made = await ask(student, "POST", "/matches", match)
        path = f"/matches/{made['number']}"
        refused = [
            (await ask(other, "POST", f"{path}/{what}", body))[0]
            for what, body in (
                ("moves", move),
                ("hint", {"role": "xplayer"}),
                ("take-back", {"role": "xplayer", "turns": 0}),
                ("abort", None),
                ("resume", None),
            )
        ]
        shown = await (await other.get(f"/matches/{made['number']}")).text()
        await until_turn(service, made["number"], 0)
        moved, _ = await ask(student, "POST", f"{path}/moves", move)
        aborted, _ = await ask(people["host"], "POST", f"{path}/abort")
        await over(service, made["number"])

    assert (refused, moved, aborted) == ([403] * 5, 200, 200)
    assert "data-people='[]'" in shown


async def test_lecturers_see_how_students_do(home: Home) -> None:
    """Also as CSV, in which no name is a formula."""
    async with course(home) as (service, people):
        key = await invited(people["lecturer"], "student")
        await joined(people["nobody"], key, "=HYPERLINK(1)")
        await ask(
            people["student"], "POST", "/players", {"name": "mine", "source": "http://127.0.0.1:9"}
        )
        _, table = await ask(people["lecturer"], "GET", "/students")
        async with people["lecturer"].get("/api/v1/students.csv") as answer:
            lines = (await answer.text()).splitlines()
        page = await (await people["lecturer"].get("/students")).text()

    assert service is not None
    assert [(row["student"], row["player"], row["matches"]) for row in table] == [
        ("=HYPERLINK(1)", "", 0),
        ("student", "mine", 0),
    ]
    assert lines[0] == "account,student,player,is_retired,matches,elo,low,high"
    assert lines[1].split(",")[1] == "'=HYPERLINK(1)"
    assert "=HYPERLINK(1)" in page
