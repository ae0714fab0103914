"""Accounts over HTTP: what each role may do, logging in and out, invitations, tokens."""

from __future__ import annotations

import asyncio
import itertools
import re
from asyncio import timeout
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from ggp.clock import milliseconds_since_1970
from ggp.manager.api.route import document
from ggp.manager.app import (
    ACCOUNT_PAGES,
    ACCOUNT_ROUTES,
    OPEN_TO_ALL,
    PAGES,
    ROUTES,
    _first_page,
    _outside,
    rights_of,
)
from ggp.manager.domain import accounts as domain
from ggp.manager.domain.accounts import MILLISECONDS_A_DAY, SESSION_DAYS
from ggp.manager.domain.passwords import MAX_OF_ACCOUNT
from ggp.manager.domain.rights import RIGHTS, Right, Role
from ggp.manager.hosting import live
from ggp.manager.store import matches
from ggp.manager.web.request_parts import PREFIX
from tests.ggp.manager.api.course import PASSWORD, Client, course, invited, joined, log_in
from tests.ggp.manager.desk import SECONDS, Home, ask, desk, over, until_so
from tests.thorough import all_but


def boundary(right: Right) -> set[str]:
    """Return the least privileged role with a right, and the most privileged one without."""
    order = sorted(Role, key=lambda role: len(RIGHTS[role]))
    with_it = [str(role) for role in order if right in RIGHTS[role]]
    without = ["nobody", *(str(role) for role in order if right not in RIGHTS[role])]
    return {*with_it[:1], without[-1]}


@pytest.mark.parametrize("reads", [False, True])
@pytest.mark.parametrize("is_whole", all_but([False], [False, True]))
async def test_each_place_is_open_to_the_roles_that_have_its_right(
    tmp_path: Path, *, is_whole: bool, reads: bool
) -> None:
    """Every route of the application refuses a role without its right before it does anything.

    Two roles of each route are tried, those next to the boundary; by the thorough test, all roles.
    """
    rights = rights_of(ROUTES + ACCOUNT_ROUTES, PAGES + ACCOUNT_PAGES)
    async with course(tmp_path) as (_, people):
        app = people["nobody"].server.app  # type: ignore[attr-defined]
        places = {
            (route.method, route.resource.canonical)
            for route in app.router.routes()
            if route.method != "HEAD"
        }
        places -= {("POST", f"{PREFIX}/logout")}  # others would be out after it
        assert places <= rights.keys()
        tried = sorted(place for place in places if (place[0] == "GET") == reads)
        for (method, place), (name, client) in itertools.product(tried, people.items()):
            if not is_whole and name not in boundary(rights[method, place]):
                continue
            path = re.sub(r"{(name|role)}", "none", re.sub(r"{(number|turn)}", "0", place))
            path = "/static/style.css" if path == "/static" else path
            has = RIGHTS[Role(name)] if name != "nobody" else {Right.ENTER}
            async with client.request(method, path, allow_redirects=False) as answer:
                refused = answer.status in {401, 403}
                assert refused == (rights[method, place] not in has), (method, place, name)


def test_what_declares_no_right_needs_a_host() -> None:
    """And what is open to all is a short list."""
    everything = rights_of(ROUTES + ACCOUNT_ROUTES, PAGES + ACCOUNT_PAGES)
    open_to_all = {place for (_, place), right in everything.items() if right == Right.ENTER}
    undeclared = [route for route in ROUTES + ACCOUNT_ROUTES if route.right == Right.ADMINISTER]

    assert open_to_all == {"/login", "/join", *(place for _, place in OPEN_TO_ALL)} | {
        f"{PREFIX}{path}" for path in ("/login", "/join", "/reset")
    }
    assert [route.path for route in undeclared] == ["/accounts/{number}"]
    assert not [page for page in PAGES + ACCOUNT_PAGES if page.right == Right.ADMINISTER]


def test_no_two_requests_have_one_name_in_the_document() -> None:
    """The one would be described as the other."""
    models = {route.body for route in ROUTES + ACCOUNT_ROUTES} - {None}
    described = document(ROUTES + ACCOUNT_ROUTES)["paths"]

    assert len({model.__name__ for model in models if model}) == len(models)
    assert described[f"{PREFIX}/students.csv"]["get"]["x-right"] == Right.TEACH


