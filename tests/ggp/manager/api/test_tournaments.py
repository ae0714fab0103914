"""/tournaments over HTTP: held to the end, broken off, refused."""

from __future__ import annotations

import asyncio
import csv
import io
import re
from typing import Any

import pytest
from aiohttp.test_utils import TestClient

from ggp.manager.domain.tournaments import bracket_of, table_of
from ggp.manager.service import SERVICE, ManagerService
from ggp.manager.store import tournaments
from ggp.manager.store.tables import Status
from ggp.manager.store.tournaments import FixtureEntry
from ggp.rating.ratings import meetings_of
from ggp.tournament.fixture import Faults, Fixture, counted_goals
from ggp.tournament.fixtures import next_round
from ggp.tournament.plan import TournamentPlan
from tests.ggp.manager.desk import SECONDS, Home, ask, desk, over_tournament, until_so, until_true

PLAN = {
    "name": "Friday",
    "games": ["rockPaperScissors"],
    "players": [
        {"name": "a", "player": "random"},
        {"name": "b", "player": "random"},
        {"name": "c", "player": "legal"},
    ],
}


async def test_a_round_robin_is_held_to_its_end(home: Home) -> None:
    """Each meets each, seats swapped; the points are those of the matches."""
    async with desk(home) as (_, client):
        status, made = await ask(client, "POST", "/tournaments", PLAN)
        await over_tournament(client.app[SERVICE].tournaments, made["number"])
        _, found = await ask(client, "GET", "/tournaments/1")
        _, listed = await ask(client, "GET", "/tournaments")
        _, matches = await ask(client, "GET", "/matches?tournament=1")

    assert status == 201
    assert found["tournament"]["status"] == listed[0]["status"] == "completed"
    pairs = [tuple(fixture["players"]) for fixture in found["fixtures"]]
    assert sorted(pairs) == [(one, other) for one in "abc" for other in "abc" if one != other]
    assert sum(row["points"] for row in found["table"]["rows"]) == pytest.approx(6)
    assert {row["matches"] for row in found["table"]["rows"]} == {4}
    assert len(matches) == 6


async def test_the_seed_is_drawn_by_lot_and_told_in_the_end(home: Home) -> None:
    """With it the dice of all matches could be known beforehand."""
    async with desk(home) as (_, client):
        plan = {"form": "continuous", "games": ["pig"], "players": []}
        for number, name in enumerate(("one", "other"), start=1):
            await ask(client, "POST", "/tournaments", {**plan, "name": name})
            _, begun = await ask(client, "GET", f"/tournaments/{number}")
            assert begun["tournament"]["plan"]["seed"] is None
        for number in (1, 2):
            await ask(client, "POST", f"/tournaments/{number}/end")
            await over_tournament(client.app[SERVICE].tournaments, number)
        _, listed = await ask(client, "GET", "/tournaments")

    seeds = {row["plan"]["seed"] for row in listed}
    assert len(seeds) == 2
    assert None not in seeds


async def test_a_player_may_be_a_text_as_in_a_file(home: Home) -> None:
    """It is called as it is; what is neither text nor object is refused with its place."""
    async with desk(home) as (_, client):
        _, made = await ask(
            client, "POST", "/tournaments", {**PLAN, "players": ["random", "legal"]}
        )
        status, refused = await ask(client, "POST", "/tournaments", {**PLAN, "players": ["a", 7]})
        _, found = await ask(client, "GET", f"/tournaments/{made['number']}")

    players = found["tournament"]["plan"]["players"]
    assert [(one["name"], one["player"]) for one in players] == [
        (s, s) for s in ("random", "legal")
    ]
    assert (status, refused["error"].startswith("players.1: expected")) == (400, True)


@pytest.mark.parametrize("form", ["swiss", "ladder", "gauntlet"])
async def test_every_form_comes_to_its_end(home: Home, form: str) -> None:
    """Round after round; the table says who paused, if one of three has to."""
    async with desk(home) as (_, client):
        plan = {**PLAN, "form": form, "rounds": 2, "matches": 1}
        _, made = await ask(client, "POST", "/tournaments", plan)
        await over_tournament(client.app[SERVICE].tournaments, made["number"])
        _, found = await ask(client, "GET", "/tournaments/1")
        async with client.get("/tournaments/1") as answer:
            page = await answer.text()

    assert found["tournament"]["status"] == "completed"
    assert {fixture["status"] for fixture in found["fixtures"]} == {"completed"}
    assert len(found["fixtures"]) == 2
    rows = found["table"]["rows"]
    assert sorted(row["paused"] for row in rows) == ([0] * 3 if form == "gauntlet" else [0, 1, 1])
    assert (">Paused</abbr>" in page) == (form != "gauntlet")
    assert [row["mean"] for row in rows] == [row["points"] / row["matches"] for row in rows]


