"""Continuous tournaments: players come and go, dead ones too; restarts lose nothing."""

from __future__ import annotations

import asyncio
import csv
import io
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import pytest
from aiohttp import web
from aiohttp.test_utils import TestClient

from ggp.manager.domain.tournaments import match_plan
from ggp.manager.hosting.continuous import ContinuousRun, ContinuousRunner
from ggp.manager.service import ManagerService
from ggp.manager.store import entrants, matches, tournaments
from ggp.manager.store.matches import PlayedTurn
from ggp.manager.store.tables import FixtureRow, Status
from ggp.manager.store.tournaments import FixtureEntry
from ggp.tournament.fixture import Fixture, Result
from ggp.tournament.pairing import Choice
from ggp.tournament.plan import TournamentPlan
from ggp.tournament.table import TableRow, make_table
from tests.ggp.manager.desk import (
    SECONDS,
    Home,
    ask,
    desk,
    over_tournament,
    until_true,
    write_down,
)

PLAN: dict[str, Any] = {
    "name": "all day",
    "form": "continuous",
    "games": ["ticTacToe", "rockPaperScissors"],
    "players": [{"name": name, "player": "random"} for name in "abcde"],
    "jobs": 2,
    "seed": 1,
}


async def fixtures(service: ManagerService) -> list[FixtureEntry]:
    """All of the first tournament."""
    async with service.database.reading() as session:
        return await tournaments.entries(session, 1)


async def num_counted(service: ManagerService) -> int:
    """Matches of the first tournament that are over and in its sums."""
    async with service.database.reading() as session:
        return len(await tournaments.entries(session, 1, FixtureRow.is_counted.is_(True)))


async def until_changed(service: ManagerService, is_so: Callable[[], Awaitable[bool]]) -> None:
    """Wait until something is so that a change in the first tournament makes so."""
    runs = service.tournaments._continuous._runs
    await until_true(lambda: 1 in runs)
    async with asyncio.timeout(SECONDS):
        while True:
            change = asyncio.create_task(runs[1].is_changed.wait())
            await asyncio.sleep(0)  # it waits before we look, so that no change is missed
            if await is_so():
                change.cancel()
                return
            await change


async def played(service: ManagerService, num: int) -> None:
    """Wait until so many matches are over."""

    async def is_so() -> bool:
        return await num_counted(service) >= num

    await until_changed(service, is_so)


async def presence(client: TestClient[Any, Any]) -> dict[str, str]:
    """Who is in, away or gone."""
    _, found = await ask(client, "GET", "/tournaments/1")
    return {one["name"]: one["state"] for one in found["pool"]}


def points_of(found: list[FixtureEntry]) -> list[tuple[str, float, int]]:
    """Points and matches of each player as the fixtures say, by name."""
    return sorted((row.name, row.points, row.matches) for row in table_of(found))


def table_of(found: list[FixtureEntry]) -> Sequence[TableRow]:
    """The table as the fixtures say."""
    results: list[Result] = [
        entry.result
        for entry in found
        if entry.result is not None and entry.status is Status.COMPLETED
    ]
    names = sorted({name for one in results for name in one.fixture.players})
    return make_table(names, results).rows


async def test_it_goes_on_until_somebody_ends_it(home: Home) -> None:
    """Then what runs is played to its end, and the sums are those of the matches."""
    async with desk(home) as (service, client):
        await ask(client, "POST", "/tournaments", PLAN)
        await played(service, 6)
        ended, _ = await ask(client, "POST", "/tournaments/1/end")
        await over_tournament(service.tournaments, 1)
        found = await fixtures(service)
        _, state = await ask(client, "GET", "/tournaments/1")
        again, _ = await ask(client, "POST", "/tournaments/1/end")

    assert (ended, again) == (200, 409)
    assert state["tournament"]["status"] == "completed"
    assert {entry.status for entry in found} == {Status.COMPLETED}
    assert [entry.fixture.number for entry in found] == list(range(len(found)))
    rows = state["table"]["rows"]
    assert sorted((row["name"], row["points"], row["matches"]) for row in rows) == [
        (name, pytest.approx(points), matches) for name, points, matches in points_of(found)
    ]
    rated = {row.name: row.rating.elo for row in table_of(found) if row.rating is not None}
    assert {row["name"]: row["elo"] for row in rows} == pytest.approx(rated, abs=0.1)
    assert set(Counter(entry.fixture.game for entry in found)) == {"ticTacToe", "rockPaperScissors"}


