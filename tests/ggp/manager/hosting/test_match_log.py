"""A manager's log says what becomes of matches, and whose answers did not count."""

from __future__ import annotations

import logging
from typing import Any

import pytest

from ggp.manager.hosting.match_log import MatchLog
from ggp.manager.service import open_service
from ggp.manager.store.matches import PlayedTurn
from tests.ggp.manager.desk import Home, by_hand, config_for, desk, over, two


def lines(caplog: pytest.LogCaptureFixture) -> list[tuple[str, dict[str, Any]]]:
    """The events in the log, with their fields."""
    return [
        (record.message, vars(record)["fields"])
        for record in caplog.records
        if record.name == "ggp.events"
    ]


async def test_a_match_runs_and_is_over(home: Home, caplog: pytest.LogCaptureFixture) -> None:
    """A line each."""
    caplog.set_level(logging.INFO, "ggp.events")
    async with desk(home) as (service, _):
        match = await over(service, await service.host.set_up(two()))

    assert match.goals is not None
    goals = " ".join(map(str, match.goals))
    end = {"match": match.id, "status": "completed", "goals": goals, "ending": "rules"}
    assert lines(caplog) == [
        ("match runs", {"match": match.id, "game": "ticTacToe", "players": "random, random"}),
        ("match over", end),
    ]


async def test_why_a_match_did_not_end_by_its_rules(
    home: Home, caplog: pytest.LogCaptureFixture
) -> None:
    """One goes on later, the other does not."""
    caplog.set_level(logging.INFO, "ggp.events")
    async with open_service(config_for(home)) as service:
        first, second = [await service.host.set_up(by_hand()) for _ in range(2)]
        await service.host.abort(second)

    aborted = {"match": second, "status": "aborted", "reason": "by hand"}
    assert ("match over", aborted) in lines(caplog)
    interrupted = {"match": first, "status": "interrupted", "reason": "the manager stopped"}
    assert lines(caplog)[-1] == ("match interrupted", interrupted)


def test_each_answer_that_did_not_count(caplog: pytest.LogCaptureFixture) -> None:
    """With its player, what was wrong, and why, as far as that is known."""
    log = MatchLog(7, "hex", {0: ("red", "alpha"), 2: ("blue", "beta")})
    late = {"seconds": 2.001, "fallback": ""}
    forgot = {"seconds": 0.1, "fallback": "was it started anew?"}
    good = {"seconds": 1.0, "fallback": ""}

    log.played(PlayedTurn(0, (), (), ("", "", "CE"), 0))
    log.played(PlayedTurn(1, ("a", "b", "c"), (), ("TO", "", "IL busy"), 0, (late, good, forgot)))
    log.played(PlayedTurn(2, ("a", "b", "c"), (), ("", "", ""), 0, (good,) * 3))

    red = {"match": 7, "role": "red", "player": "alpha"}
    blue = {"match": 7, "role": "blue", "player": "beta"}
    assert lines(caplog) == [
        ("START failed", blue | {"turn": 0, "error": "CE"}),
        ("answer replaced", red | {"turn": 1, "error": "TO", "seconds": 2.001}),
        (
            "answer replaced",
            blue | {"turn": 1, "error": "IL busy", "reason": forgot["fallback"], "seconds": 0.1},
        ),
    ]