ELSEWHERE = ["//evil.example/", "/\\evil.example", "https://evil.example", "/\t/evil.example"]


async def test_a_page_leads_to_the_login_and_on(tmp_path: Path) -> None:
    """To the page that was asked for, and never to another site."""
    html = {"Accept": "text/html"}
    async with course(tmp_path) as (_, people):
        nobody = people["nobody"]
        asked = await nobody.get("/players?a=b", headers=html, allow_redirects=False)
        login = await (await nobody.get(asked.headers["Location"])).text()
        evil = [
            await (await nobody.get("/login", params={"next": place})).text() for place in ELSEWHERE
        ]
        program = await nobody.get("/players", allow_redirects=False)

    assert (asked.status, program.status) == (303, 401)
    assert 'data-next="/players?a=b"' in login
    assert all('data-next="/matches"' in page for page in evil)


async def test_the_first_link_makes_one_host(home: Home) -> None:
    """Then it is of no use, and there is no other."""
    async with desk(home, has_accounts=True) as (service, client):
        assert service.invitations is not None
        old = await service.invitations.first_host()
        key = await service.invitations.first_host()
        body = {"name": "Ann", "password": PASSWORD}
        outdated = await ask(client, "POST", "/join", {**body, "key": old})
        await joined(client, key, "Ann")
        again = await ask(client, "POST", "/join", {**body, "key": key, "name": "Eve"})
        none = await service.invitations.first_host()

    assert (outdated[0], again[0], none) == (404, 404, None)


def test_the_link_leads_to_the_machine_and_not_to_all_addresses() -> None:
    """Where the manager listens on all; else it is what was said."""
    everywhere = _outside("http://0.0.0.0:8080", "0.0.0.0")
    assert "0.0.0.0" not in everywhere
    assert everywhere.endswith(":8080")
    assert _outside("http://127.0.0.1:1", "127.0.0.1") == "http://127.0.0.1:1"


async def test_what_is_printed_at_the_start_leads_to_the_first_account(tmp_path: Path) -> None:
    """As long as there is none; then to the matches."""
    async with desk(tmp_path, has_accounts=True) as (service, client):
        link = await _first_page(service)
        page = await (await client.get(link)).text()
        await joined(client, link.partition("key=")[2], "Ann")
        later = await _first_page(service)

    assert "You are the host of this manager" in page
    assert later == ""


async def test_a_student_has_so_many_branches_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are matches; nor may it let others' players go on there."""
    monkeypatch.setattr(matches, "MAX_OF_STUDENT", 2)
    async with course(tmp_path) as (service, people):
        await registered(people["host"])
        body = {"game": "ticTacToe", "players": ["random", "random"]}
        _, made = await ask(people["host"], "POST", "/matches", body)
        await over(service, made["number"])
        path = f"/matches/{made['number']}/branches"
        branch = {"turn": 1, "players": ["person", "random"]}
        together = await asyncio.gather(
            *(ask(people["student"], "POST", path, branch) for _ in range(6))
        )
        foreign = {"turn": 1, "players": ["mine", "random"]}
        refused, _ = await ask(people["student"], "POST", path, foreign)

    assert sorted(status for status, _ in together) == [201] * 2 + [409] * 4
    assert refused == 403


