"""What can be asked of a server says what happened; each metric moves."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from dataclasses import replace

import pytest
from aiohttp import ClientSession
from prometheus_client.parser import text_string_to_metric_families

from ggp.engine import Choice, EnginePool, EnginePosition, MoveOrigin
from ggp.listener.connection import BoundedServer
from ggp.metrics.exposition import Exposition
from ggp.server.agent import Agent
from ggp.server.metrics import ServerMetrics
from ggp.server.turn_counts import FALLBACK
from tests.ggp.server.test_clocks import CHOICE
from tests.ggp.server.wire import QUICK, Response, Wire, serving, start

Samples = dict[str, float]


def samples(text: str) -> Samples:
    """The values of a text, by name and label as they are written."""
    return {
        one.name + "".join(f"[{value}]" for value in one.labels.values()): one.value
        for family in text_string_to_metric_families(text)
        for one in family.samples
    }


def position(turn: int, *moves: str) -> EnginePosition:
    """One in which a joint move was made."""
    return EnginePosition(turn, ("take",), 1, True, False, joint_move=moves or None)


def test_what_was_chosen_and_replied_is_counted() -> None:
    """By where it comes from, by what the manager made of it, by what was left and slow."""
    agent = Agent(QUICK, pool := EnginePool())
    listener = BoundedServer(lambda _: asyncio.sleep(0), QUICK.bounds())  # type: ignore[arg-type,return-value]
    told = Exposition(ServerMetrics(agent, pool, listener).metrics())
    before = samples(told.text().decode())
    info = {"iterations": 30, "iterations_before": 70, "playouts": 5, "value": "much"}
    choice = Choice("take", MoveOrigin.SEARCH, search_info=info, position=position(1, "wait", "x"))
    agent.counts.chosen(choice, "take", role=0)  # it answered take, the manager made wait of it
    agent.counts.chosen(replace(choice, search_info={"iterations": float("nan")}), "wait", role=0)
    agent.counts.origins[FALLBACK] += 1
    agent.counts.replied(-0.2, "asked")
    agent.counts.replied(0.7, "")
    agent.admission.num_waiting += 1
    agent.lag.note(0.4, now=1e12)
    pool.forks.num_replaced += 1
    after = samples(told.text().decode())

    moved = {name: after[name] - before[name] for name in after if after[name] != before[name]}
    assert {name: by for name, by in moved.items() if not name.startswith("process_")} == {
        "ggp_turns_total[search]": 2,
        "ggp_turns_total[fallback]": 1,
        "ggp_turns_overruled_total": 1,
        "ggp_search_iterations_total": 100,
        "ggp_search_playouts_total": 5,
        "ggp_answers_late_total": 1,
        "ggp_answers_slow_total[asked]": 1,
        **{f"ggp_answer_left_seconds_bucket[{le}]": 1 for le in ("0.0", "0.1", "0.25", "0.5")},
        **{f"ggp_answer_left_seconds_bucket[{le}]": 2 for le in ("1.0", "2.0", "5.0", "10.0")},
        "ggp_answer_left_seconds_bucket[30.0]": 2,
        "ggp_answer_left_seconds_bucket[+Inf]": 2,
        "ggp_answer_left_seconds_count": 2,
        "ggp_answer_left_seconds_sum": pytest.approx(0.7),
        "ggp_compile_queue[waiting]": 1,
        "ggp_engines_replaced_total": 1,
        "ggp_loop_lag_seconds": 0.4,
    }


async def test_a_match_moves_the_metrics() -> None:
    """Asked on their own port; `/health` and `/ready` are answered at the player's address."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    async with serving(metrics_port=port, max_matches=1) as wire:
        ready = await get(wire, "/ready")
        await wire.say(start("m", rules=CHOICE))
        await wire.say("( PLAY m NIL )")
        await wire.say("( PLAY m (wait noop) )")  # `legal` answers the other one, take or wait
        playing = await scrape(port, lambda found: found["ggp_processes[main]"] > 0)
        unready = await get(wire, "/ready")
        alive = await get(wire, "/health")
        await wire.send(b"nonsense\r\n\r\n")
        await wire.say("( STOP m (noop take) )")
        after = await scrape(port, lambda found: found["ggp_matches_ended_total[stopped]"] > 0)

    assert (ready.status, ready.body) == (200, '{"status": "ready"}')
    assert (unready.status, "no room" in unready.body, "1 match" in unready.body) == (
        503,
        True,
        False,
    )
    assert (alive.status, alive.body) == (200, '{"status": "alive"}')
    assert playing["ggp_matches"] == 1
    assert playing["ggp_compile_queue[begun]"] == 1  # the interpreter plays; nothing is compiled
    assert playing["ggp_process_memory_bytes[main]"] > 1e7
    assert after["ggp_matches"] == 0
    turns = sum(value for name, value in after.items() if name.startswith("ggp_turns_total["))
    assert (turns, after["ggp_answer_left_seconds_count"]) == (2, 2)
    assert after["ggp_connections_total[served]"] >= 7
    assert after["ggp_connections_total[no HTTP]"] == 1
    assert after["ggp_connections"] == 0
    assert after["ggp_responses_total[400]"] == 1
    assert after["ggp_responses_total[503]"] == 1


async def scrape(port: int, until: Callable[[Samples], bool]) -> Samples:
    """What is told once something holds of it."""
    async with asyncio.timeout(20), ClientSession() as client:
        while not until(found := samples(await text_at(client, port))):
            await asyncio.sleep(0.3)
    return found


async def text_at(client: ClientSession, port: int) -> str:
    """The metrics that are told on a port."""
    answer = await client.get(f"http://127.0.0.1:{port}/metrics")
    return await answer.text()


async def get(wire: Wire, path: str) -> Response:
    """The answer to a GET, as programs ask that watch others."""
    return await wire.send(f"GET {path} HTTP/1.0\r\n\r\n".encode())
