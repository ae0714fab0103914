"""Results that are held back: no byte that others may read depends on them.

A crawler reads every page and every answer of the API that can be had with GET. It takes the
addresses from the application, so that a new page cannot be forgotten.
"""

from __future__ import annotations

import itertools
import re
from typing import Any

import pytest
from sqlalchemy import update

from ggp.clock import milliseconds_since_1970
from ggp.manager.app import ACCOUNT_PAGES, ACCOUNT_ROUTES, PAGES, ROUTES
from ggp.manager.domain import held_results
from ggp.manager.service import ManagerService
from ggp.manager.store.tables import PlayerRow
from ggp.manager.web.request_parts import PREFIX
from tests.ggp.manager.api.course import Client, course
from tests.ggp.manager.desk import Home, ask, over, over_tournament, two

HOUR = 3_600_000
FINAL: dict[str, Any] = {
    "name": "final",
    "games": ["ticTacToe"],
    "players": ["ann", "bob"],
    "startclock": 1,
    "playclock": 1,
    "results": "lecturers",
}
NAMES = ("ann", "bob", "ticTacToe", "legal")
PLACES = {
    "number": ("1", "2", "3", "4"),
    "turn": ("0", "1", "2"),
    "name": NAMES,
    "opponent": NAMES[:2],
    "role": ("xplayer",),
}
"""What the parts of addresses may be: the first match is a public one, the others are of the
final, which is tournament 1."""


def addresses(*, is_whole: bool) -> list[str]:
    """Return every address that can be read or, unless `is_whole`, those about matches."""
    routes = [PREFIX + one.path for one in (*ROUTES, *ACCOUNT_ROUTES) if one.method == "GET"]
    found = []
    for path in [*routes, *(page.path for page in (*PAGES, *ACCOUNT_PAGES))]:
        if not is_whole and re.search("games|play$|editor|positions", path):
            continue
        parts = re.findall(r"{(\w+)}", path)
        for values in itertools.product(*(PLACES[part] for part in parts)):
            given = dict(zip(parts, values, strict=True))
            found.append(path.format(**given))
    return [*found, "/matches?tournament=1", f"{PREFIX}/ratings?game=ticTacToe"]


async def crawled(client: Client, *, is_whole: bool) -> dict[str, bytes]:
    """Map addresses to the answers, without what differs in any two runs."""
    found = {}
    for path in addresses(is_whole=is_whole):
        headers = {"Accept": "application/json" if path.startswith(PREFIX) else "text/html"}
        async with client.get(path, headers=headers, allow_redirects=False) as answer:
            found[path] = f"{answer.status} ".encode() + without_chance(await answer.read())
    return found


def without_chance(body: bytes) -> bytes:
    """Leave out times and the random parts of names."""
    body = re.sub(rb"ggp\.ticTacToe\.\d+\.[0-9a-f]+", b"MATCH", body)
    body = re.sub(rb"\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d", b"TIME", body)
    body = re.sub(rb"((?:randomToken|random-token)\W+)\w+", rb"\1TOKEN", body)
    return re.sub(rb'("seconds": ?)[\d.]+|\b\d{13}\b', rb"\1TIME", body)


async def play(service: ManagerService, lecturer: Client, seed: int) -> None:
    """Play a public match, and a final whose results depend on the seed."""
    for name in ("ann", "bob"):
        await ask(lecturer, "POST", "/players", {"name": name, "source": "random"})
    await over(service, await service.host.set_up(two(players=("ann", "bob"))))
    status, made = await ask(lecturer, "POST", "/tournaments", {**FINAL, "seed": seed})
    assert (status, made) == (201, {"number": 1})
    await over_tournament(service.tournaments, 1)


async def own(service: ManagerService, lecturer: Client, student: Client) -> None:
    """Give the first player to the student."""
    _, account = await ask(student, "GET", "/me")
    change = update(PlayerRow).where(PlayerRow.name == "ann").values(owner_id=account["id"])
    async with service.database.writing() as session:
        await session.execute(change)
    assert (await ask(lecturer, "GET", "/players/ann"))[0] == 200


@pytest.mark.parametrize("is_whole", [False, pytest.param(True, marks=pytest.mark.thorough)])
async def test_no_byte_depends_on_a_hidden_result(home: Home, *, is_whole: bool) -> None:
    """A student whose player takes part, a spectator and a stranger read the same in two worlds.

    After the release, the student reads what the results are.
    """
    worlds = []
    for seed in (1, 2):
        async with course(Home.at(home.folder / str(seed))) as (service, people):
            lecturer, student = people["lecturer"], people["student"]
            await play(service, lecturer, seed)
            await own(service, lecturer, student)
            readers = (student, people["spectator"], people["nobody"])[: 3 if is_whole else 1]
            before = [await crawled(one, is_whole=is_whole) for one in readers]
            of_lecturer = await crawled(lecturer, is_whole=is_whole)
            everyone = {"results": "everyone"}
            assert (await ask(lecturer, "POST", "/tournaments/1/results", everyone))[0] == 200
            worlds.append((before, of_lecturer, await crawled(student, is_whole=is_whole)))

    (before, of_lecturer, after), (other, of_other, after_other) = worlds
    for first, second in zip(before, other, strict=True):
        assert [path for path in first if first[path] != second[path]] == []
    assert b"held back" in before[0]["/tournaments/1"]
    assert before[0][f"{PREFIX}/matches/2/turns"].startswith(b"403 ")
    assert before[-1][f"{PREFIX}/matches/2"].startswith(b"401 " if is_whole else b"403 ")
    assert of_lecturer != of_other
    assert after != after_other
    assert after[f"{PREFIX}/tournaments/1/table.csv"].startswith(b"200 ")


