"""A term of thirty students in teams of two, while the manager is killed again and again.

The students talk to the API, and repeat a request until it is answered. Two of them also use the
pages, if there is a browser. At the end, every table is what follows from the records of the
matches.
"""

from __future__ import annotations

import asyncio
import contextlib
import csv
import io
import random
from collections import Counter, defaultdict
from collections.abc import AsyncIterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from aiohttp import ClientError, ClientSession
from continuous import Server, outcomes_of

from ggp.engine import EngineConfig
from ggp.manager.domain.ratings import ratings_of
from ggp.manager.store.players import OVERALL, MatchOutcome
from ggp.tournament.fixture import counted_goals
from tests.ggp.manager.api.course import NETWORK, PASSWORD, invited, joined
from tests.ggp.manager.browsing import CHROMIUM, FLAGS
from tests.ggp.manager.desk import Home, ask, desk, until_so
from tests.ggp.server.wire import QUICK, serving

pytestmark = [pytest.mark.endurance, pytest.mark.usefixtures("kernels")]

NUM_STUDENTS = 30
NUM_KILLS = 4
SECONDS = 600.0
FINAL = {
    "name": "final",
    "games": ["ticTacToe"],
    "matches": 2,
    "startclock": 2,
    "playclock": 2,
    "results": "lecturers",
}
MARK = {
    "name": "beats legal",
    "reference": "legal",
    "games": ["ticTacToe"],
    "matches": 2,
    "points": 1,
    "startclock": 2,
    "playclock": 2,
}