async def test_nobody_plays_twice_at_once(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many matches there is room for."""
    most: Counter[str] = Counter()
    make = ContinuousRunner._next

    async def noted(runner: ContinuousRunner, run: ContinuousRun) -> Fixture | None:
        nonlocal most
        fixture = await make(runner, run)
        most |= Counter(name for players in run.busy.values() for name in players)
        return fixture

    monkeypatch.setattr(ContinuousRunner, "_next", noted)
    async with desk(home) as (service, client):
        await ask(client, "POST", "/tournaments", {**PLAN, "jobs": 64})
        await played(service, 4)

    assert set(most.values()) == {1}


async def test_players_join_and_leave_while_it_runs(home: Home) -> None:
    """It may begin with nobody; who has left may come back, and its results stay."""
    async with desk(home) as (service, client):
        await ask(client, "POST", "/tournaments", {**PLAN, "players": []})
        for name in "abc":
            join = {"name": name, "player": "random"}
            assert (await ask(client, "POST", "/tournaments/1/players", join))[0] == 200
        twice, said = await ask(client, "POST", "/tournaments/1/players", join)
        await played(service, 4)
        left, _ = await ask(client, "DELETE", "/tournaments/1/players/c")
        once_more, _ = await ask(client, "DELETE", "/tournaments/1/players/c")
        num = len(await fixtures(service))
        await played(service, num + 2)
        after = [entry.fixture.players for entry in (await fixtures(service))[num:]]
        here = await presence(client)
        back, _ = await ask(client, "POST", "/tournaments/1/players", join)
        async with client.get("/tournaments/1") as answer:
            page = await answer.text()

    assert (twice, left, once_more, back) == (409, 200, 409, 200)
    assert said["error"] == "'c' already takes part; choose another name"
    assert all(set(players) == {"a", "b"} for players in after)
    assert here == {"a": "in", "b": "in", "c": "left"}
    assert "3 of 3 players are in" in page


async def test_a_player_that_does_not_answer_is_away_until_it_does(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It leaves after one match, is asked again, and comes back when it is there again."""
    monkeypatch.setattr("ggp.manager.hosting.continuous.LOOK_SECONDS", 0.05)

    async def answer(request: web.Request) -> web.Response:
        body = await request.text()
        return web.Response(text="available" if "INFO" in body.upper() else "(mark 1 1)")

    app = web.Application()
    app.router.add_post("/", answer)
    async with desk(home) as (service, client):
        runner = web.AppRunner(app)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        port = runner.addresses[0][1]
        await runner.cleanup()
        players = [*PLAN["players"][:3], {"name": "dead", "player": f"http://127.0.0.1:{port}"}]
        plan = {**PLAN, "games": ["ticTacToe"], "players": players}
        await ask(client, "POST", "/tournaments", plan)

        async def is_away() -> bool:
            return (await presence(client))["dead"] == "away"

        await until_changed(service, is_away)
        _, state = await ask(client, "GET", "/tournaments/1")
        during = len(await fixtures(service))
        await played(service, during + 2)
        without = [entry.fixture.players for entry in (await fixtures(service))[during:]]
        runner = web.AppRunner(app)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", port).start()
        async with service.database.writing() as session:  # the time to ask it has come
            for row in await entrants.listed(session, 1):
                row.retry = 0 if row.name == "dead" else row.retry

        async def is_in() -> bool:
            return (await presence(client))["dead"] == "in"

        await until_changed(service, is_in)
        await runner.cleanup()

    [entrant] = [one for one in state["pool"] if one["name"] == "dead"]
    assert entrant["reason"] == "it could not be reached in its last match"
    assert all("dead" not in players for players in without)


async def left_open(home: Home) -> bool:
    """Whether a manager that has ended left a fixture of the first tournament open."""
    async with desk(home) as (service, _), service.database.reading() as session:
        return bool(await entrants.open_fixtures(session, 1))


async def test_a_restart_loses_and_doubles_nothing(home: Home) -> None:
    """Open fixtures are played to their end, and each is counted once."""
    async with desk(home) as (service, client):
        await ask(client, "POST", "/tournaments", PLAN)
        await played(service, 3)
    while not await left_open(home):  # it ended just between two matches
        async with desk(home) as (service, client):
            service.tournaments.start(1)
            await played(service, 1 + await num_counted(service))
    async with desk(home) as (service, client):
        service.tournaments.start(1)
        await played(service, 2 + await num_counted(service))
        await ask(client, "POST", "/tournaments/1/end")
        await over_tournament(service.tournaments, 1)
        found = await fixtures(service)
        async with service.database.writing() as session:
            await entrants.count(session, 1, 0, 0)
        _, state = await ask(client, "GET", "/tournaments/1")
        _, listed = await ask(client, "GET", "/matches?limit=200")

    assert {entry.status for entry in found} == {Status.COMPLETED}
    assert len({entry.match for entry in found}) == len(found) == len(listed)
    rows = state["table"]["rows"]
    assert sorted((row["name"], row["points"], row["matches"]) for row in rows) == [
        (name, pytest.approx(points), matches) for name, points, matches in points_of(found)
    ]


async def test_a_match_that_is_annulled_leaves_the_sums(home: Home) -> None:
    """It is not played again; the tournament need not run any more."""
    async with desk(home) as (service, client):
        await ask(client, "POST", "/tournaments", PLAN)
        await played(service, 3)
        await ask(client, "POST", "/tournaments/1/end")
        await over_tournament(service.tournaments, 1)
        status, _ = await ask(client, "POST", "/tournaments/1/annul", {"match": 3})
        await over_tournament(service.tournaments, 1)
        found = await fixtures(service)
        _, state = await ask(client, "GET", "/tournaments/1")
        page = await (await client.get("/tournaments/1")).text()
        async with client.get("/api/v1/tournaments/1/matches.csv") as answer:
            lines = list(csv.DictReader(io.StringIO(await answer.text())))

    assert status == 200
    annulled = [entry for entry in found if entry.annulled]
    assert [(entry.match, entry.status) for entry in annulled] == [(3, "annulled")]
    shown = [(one["match"], one["status"], one["goals"]) for one in state["fixtures"]]
    assert [one for one in shown if one[1] != "completed"] == [(3, "annulled", None)]
    assert [line["status"] for line in lines if line["match"] == "3"] == ["annulled"] * 2
    assert page.count('<a href="/matches/3">annulled</a>') == 1
    assert 'data-match="3"' not in page
    assert sum(row["matches"] for row in state["table"]["rows"]) == 2 * (len(found) - 1)
    rows = [row for row in state["table"]["rows"] if row["matches"]]
    assert sorted((row["name"], row["points"], row["matches"]) for row in rows) == [
        (name, pytest.approx(points), matches) for name, points, matches in points_of(found)
    ]


async def test_a_pause_keeps_players_from_playing_on(home: Home) -> None:
    """Each plays once, and then nobody does for as long."""
    async with desk(home) as (service, client):
        plan = {**PLAN, "players": PLAN["players"][:4], "pause": 3600, "jobs": 4}
        await ask(client, "POST", "/tournaments", plan)
        await played(service, 2)
        service.tournaments.wake(1)
        await asyncio.sleep(0)
        found = await fixtures(service)

    assert sorted(name for entry in found for name in entry.fixture.players) == list("abcd")


async def test_only_a_continuous_one_can_be_joined_or_ended(home: Home) -> None:
    """And two players at one address cannot both be in."""
    address = "http://127.0.0.1:9"
    async with desk(home) as (_, client):
        await ask(client, "POST", "/tournaments", {**PLAN, "form": "swiss", "jobs": 1})
        join = {"name": "z", "player": "random"}
        refused = [
            await ask(client, "POST", "/tournaments/1/players", join),
            await ask(client, "POST", "/tournaments/1/end"),
            await ask(client, "DELETE", "/tournaments/7/players/a"),
        ]
        await ask(client, "POST", "/tournaments", {**PLAN, "name": "other", "players": []})
        await ask(client, "POST", "/tournaments/2/players", {"name": "x", "player": address})
        refused.append(
            await ask(client, "POST", "/tournaments/2/players", {"name": "y", "player": address})
        )

    assert [status for status, _ in refused] == [409, 409, 404, 400]
    assert "has begun or had no sign-up" in refused[0][1]["error"]
    assert (
        "has the form swiss, but this is only possible in a continuous one"
        in refused[1][1]["error"]
    )
    assert "x at one address" in refused[3][1]["error"]


async def test_a_player_that_can_be_seated_no_more_is_taken_out(home: Home) -> None:
    """The others play on, and the page says why."""
    async with desk(home) as (service, client):
        await ask(client, "POST", "/players", {"name": "mine", "source": "random"})
        plan = {**PLAN, "players": [*PLAN["players"][:2], {"name": "mine", "player": "mine"}]}
        await ask(client, "POST", "/tournaments", plan)
        await played(service, 2)
        await ask(client, "DELETE", "/players/mine")

        async def is_out() -> bool:
            return (await presence(client))["mine"] == "left"

        await until_changed(service, is_out)
        num = await num_counted(service)
        await played(service, num + 2)
        _, state = await ask(client, "GET", "/tournaments/1")
        page = await (await client.get("/tournaments")).text()

    assert state["tournament"]["status"] == "running"
    assert '<td class="number">3</td>' in page
    [entrant] = [one for one in state["pool"] if one["name"] == "mine"]
    assert entrant["reason"] == "retired by its owner or by a lecturer"


async def test_who_is_retired_and_not_yet_out_is_told_of(home: Home) -> None:
    """As long as its last match runs, after which it is taken out."""
    players = [PLAN["players"][0], {"name": "mine", "player": "mine"}]
    async with desk(home) as (service, client):
        await ask(client, "POST", "/players", {"name": "mine", "source": "random"})
        await service.tournament_maker.write_down(TournamentPlan.read({**PLAN, "players": players}))
        await ask(client, "DELETE", "/players/mine")
        page = await (await client.get("/tournaments/1")).text()

    assert page.count('<td class="presence">retired</td>') == 1
    assert "1 of 2 players are in" in page


async def test_who_moves_to_the_address_of_another_is_taken_out(home: Home) -> None:
    """The tournament goes on: what one player does breaks it off for nobody else."""
    address = "http://127.0.0.1:9/"
    players = [{"name": f"m{n}", "source": f"{address}{n}"} for n in range(2)]
    entered = [{"name": f"m{n}", "player": f"m{n}"} for n in range(2)]
    async with desk(home) as (service, client):
        for player in players:
            await ask(client, "POST", "/players", player)
        plan = TournamentPlan.read({**PLAN, "players": entered})
        number = await service.tournament_maker.write_down(plan)
        await ask(client, "DELETE", "/players/m1")
        await ask(client, "POST", "/players", {"name": "m1", "source": f"{address}0"})
        async with service.database.reading() as session:
            rows = await entrants.listed(session, number)
        are_removed = [await service.pool.remove_misfits(number, rows) for _ in range(2)]
        async with service.database.reading() as session:
            after = await entrants.listed(session, number)

    assert are_removed == [True, True]
    assert [row.state for row in after] == ["in", "left"]
    assert "m0 and m1 at one address" in after[1].reason


async def test_another_program_behind_a_name_is_not_away_for_the_old_one(home: Home) -> None:
    """Who retires a player that failed, and registers it again, need not wait."""
    async with desk(home) as (service, client):
        await ask(client, "POST", "/players", {"name": "mine", "source": "legal"})
        plan = TournamentPlan.read({**PLAN, "players": ["mine", "random"]})
        number = await service.tournament_maker.write_down(plan)
        async with service.database.writing() as session:
            failed = next(
                row for row in await entrants.listed(session, number) if row.name == "mine"
            )
            failed.state, failed.reason, failed.rest = "away", "its last match failed", 600
        await ask(client, "DELETE", "/players/mine")
        await ask(client, "POST", "/players", {"name": "mine", "source": "greedy"})
        async with service.database.reading() as session:
            rows = await entrants.listed(session, number)

    assert [(row.state, row.reason, row.rest) for row in rows] == [("in", "", 0)] * 2


@pytest.mark.parametrize(
    ("timeouts", "connection", "reason"),
    [
        (0, 0, ""),
        (3, 0, ""),
        (4, 0, "all its answers in its last match came too late"),
        (0, 1, "its last match failed"),
    ],
)
async def test_who_answers_nothing_in_a_match_is_away(
    home: Home, timeouts: int, connection: int, reason: str
) -> None:
    """Of a match of three turns and START; a late answer now and then is none of that."""
    state = "away" if reason else "in"
    plan = TournamentPlan.read({**PLAN, "players": PLAN["players"][:2]})
    choice = Choice("ticTacToe", ("a", "b"))
    async with desk(home) as (service, _):
        number = await service.tournament_maker.write_down(plan)
        async with service.database.writing() as session:
            fixture = await entrants.add_fixture(session, number, choice, 1)
        match = await write_down(service, match_plan(number, plan, fixture, plan.players))
        async with service.database.writing() as session:
            for turn in range(4):
                await matches.add_turn(session, match, PlayedTurn(turn, (), (), ("", ""), 0))
            (await matches.find(session, match)).seats[0].timeouts = timeouts
            (await matches.find(session, match)).seats[0].connection = connection
            await matches.complete(session, match, [0, 100], 1)
        for _ in range(2):  # the second time changes nothing
            async with service.database.writing() as session:
                await entrants.count(session, number, fixture.number, 5000)
        async with service.database.reading() as session:
            one, other = await entrants.listed(session, number)
            [met] = await entrants.encounters(session, number)

    assert (one.state, other.state) == (state, "in")
    assert one.reason == reason
    assert one.retry == (None if state == "in" else 5000 + 1000 * entrants.FIRST_REST)
    assert (one.matches, one.goals, other.goals) == (1, 0, 100)
    assert (one.absent, other.absent) == (int(timeouts + connection > 0), 0)
    assert (met.wins, met.draws, met.losses) == (0, 0, 1)


def turn(number: int, error: str, num_legal: int, fallback: str = "") -> PlayedTurn:
    """A turn in which the first of two players made a mistake, or did not."""
    replies = ({"legal": num_legal, "fallback": fallback}, {"legal": 1, "fallback": ""})
    return PlayedTurn(number, (), (), (error, ""), 0, replies if number else ())


CRASHED = "TypeError: choose() takes 1 positional argument"
WINNING = [
    ([("CE", 9, CRASHED)] * 3, f"its last match failed: {CRASHED}", "0-1"),
    (
        [("IL (mark 9 9)", 9, ""), ("", 1, ""), ("IL (mark 9 9)", 7, "")],
        "nearly all its moves in its last match were illegal: (mark 9 9)",
        "0-1",
    ),
    (
        [("TO", 9, "answered after 3.10 s"), ("", 1, ""), ("TO", 7, "answered after 3.10 s")],
        "all its answers in its last match came too late: answered after 3.10 s",
        "0-1",
    ),
    ([("TO", 9, ""), ("", 1, ""), ("", 7, "")], "", "0-1"),
    ([("IL (mark 9 9)", 9, ""), ("", 8, ""), ("", 7, "")], "", "0-1"),
    ([("IL (mark 9 9)", 9, ""), *[("", 8, "")] * 4], "", "1-0"),
]


@pytest.mark.parametrize(("turns", "reason", "result"), WINNING)
async def test_who_did_not_play_has_lost_and_why(
    home: Home, turns: list[tuple[str, int, str]], reason: str, result: str
) -> None:
    """Though the moves in its place have won; annulled, it is out of the sums again."""
    plan = TournamentPlan.read({**PLAN, "players": PLAN["players"][:2]})
    async with desk(home) as (service, _):
        number = await service.tournament_maker.write_down(plan)
        async with service.database.writing() as session:
            fixture = await entrants.add_fixture(
                session, number, Choice("ticTacToe", ("a", "b")), 1
            )
        match = await write_down(service, match_plan(number, plan, fixture, plan.players))
        async with service.database.writing() as session:
            for at, (error, num_legal, fallback) in enumerate([("", 0, ""), *turns]):
                await matches.add_turn(session, match, turn(at, error, num_legal, fallback))
            await matches.complete(session, match, [100, 0], 1)
        async with service.database.writing() as session:
            await entrants.count(session, number, fixture.number, 5000)
        async with service.database.reading() as session:
            one, other = await entrants.listed(session, number)
            [met] = await entrants.encounters(session, number)
        async with service.database.writing() as session:
            await entrants.uncount(session, number, fixture.number)
        async with service.database.reading() as session:
            after = await entrants.listed(session, number)

    assert (one.state, one.reason) == ("away" if reason else "in", reason)
    assert f"{met.wins}-{met.losses}" == f"{one.goals // 100}-{other.goals // 100}" == result
    assert [(row.matches, row.goals, row.absent) for row in after] == [(0, 0, 0)] * 2
