"""/players and /ratings over HTTP."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.ggp.manager.desk import ask, desk, over, two


async def test_a_player_is_registered_asked_and_retired(tmp_path: Path) -> None:
    """Its name can then stand for it in matches."""
    async with desk(tmp_path) as (service, client):
        status, _ = await ask(client, "POST", "/players", {"name": "lucky", "source": "random"})
        again = await ask(client, "POST", "/players", {"name": "lucky", "source": "legal"})
        _, asked = await ask(client, "GET", "/players/lucky/status")
        match = await over(service, await service.set_up(two(players=("lucky", "legal"))))
        await ask(client, "DELETE", "/players/lucky")
        _, listed = await ask(client, "GET", "/players")
        gone, _ = await ask(client, "GET", "/players/lucky/status")

    assert (status, again[0], gone) == (201, 400, 404)
    assert "there is a player 'lucky' already" in again[1]["error"]
    assert asked["status"] == "available"
    assert [seat.player_name for seat in match.seats] == ["lucky", "legal"]
    assert listed == []


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("http://192.0.2.1:9147", "--allow-host 192.0.2.1"),
        ("http://localhost.evil.example:80", "--allow-host localhost.evil.example"),
        ("http://me@127.0.0.1:80", "expected http://HOST:PORT"),
        ("https://127.0.0.1:80", "expected http://HOST:PORT"),
        ("http://127.0.0.1", "expected http://HOST:PORT"),
        ("os:system", "source: expected a registered player, http://HOST:PORT or one of"),
    ],
)
async def test_players_run_only_where_they_may(tmp_path: Path, source: str, message: str) -> None:
    """On this machine, and where the manager was told."""
    async with desk(tmp_path) as (_, client):
        status, answer = await ask(client, "POST", "/players", {"name": "p", "source": source})

    assert status == 400
    assert message in answer["error"]


async def test_a_host_that_was_allowed_may_have_players(tmp_path: Path) -> None:
    """However its name is spelled."""
    async with desk(tmp_path, allowed_hosts=frozenset({"far.example"})) as (_, client):
        body = {"name": "p", "source": "http://FAR.example:9147"}
        status, _ = await ask(client, "POST", "/players", body)

    assert status == 201


async def test_a_player_that_does_not_answer_has_a_problem(tmp_path: Path) -> None:
    """It is told, not an error of ours."""
    async with desk(tmp_path) as (_, client):
        await ask(client, "POST", "/players", {"name": "p", "source": "http://127.0.0.1:1"})
        status, answer = await ask(client, "GET", "/players/p/status")

    assert status == 200
    assert answer["problem"]


async def test_a_record_counts_games_and_opponents(tmp_path: Path) -> None:
    """What stands in it is what the matches came to, for players that were never registered too."""
    async with desk(tmp_path) as (service, client):
        for seed in range(3):
            await over(service, await service.set_up(two(players=("random", "legal"), seed=seed)))
        await over(service, await service.set_up(two("towersOfHanoi", players=("random",))))
        status, record = await ask(client, "GET", "/players/random/record")
        missing, problem = await ask(client, "GET", "/players/nobody/record")
        page = await (await client.get("/players/random")).text()
        listed = await (await client.get("/players")).text()

    games = {one["name"]: one for one in record["games"]}
    results = [one for one in record["results"] if one["game"] == "ticTacToe"]
    wins = sum(one["seats"][0]["goal"] > one["seats"][1]["goal"] for one in results)
    assert (status, missing) == (200, 404)
    assert "nobody" in problem["error"]
    assert (games["ticTacToe"]["matches"], games["ticTacToe"]["wins"]) == (3, wins)
    assert games["towersOfHanoi"]["points_percent"] is None
    assert [(one["name"], one["matches"]) for one in record["opponents"]] == [("legal", 3)]
    assert record["rating"]["meetings"] == 3
    assert [one["number"] for one in record["results"]] == [4, 3, 2, 1]
    assert "By opponent" in page
    assert 'href="/players/legal"' in listed


async def test_ratings_follow_the_matches(tmp_path: Path) -> None:
    """Who wins more stands higher; a match that ends later counts as well."""
    async with desk(tmp_path) as (service, client):
        _, before = await ask(client, "GET", "/ratings")
        for seed in range(4):
            await over(service, await service.set_up(two(players=("random", "legal"), seed=seed)))
        _, ratings = await ask(client, "GET", "/ratings")
        _, same = await ask(client, "GET", "/ratings")
        await over(service, await service.set_up(two(players=("random", "legal"))))
        _, after = await ask(client, "GET", "/ratings")

    assert before == []
    assert {one["name"] for one in ratings} == {"random", "legal"}
    assert ratings[0]["low"] < ratings[0]["elo"] < ratings[0]["high"]
    assert ratings == same
    assert ([one["meetings"] for one in ratings], after[0]["meetings"]) == ([4, 4], 5)
