"""Clocks that are too short for this machine are told before a tournament begins."""

from __future__ import annotations

import pytest

from ggp.manager.hosting.clocks import ClockMeasurement
from ggp.tournament.plan import TournamentPlan
from tests.ggp.manager.desk import Home, ask, desk

PLAN = {"name": "t", "games": ["ticTacToe"], "startclock": 3600, "playclock": 3600}


def entrants(*players: str) -> list[dict[str, str]]:
    """One after the other."""
    return [{"name": f"p{index}", "player": player} for index, player in enumerate(players)]


@pytest.mark.parametrize(
    ("measured", "said"),
    [
        (ClockMeasurement("g", to_read=1.0, a_turn=0.5, num_searching=2, num_cores=2), []),
        (ClockMeasurement("g", 1.1, 0.1, 2, 2), ["startclock 2 s is short", "need 2.2 s"]),
        (
            ClockMeasurement("g", 0.1, 0.6, 1, 2),
            ["playclock 2 s is short", "take 0.6 s", "least 2.4 s"],
        ),
        (ClockMeasurement("g", 0.6, 0.1, 4, 2), ["4 players of a match share 2", "need 2.4 s"]),
    ],
)
def test_what_is_measured_is_held_against_the_clocks(
    measured: ClockMeasurement, said: list[str]
) -> None:
    """Cores that are shared make everything longer."""
    fields = {"name": "t", "games": ["g"], "players": ["mcts"], "startclock": 2, "playclock": 2}

    found = "\n".join(measured.warnings(TournamentPlan.read(fields)))

    assert bool(found) == bool(said)
    assert all(one in found for one in said)


async def test_a_plan_is_checked_before_it_is_held(home: Home) -> None:
    """Nothing is set up; players that do not search here need no core."""
    async with desk(home, num_cores=1) as (_, client):
        crowded = {**PLAN, "players": entrants("mcts", "greedy", "http://127.0.0.1:9")}
        status, answer = await ask(client, "POST", "/tournaments/check", crowded)
        quick = {**PLAN, "players": entrants("random", "http://127.0.0.1:9")}
        _, nothing = await ask(client, "POST", "/tournaments/check", quick)
        _, listed = await ask(client, "GET", "/tournaments")

    assert status == 200
    [warning] = answer["warnings"]
    assert warning.startswith("ticTacToe: 2 players of a match share 1 of this machine's cores")
    assert nothing["warnings"] == []
    assert listed == []