async def test_a_student_has_so_many_matches_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of its own, also if it asks for all in the same moment; others are not kept out."""
    monkeypatch.setattr(matches, "MAX_OF_STUDENT", 2)
    match = {"game": "ticTacToe", "players": ["person", "random"]}
    async with course(tmp_path) as (_, people):
        together = await asyncio.gather(
            *(ask(people["student"], "POST", "/matches", match) for _ in range(12))
        )
        lecturer = [(await ask(people["lecturer"], "POST", "/matches", match))[0] for _ in "xxx"]

    assert sorted(status for status, _ in together) == [201] * 2 + [409] * 10
    assert lecturer == [201] * 3


async def test_matches_of_one_student_wait_for_each_other(tmp_path: Path) -> None:
    """And say so; those of a lecturer wait for cores alone."""
    body = {"game": "ticTacToe", "players": ["mine", "mcts"]}
    async with course(tmp_path, num_cores=2) as (service, people):
        await registered(people["student"])
        account = (await ask(people["student"], "GET", "/me"))[1]["id"]
        cores = service.host._cores
        async with cores.taken(1, match=77, account=account), cores.taken(1, match=78):
            reasons = [await reason_of_waiting(people[role], body) for role in Role][:3]
            bound = [waiting.account for waiting in cores._waiting]
            for number in (1, 2, 3):
                await ask(people["host"], "POST", f"/matches/{number}/abort")

    cores_taken = "queued until cores are free; matches with cores: 77, 78"
    own = "queued: match 77 of this account is running, and each account runs one match at a time"
    assert reasons == [cores_taken, cores_taken, own]
    assert bound == [None, None, account]


async def reason_of_waiting(client: Client, body: Mapping[str, object]) -> str:
    """Why a match waits that somebody sets up; empty if that is not allowed."""
    _, made = await ask(client, "POST", "/matches", body)
    if "number" not in made:
        return ""
    return str((await ask(client, "GET", f"/matches/{made['number']}"))[1]["reason"])


async def registered(student: Client) -> None:
    """Register a player of a student, where nobody answers."""
    body = {"name": "mine", "source": "http://127.0.0.1:9"}
    assert (await ask(student, "POST", "/players", body))[0] == 201


async def until_status(client: Client, number: int, status: str) -> None:
    """Wait until a match has a status."""

    async def has_it() -> bool:
        return bool((await ask(client, "GET", f"/matches/{number}"))[1]["status"] == status)

    await until_so(has_it)


async def test_clocks_of_students_matches_are_bounded(tmp_path: Path) -> None:
    """However they are set up; lecturers may take longer ones."""
    most = matches.MAX_SECONDS_OF_STUDENT
    match = {"game": "ticTacToe", "players": ["mine", "random"]}
    long = {**match, "startclock": most + 1}
    challenge = {**match, "players": ["person", "person:anybody"], "playclock": 3000}
    async with course(tmp_path) as (_, people):
        student, lecturer = people["student"], people["lecturer"]
        await registered(student)
        status, refused = await ask(student, "POST", "/matches", long)
        challenged = await ask(student, "POST", "/challenges", challenge)
        longest = {**match, "startclock": most, "playclock": most}
        played = await ask(student, "POST", "/matches", longest)
        await until_status(student, played[1]["number"], "completed")
        branch = {"turn": 0, "players": match["players"], "playclock": most + 1}
        branched = await ask(student, "POST", f"/matches/{played[1]['number']}/branches", branch)
        others = [
            (await ask(lecturer, "POST", path, body))[0]
            for path, body in (("/matches", long), ("/challenges", challenge))
        ]

    said = f"startclock: expected at most {most} s in a match that a student sets up, got 121"
    assert (status, refused["error"], refused["field"]) == (400, said, "startclock")
    assert (challenged[0], challenged[1]["field"]) == (400, "playclock")
    assert (branched[0], branched[1]["field"]) == (400, "playclock")
    assert (played[0], others) == (201, [201, 201])


async def test_who_logs_in_wrongly_is_told_nothing_and_stopped(tmp_path: Path) -> None:
    """Names that do not exist are counted as others are; who is in stays in."""
    async with course(tmp_path) as (_, people):
        for name in ("student", "nosuch"):
            tries = [
                await ask(people["nobody"], "POST", "/login", {"name": name, "password": "wrong"})
                for _ in range(MAX_OF_ACCOUNT + 1)
            ]
            assert [status for status, _ in tries] == [401] * MAX_OF_ACCOUNT + [429]
            assert {found["error"] for _, found in tries[:-1]} == {domain.WRONG}
        right = await log_in(people["nobody"], "student")
        inside, _ = await ask(people["student"], "GET", "/me")
        other = await log_in(people["nobody"], "Lecturer ")

    assert (right, inside, other) == (429, 200, 200)


async def test_the_cookie_is_kept_from_scripts_and_other_sites(tmp_path: Path) -> None:
    """And the database has only its hash."""
    async with course(tmp_path) as (service, people):
        body = {"name": "student", "password": PASSWORD}
        answer = await people["nobody"].post("/api/v1/login", json=body)
        behind = await people["nobody"].post(
            "/api/v1/login", json=body, headers={"X-Forwarded-Proto": "https"}
        )
        stolen = await people["nobody"].post(
            "/api/v1/login", json=body, headers={"Origin": "http://evil.example"}
        )
        cookie = answer.cookies["ggp_session"]
        kept = b"".join(file.read_bytes() for file in tmp_path.glob("ggp.db*"))

    assert (cookie["httponly"], cookie["samesite"], cookie["secure"]) == (True, "Lax", "")
    assert behind.cookies["ggp_session"]["secure"] is True
    assert stolen.status == 403
    assert answer.headers["Cache-Control"] == "no-store"
    assert service is not None
    assert cookie.value.encode() not in kept
    assert PASSWORD.encode() not in kept


async def test_sessions_end(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    """By logging out, with the password, by a lock, and after some days."""
    async with course(home) as (_, people):
        student, nobody, host = people["student"], people["nobody"], people["host"]
        _, token = await ask(student, "POST", "/me/tokens", {"label": "script"})
        bearer = {"Authorization": f"Bearer {token['key']}"}
        assert await log_in(nobody, "student") == 200
        changed, _ = await ask(
            nobody, "POST", "/me/password", {"old": PASSWORD, "password": PASSWORD + "!"}
        )
        statuses = [(await ask(client, "GET", "/me"))[0] for client in (student, nobody)]
        async with host.get("/api/v1/me", headers=bearer) as answer:
            statuses.append(answer.status)
        await ask(nobody, "POST", "/logout")
        statuses.append((await ask(nobody, "GET", "/me"))[0])
        _, listed = await ask(host, "GET", "/accounts")
        number = next(one["id"] for one in listed if one["name"] == "lecturer")
        await ask(host, "POST", f"/accounts/{number}", {"is_locked": True})
        statuses.append((await ask(people["lecturer"], "GET", "/me"))[0])
        locked = await log_in(people["lecturer"], "lecturer")
        later = milliseconds_since_1970() + SESSION_DAYS * MILLISECONDS_A_DAY
        monkeypatch.setattr(domain, "milliseconds_since_1970", lambda: later)
        statuses.append((await ask(people["spectator"], "GET", "/me"))[0])

    assert changed == 200
    assert (statuses, locked) == ([401, 200, 401, 401, 401, 401], 401)


@pytest.mark.parametrize("how", ["logout", "lock", "role", "password"])
async def test_events_end_with_the_session(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    """Those of a match that goes on; nobody else's."""
    monkeypatch.setattr(live, "HEARTBEAT_SECONDS", 0.05)
    async with course(tmp_path) as (_, people):
        student, host = people["student"], people["host"]
        body = {"game": "ticTacToe", "players": ["person", "random"]}
        _, made = await ask(host, "POST", "/matches", body)
        events = f"/api/v1/matches/{made['number']}/events"
        async with student.get(events) as watched, host.get(events) as other, timeout(SECONDS):
            await watched.content.readuntil(b"still here")
            status, _ = await end_session(how, people)
            await watched.content.read()
            await other.content.readuntil(b"still here")
        async with student.get(events) as again:
            assert (status, again.status) == (200, 401)


