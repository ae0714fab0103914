"""A tournament of two with a stop rule ends as soon as its test has decided, and stays there."""

from __future__ import annotations

from typing import Any

import pytest

from ggp.manager.domain.tournaments import sprt_of
from ggp.manager.service import ManagerService
from ggp.manager.store import tournaments
from ggp.manager.store.tables import Status
from ggp.manager.store.tournaments import FixtureEntry
from ggp.tournament.fixture import Fixture
from ggp.tournament.plan import TournamentPlan
from tests.ggp.manager.desk import Home, ask, desk, over_tournament, until_so

PLAN: dict[str, Any] = {
    "name": "Friday",
    "games": ["breakthroughSmall"],  # where the first legal moves go straight ahead
    "players": [{"name": "a", "player": "legal"}, {"name": "b", "player": "random"}],
    "matches": 40,
    "seed": 1,
    "stop": {"elo0": 0, "elo1": 400, "alpha": 0.2, "beta": 0.2},  # decided by a few pairs
}


async def begun(service: ManagerService) -> list[FixtureEntry]:
    """The fixtures that were played."""
    async with service.database.reading() as session:
        found = await tournaments.entries(session, 1)
    return [entry for entry in found if entry.match is not None]


async def _have_begun(service: ManagerService, number: int) -> bool:
    return len(await begun(service)) >= number


async def test_no_match_begins_once_the_test_has_decided(home: Home) -> None:
    """Those that run come to their end; the table, the page and the answer say why."""
    async with desk(home) as (service, client):
        await ask(client, "POST", "/tournaments", {**PLAN, "jobs": 2})
        await over_tournament(service.tournaments, 1)
        _, state = await ask(client, "GET", "/tournaments/1")
        played = await begun(service)
        async with client.get("/tournaments/1") as answer:
            page = await answer.text()

    test = state["table"]["test"]
    assert (test["verdict"], test["bounds"]) == ("elo1", [-1.386, 1.386])
    assert test["llr"] >= test["bounds"][1]
    assert 2 * test["pairs"] <= len(played) < 40
    assert {entry.status for entry in played} == {"completed"}
    assert state["tournament"]["status"] == "completed"
    assert state["tournament"]["reason"] == "stopped early: elo1 accepted"
    assert f"SPRT, 0 or 400 Elo: LLR {test['llr']:.2f}" in page


async def test_a_test_goes_on_where_it_was(home: Home) -> None:
    """Interrupted, it decides as if it had not been; what is decided begins no match any more."""
    plan = {**PLAN, "jobs": 1}
    async with desk(home) as (service, client):
        await ask(client, "POST", "/tournaments", plan)
        await until_so(lambda: _have_begun(service, 2))
    async with desk(home) as (service, client):
        await over_tournament(service.tournaments, 1)
        played = await begun(service)
        _, state = await ask(client, "GET", "/tournaments/1")
        await over_tournament(service.tournaments, 1)
        _, again = await ask(client, "GET", "/tournaments/1")
        await ask(client, "POST", "/tournaments", {**plan, "name": "undisturbed"})
        await over_tournament(service.tournaments, 2)
        _, other = await ask(client, "GET", "/tournaments/2")

    assert state["table"]["test"] == other["table"]["test"]
    assert len(played) == 2 * state["table"]["test"]["pairs"]
    assert again["fixtures"] == state["fixtures"]
    assert again["tournament"]["reason"] == state["tournament"]["reason"]


async def test_a_test_may_stay_undecided(home: Home) -> None:
    """All matches are played, and nothing is said to have stopped early."""
    async with desk(home) as (service, client):
        plan = {**PLAN, "games": ["ticTacToe"], "matches": 4, "stop": {"elo0": 0, "elo1": 5}}
        await ask(client, "POST", "/tournaments", plan)
        await over_tournament(service.tournaments, 1)
        _, state = await ask(client, "GET", "/tournaments/1")

    assert {fixture["status"] for fixture in state["fixtures"]} == {"completed"}
    assert (state["table"]["test"]["verdict"], state["table"]["test"]["pairs"]) == (None, 2)
    assert state["tournament"]["reason"] == ""


async def test_what_no_test_can_decide_is_refused(home: Home) -> None:
    """A game for one, bounds the wrong way round, three players."""
    changes = (
        {"games": ["lightsOut"]},
        {"stop": {"elo0": 20, "elo1": 0}},
        {"players": [*PLAN["players"], {"name": "c", "player": "random"}]},
        {"stop": {"elo0": 0, "elo1": 20, "alpha": 0.5}},
    )
    async with desk(home) as (_, client):
        answers = [await ask(client, "POST", "/tournaments", {**PLAN, **one}) for one in changes]

    assert [status for status, _ in answers] == [400] * 4
    said = [answer["error"] for _, answer in answers]
    assert said[0] == "stop: expected games for two players; lightsOut takes 1"
    assert said[1] == "stop.elo1: expected at least 1 more than elo0, 20, got 0"
    assert said[2] == "stop: expected two players, got 3"
    assert said[3].startswith("stop.alpha: expected")


def entry(number: int, goals: tuple[int, int] | None, status: Status) -> FixtureEntry:
    """A fixture of a and b, whose seats go round."""
    players = ("a", "b") if number % 2 == 0 else ("b", "a")
    return FixtureEntry(Fixture(number, 0, "duel", players, 0), number, status, goals)


@pytest.mark.parametrize(
    ("goals", "pairs", "is_above"),
    [
        ([(100, 0), (0, 100)], 1, True),
        ([(0, 100), (100, 0)], 1, False),
        ([(30, 20), (0, 40)], 1, True),  # any more is a win, as in the ratings
        ([None, (0, 100), (100, 0), (0, 100)], 0, False),  # the first pair is not over
        ([(100, 0), (0, 100), (100, 0)], 1, True),  # a match whose pair is not over
    ],
)
def test_a_pair_counts_when_it_and_all_before_are_over(
    goals: list[tuple[int, int] | None], pairs: int, is_above: bool
) -> None:
    """The points are those of the first player of the plan, wherever it sat."""
    found = [
        entry(number, some, Status.RUNNING if some is None else Status.COMPLETED)
        for number, some in enumerate(goals)
    ]

    test = sprt_of(TournamentPlan.read(PLAN), found)

    assert test is not None
    assert (test.pairs, test.llr > 0) == (pairs, is_above)


def test_a_match_that_was_broken_off_leaves_its_pair_out() -> None:
    """It says nothing about strength."""
    found = [
        entry(0, (0, 0), Status.ABORTED),
        entry(1, (0, 100), Status.COMPLETED),
        entry(2, (0, 100), Status.COMPLETED),
        entry(3, (100, 0), Status.COMPLETED),
    ]

    test = sprt_of(TournamentPlan.read(PLAN), found)

    assert test is not None
    assert (test.pairs, test.llr < 0) == (1, True)
