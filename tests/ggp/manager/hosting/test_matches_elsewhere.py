"""Matches that other machines hold, which threads of this process stand for.

`test_match_cluster.py` shows the same on a real cluster; its tests are thorough.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from ggp.manager.domain.players import PERSON
from ggp.manager.service import ManagerService, open_service
from ggp.manager.store import tournaments
from ggp.manager.store.tables import Status
from ggp.tournament.plan import TournamentPlan
from tests.ggp.cluster.ray_here import RayError
from tests.ggp.manager.desk import (
    config_for,
    found,
    over,
    over_tournament,
    turns,
    two,
    until_true,
    until_turn,
)
from tests.ggp.manager.hosting.ray_matches import Machines, installed

PLAN = TournamentPlan.read(
    {
        "name": "Friday",
        "games": ["ticTacToe"],
        "players": [{"name": "a", "player": "random"}, {"name": "b", "player": "legal"}],
        "matches": 3,
        "seed": 4,
    }
)


@pytest.fixture
async def machines() -> AsyncIterator[Machines]:
    """Two machines with one CPU each."""
    with installed() as machines:
        yield machines
        machines.may_go_on.set()
        await asyncio.gather(*machines.endings)


@asynccontextmanager
async def service_on(machines: Machines, folder: Path) -> AsyncIterator[ManagerService]:
    """A manager whose matches are held there."""
    folder.mkdir(exist_ok=True)
    async with open_service(config_for(folder, cluster=machines.address)) as service:
        yield service


async def moves(service: ManagerService, number: int) -> list[Any]:
    """The moves of each turn of a match, whose turns are numbered without a gap."""
    played = await turns(service, number)
    assert [turn.number for turn in played] == list(range(len(played)))
    return [turn.moves for turn in played]


async def results(service: ManagerService) -> list[Any]:
    """Each match of a tournament that is played to its end: how it came out, and its moves."""
    number = await service.tournament_maker.write_down(PLAN)
    await over_tournament(service.tournaments, number)
    async with service.database.reading() as session:
        entries = await tournaments.entries(session, number)
    return [
        (entry.fixture, entry.status, entry.goals, await moves(service, entry.match))
        for entry in entries
        if entry.match is not None
    ]


async def test_a_tournament_comes_out_as_without_a_cluster(
    machines: Machines, tmp_path: Path
) -> None:
    """Match by match and move by move; also if a machine is lost in the middle."""
    async with open_service(config_for(tmp_path)) as service:
        here = await results(service)
    machines.lost_after = 9
    async with service_on(machines, tmp_path / "there") as service:
        there = await results(service)

    assert there == here
    assert len(there) == 3
    assert {status for _, status, *_ in there} == {Status.COMPLETED}
    assert machines.lost_after == -1


@pytest.mark.parametrize("loss", [None, RayError("the worker died")])
async def test_a_match_whose_machine_is_lost_is_begun_anew(
    machines: Machines, tmp_path: Path, loss: Exception | None
) -> None:
    """Its turns are taken back; then it is played as it would have been."""
    async with service_on(machines, tmp_path) as service:
        whole = await service.host.set_up(two(seed=3))
        await over(service, whole)
        num_turns, machines.loss = machines.num_turns, loss
        machines.lost_after = num_turns + 3
        broken = await service.host.set_up(two(seed=3))
        match = await over(service, broken)
        once, again = await moves(service, whole), await moves(service, broken)

    assert match.status == Status.COMPLETED
    assert once == again
    assert machines.num_turns == 2 * num_turns + 3


async def test_a_match_that_was_interrupted_is_begun_anew(
    machines: Machines, tmp_path: Path
) -> None:
    """Also where it was played here when the manager stopped."""
    plan = two(seed=3)
    async with open_service(config_for(tmp_path)) as service:
        broken = await service.host.set_up(plan)
        await until_turn(service, broken, 2)
    async with service_on(machines, tmp_path) as service:
        whole = await service.host.set_up(plan)
        await over(service, whole)
        service.host.start(broken)
        match = await over(service, broken)
        once, again = await moves(service, whole), await moves(service, broken)

    assert match.status == Status.COMPLETED
    assert once == again


async def test_what_ends_a_match_here_ends_it_there(machines: Machines, tmp_path: Path) -> None:
    """The limit of moves, that of bytes, and somebody who breaks it off."""
    async with service_on(machines, tmp_path) as service:
        limited = await over(service, await service.host.set_up(two(move_limit=2)))
        service.host._max_bytes = 1000
        long = await over(service, await service.host.set_up(two()))
        service.host._max_bytes = 1 << 20
        machines.stops_after = machines.num_turns + 2
        number = await service.host.set_up(two())
        await machines.has_stopped.wait()
        await service.host.abort(number)
        aborted = await found(service, number)
        machines.stops_after = -1
        after = await over(service, await service.host.set_up(two()))

    assert (limited.reason, limited.num_turns) == ("the match reached the limit of 2 moves", 2)
    assert "bytes long; expected at most 1,000" in long.reason
    assert (aborted.status, aborted.reason) == (Status.ABORTED, "by hand")
    assert after.status == Status.COMPLETED
    assert not any(machines.cancelled)  # players are told that a match is broken off


async def test_a_person_plays_here(machines: Machines, tmp_path: Path) -> None:
    """The match waits for its moves, on no other machine; the head, without a CPU, is none."""
    async with service_on(machines, tmp_path) as service:
        number = await service.host.set_up(two(players=(PERSON, "legal")))
        await until_true(lambda: service.tables.person_at(number, "xplayer"))

        assert service.cluster is not None
        assert (service.cluster.num_cpus, service.cluster.num_machines) == (2, 2)
    assert machines.num_turns == 0
