"""What students do with their players and matches, and what lecturers see of it."""

from __future__ import annotations

import asyncio
import re
import time
from asyncio import timeout
from typing import Any

import pytest
from sqlalchemy import update

from ggp.manager.api import players as player_routes
from ggp.manager.api.players import PLAYER
from ggp.manager.collecting import LIST, OWNERS, CollectingError, collect
from ggp.manager.domain import continuous, players, uploads
from ggp.manager.domain.rights import Caller, Role, acting, sight_of, sights_of
from ggp.manager.hosting.live import EventFrame
from ggp.manager.store import entrants, matches, tournaments
from ggp.manager.store.database import Session
from ggp.manager.store.entrants import Presence
from ggp.manager.store.failures import failure_of
from ggp.manager.store.tables import TurnRow
from ggp.submission.confinement import is_possible
from ggp.submission.process import Loaded
from ggp.tournament.pairing import Choice
from tests.ggp.manager.api.course import PASSWORD, Client, course, invited, joined, log_in
from tests.ggp.manager.desk import (
    SECONDS,
    Home,
    ask,
    desk,
    found,
    over,
    until_so,
    until_true,
    until_turn,
)

GONE = "http://127.0.0.1:9"
"""Where nobody answers."""

pytestmark = pytest.mark.usefixtures("ready_forkers", "submission_source")


@pytest.fixture
def untried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files are taken as players without being tried, which needs a process each."""

    async def tried(*_: object) -> Loaded:
        return Loaded("Mine")

    monkeypatch.setattr(uploads, "tried", tried)


async def test_a_student_touches_no_other_ones_player(home: Home) -> None:
    """Nor sees, asks, seats or retires it, nor takes its address or, once retired, its name."""
    player = {"name": "mine", "source": "http://127.0.0.1:9"}
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
                ("POST", "/players", {"name": "eves", "source": "http://localhost:9/"}),
                ("POST", "/matches", {"game": "ticTacToe", "players": ["mine", "person"]}),
                (
                    "POST",
                    "/matches",
                    {"game": "ticTacToe", "players": ["http://127.0.0.1:9", "person"]},
                ),
                ("POST", "/matches", {"game": "ticTacToe", "players": ["common", "random"]}),
            )
        ]
        _, all_seen = await ask(people["lecturer"], "GET", "/players")
        retired, _ = await ask(student, "DELETE", "/players/mine")
        stolen, _ = await ask(
            other, "POST", "/players", {**player, "source": "http://127.0.0.1:10"}
        )
        back, _ = await ask(student, "POST", "/players", player)

    assert (made, spec) == (201, 400)
    assert [one["name"] for one in seen] == ["common"]
    assert statuses == [404, 404, 403, 409, 403, 403, 403]
    assert [one["name"] for one in all_seen] == ["common", "mine"]
    assert (retired, stolen, back) == (200, 400, 201)


async def test_a_student_brings_its_own_player_to_a_continuous_tournament(home: Home) -> None:
    """And takes it out; no other one's, none by address, and lecturers alone end it."""
    player = {"name": "mine", "source": "http://127.0.0.1:9"}
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
    assert ["Remove mine" in page for page in pages] == [True, False]
    assert all('id="join"' in page and 'id="end"' not in page for page in pages)


async def test_players_of_a_locked_account_are_away_until_it_is_open_again(home: Home) -> None:
    """Also those that a lecturer enters meanwhile; everybody is told why."""
    plan = {"name": "all day", "form": "continuous", "games": ["ticTacToe"], "players": []}
    async with course(home) as (_, people):
        student, lecturer, host = people["student"], people["lecturer"], people["host"]
        account = (await ask(student, "GET", "/me"))[1]["id"]
        for name in ("early", "late"):
            body = {"name": name, "source": f"http://127.0.0.1:{len(name)}"}
            await ask(student, "POST", "/players", body)
        await ask(lecturer, "POST", "/tournaments", plan)
        await ask(student, "POST", "/tournaments/1/players", {"name": "early"})
        states = []
        for is_locked in (True, False):
            await ask(host, "POST", f"/accounts/{account}", {"is_locked": is_locked})
            if is_locked:
                await ask(lecturer, "POST", "/tournaments/1/players", {"name": "late"})
            _, found = await ask(people["spectator"], "GET", "/tournaments/1")
            states.append([(one["name"], one["state"], one["reason"]) for one in found["pool"]])

    reason = "its account is locked"
    assert states[0] == [("early", "away", reason), ("late", "away", reason)]
    assert states[1] == [("early", "in", ""), ("late", "in", "")]


