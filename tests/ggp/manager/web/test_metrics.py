"""What can be asked of a manager says what happened; each metric moves."""

from __future__ import annotations

import asyncio
import socket
from pathlib import Path

import pytest
from aiohttp import ClientSession
from prometheus_client.parser import text_string_to_metric_families

from ggp.manager.app import _running
from ggp.manager.store.matches import PlayedTurn
from ggp.manager.web import metrics
from tests.ggp.manager.desk import config_for, desk, over, two, until_true, unwritable
from tests.ggp.manager.hosting.test_full_disk import PLAN

Samples = dict[str, float]


async def scrape(port: int) -> Samples:
    """The values that are told on a port, by name and label."""
    async with ClientSession() as client:
        answer = await client.get(f"http://127.0.0.1:{port}/metrics")
        text = await answer.text()
    return {
        one.name + "".join(f"[{value}]" for value in one.labels.values()): one.value
        for family in text_string_to_metric_families(text)
        for one in family.samples
    }


def answer(role: str, seconds: float = 1.0, **thoughts: object) -> dict[str, object]:
    """One of a turn."""
    return {"role": role, "seconds": seconds, "thoughts": thoughts}


async def test_what_happens_is_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Matches, tournaments, answers, searches, clients, the database and what waits."""
    monkeypatch.setattr("ggp.metrics.port.FRESH_SECONDS", 0.0)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    async with _running(config_for(tmp_path, metrics_port=port)) as (address, service):
        before = await scrape(port)
        await over(service, await service.host.set_up(two()))
        async with ClientSession() as client:
            assert (await client.post(f"{address}/api/v1/tournaments", json=PLAN)).status == 201
            once = {"Connection": "close"}
            assert (await client.get(f"{address}/nowhere", headers=once)).status == 404
        errors = ("IL (mark 9 9)", "TO", "CE", "")
        searched = answer("d", iterations=40, iterations_before=2, playouts=7)
        replies = (answer("a"), answer("b", 9.5), answer("c"), searched, answer("random"))
        turn = PlayedTurn(1, (), (), (*errors, ""), 0, replies)
        service.host.counts.played(9.0, turn)
        service.spectators.num_watching += 1
        async with ClientSession() as client:
            with unwritable(service.database):
                unready = await client.get(f"{address}/ready")
                told = await unready.json()
            async with service.cores.taken(99):
                waiting = asyncio.create_task(_take(service.cores))
                await until_true(lambda: service.cores.num_waiting)
                after = await scrape(port)
        await waiting

    assert (unready.status, told["reason"]) == (503, "the database cannot be written")
    moved = {name: value - before.get(name, 0) for name, value in after.items()}
    least = {
        "ggp_manager_matches[completed]": 1,
        "ggp_manager_answers_total[legal]": 6,
        "ggp_manager_answers_total[illegal]": 1,
        "ggp_manager_answers_total[late]": 1,
        "ggp_manager_answers_total[unreachable]": 1,
        "ggp_manager_answer_left_seconds_bucket[0.0]": 1,
        "ggp_manager_answer_left_seconds_count": 9,
        "ggp_manager_waiting_matches": 1,
        "ggp_manager_spectators": 1,
        "ggp_search_iterations_total": 42,
        "ggp_search_playouts_total": 7,
        "ggp_database_seconds_count[read]": 3,
        "ggp_database_seconds_count[write]": 3,
        "ggp_database_refused_total": 1,
        "ggp_connections": 1,
        "ggp_connections_total[served]": 1,
        "ggp_responses_total[404]": 1,
    }
    assert {name: moved[name] >= by for name, by in least.items()} == dict.fromkeys(least, True)
    tournaments = sum(by for name, by in moved.items() if "_tournaments[" in name)
    assert tournaments == 1
    assert after["ggp_process_memory_bytes[main]"] > 1e7
    assert after["ggp_loop_lag_seconds"] > 0


async def _take(cores: object) -> None:
    async with cores.taken(1):  # type: ignore[attr-defined]
        pass


async def test_a_database_that_does_not_answer_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All else is told, and the manager is not ready."""
    monkeypatch.setattr(metrics, "DATABASE_SECONDS", 0.05)
    async with desk(tmp_path) as (service, client):
        async with service.database.writing():  # somebody writes for very long
            unready = await client.get("/ready")
        alive = await client.get("/health")

        assert (unready.status, alive.status) == (503, 200)


@pytest.mark.parametrize("changes", [{"token": "s3cret"}, {"has_accounts": True}])
async def test_programs_that_know_no_secret_see_whether_it_is_ready(
    changes: dict[str, object], tmp_path: Path
) -> None:
    """And nothing else, whatever name they call the manager by."""
    async with desk(tmp_path, **changes) as (_, client):
        headers = {"Host": "ggp.example.org"}
        ready = await client.get("/ready", headers=headers)
        alive = await client.get("/health", headers=headers)
        other = await client.get("/api/v1/matches", headers=headers)

        assert await ready.json() == {"status": "ready"}
        assert await alive.json() == {"status": "alive"}
        assert other.status in {401, 403}