class Member:
    """A person with a token, who repeats a request until the manager answers."""

    def __init__(self, session: ClientSession, manager: Server, name: str, token: str) -> None:
        self.name = name
        self._session = session
        self._manager = manager
        self._headers = {"Authorization": f"Bearer {token}"}

    @property
    def address(self) -> str:
        """The address of the manager."""
        return self._manager.address

    async def ask(self, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        """Return the status and the JSON or the text of an answer."""
        while True:
            with contextlib.suppress(ClientError, OSError):  # it was killed
                status, found = await self._asked(method, path, body)
                if status < 500:
                    return status, found
            await asyncio.sleep(0.1)

    async def _asked(self, method: str, path: str, body: Any) -> tuple[int, Any]:
        address = f"{self._manager.address}/api/v1{path}"
        async with self._session.request(
            method, address, json=body, headers=self._headers
        ) as answer:
            is_json = answer.content_type == "application/json"
            return answer.status, await (answer.json() if is_json else answer.text())

    async def do(self, method: str, path: str, body: Any = None) -> Any:
        """Return the answer. Conflicts are those of requests that are repeated."""
        status, found = await self.ask(method, path, body)
        assert status < 300 or status == 409, (self.name, path, status, found)
        return found

    async def rows(self, path: str) -> list[dict[str, str]]:
        """Return the lines of a CSV."""
        _, text = await self.ask("GET", path)
        return list(csv.DictReader(io.StringIO(text)))


async def accounts(home: Home) -> dict[str, str]:
    """Create the accounts, and return a token for each name."""
    tokens = {}
    async with desk(home, has_accounts=True) as (service, client):
        assert service.invitations is not None
        await joined(client, await service.invitations.first_host(), "host")
        key = await invited(client, "student", accounts=NUM_STUDENTS)
        names = [f"student {number}" for number in range(NUM_STUDENTS)]
        for name in ["host", *names]:
            client.session.cookie_jar.clear()
            if name == "host":
                await ask(client, "POST", "/login", {"name": name, "password": PASSWORD})
            else:
                await joined(client, key, name)
            _, made = await ask(client, "POST", "/me/tokens", {"label": "term"})
            tokens[name] = made["key"]
    return tokens


@contextlib.asynccontextmanager
async def players() -> AsyncIterator[list[str]]:
    """Run a player for each team, and yield their addresses."""
    async with contextlib.AsyncExitStack() as stack:
        found = []
        for number in range(NUM_STUDENTS // 2):
            engine = EngineConfig(player=("legal", "Last")[number % 2], reasoner="interpreter")
            wire = await stack.enter_async_context(serving(QUICK, engine=engine))
            found.append(f"http://{wire.host}:{wire.port}")
        yield found


async def work(first: Member, second: Member, number: int, address: str) -> None:
    """Do what a team does during the term: join, register, improve, and challenge the next team."""
    await first.do("POST", "/teams", {"name": f"team {number}"})
    team = await first.do("GET", "/me/team")
    await second.do("POST", "/me/team", {"key": team["key"]})
    await second.do("POST", "/players", {"name": f"p{number}", "source": address})
    await first.do("POST", f"/players/p{number}/versions", {"source": address, "note": "better"})
    await first.do("POST", "/me/scrimmages", {"accepts": ("auto", "ask")[number % 2]})


async def challenge(member: Member, number: int) -> None:
    """Request a scrimmage against the next team, once it has a player."""
    opponent = f"p{(number + 1) % (NUM_STUDENTS // 2)}"
    wish = {"game": "ticTacToe", "player": f"p{number}", "opponent": opponent}
    await member.do("POST", "/scrimmages", {**wish, "startclock": 2, "playclock": 2})


async def accept_all(member: Member) -> None:
    """Accept every request to the team."""
    for one in await member.do("GET", "/scrimmages"):
        if one["status"] == "open" and not one["own"]:
            await member.do("POST", f"/scrimmages/{one['number']}/accept")


@contextlib.asynccontextmanager
async def browsers(manager: Server, *names: str) -> AsyncIterator[list[Any]]:
    """Open a page for each student, who has logged in. Yield none if there is no browser."""
    if find_spec("playwright") is None or CHROMIUM is None:
        yield []
        return
    from playwright.async_api import async_playwright

    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        pages = []
        for name in names:
            page = await (await browser.new_context()).new_page()
            await page.goto(f"{manager.address}/login?next=/me")
            await page.fill("#name", name)
            await page.fill("#password", PASSWORD)
            await page.press("#password", "Enter")
            await page.wait_for_selector("#log-out")
            pages.append(page)
        yield pages
        await browser.close()


async def improve(page: Any, manager: Server, address: str) -> None:
    """Add a version on the page of the first team's player."""
    await page.goto(f"{manager.address}/players/p0")
    await page.fill("#new-version [name=source]", address)
    await page.fill("#new-version [name=note]", "from the page")
    await page.click("#new-version button")
    await page.wait_for_selector("#versions td:has-text('from the page')")


async def kill(manager: Server, luck: random.Random) -> None:
    """Kill the manager at random moments, and start it again."""
    for _ in range(NUM_KILLS):
        await asyncio.sleep(luck.uniform(0.5, 4.0))
        await manager.kill()
        await manager.start()


async def test_a_term_survives_being_killed(tmp_path: Path) -> None:
    """Two freezes, a hidden final, results released: nothing is lost, and nothing is done twice."""
    home = Home.at(tmp_path)
    tokens = await accounts(home)
    manager = Server(
        *("manager", "--accounts", "--player-network", str(NETWORK), "--team-size", "2"),
        *("--db", home.database, "--time-zone", "Europe/Berlin", "--jobs", "2"),
        log=tmp_path / "log",
    )
    async with asyncio.timeout(SECONDS), ClientSession() as session, players() as addresses:
        await manager.start()
        try:
            people = {name: Member(session, manager, name, token) for name, token in tokens.items()}
            lecturer = people.pop("host")
            await hold(lecturer, list(people.values()), addresses, manager)
        finally:
            await manager.stop()


async def hold(
    lecturer: Member, students: list[Member], addresses: list[str], manager: Server
) -> None:
    """Hold the term, and compare its tables with the records."""
    teams = list(zip(students[::2], students[1::2], strict=True))
    killing = asyncio.create_task(kill(manager, random.Random(3)))
    await lecturer.do("POST", "/pass-marks", MARK)
    await asyncio.gather(
        *(work(*team, number, addresses[number]) for number, team in enumerate(teams))
    )
    await lecturer.do("POST", "/calendar", {"kind": "freeze", "time": "now"})
    refused, problem = await students[0].ask(
        "POST", "/players/p0/versions", {"source": addresses[0]}
    )
    await asyncio.gather(*(challenge(first, number) for number, (first, _) in enumerate(teams)))
    await asyncio.gather(*(accept_all(second) for _, second in teams))
    await lecturer.do("POST", "/calendar", {"kind": "open", "time": "now"})
    reopened, _ = await students[0].ask("POST", "/players/p0/versions", {"source": addresses[0]})
    await killing  # a browser shows an error page while the manager is gone
    async with browsers(manager, *(member.name for member in teams[0])) as pages:
        await asyncio.gather(*(improve(page, manager, addresses[0]) for page in pages))
        killing = asyncio.create_task(kill(manager, random.Random(4)))
        await play_final(lecturer, students, len(teams), killing, pages)
    assert (refused, "closed" in problem["error"], reopened) == (403, True, 201)
    await compare(students[0], lecturer, len(teams))


async def play_final(
    lecturer: Member,
    students: list[Member],
    num_teams: int,
    killing: asyncio.Task[None],
    pages: list[Any],
) -> None:
    """Play the final, whose results students see after the release only."""
    await lecturer.do("POST", "/calendar", {"kind": "freeze", "time": "now"})
    await lecturer.do(
        "POST", "/tournaments", {**FINAL, "players": [f"p{n}" for n in range(num_teams)]}
    )
    await killing

    async def is_over() -> bool:
        _, state = await lecturer.ask("GET", "/tournaments/1")
        _, trials = await lecturer.ask("GET", "/trials")
        open_ones = {"waiting", "running"}
        is_tried = all(one["status"] not in open_ones for one in trials if one["current"])
        return state["tournament"]["status"] == "completed" and is_tried

    await until_so(is_over, SECONDS)
    hidden, _ = await students[0].ask("GET", "/tournaments/1/table.csv")
    place = f"{lecturer.address}/tournaments/1"
    before = [await shown(page, place) for page in pages]
    await lecturer.do("POST", "/tournaments/1/results", {"results": "everyone"})
    after = [await shown(page, place) for page in pages]
    assert hidden == 403
    assert all("are held back until a lecturer releases them" in text for text in before)
    assert all("Head to head" in text for text in after)


async def shown(page: Any, address: str) -> str:
    """Return the text of a page in a browser."""
    await page.goto(address)
    return str(await page.inner_text("main"))


async def compare(student: Member, lecturer: Member, num_teams: int) -> None:
    """Compare the tables and CSV files with what follows from the records."""
    found, before = list[dict[str, Any]](), ""
    while part := await lecturer.do("GET", f"/matches?limit=200{before}"):
        found += part
        before = f"&before={part[-1]['number']}"
    over = [one for one in found if one["status"] == "completed"]
    numbers = [one["number"] for one in over]
    records = {number: await lecturer.do("GET", f"/matches/{number}/record") for number in numbers}
    trials = await lecturer.do("GET", "/trials")
    superseded = {each["match"] for one in trials if not one["current"] for each in one["results"]}
    open_ones = {one["number"] for one in found if one["status"] != "completed"}
    assert open_ones <= superseded, [one for one in found if one["number"] in open_ones]

    points: defaultdict[str, float] = defaultdict(float)
    for one in over:
        if one["tournament"]:
            seats = outcomes_of(records[one["number"]])
            goals, absent = [seat.goal for seat in seats], [seat.is_absent for seat in seats]
            for seat, goal in zip(seats, counted_goals(goals, absent), strict=True):
                points[seat.name] += goal / 100
    table = await student.rows("/tournaments/1/table.csv")
    assert {row["player"]: float(row["points"]) for row in table} == pytest.approx(dict(points))
    assert all(int(row["matches"]) == 2 * (num_teams - 1) for row in table)

    rated = [
        MatchOutcome(one["game"], one["ended"], outcomes_of(records[one["number"]]))
        for one in sorted(over, key=lambda one: one["number"])
        if not one["unrated"]
    ]
    expected = {row.player_name: row.elo for row in ratings_of(rated, 0) if row.game == OVERALL}
    shown = {row["player"]: float(row["elo"]) for row in await student.rows("/ratings.csv")}
    assert shown == pytest.approx(expected, abs=0.001)

    played = Counter(seat["player"] for one in over for seat in one["seats"])
    rows = await lecturer.rows("/students.csv")
    assert len(rows) == 2 * num_teams
    assert all(int(row["matches"]) == played[row["player"]] for row in rows)

    _, requests = await lecturer.ask("GET", "/scrimmages")
    of_trials = [each["match"] for one in trials for each in one["results"]]
    assert len(of_trials) == len(set(of_trials))
    others = [one for one in over if one["unrated"] and one["number"] not in set(of_trials)]
    assert requests == []
    assert num_teams <= len(others) <= num_teams + 2 * NUM_KILLS
    verdicts = {(row["player"], row["status"]) for row in await lecturer.rows("/trials.csv")}
    assert {player for player, _ in verdicts} == {f"p{number}" for number in range(num_teams)}