async def test_players_of_one_student_do_not_meet_in_a_continuous_tournament(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They wait for another account's player."""
    has_looked = asyncio.Event()

    def next_match(plan: Any, num_roles: Any, rows: Any, *more: Any) -> Choice | None:
        found = continuous.next_match(plan, num_roles, rows, *more)
        if len(rows) == 2:
            has_looked.set()
        return found

    monkeypatch.setattr("ggp.manager.hosting.continuous.next_match", next_match)
    plan = {"name": "all day", "form": "continuous", "games": ["ticTacToe"], "players": []}
    async with course(home) as (service, people):
        student, lecturer = people["student"], people["lecturer"]
        for name in ("one", "other"):
            source = f"http://127.0.0.1:{len(name)}"
            await ask(student, "POST", "/players", {"name": name, "source": source})
        await ask(lecturer, "POST", "/tournaments", plan)
        for name in ("one", "other"):
            joining = await ask(student, "POST", "/tournaments/1/players", {"name": name})
            assert joining[0] == 200
        async with timeout(SECONDS):
            await has_looked.wait()
        alone = await service.database.read(entrants.num_fixtures, 1)
        body = {"name": "everybody's", "player": "random"}
        await ask(lecturer, "POST", "/tournaments/1/players", body)

        async def has_fixture() -> bool:
            return await service.database.read(entrants.num_fixtures, 1) > 0

        await until_so(has_fixture)
        (entry, *_) = await service.database.read(tournaments.entries, 1)
        await ask(lecturer, "POST", "/tournaments/1/end")

    assert alone == 0
    assert "everybody's" in entry.fixture.players


async def test_what_a_program_thinks_is_kept_from_its_opponent(home: Home) -> None:
    """In a rated match, until it is over; and from all others, who could tell."""
    match = {"game": "ticTacToe", "players": ["person", "legal"]}
    thinking = {"role": "oplayer", "thoughts": {"value": 50}, "seconds": 0.1}
    second = update(TurnRow).where(TurnRow.number == 2).values(replies=[{}, thinking])
    first = {"role": "xplayer", "move": "(mark 3 3)", "turn": 1}
    async with course(home) as (service, people):
        student, lecturer = people["student"], people["lecturer"]
        seen = []
        for is_rated in (True, False):
            _, made = await ask(student, "POST", "/matches", match | {"rated": is_rated})
            number = made["number"]
            await until_turn(service, number, 0)
            await ask(student, "POST", f"/matches/{number}/moves", first)
            await until_turn(service, number, 2)
            async with service.database.writing() as session:
                await session.execute(second.where(TurnRow.match_id == number))
            for client in (student, lecturer):
                _, told = await ask(client, "GET", f"/matches/{number}/turns?first=2")
                seen.append(told[0]["replies"][1]["thoughts"])
            page = await (await student.get(f"/matches/{number}")).text()
            seen.append("shown when this rated match is over" in page)
            row = await found(service, number)
            event = EventFrame(b"all", dict.fromkeys(sights_of(row), b"part"))
            with acting(Caller(Role.STUDENT, 3)):
                seen.append(event.seen_by(sight_of(row, "")).decode())
            await ask(student, "POST", f"/matches/{number}/resign", {"role": "xplayer"})
            _, told = await ask(student, "GET", f"/matches/{number}/turns?first=2")
            seen.append(told[0]["replies"][1]["thoughts"])

    told_all = {"value": 50}
    assert seen[:5] == [{}, {}, True, "part", told_all]
    assert seen[5:] == [told_all, told_all, False, "all", told_all]


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
    assert "data-mine='[]'" in shown


async def test_a_student_breaks_off_no_match_that_is_being_lost(home: Home) -> None:
    """Of programs, once it has begun, unless it was set up not to be rated; a lecturer may."""
    match = {"game": "connectFour", "players": ["mine", "random"], "startclock": 1}
    async with course(home) as (service, people):
        await ask(people["student"], "POST", "/players", {"name": "mine", "source": GONE})
        answers = []
        for more in ({}, {"rated": False}):
            _, made = await ask(people["student"], "POST", "/matches", {**match, **more})
            await until_turn(service, made["number"], 1)
            path = f"/matches/{made['number']}/abort"
            answers += [await ask(people[who], "POST", path) for who in ("student", "lecturer")]

    assert [status for status, _ in answers[:3]] == [409, 200, 200]
    assert "wait for its end" in answers[0][1]["error"]


async def test_no_player_is_called_as_somebody_is(home: Home) -> None:
    """Its matches and the person's would be taken for the same one's."""
    async with course(home) as (_, people):
        status, answer = await ask(
            people["student"], "POST", "/players", {"name": "Lecturer", "source": GONE}
        )

    assert (status, answer["error"][:38]) == (409, "name: Lecturer is the name of an accou")


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
    heads = "account,student,player,is_retired,matches,elo,low,high,swapped,swap,attempts,same_file"
    assert lines[0] == f"{heads},is_locked,team"
    assert lines[1].split(",")[1] == "'=HYPERLINK(1)"
    assert "=HYPERLINK(1)" in page


async def test_results_of_another_file_are_told(home: Home) -> None:
    """Who retires a player and registers its name anew keeps its matches, and pages say so."""
    first, second = ({"name": "spy", "source": f"http://127.0.0.1:{port}"} for port in (9, 10))
    wanted = {"game": "ticTacToe", "players": ["spy", "random"], "startclock": 1, "playclock": 1}
    told, failing = [], []
    async with course(home) as (service, people):
        student, lecturer = people["student"], people["lecturer"]
        await ask(student, "POST", "/players", first)
        _, made = await ask(student, "POST", "/matches", wanted)
        await over(service, made["number"])
        for source in (first, second, first):
            await ask(student, "DELETE", "/players/spy")
            assert (await ask(student, "POST", "/players", source))[0] == 201
            seat = (await found(service, made["number"])).seats[0]
            async with service.database.reading() as session:
                match = await matches.find(session, made["number"])
                failing.append(bool(await failure_of(session, match, seat)))
            _, [row] = await ask(lecturer, "GET", "/students")
            texts = [
                await (await lecturer.get(place)).text()
                for place in ("/api/v1/students.csv", "/students", "/players/spy")
            ]
            told.append((row["swapped"], row["swap"], texts))

    swap = told[1][1]
    assert re.fullmatch(
        r"another file or address played 1 of its 1 match, the last until [-\d]+ [:\d]+ UTC", swap
    )
    assert [one[0] for one in told] == [0, 1, 0]
    assert failing == [True, False, True]  # nobody answers for another
    for _, _, texts in told:
        is_told = texts is told[1][2]
        assert [("another file or address played 1" in text) for text in texts] == [is_told] * 3


@pytest.mark.usefixtures("untried")
async def test_a_student_fills_neither_folder_nor_list(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So many files and players of its own, also if all are asked for at once; files can go."""
    monkeypatch.setattr(uploads, "MAX_OF_STUDENT", 3)
    monkeypatch.setattr(uploads, "MAX_TRIALS_OF_STUDENT", 12)
    monkeypatch.setattr(players, "MAX_OF_STUDENT", 2)
    folder = home.folder / "files"
    folder.mkdir()
    async with course(home, submissions=folder) as (_, people):
        student = people["student"]
        kept = await asyncio.gather(
            *(ask(student, "POST", "/submissions", {"text": f"{PLAYER}# {n}"}) for n in range(12))
        )
        sources = sorted(found["source"] for status, found in kept if status == 201)
        made = await asyncio.gather(
            *(
                ask(student, "POST", "/players", {"name": f"p{n}", "source": sources[0]})
                for n in range(8)
            )
        )
        _, listed = await ask(student, "GET", "/submissions")
        used, _ = await ask(student, "DELETE", f"/submissions/{sources[0]}")
        others, _ = await ask(people["lecturer"], "DELETE", f"/submissions/{sources[1]}")
        gone, _ = await ask(student, "DELETE", f"/submissions/{sources[1]}")
        again, _ = await ask(student, "POST", "/submissions", {"text": f"{PLAYER}# b"})
        lecturers, _ = await ask(
            people["lecturer"], "POST", "/submissions", {"text": f"{PLAYER}# c"}
        )

    assert sorted(status for status, _ in kept) == [201] * 3 + [409] * 9
    assert sorted(status for status, _ in made) == [201] * 2 + [409] * 6
    assert sorted(one["source"] for one in listed) == sources
    assert (used, others, gone, again, lecturers) == (409, 404, 200, 201, 201)
    assert len(list(folder.iterdir())) == 4


async def test_no_student_takes_all_places_for_trials(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Beyond a few, its files wait until others have been tried; those of others are."""
    is_free = asyncio.Event()

    async def tried(*_: object) -> Loaded:
        await is_free.wait()
        return Loaded("Mine")

    monkeypatch.setattr(uploads, "tried", tried)
    folder = home.folder / "files"
    folder.mkdir()
    async with course(home, submissions=folder) as (service, people):
        student, other = people["student"], people["nobody"]
        await joined(other, await invited(people["lecturer"], "student"), "Eve")
        asked = [
            asyncio.create_task(ask(student, "POST", "/submissions", {"text": f"{PLAYER}# {n}"}))
            for n in range(uploads.MAX_TRIALS)
        ]
        num_refused = uploads.MAX_TRIALS - uploads.MAX_TRIALS_OF_STUDENT
        await until_true(lambda: sum(one.done() for one in asked) >= num_refused)
        of_other = asyncio.create_task(ask(other, "POST", "/submissions", {"text": PLAYER}))
        trials = service.players.uploads._trials
        await until_true(lambda: trials.total() == uploads.MAX_TRIALS_OF_STUDENT + 1)
        is_free.set()
        kept, _ = await of_other
        statuses = [(await one)[0] for one in asked]

    assert kept == 201
    assert statuses.count(503) == num_refused
    assert statuses.count(201) == uploads.MAX_TRIALS_OF_STUDENT


@pytest.mark.usefixtures("untried")
async def test_a_student_registers_no_file_of_another(home: Home) -> None:
    """Its hash is no secret; who has the same file uploads it too."""
    text = {"text": PLAYER}
    async with course(home, submissions=home.folder) as (_, people):
        student, other = people["student"], people["nobody"]
        await joined(other, await invited(people["lecturer"], "student"), "Eve")
        _, found = await ask(student, "POST", "/submissions", text)
        player = {"name": "stolen", "source": found["source"]}
        stolen, answer = await ask(other, "POST", "/players", player)
        _, mine = await ask(other, "POST", "/submissions", {"text": f"{PLAYER}# mine"})
        _, later = await ask(other, "POST", "/players", player)
        _, same = await ask(other, "POST", "/submissions", text)
        own, _ = await ask(other, "POST", "/players", player)
        await ask(other, "DELETE", "/players/stolen")
        deleted, _ = await ask(other, "DELETE", f"/submissions/{found['source']}")
        kept, _ = await ask(student, "POST", "/players", {**player, "name": "mine"})
        _, table = await ask(people["lecturer"], "GET", "/students")
        page = await (await people["lecturer"].get("/students")).text()
        hidden = [(await ask(student, "GET", place))[0] for place in ("/students", "/students.csv")]

    assert (stolen, own, deleted, kept) == (400, 201, 200, 201)
    assert "the source that POST /submissions returned" in answer["error"]
    assert "example" not in answer
    assert later["example"] == {"source": mine["source"]}
    assert same == found
    told = {row["player"]: row["same_file"] for row in table}
    assert told == {"stolen": "mine of student", "mine": "stolen of Eve"}
    assert "same file as stolen of Eve" in page
    assert hidden == [403, 403]


@pytest.mark.parametrize(
    ("source", "status"),
    [
        ("http://127.1.2.3:9", 201),
        ("http://127.0.0.1:9/", 201),
        ("http://127.0.0.1:9/admin", 400),
        ("http://127.0.0.1:9?a=b", 400),
        ("http://192.0.2.7:9", 400),
        ("http://[::1]:9", 400),
        ("http://allowed.example:9", 400),
        ("http://2130706433:9", 400),
    ],
)
async def test_players_of_students_run_where_the_host_says(
    home: Home, source: str, status: int
) -> None:
    """Without a path; hosts that are allowed to lecturers are not to them."""
    allowed = frozenset({"allowed.example"})
    async with course(home, allowed_hosts=allowed) as (_, people):
        player = {"name": "mine", "source": source}
        assert (await ask(people["student"], "POST", "/players", player))[0] == status


async def test_a_network_that_is_withdrawn_is_closed_to_players_of_before(home: Home) -> None:
    """They are neither asked how they are nor play; a lecturer's are."""
    async with course(home) as (_, people):
        for role, name, port in (("student", "mine", 9), ("lecturer", "ours", 10)):
            player = {"name": name, "source": f"http://127.0.0.1:{port}"}
            assert (await ask(people[role], "POST", "/players", player))[0] == 201
    async with desk(home, has_accounts=True) as (_, client):
        assert await log_in(client, "lecturer") == 200
        asked = [await ask(client, "GET", f"/players/{name}/status") for name in ("mine", "ours")]
        match = {"game": "ticTacToe", "players": ["mine", "random"]}
        played = await ask(client, "POST", "/matches", match)

    assert [status for status, _ in asked] == [400, 200]
    assert played[0] == 400
    assert "--player-network" in played[1]["error"]


async def test_no_network_for_students_is_said(home: Home) -> None:
    """And how a host names one."""
    async with course(home, player_networks=()) as (_, people):
        for source in ("http://127.0.0.1:9", "http://192.0.2.7:9"):
            player = {"name": "mine", "source": source}
            status, answer = await ask(people["student"], "POST", "/players", player)

            assert status == 400
            assert "--player-network" in answer["error"]
            assert "--allow-host" not in answer["error"]


async def test_who_plays_a_rated_match_by_hand_is_refused_an_analysis(home: Home) -> None:
    """Until it is over; others are not, nor is who plays one that counts for nothing."""
    match = {"game": "ticTacToe", "players": ["person", "random"]}
    rules = "(role me) (init a) (legal me go) (<= terminal (true a)) (goal me 1)"
    asked = {"text": rules, "seconds": 0.1}
    async with course(home) as (_, people):
        student, lecturer = people["student"], people["lecturer"]
        await ask(student, "POST", "/matches", match | {"rated": False})
        statuses = [(await ask(student, "POST", "/rules/analysis", asked))[0]]
        _, made = await ask(student, "POST", "/matches", match)
        refused, told = await ask(student, "POST", "/rules/analysis", asked)
        statuses.append((await ask(lecturer, "POST", "/rules/analysis", asked))[0])
        await ask(student, "POST", f"/matches/{made['number']}/abort")
        statuses.append((await ask(student, "POST", "/rules/analysis", asked))[0])

    assert statuses == [200, 200, 200]
    assert (refused, told["error"].partition(";")[0]) == (
        409,
        "you are playing match 2, which is rated",
    )


async def test_locked_accounts_are_marked_in_the_table(home: Home) -> None:
    """On the page, over HTTP and as CSV."""
    async with course(home) as (_, people):
        account = (await ask(people["student"], "GET", "/me"))[1]["id"]
        await ask(people["host"], "POST", f"/accounts/{account}", {"is_locked": True})
        _, table = await ask(people["lecturer"], "GET", "/students")
        page = await (await people["lecturer"].get("/students")).text()

    assert [row["is_locked"] for row in table] == [True]
    assert "(locked)" in page


@pytest.mark.parametrize("name", ["mcts", "Random", "person", "Host", "lecturer", "ADMIN"])
async def test_accounts_are_not_called_as_programs_or_higher_roles(home: Home, name: str) -> None:
    """Whoever sees the name would take them for that."""
    async with course(home) as (_, people):
        key = await invited(people["lecturer"], "student")
        body = {"key": key, "name": name, "password": PASSWORD}
        status, answer = await ask(people["nobody"], "POST", "/join", body)

    assert (status, answer["field"]) == (400, "name")


@pytest.mark.parametrize("source", ["http://192.0.2.7:9", "random"])
async def test_what_is_shown_as_an_example_is_accepted(
    home: Home, monkeypatch: pytest.MonkeyPatch, source: str
) -> None:
    """An address in a network for students, else a file of one's own; where neither is, none."""

    async def tried(*_: object) -> Loaded:
        return Loaded("Mine")

    monkeypatch.setattr(uploads, "tried", tried)
    player, text = {"name": "mine", "source": source}, {"text": PLAYER}
    (home.folder / "other").mkdir()
    async with course(home, player_networks=(), submissions=home.folder) as (_, people):
        student = people["student"]
        none = (await ask(student, "POST", "/players", player))[1]
        page = await (await student.get("/me")).text()
        await ask(student, "POST", "/submissions", text)
        file = (await ask(student, "POST", "/players", player))[1]["example"]
        accepted = [(await ask(student, "POST", "/players", {**player, **file}))[0]]
    async with course(home.folder / "other") as (_, people):
        student = people["student"]
        address = (await ask(student, "POST", "/players", player))[1]["example"]
        accepted.append((await ask(student, "POST", "/players", {**player, **address}))[0])
        other_page = await (await student.get("/me")).text()

    assert (none["field"], "example" in none) == ("source", False)
    assert address == {"source": "http://127.0.0.1:9147"}
    assert accepted == [201, 201]
    assert ("ggp serve" in page, "ggp serve" in other_page) == (False, True)


async def test_a_student_who_chooses_the_seed_plays_for_no_rating(home: Home) -> None:
    """A match that is known to be won could be repeated; a lecturer has no rating to gain."""
    plan = {"game": "nim", "players": ["random", "person"], "startclock": 1}
    async with course(home) as (_, people):
        unrated = []
        for who, more in (("student", {}), ("student", {"seed": 3}), ("lecturer", {"seed": 3})):
            _, made = await ask(people[who], "POST", "/matches", {**plan, **more})
            _, match = await ask(people[who], "GET", f"/matches/{made['number']}")
            unrated.append(match["unrated"])

    assert unrated == ["", "who set it up chose the seed", ""]


async def test_only_who_may_keep_games_is_offered_it(home: Home) -> None:
    """A student tries rules in the editor."""
    async with course(home) as (_, people):
        pages = [await (await people[who].get("/editor")).text() for who in ("student", "lecturer")]

    assert ['id="keep"' in page for page in pages] == [False, True]
    assert all('id="try"' in page for page in pages)


async def test_the_page_of_anothers_player_says_so(home: Home) -> None:
    """It is registered, though others do not see where."""
    async with course(home) as (_, people):
        player = {"name": "mine", "source": "http://127.0.0.1:9"}
        await ask(people["student"], "POST", "/players", player)
        await joined(people["nobody"], await invited(people["lecturer"], "student"), "Eve")
        pages = [
            await (await people[who].get("/players/mine")).text() for who in ("nobody", "lecturer")
        ]

    assert "Registered by another account" in pages[0]
    assert "http://127.0.0.1:9" not in pages[0]
    assert "http://127.0.0.1:9" in pages[1]


async def test_a_port_that_is_open_looks_as_one_that_is_closed(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For a student who asks how its player is: the same words after the same time."""
    monkeypatch.setattr(player_routes, "INFO_SECONDS", 0.3)

    async def answer(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi")
        await writer.drain()
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as listening:
        port = listening.sockets[0].getsockname()[1]
        async with course(home) as (_, people):
            told = []
            for name, at in (("open", port), ("closed", 9)):
                player = {"name": name, "source": f"http://127.0.0.1:{at}"}
                await ask(people["student"], "POST", "/players", player)
                begin = time.monotonic()
                told.append(await ask(people["student"], "GET", f"/players/{name}/status"))
                assert time.monotonic() - begin > 0.25
            _, seen = await ask(people["lecturer"], "GET", "/players/closed/status")

    assert told[0] == told[1]
    assert seen["problem"] != told[1][1]["problem"]


@pytest.mark.usefixtures("untried")
async def test_the_files_of_players_are_collected(home: Home) -> None:
    """Under the names of student and player, whatever signs these have; not those retired."""
    kept, copies = home.folder / "players", home.folder / "copies"
    kept.mkdir()
    copies.mkdir()
    wanted = {"game": "ticTacToe", "players": ["old", "random"], "startclock": 1, "playclock": 1}
    async with course(home, submissions=kept) as (service, people):
        student = people["student"]
        at_home = {"name": "old", "source": "http://127.0.0.1:9"}
        assert (await ask(student, "POST", "/players", at_home))[0] == 201
        _, made = await ask(student, "POST", "/matches", wanted)
        await over(service, made["number"])
        await ask(student, "DELETE", "/players/old")
        _, found = await ask(student, "POST", "/submissions", {"text": PLAYER})
        for name in ("first one", "first.one:Mine", "first*one", "old"):
            player = {"name": name[:9], "source": found["source"] + name[9:]}
            assert (await ask(student, "POST", "/players", player))[0] == 201
        before = await collect(home.database, kept, copies)
        await ask(student, "DELETE", "/players/old")
        at_home["name"] = "at home"
        assert (await ask(student, "POST", "/players", at_home))[0] == 201
        collection = await collect(home.database, kept, copies)
        collected = collection.files
        for file in kept.iterdir():
            file.unlink()
        with pytest.raises(CollectingError, match="there is no file"):
            await collect(home.database, kept, copies)

    names = ["student--first_one.py", "student--first_one.2.py", "student--first.one.py"]
    assert sorted(one.name for one in collected) == sorted(names)
    assert [one.class_name for one in collected if one.player == "first.one"] == ["Mine"]
    swaps = {one.player: one.swap for one in before.files if one.swap}
    assert list(swaps) == ["old"]
    assert "another file or address played 1 of its 1 match" in swaps["old"]
    assert collection.left_out == [
        "at home of student: no file was uploaded, 0 matches played",
        "old of student: retired, 1 match played",
    ]
    assert collection.strange == ["student--old.py"]
    assert collection.equal == []  # they are one student's
    assert {file.name for file in copies.glob("*.py")} == {*names, "student--old.py"}
    assert {file.read_text() for file in copies.glob("*.py")} == {PLAYER}
    listed = (copies / LIST).read_text().splitlines()
    assert sorted(listed) == sorted(f"{copies / name}:Mine" for name in names)


@pytest.mark.usefixtures("untried")
async def test_copies_of_similar_names_keep_their_own(home: Home) -> None:
    """Whoever is retired or comes later; whose each is stands beside them."""
    kept, copies = home.folder / "players", home.folder / "copies"
    kept.mkdir()
    copies.mkdir()
    tables = []
    async with course(home, submissions=kept) as (_, people):
        host, first, second = people["host"], people["nobody"], people["student"]
        lecturer = people["lecturer"]
        await joined(first, await invited(lecturer, "student"), "O'Neil")
        await ask(second, "POST", "/logout")
        await joined(second, await invited(lecturer, "student"), "O Neil")
        for who, name in ((first, "one_1"), (second, "one 1"), (first, "one+1")):
            text = {"text": f"{PLAYER}# {name}"}
            _, found = await ask(who, "POST", "/submissions", text)
            player = {"name": name, "source": found["source"]}
            assert (await ask(who, "POST", "/players", player))[0] == 201
        for retired in ("", "one 1", "one_1"):
            if retired:
                await ask(host, "DELETE", f"/players/{retired}")
            await collect(home.database, kept, copies)
            tables.append((copies / OWNERS).read_text().splitlines())

    head = "file,student,player"
    rows = [
        "O_Neil--one_1.2.py,O Neil,one 1",
        "O_Neil--one_1.3.py,O'Neil,one+1",
        "O_Neil--one_1.py,O'Neil,one_1",
    ]
    assert tables == [[head, *rows], [head, *rows[1:]], [head, rows[1]]]
    assert (copies / "O_Neil--one_1.3.py").read_text() == f"{PLAYER}# one+1"


@pytest.mark.usefixtures("untried")
async def test_the_same_file_of_two_students_is_told(home: Home) -> None:
    """Also where only blanks differ."""
    kept, copies = home.folder / "players", home.folder / "copies"
    kept.mkdir()
    copies.mkdir()
    async with course(home, submissions=kept) as (_, people):
        await joined(people["nobody"], await invited(people["lecturer"], "student"), "Eve")
        for who, text in (("student", PLAYER), ("nobody", PLAYER.replace("\n", " \n"))):
            _, found = await ask(people[who], "POST", "/submissions", {"text": text})
            player = {"name": f"of {who}", "source": found["source"]}
            assert (await ask(people[who], "POST", "/players", player))[0] == 201
        collection = await collect(home.database, kept, copies)

    assert [sorted(names) for names in collection.equal] == [
        ["Eve--of_nobody.py", "student--of_student.py"]
    ]


@pytest.mark.skipif(not is_possible(), reason="the kernel cannot confine a process")
async def test_why_exactly_a_player_failed_is_told_to_its_owner_and_lecturers(home: Home) -> None:
    """Not to classmates, on no page; and nobody is told where files lie."""
    opens = "open('/etc/somewhere/secret.txt')"
    text = PLAYER.replace("return self.legal_moves(state)[0]", opens)
    plan = {"game": "ticTacToe", "players": ["mine", "legal"], "startclock": 9, "playclock": 9}
    cup = {"name": "all day", "form": "continuous", "games": ["ticTacToe"], "players": []}
    reason = "its last match failed: mine:6: FileNotFoundError"
    folder = home.folder / "files"
    folder.mkdir()
    async with course(home, submissions=folder) as (service, people):
        student, other, lecturer = people["student"], people["nobody"], people["lecturer"]
        await joined(other, await invited(lecturer, "student"), "Eve")
        _, kept = await ask(student, "POST", "/submissions", {"text": text})
        await ask(student, "POST", "/players", {"name": "mine", "source": kept["source"]})
        _, made = await ask(student, "POST", "/matches", plan)
        live = await asyncio.gather(
            *(_events(one, made["number"]) for one in (student, other, lecturer))
        )
        await over(service, made["number"])
        await ask(lecturer, "POST", "/tournaments", cup)
        await ask(student, "POST", "/tournaments/1/players", {"name": "mine"})
        await service.database.write(_fail, "mine", reason)
        told = []
        for one in (student, other, lecturer):
            _, turns = await ask(one, "GET", f"/matches/{made['number']}/turns")
            _, state = await ask(one, "GET", "/tournaments/1")
            told.append((turns[1]["replies"][0]["fallback"], state["pool"][0]["reason"]))

    exact = "mine:6: FileNotFoundError: [Errno 2] No such file or directory: 'secret.txt'"
    assert told == [(exact, reason), ("it failed", "its last match failed"), (exact, reason)]
    assert ["secret" in one for one in live] == [True, False, True]


async def _fail(session: Session, name: str, reason: str) -> None:
    [row] = await entrants.listed(session, 1)
    assert row.name == name
    row.state, row.reason = Presence.AWAY, reason
    row.retry = 10**13  # it is asked again long after the test


async def _events(client: Client, number: int) -> str:
    async with client.get(f"/api/v1/matches/{number}/events") as answer:
        return await answer.text()
