"""What can be asked of a server says what happened; each metric moves."""

from __future__ import annotations

import socket
from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import cast

import pytest
from aiohttp import ClientSession
from prometheus_client.parser import text_string_to_metric_families

from ggp.engine import Choice, EnginePool, EnginePosition, MoveOrigin
from ggp.listener.connection import BoundedServer
from ggp.metrics.exposition import Exposition
from ggp.server.agent import Agent
from ggp.server.app import Handlers
from ggp.server.callers import UNKNOWN_CALLER
from ggp.server.match_places import SeatKey
from ggp.server.metrics import ServerMetrics
from ggp.server.ongoing import OngoingMatch
from ggp.server.turn_counts import FALLBACK
from tests.ggp.server.test_clocks import CHOICE
from tests.ggp.server.wire import QUICK, Response, Wire, serving, start
from tests.waiting import found_in_time

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


async def test_what_was_chosen_and_replied_is_counted() -> None:
    """By where it comes from, by what the manager made of it, by what was left and slow."""
    agent = Agent(QUICK, pool := EnginePool())
    listener = BoundedServer(Handlers(agent, QUICK).handle, QUICK.bounds())
    told = Exposition(ServerMetrics(agent, pool, listener).metrics())
    before = samples(told.text().decode())
    info = '{"iterations": 30, "iterations_before": 70, "playouts": 5, "value": "much"}'
    choice = Choice("take", MoveOrigin.SEARCH, info, position(1, "wait", "x"))
    agent.counts.chosen(choice, "take", role=0)  # it answered take, the manager made wait of it
    agent.counts.chosen(replace(choice, search_text='{"iterations": NaN}'), "wait", role=0)
    agent.counts.origins[FALLBACK] += 1
    agent.counts.replied(-0.2, "asked")
    agent.counts.replied(0.7, "")
    compiling = SimpleNamespace(start_seconds={"read": 0.1})
    for name in ("waiting", "begun"):
        agent.places.matches[SeatKey(name, "", UNKNOWN_CALLER)] = cast(OngoingMatch, compiling)
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
        "ggp_matches": 2,
        "ggp_compile_queue[waiting]": 1,
        "ggp_compile_queue[begun]": 1,
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
        answered = await wire.say("( PLAY m NIL )")
        other = {"take": "wait", "wait": "take"}[answered]
        await wire.say(f"( PLAY m ({other} noop) )")
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
    assert playing["ggp_process_memory_bytes[main]"] > 1e7
    assert after["ggp_matches"] == 0
    turns = sum(value for name, value in after.items() if name.startswith("ggp_turns_total["))
    assert (turns, after["ggp_answer_left_seconds_count"]) == (2, 2)
    assert after["ggp_turns_overruled_total"] == 1
    assert after["ggp_connections_total[served]"] >= 7
    assert after["ggp_connections_total[no HTTP]"] == 1
    assert after["ggp_connections"] == 0
    assert after["ggp_responses_total[400]"] == 1
    assert after["ggp_responses_total[503]"] == 1


async def scrape(port: int, until: Callable[[Samples], bool]) -> Samples:
    """Return what is told once `until` holds of it."""
    async with ClientSession() as client:
        return await found_in_time(lambda: samples_at(client, port), until)


async def samples_at(client: ClientSession, port: int) -> Samples:
    """Return the metrics that are told on a port."""
    answer = await client.get(f"http://127.0.0.1:{port}/metrics")
    return samples(await answer.text())


async def get(wire: Wire, path: str) -> Response:
    """The answer to a GET, as programs ask that watch others."""
    return await wire.send(f"GET {path} HTTP/1.0\r\n\r\n".encode())