async def end_session(how: str, people: Mapping[str, Client]) -> tuple[int, Any]:
    """Let the student's sessions end in one of the ways in which they do."""
    if how == "logout":
        return await ask(people["student"], "POST", "/logout")
    if how == "password":
        await log_in(people["nobody"], "student")
        change = {"old": PASSWORD, "password": PASSWORD + "!"}
        return await ask(people["nobody"], "POST", "/me/password", change)
    _, accounts = await ask(people["host"], "GET", "/accounts")
    number = next(one["id"] for one in accounts if one["name"] == "student")
    what = {"is_locked": True} if how == "lock" else {"role": "spectator"}
    return await ask(people["host"], "POST", f"/accounts/{number}", what)


async def test_errors_do_not_repeat_keys(tmp_path: Path) -> None:
    """Of an invitation that is none, and of what stands where its number belongs."""
    key = "a-key-that-nobody-is-to-see"
    body = {"key": key, "name": "grace", "password": PASSWORD}
    async with course(tmp_path) as (_, people):
        joining = await ask(people["nobody"], "POST", "/join", body)
        withdrawing = await ask(people["host"], "DELETE", f"/invitations/{key}")
        ending = await ask(people["student"], "DELETE", f"/me/tokens/{key}")
        page = await people["nobody"].get(f"/join?key={key}", headers={"Accept": "text/html"})
        shown = await page.text()

    assert [joining[0], withdrawing[0], ending[0], page.status] == [404, 400, 400, 404]
    assert key not in f"{joining}{withdrawing}{ending}{shown}"