@pytest.fixture(autouse=True)
def folders(home: Home) -> None:
    """Make the folders of both worlds."""
    for seed in (1, 2):
        (home.folder / str(seed)).mkdir()


async def test_participants_may_see_what_others_may_not(home: Home) -> None:
    """A student whose player takes part sees the results, and a spectator does not."""
    async with course(home) as (service, people):
        lecturer, student, spectator = (
            people[role] for role in ("lecturer", "student", "spectator")
        )
        await play(service, lecturer, 1)
        await own(service, lecturer, student)
        await ask(lecturer, "POST", "/tournaments/1/results", {"results": "participants"})
        seen, _ = await ask(student, "GET", "/matches/2")
        refused, problem = await ask(spectator, "GET", "/matches/2")
        _, listed = await ask(spectator, "GET", "/matches")
        _, all_listed = await ask(student, "GET", "/matches")
        _, ratings = await ask(student, "GET", "/ratings")

    assert (seen, refused) == (200, 403)
    assert problem["error"] == (
        "The results of final are held back until a lecturer releases them; until then, only "
        "participants see them."
    )
    assert [one["number"] for one in listed] == [1]
    assert len(all_listed) == 3
    assert [one["meetings"] for one in ratings] == [1, 1]


async def test_results_are_released_at_their_time(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By a date of their own, or with the next release in the calendar."""
    async with course(home) as (service, people):
        lecturer, student = people["lecturer"], people["student"]
        await play(service, lecturer, 1)
        await ask(lecturer, "POST", "/calendar", {"kind": "release", "time": "2099-12-01T18:00"})
        _, by_calendar = await ask(student, "GET", "/tournaments/1")
        own_date = {"results": "lecturers", "release": "2098-12-01T18:00"}
        await ask(lecturer, "POST", "/tournaments/1/results", own_date)
        _, by_own_date = await ask(student, "GET", "/tournaments/1")
        _, rated_before = await ask(student, "GET", "/ratings")
        later = milliseconds_since_1970() + 80 * 365 * 24 * HOUR
        monkeypatch.setattr(held_results, "milliseconds_since_1970", lambda: later)
        _, released = await ask(student, "GET", "/tournaments/1")
        _, rated = await ask(student, "GET", "/ratings")

    assert "until Tue 1 Dec 2099, 18:00 (UTC)" in by_calendar["tournament"]["reason"]
    assert "until Mon 1 Dec 2098, 18:00 (UTC)" in by_own_date["tournament"]["reason"]
    assert by_own_date["fixtures"] == by_own_date["table"]["rows"] == []
    assert released["tournament"]["status"] == "completed"
    assert len(released["table"]["rows"]) == 2
    assert [one["meetings"] for one in rated_before] == [1, 1]
    assert [one["meetings"] for one in rated] == [3, 3]


async def test_results_that_were_public_are_hidden(home: Home) -> None:
    """Ratings no longer count them, and a spectator who watches a match is sent no more."""
    async with course(home) as (service, people):
        lecturer, student = people["lecturer"], people["student"]
        await play(service, lecturer, 1)
        await ask(lecturer, "POST", "/tournaments/1/results", {"results": "everyone"})
        _, public = await ask(student, "GET", "/ratings")
        await ask(lecturer, "POST", "/tournaments/1/results", {"results": "lecturers"})
        _, hidden = await ask(student, "GET", "/ratings")
        refused, _ = await ask(student, "GET", "/matches/2/record")

    assert [one["meetings"] for one in public] == [3, 3]
    assert [one["meetings"] for one in hidden] == [1, 1]
    assert refused == 403


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"results": "nobody"}, "results: expected one of everyone, participants or lecturers"),
        ({"results": "everyone", "release": "2099-01-01T00:00"}, "release: expected none"),
        ({"results": "lecturers", "release": "2020-01-01T00:00"}, "release: .* has passed"),
        ({"results": "lecturers", "release": "noon"}, "release: expected a date and a time"),
    ],
)
async def test_a_change_that_cannot_be_is_refused(
    home: Home, change: dict[str, str], message: str
) -> None:
    """The message names the field."""
    async with course(home) as (service, people):
        await play(service, people["lecturer"], 1)
        status, problem = await ask(people["lecturer"], "POST", "/tournaments/1/results", change)
        by_student, _ = await ask(people["student"], "POST", "/tournaments/1/results", change)

    assert (status, by_student) == (400, 403)
    assert re.match(message, problem["error"])