async def test_a_knockout_is_held_and_its_bracket_shown(home: Home) -> None:
    """Over HTTP and on the page; a match that winners went on after cannot be annulled."""
    async with desk(home) as (_, client):
        players = [{"name": name, "player": "random"} for name in "abcde"]
        plan = {**PLAN, "form": "knockout", "players": players, "matches": 1}
        await ask(client, "POST", "/tournaments", plan)
        await over_tournament(client.app[SERVICE].tournaments, 1)
        _, found = await ask(client, "GET", "/tournaments/1")
        status, said = await ask(client, "POST", "/tournaments/1/annul", {"match": 1})
        last = found["fixtures"][-1]["match"]
        allowed, _ = await ask(client, "POST", "/tournaments/1/annul", {"match": last})
        await over_tournament(client.app[SERVICE].tournaments, 1)
        _, again = await ask(client, "GET", "/tournaments/1")
        async with client.get("/tournaments/1") as answer:
            page = await answer.text()

    rounds = {str(one["match"]): one["round"] for one in again["fixtures"]}
    offered = re.findall(r'annul" data-match="(\d+)"', page)
    assert offered == [match for match in rounds if rounds[match] == max(rounds.values())]
    assert found["tournament"]["status"] == again["tournament"]["status"] == "completed"
    headings = [one["heading"] for one in found["bracket"]]
    assert headings == ["Quarterfinals", "Semifinals", "Final"]
    first = found["bracket"][0]["pairings"]
    assert [one["decision"] == "bye" for one in first] == [True, False, True, True]
    winner = again["bracket"][2]["pairings"][0]["winner"]
    assert f"Winner: <strong>{winner}</strong>" in page
    assert again["table"]["rows"][0]["name"] == winner
    assert status == 409
    assert "its winner has already played in the next round" in said["error"]
    assert allowed == 200


async def test_tables_matches_and_ratings_are_had_as_csv(home: Home) -> None:
    """A name that looks like a formula is none for a spreadsheet; the figures are the same."""
    entrants = [{"name": "=1+1", "player": "random"}, {"name": 'b, "c"', "player": "random"}]
    async with desk(home) as (_, client):
        await ask(client, "POST", "/tournaments", {**PLAN, "players": entrants})
        await over_tournament(client.app[SERVICE].tournaments, 1)
        _, found = await ask(client, "GET", "/tournaments/1")
        texts = {}
        for path in ("tournaments/1/table", "tournaments/1/matches", "ratings"):
            async with client.get(f"/api/v1/{path}.csv") as answer:
                assert answer.content_type == "text/csv"
                assert answer.headers["Content-Disposition"].startswith("attachment; filename=")
                texts[path] = list(csv.DictReader(io.StringIO(await answer.text())))
        missing, _ = await ask(client, "GET", "/tournaments/7/matches.csv")

    table, matches, ratings = texts.values()
    assert {row["player"] for row in table} == {"'=1+1", 'b, "c"'}
    assert (
        {row["player"] for row in ratings}
        == {row["player"] for row in matches}
        == {row["player"] for row in table}
    )
    assert [float(row["points"]) for row in table] == pytest.approx(
        [row["points"] for row in found["table"]["rows"]]
    )
    assert [int(row["goal"]) for row in matches] == [
        goal for fixture in found["fixtures"] for goal in fixture["goals"]
    ]
    assert missing == 404


async def test_buttons_of_a_tournament_keep_off_what_stands_before(home: Home) -> None:
    """How long it takes yet, or when it ends."""
    async with desk(home) as (_, client):
        plan = {**PLAN, "matches": 50, "jobs": 1}
        timed = {**PLAN, "name": "timed", "form": "continuous", "minutes": 60}
        await ask(client, "POST", "/tournaments", plan)
        await ask(client, "POST", "/tournaments", timed)

        async def is_told() -> bool:  # not before a match is over
            return " left" in await (await client.get("/tournaments/1")).text()

        await until_so(is_told)
        begun = await (await client.get("/tournaments/1")).text()
        ends = await (await client.get("/tournaments/2")).text()
        for number in (1, 2):
            await ask(client, "POST", f"/tournaments/{number}/abort")

    assert re.search(r"about \d+ \w+ left(&#32;|\s)+<button", begun)
    assert re.search(r"players are in; ends at .* \(UTC\)(&#32;|\s)+<button", ends)


