"""Matches are held on the machines of a cluster: the same as here, whichever of them are lost.

`test_matches_elsewhere.py` shows the same in the quick tier, with a stand-in for Ray.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

import ggp
from ggp.manager.domain.matches import MatchPlan
from ggp.manager.domain.players import PERSON
from ggp.manager.hosting import match_cluster
from ggp.manager.hosting.cluster_node import FailureKind, MatchFailed, hold
from ggp.manager.hosting.match_cluster import goes_anywhere
from ggp.manager.hosting.match_table import MatchOrder, SeatOrder
from ggp.manager.service import ManagerService, open_service
from ggp.manager.store import matches, rulesheets, tournaments
from ggp.manager.store.tables import OVER, MatchRow, Status
from ggp.tournament.plan import TournamentPlan
from tests.ggp.manager.desk import config_for, found, turns, two, until_true, until_turn

SECONDS = 90.0
STUCK = "(role left) (role right) (init a) (legal left go) (<= terminal (true b)) (next a)"
PLAN = TournamentPlan.read(
    {
        "name": "Friday",
        "games": ["ticTacToe", "connectFour"],
        "players": [{"name": "a", "player": "random"}, {"name": "b", "player": "legal"}],
        "matches": 6,
        "seed": 4,
    }
)


@asynccontextmanager
async def service_on(cluster: Any, folder: Path) -> AsyncIterator[ManagerService]:
    """A manager whose matches are held there."""
    folder.mkdir(exist_ok=True)
    async with open_service(config_for(folder, cluster=cluster.address)) as service:
        yield service


async def over(service: ManagerService, number: int) -> MatchRow:
    """A match, once it runs no more."""
    async with asyncio.timeout(SECONDS):
        await asyncio.wait([service.host.start(number)])
    return await found(service, number)


async def played(service: ManagerService, number: int) -> list[Any]:
    """All matches of a tournament: how each came out, and its moves."""
    async with asyncio.timeout(2 * SECONDS):
        await asyncio.wait([service.tournaments.start(number)])
    async with service.database.reading() as session:
        entries = await tournaments.entries(session, number)
        rows = await matches.listed(session, matches.MatchFilter(limit=1000))
    assert len(rows) == len(entries)  # none is lost, none is there twice
    result: list[Any] = []
    for entry in entries:
        assert entry.match is not None
        one = await turns(service, entry.match)
        assert [turn.number for turn in one] == list(range(len(one)))
        result.append((entry.fixture, entry.status, entry.goals, [turn.moves for turn in one]))
    return result


async def lose_a_node(cluster: Any, service: ManagerService, number: int, num_over: int) -> None:
    """Kill the machine of a match that runs, once so many are over, and let another one join."""
    async with asyncio.timeout(SECONDS):
        while True:
            async with service.database.reading() as session:
                entries = await tournaments.entries(session, number)
            if sum(entry.status in OVER for entry in entries) >= num_over:
                break
            await asyncio.sleep(0.01)
    node = next(iter(cluster.worker_nodes))
    cluster.remove_node(node, allow_graceful=False)
    cluster.add_node(num_cpus=1)


@pytest.mark.thorough
async def test_a_tournament_comes_out_as_without_a_cluster(cluster: Any, tmp_path: Path) -> None:
    """Match by match and move by move; also if a machine is lost in the middle."""
    async with open_service(config_for(tmp_path)) as service:
        here = await played(service, await service.tournament_maker.write_down(PLAN))
    async with service_on(cluster, tmp_path / "there") as service:
        number = await service.tournament_maker.write_down(PLAN)
        service.tournaments.start(number)
        await lose_a_node(cluster, service, number, 3)
        there = await played(service, number)

    assert there == here
    assert {status for _, status, *_ in there} == {Status.COMPLETED}


@pytest.mark.thorough
async def test_a_match_whose_machine_is_lost_is_begun_anew(cluster: Any, tmp_path: Path) -> None:
    """Its turns are taken back; then it is played as it would have been."""
    # Clocks that no load cuts short: the rounds alone say what is played.
    plan = MatchPlan(
        game="connectFour",
        players=("mcts:iterations=50", "random"),
        startclock=60,
        playclock=20,
        seed=3,
    )
    async with service_on(cluster, tmp_path) as service:
        whole = await service.host.set_up(plan)
        await over(service, whole)
        broken = await service.host.set_up(plan)
        async with asyncio.timeout(SECONDS):
            while (await found(service, broken)).num_turns < 3:
                await asyncio.sleep(0.01)
        for node in list(cluster.worker_nodes):
            cluster.remove_node(node, allow_graceful=False)
        for _ in range(2):
            cluster.add_node(num_cpus=1)
        match = await over(service, broken)
        once, again = await turns(service, whole), await turns(service, broken)

    assert match.status == Status.COMPLETED
    assert [turn.moves for turn in once] == [turn.moves for turn in again]


@pytest.mark.thorough
async def test_a_match_that_was_interrupted_is_begun_anew(cluster: Any, tmp_path: Path) -> None:
    """Also where it was played here when the manager stopped."""
    plan = two(seed=3)
    async with open_service(config_for(tmp_path)) as service:
        broken = await service.host.set_up(plan)
        await until_turn(service, broken, 2)
    async with service_on(cluster, tmp_path) as service:
        whole = await service.host.set_up(plan)
        await over(service, whole)
        match = await over(service, broken)
        once, again = await turns(service, whole), await turns(service, broken)

    assert match.status == Status.COMPLETED
    assert [turn.moves for turn in once] == [turn.moves for turn in again]


@pytest.mark.thorough
async def test_what_ends_a_match_here_ends_it_there(cluster: Any, tmp_path: Path) -> None:
    """Bad rules, the limit of moves, that of bytes, and somebody who breaks it off."""
    async with service_on(cluster, tmp_path) as service:
        async with service.database.writing() as session:
            await rulesheets.keep(session, "stuck", STUCK, now=1)
        stuck = await over(service, await service.host.set_up(two("stuck")))
        limited = await over(service, await service.host.set_up(two(move_limit=2)))
        service.host._max_bytes = 1000
        long = await over(service, await service.host.set_up(two("connectFour")))
        service.host._max_bytes = 1 << 20
        number = await service.host.set_up(
            two("connectFour", players=("mcts:iterations=200", "random"), playclock=20)
        )
        async with asyncio.timeout(SECONDS):
            while not (await found(service, number)).has_begun:
                await asyncio.sleep(0.01)
        await service.host.abort(number)
        aborted = await found(service, number)
        after = await over(service, await service.host.set_up(two()))

    assert "no legal move" in stuck.reason
    assert (limited.reason, limited.num_turns) == ("the match reached the limit of 2 moves", 2)
    assert "bytes long; expected at most 1,000" in long.reason
    assert (aborted.status, aborted.reason) == (Status.ABORTED, "by hand")
    assert after.status == Status.COMPLETED


@pytest.mark.thorough
async def test_a_person_plays_here(cluster: Any, tmp_path: Path) -> None:
    """The match waits for its moves, on no other machine; the head, without a CPU, is none."""
    async with service_on(cluster, tmp_path) as service:
        number = await service.host.set_up(two(players=(PERSON, "legal")))
        await until_true(lambda: service.tables.person_at(number, "xplayer"), SECONDS)

        assert service.cluster is not None
        assert (service.cluster.num_cpus, service.cluster.num_machines) == (2, 2)


def order_of(*sources: str) -> MatchOrder:
    """A match between players."""
    seats = tuple(
        SeatOrder(f"r{place}", place, "p", source, "ggp-base", 1)
        for place, source in enumerate(sources)
    )
    return MatchOrder(
        match_id="m",
        game="ticTacToe",
        rules="",
        is_bundled=True,
        seats=seats,
        is_scrambled=False,
        startclock=1,
        playclock=1,
        move_limit=None,
        seed=1,
    )


@pytest.mark.parametrize(
    ("sources", "is_so"),
    [
        (("mcts:c=0.7", "random"), True),
        (("mcts", "http://192.0.2.7:9147"), True),
        (("mcts", ""), False),
        (("mcts", "http://127.0.0.1:9147"), False),
        (("mcts", "http://localhost:9147/white"), False),
        (("mcts", "http://[::1]:9147"), False),
        (("mcts:book=/tmp/x.book", "random"), False),
    ],
)
def test_what_only_this_machine_has_stays_here(sources: tuple[str, ...], is_so: bool) -> None:
    """People, players at its own address, files."""
    assert goes_anywhere(order_of(*sources)) is is_so


def test_another_version_is_refused() -> None:
    """The manager is told by the machine, which plays nothing."""
    news = list(hold("0.0.0", b"what another version cannot read"))

    assert len(news) == 1
    assert isinstance(news[0], MatchFailed)
    assert news[0].kind == FailureKind.UNFIT
    assert f"ggp-agent {ggp.__version__}; expected 0.0.0" in news[0].reason


async def test_a_head_that_answers_is_there(unused_tcp_port: int) -> None:
    """One that does not is not."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]

        assert await match_cluster._answers(f"127.0.0.1:{port}")
    assert not await match_cluster._answers(f"127.0.0.1:{unused_tcp_port}")
