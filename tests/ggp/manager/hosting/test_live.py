"""Live matches: every spectator gets every turn, whenever it comes and however often it leaves."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from aiohttp.test_utils import TestClient

from ggp.manager.hosting import live
from ggp.manager.hosting.live import Broadcast, EventChannel, EventId
from tests.ggp.manager.desk import (
    KEY,
    SECONDS,
    Home,
    ask,
    by_hand,
    desk,
    found,
    over,
    two,
    until,
    until_turn,
    write_down,
)

Event = tuple[str, str, Any]


def events_in(text: str) -> list[Event]:
    """Name, identity and data of each server-sent event."""
    events = []
    for block in text.split("\n\n"):
        lines = [line.partition(": ") for line in block.splitlines()]
        fields = {name: value for name, _, value in lines if name}
        if fields:
            events.append((fields["event"], fields.get("id", ""), json.loads(fields["data"])))
    return events


async def watched(client: TestClient[Any, Any], number: int, last: str = "") -> list[Event]:
    """All that a spectator is sent until the match runs no more."""
    headers = {"Last-Event-ID": last} if last else {}
    path = f"/api/v1/matches/{number}/events"
    async with asyncio.timeout(SECONDS), client.get(path, headers=headers) as answer:
        assert answer.status == 200
        return events_in(await answer.text())


def turns_in(events: list[Event]) -> list[int]:
    """The numbers of the turns, in the order in which they came."""
    return [data["number"] for name, _, data in events if name == "turn"]


async def test_who_watches_a_match_that_waits_is_told_that_it_runs(home: Home) -> None:
    """Before its first turn; and who comes back learns how it stands."""
    async with desk(home) as (service, client):
        number = await write_down(service, by_hand())
        service.hub.open(number)
        early = await Broadcast.of(service.database, service.hub, number, EventId(0, 0))
        service.host.start(number)
        watching = asyncio.create_task(watched(client, number))
        await until_turn(service, number, 0)
        late = await Broadcast.of(service.database, service.hub, number, EventId(0, 0))
        await service.host.abort(number)
        told = [(name, data.get("status")) for name, _, data in await watching]

    assert events_in(early.opening.decode()) == [("status", "", {"status": "waiting"})]
    assert events_in(late.opening.decode())[0] == ("status", "", {"status": "running"})
    told = [one for one in told if one[0] != "people"]
    assert told == [("status", "running"), ("turn", None), ("ended", "aborted")]


async def test_every_spectator_gets_every_turn(home: Home) -> None:
    """Those who came before the first, and those who came in the middle."""
    async with desk(home) as (service, client):
        number = await service.host.set_up(two("connectFour"))
        async with asyncio.TaskGroup() as group:
            early = [group.create_task(watched(client, number)) for _ in range(20)]
            await until_turn(service, number, 5)
            late = [group.create_task(watched(client, number)) for _ in range(20)]
        match = await over(service, number)

    for task in early + late:
        events = task.result()
        assert sorted(set(turns_in(events))) == list(range(match.num_turns + 1))
        assert events[-1][0] == "ended"
        assert events[-1][2]["goals"] == match.goals


async def test_who_comes_to_a_match_that_goes_on_sees_how_it_began(home: Home) -> None:
    """The turns from before the manager stopped come first, then those that are played now."""
    async with desk(home) as (service, _):
        number = await service.host.set_up(two("connectFour"))
        await until_turn(service, number, 4)
    async with desk(home) as (service, client):
        before = (await found(service, number)).num_turns
        await service.host.resume(number)
        events = await watched(client, number)
        match = await over(service, number)

    assert 4 <= before < match.num_turns
    assert sorted(set(turns_in(events))) == list(range(match.num_turns + 1))


async def test_a_crowd_sees_every_turn_of_a_match_played_by_hand(home: Home) -> None:
    """Each on a connection of its own, before the first move and as soon as each turn is over."""
    async with desk(home) as (service, client):
        number = await service.host.set_up(by_hand())
        await until_turn(service, number, 0)
        async with asyncio.TaskGroup() as group:
            crowd = [group.create_task(watched(client, number)) for _ in range(50)]
            for turn, move in ((1, "(mark 2 2)"), (3, "(mark 3 1)")):
                body = {"role": "xplayer", "move": move, "turn": turn}
                assert (await ask(client, "POST", f"/matches/{number}/moves?seat={KEY}", body))[
                    0
                ] == 200
                await until_turn(service, number, turn)
            await service.host.abort(number)

    assert {tuple(turns_in(task.result())) for task in crowd} == {(0, 1, 2, 3)}


async def test_who_comes_when_all_is_over_sees_it_all(home: Home) -> None:
    """From the database; and who had seen a part, the rest."""
    async with desk(home) as (service, client):
        number = await service.host.set_up(two())
        match = await over(service, number)
        events = await watched(client, number)
        rest = await watched(client, number, "0-2")

    assert turns_in(events) == list(range(match.num_turns + 1))
    assert turns_in(rest) == list(range(3, match.num_turns + 1))
    assert events[-1] == rest[-1] == ("ended", "", {**events[-1][2], "status": "completed"})


async def test_who_was_away_while_moves_were_taken_back_sees_what_counts(home: Home) -> None:
    """Turn 2 is not the turn 2 that it knows."""
    async with desk(home) as (service, client):
        number = await service.host.set_up(by_hand())
        await until_turn(service, number, 0)
        body = {"role": "xplayer", "move": "(mark 2 2)", "turn": 1}
        await ask(client, "POST", f"/matches/{number}/moves?seat={KEY}", body)
        await until_turn(service, number, 2)
        body = {"role": "xplayer", "turns": 0}
        await ask(client, "POST", f"/matches/{number}/take-back?seat={KEY}", body)
        body = {"role": "xplayer", "move": "(mark 3 3)", "turn": 1}
        await ask(client, "POST", f"/matches/{number}/moves?seat={KEY}", body)
        async with asyncio.TaskGroup() as group:
            away = group.create_task(watched(client, number, "0-2"))
            await until(service, number, '["(mark 3 3)","noop"]')
            await service.host.abort(number)
        events = away.result()

    moves = {data["number"]: data["moves"] for name, _, data in events if name == "turn"}
    assert moves[1] == ["(mark 3 3)", "noop"]
    # Turns 1 and 2 are over when it comes back, or a moment later; what it knew is no more.
    taken_back = [(place, data["number"]) for name, place, data in events if name == "taken-back"]
    assert taken_back in ([("1-0", 0)], [("1-1", 1)], [("1-2", 2)])
    assert [data["status"] for name, _, data in events if name == "ended"] == ["aborted"]


async def test_a_spectator_who_leaves_disturbs_nobody(home: Home) -> None:
    """And its place is free for another."""
    async with desk(home, max_spectators=1) as (service, client):
        number = await service.host.set_up(by_hand())
        await until_turn(service, number, 0)
        path = f"/api/v1/matches/{number}/events"
        first = await client.get(path)
        status, answer = await ask(client, "GET", f"/matches/{number}/events")
        first.close()
        await service.host.abort(number)
        await asyncio.to_thread(lambda: None)
        match = await found(service, number)

    assert (status, answer["error"]) == (503, "1 spectator is watching already; try again later")
    assert match.status == "aborted"


async def test_silence_is_broken_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lest what stands between thinks that nobody is there."""
    monkeypatch.setattr(live, "HEARTBEAT_SECONDS", 0.001)
    channel = EventChannel()

    assert await anext(channel.frames()) == live.HEARTBEAT


@pytest.mark.parametrize("text", ["", "7", "x-1", "1-", "-1-1", "1-99999999999", "\u0661-1"])
def test_a_place_that_is_none_of_ours_is_the_beginning(text: str) -> None:
    """Browsers tell whatever they were told, others whatever they like."""
    assert EventId.read(text) is None
