"""/tournaments over HTTP: held to the end, broken off, refused."""

from __future__ import annotations

from typing import Any

import pytest

from ggp.manager.keys import HOLDER
from tests.ggp.manager.desk import Home, ask, desk, over_tournament

PLAN = {
    "name": "Friday",
    "games": ["ticTacToe"],
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
        await over_tournament(client.app[HOLDER], made["number"])
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


@pytest.mark.parametrize("form", ["swiss", "ladder", "gauntlet"])
async def test_every_form_comes_to_its_end(home: Home, form: str) -> None:
    """Round after round."""
    async with desk(home) as (_, client):
        plan = {**PLAN, "form": form, "rounds": 2, "matches": 1}
        _, made = await ask(client, "POST", "/tournaments", plan)
        await over_tournament(client.app[HOLDER], made["number"])
        _, found = await ask(client, "GET", "/tournaments/1")

    assert found["tournament"]["status"] == "completed"
    assert {fixture["status"] for fixture in found["fixtures"]} == {"completed"}
    assert len(found["fixtures"]) == 2


async def test_a_tournament_is_broken_off(home: Home) -> None:
    """With all its matches; it does not begin again."""
    async with desk(home) as (_, client):
        plan = {**PLAN, "games": ["connectFour"], "matches": 50, "jobs": 2}
        await ask(client, "POST", "/tournaments", plan)
        status, _ = await ask(client, "POST", "/tournaments/1/abort")
        again, _ = await ask(client, "POST", "/tournaments/1/abort")
        await client.app[HOLDER].resume_all()
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
        ({"players": [{"name": "a", "player": "person"}], "games": ["lightsOut"]}, 400, "person"),
        ({"players": [{"name": "a", "player": "legal"}]}, 400, "games: ticTacToe takes 2"),
        ({"form": "cup"}, 400, "form: "),
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


async def test_a_name_is_taken_once(home: Home) -> None:
    """Another tournament needs another one."""
    async with desk(home) as (_, client):
        await ask(client, "POST", "/tournaments", PLAN)
        status, answer = await ask(client, "POST", "/tournaments", PLAN)

    assert status == 400
    assert "'Friday' already" in answer["error"]