async def test_a_tournament_is_broken_off(home: Home) -> None:
    """With all its matches; it does not begin again."""
    async with desk(home) as (_, client):
        plan = {**PLAN, "games": ["connectFour"], "matches": 50, "jobs": 2}
        await ask(client, "POST", "/tournaments", plan)
        status, _ = await ask(client, "POST", "/tournaments/1/abort")
        again, _ = await ask(client, "POST", "/tournaments/1/abort")
        await client.app[SERVICE].tournaments.resume_all()
        _, found = await ask(client, "GET", "/tournaments/1")
        _, running = await ask(client, "GET", "/matches?status=running")

    assert (status, again) == (200, 409)
    assert found["tournament"]["status"] == "aborted"
    assert running == []


@pytest.mark.parametrize(
    ("change", "status", "message"),
    [
        ({"games": ["chess2"]}, 404, "unknown game 'chess2'"),
        ({"players": [{"name": "a", "player": "nobody"}]}, 400, "players: expected"),
        ({"players": [{"name": "a", "player": "person"}] * 2}, 400, "takes part already"),
        (
            {"players": [{"name": "a", "player": "person"}], "games": ["lightsOut"]},
            400,
            "people cannot take part",
        ),
        ({"players": [{"name": "a", "player": "legal"}]}, 400, "games: rockPaperScissors takes 2"),
        (
            {
                "games": ["ticTacToe"] * 64,
                "players": [{"name": f"p{number}", "player": "legal"} for number in range(64)],
                "matches": 1000,
            },
            400,
            "games, players, matches: 64 games, 64 players and 1000 matches of each pairing are ",
        ),
        ({"form": "cup"}, 400, "form: "),
        ({"form": "knockout", "games": ["lightsOut"]}, 400, "form: expected games for two"),
        ({"players": []}, 400, "players: expected at least one"),
        ({"form": "continuous", "minutes": -1}, 400, "minutes: "),
        ({"rounds": 0}, 400, "rounds: "),
    ],
)
async def test_what_cannot_be_held_is_refused(
    home: Home, change: Any, status: int, message: str
) -> None:
    """The error names the field, and nothing is written down."""
    async with desk(home) as (_, client):
        found, answer = await ask(client, "POST", "/tournaments", {**PLAN, **change})
        _, listed = await ask(client, "GET", "/tournaments")

    assert found == status
    assert message in answer["error"]
    assert listed == []


async def test_a_round_that_was_planned_in_part_is_planned_to_its_end(home: Home) -> None:
    """The manager stopped in the middle of that; nothing is planned twice."""
    plan = TournamentPlan.read({**PLAN, "players": ["random", "legal"], "matches": 3})
    fixtures = list(next_round(plan, {"rockPaperScissors": 2}, []))
    async with desk(home) as (service, client):
        async with service.database.writing() as session:
            number = await tournaments.create(session, plan, 0)
            await tournaments.add_fixtures(session, number, fixtures[:2])
        was_missing = [
            await service.tournament_maker.plan_round(number, plan, {"rockPaperScissors": 2})
            for _ in range(2)
        ]
        found = await planned(service, number)
        await over_tournament(service.tournaments, number)
        _, held = await ask(client, "GET", f"/tournaments/{number}")

    assert was_missing == [True, False]
    assert [entry.fixture for entry in found] == fixtures
    assert len(held["fixtures"]) == len(fixtures)
    assert {fixture["status"] for fixture in held["fixtures"]} == {"completed"}


async def planned(service: ManagerService, number: int) -> list[FixtureEntry]:
    """The fixtures that are written down."""
    async with service.database.reading() as session:
        return await tournaments.entries(session, number)