async def test_a_token_stands_for_its_account(home: Home) -> None:
    """Until it is ended; it is not told again."""
    async with course(home) as (_, people):
        student, nobody = people["student"], people["nobody"]
        status, made = await ask(student, "POST", "/me/tokens", {"label": "script"})
        bearer = {"Authorization": f"Bearer {made['key']}"}
        async with nobody.get("/api/v1/me", headers=bearer) as answer:
            known = (await answer.json())["name"]
        _, listed = await ask(student, "GET", "/me/tokens")
        foreign, _ = await ask(people["lecturer"], "DELETE", f"/me/tokens/{made['id']}")
        await ask(student, "DELETE", f"/me/tokens/{made['id']}")
        async with nobody.get("/api/v1/me", headers=bearer) as answer:
            ended = answer.status

    assert (status, known, foreign, ended) == (201, "student", 404, 401)
    assert [one["label"] for one in listed] == ["script"]
    assert made["key"] not in str(listed)


async def test_invitations_are_for_lower_roles_and_so_many(home: Home) -> None:
    """And only whoever made one can end it."""
    async with course(home) as (_, people):
        lecturer, nobody = people["lecturer"], people["nobody"]
        above, _ = await ask(lecturer, "POST", "/invitations", {"role": "lecturer"})
        key = await invited(lecturer, "student", accounts=2)
        await joined(nobody, key, "Ann")
        taken = await ask(
            nobody, "POST", "/join", {"key": key, "name": " ANN", "password": PASSWORD}
        )
        await joined(nobody, key, "Bob")
        late = await ask(nobody, "POST", "/join", {"key": key, "name": "Cyd", "password": PASSWORD})
        await invited(lecturer, "spectator")
        _, [one] = await ask(lecturer, "GET", "/invitations")
        foreign, _ = await ask(people["host"], "DELETE", f"/invitations/{one['id']}")
        ended, _ = await ask(lecturer, "DELETE", f"/invitations/{one['id']}")

    assert (above, taken[0], late[0], foreign, ended) == (403, 400, 404, 404, 200)
    assert taken[1]["error"].startswith("name: ANN is taken")


async def test_a_lecturer_gives_a_student_a_new_password(home: Home) -> None:
    """By a link for one use; to nobody of the same role or a higher one."""
    async with course(home) as (_, people):
        _, listed = await ask(people["host"], "GET", "/accounts")
        numbers = {one["name"]: one["id"] for one in listed}
        refused = [
            (await ask(people["lecturer"], "POST", f"/accounts/{numbers[name]}/reset"))[0]
            for name in ("lecturer", "host")
        ]
        _, made = await ask(people["lecturer"], "POST", f"/accounts/{numbers['student']}/reset")
        body = {"key": made["key"], "password": "another password"}
        misused = await ask(
            people["nobody"],
            "POST",
            "/join",
            {"key": made["key"], "name": "x", "password": PASSWORD},
        )
        done, _ = await ask(people["nobody"], "POST", "/reset", body)
        again, _ = await ask(people["nobody"], "POST", "/reset", body)
        old, _ = await ask(people["student"], "GET", "/me")
        new = await log_in(people["student"], "student", "another password")

    assert (refused, misused[0]) == ([403, 403], 404)
    assert (done, again, old, new) == (200, 404, 401, 200)


async def test_the_last_host_stays(home: Home) -> None:
    """Somebody must be able to look after the others."""
    async with course(home) as (_, people):
        _, me = await ask(people["host"], "GET", "/me")
        statuses = [
            (await ask(people["host"], "POST", f"/accounts/{me['id']}", change))[0]
            for change in ({"role": "student"}, {"is_locked": True})
        ]
        again, _ = await ask(people["host"], "GET", "/me")

    assert (statuses, again) == ([409, 409], 200)