async def test_a_large_tournament_holds_nobody_up(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its fixtures are planned a part at a time; others are answered, and it can be stopped."""
    monkeypatch.setattr("ggp.manager.domain.tournaments.PART", 20)
    entrants = [{"name": f"p{number}", "player": "legal"} for number in range(64)]
    plan = {**PLAN, "players": entrants, "matches": 9, "jobs": 1}
    async with desk(home) as (service, client):
        _, made = await ask(client, "POST", "/tournaments", plan)
        counts: list[int] = []
        async with asyncio.timeout(SECONDS):
            while len(set(counts)) < 3:
                _, listed = await ask(client, "GET", "/tournaments")
                counts.append(len(await planned(service, made["number"])))
            await client.app[SERVICE].tournaments.close()

    assert listed[0]["status"] in {"waiting", "running"}
    assert counts[-1] < 2016 * 9


async def test_no_more_tournaments_are_held_than_may(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many are asked for in the same moment."""
    monkeypatch.setattr("ggp.manager.domain.tournaments.MAX_OPEN", 2)
    async with desk(home) as (_, client):
        plans = [{**PLAN, "name": f"cup {n}", "matches": 200, "jobs": 1} for n in range(5)]
        answers = await asyncio.gather(*(ask(client, "POST", "/tournaments", p) for p in plans))

    assert sorted(status for status, _ in answers) == [201, 201, 409, 409, 409]


async def test_a_name_is_taken_once(home: Home) -> None:
    """Another tournament needs another one."""
    async with desk(home) as (_, client):
        await ask(client, "POST", "/tournaments", PLAN)
        status, answer = await ask(client, "POST", "/tournaments", PLAN)

    assert status == 400
    assert "already a tournament 'Friday'" in answer["error"]


async def held(client: TestClient[Any, Any], *players: str) -> Any:
    """A tournament of these players, once it is over."""
    entrants = [
        {"name": name, "player": player} for name, player in zip("ab", players, strict=True)
    ]
    plan = {**PLAN, "games": ["ticTacToe"], "players": entrants, "startclock": 1, "playclock": 1}
    _, made = await ask(client, "POST", "/tournaments", plan)
    await over_tournament(client.app[SERVICE].tournaments, made["number"])
    return (await ask(client, "GET", "/tournaments/1"))[1]


async def test_answers_that_were_replaced_are_told(home: Home) -> None:
    """By player, in the table, in the fixtures and on the page: these are no matches of theirs."""
    async with desk(home) as (_, client):
        state = await held(client, "http://127.0.0.1:9", "random")
        async with client.get("/tournaments/1") as answer:
            page = await answer.text()
        # Both begin at once, so either may be match 1.
        number = state["fixtures"][0]["match"]
        _, match = await ask(client, "GET", f"/matches/{number}")
        async with client.get(f"/matches/{number}") as answer:
            shown = await answer.text()
        lists = [await (await client.get(path)).text() for path in ("/matches", "/players/a")]
        _, record = await ask(client, "GET", "/players/a/record")
        async with client.get("/api/v1/tournaments/1/matches.csv") as answer:
            lines = list(csv.DictReader(io.StringIO(await answer.text())))

    rows = {row["name"]: row for row in state["table"]["rows"]}
    replaced = sum(
        fixture["faults"][fixture["players"].index("a")]["connection"]
        for fixture in state["fixtures"]
    )
    assert rows["a"]["connection"] == replaced > 6
    # Nor do they bring anything: `a` has lost all, whatever the moves in its place came to.
    sums = {
        name: tuple(row[key] for key in ("points", "wins", "losses")) for name, row in rows.items()
    }
    assert sums == {"a": (0, 0, 2), "b": (2, 2, 0)}
    assert rows["a"]["elo"] < rows["b"]["elo"]
    for fixture in state["fixtures"]:
        assert fixture["counted"] == [100 * (name == "b") for name in fixture["players"]]
        assert sorted(fixture["goals"]) in ([0, 100], [50, 50])
    assert [seat["absent"] for seat in match["seats"]] == [True, False]
    assert " CE. In tables and ratings, this player has lost the match." in shown
    for text in lists:
        assert text.count("<strong>did not play</strong>") == 2
        assert (text.count("counts as 0 : 100"), text.count("counts as 100 : 0")) == (1, 1)
    assert {line["player"]: line["counted"] for line in lines} == {"a": "0", "b": "100"}
    [game] = record["games"]
    assert (game["wins"], game["losses"], game["mean_goal"]) == (0, 2, 0)
    assert (rows["a"]["timeouts"], rows["a"]["illegal"], rows["b"]["connection"]) == (0, 0, 0)
    assert match["seats"][0]["connection"] == match["turns"] + 1
    assert f"a: {match['turns'] + 1} CE" in page


def test_who_did_not_play_goes_on_in_no_knockout() -> None:
    """Though the random moves in its place have won all; the goals stay as they were played."""
    plan = TournamentPlan.read({**PLAN, "form": "knockout", "players": ["a", "b"], "matches": 2})
    found = [
        FixtureEntry(
            Fixture(number, 0, "ticTacToe", ("a", "b"), 1),
            *(number, Status.COMPLETED, (100, 0), (Faults(), Faults()), (True, False)),
        )
        for number in range(2 * len(plan.games))
    ]
    bracket = bracket_of(plan, found)

    assert bracket is not None
    assert bracket.champion == "b"
    assert [row.name for row in table_of(plan, found).rows] == ["b", "a"]
    assert found[0].goals == (100, 0)


def test_of_three_who_played_count_their_goals() -> None:
    """They have all won against the one who did not; whom two such would meet, neither did."""
    assert counted_goals((100, 50, 0), (True, False, False)) == (0, 50, 0)
    assert counted_goals((100, 50, 0), (True, False, True)) == (0, 100, 0)
    scores = [one.score for one in meetings_of("abc", (100, 50, 0), (True, False, False))]
    assert scores == [0, 0, 1]
    assert len(meetings_of("abc", (100, 50, 0), (True, True, False))) == 2


async def test_a_match_that_neither_played_counts_for_nobody(home: Home) -> None:
    """It brings no points, no win and no Elo."""
    async with desk(home) as (_, client):
        state = await held(client, "http://127.0.0.1:9", "http://127.0.0.1:19")
        async with client.get("/tournaments/1") as answer:
            page = await answer.text()

    rows = state["table"]["rows"]
    shown = [
        tuple(row[key] for key in ("matches", "points", "wins", "elo", "absent")) for row in rows
    ]
    assert shown == [(2, 0, 0, None, 2)] * 2
    assert page.count(", does not count") == 2


async def test_a_match_is_annulled_and_played_again(home: Home) -> None:
    """Nothing of it is deleted, and it counts nowhere any more."""
    async with desk(home) as (_, client):
        before = await held(client, "random", "random")
        number = before["fixtures"][0]["match"]
        _, ratings = await ask(client, "GET", "/ratings")
        status, _ = await ask(client, "POST", "/tournaments/1/annul", {"match": number})
        await over_tournament(client.app[SERVICE].tournaments, 1)
        _, after = await ask(client, "GET", "/tournaments/1")
        _, old = await ask(client, "GET", f"/matches/{number}")
        _, new = await ask(client, "GET", f"/matches/{after['fixtures'][0]['match']}")
        _, turns = await ask(client, "GET", f"/matches/{number}/turns")
        _, ratings_after = await ask(client, "GET", "/ratings")
        again, _ = await ask(client, "POST", "/tournaments/1/annul", {"match": number})

    assert (status, again) == (200, 404)
    assert after["tournament"]["status"] == "completed"
    assert after["fixtures"][0]["annulled"] == [number]
    assert (old["annulled"], old["status"], len(turns)) == (True, "completed", old["turns"] + 1)
    assert (new["annulled"], new["status"]) == (False, "completed")
    for state in (before, after):
        assert {row["matches"] for row in state["table"]["rows"]} == {2}
    assert {row["meetings"] for row in ratings} == {row["meetings"] for row in ratings_after}


async def test_pages_say_that_a_match_is_annulled(home: Home) -> None:
    """And no longer that it counts, though somebody did not play it."""
    async with desk(home) as (_, client):
        before = await held(client, "http://127.0.0.1:9", "random")
        number = before["fixtures"][0]["match"]
        await ask(client, "POST", "/tournaments/1/annul", {"match": number})
        await over_tournament(client.app[SERVICE].tournaments, 1)
        texts = {}
        for path in (f"/matches/{number}", "/matches", "/players/b"):
            async with client.get(path) as answer:
                texts[path] = await answer.text()

    page, listed, player = texts.values()
    assert "<strong>Annulled</strong>: this match counts neither" in page
    assert "did not play: " in page
    assert "has lost the match" not in page
    assert listed.count("<strong>annulled</strong>") == 1
    assert f'href="/matches/{number}"' not in player


async def test_a_match_that_runs_is_annulled_too(home: Home) -> None:
    """It is broken off, and the tournament comes to its end without it."""
    async with desk(home) as (service, client):
        plan = {**PLAN, "games": ["connectFour"], "jobs": 1}
        await ask(client, "POST", "/tournaments", plan)
        await until_true(lambda: service.host.is_running(1))
        status, _ = await ask(client, "POST", "/tournaments/1/annul", {"match": 1})
        await over_tournament(service.tournaments, 1)
        _, state = await ask(client, "GET", "/tournaments/1")

    assert status == 200
    assert state["tournament"]["status"] == "completed"
    assert {fixture["status"] for fixture in state["fixtures"]} == {"completed"}
    assert state["fixtures"][0]["annulled"] == [1]
