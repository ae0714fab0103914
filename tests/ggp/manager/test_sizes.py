"""Bounds on what matches take: a state, a match, and what waits for those who do not read."""

from __future__ import annotations

import asyncio
import json

import pytest

from ggp.manager.domain.match_records import record_json, record_xml
from ggp.manager.hosting.live import CHUNK_BYTES, EventChannel
from ggp.manager.store import matches, rulesheets
from ggp.manager.store.matches import PlayedTurn
from ggp.manager.store.tables import Status
from ggp.manager.web import responses
from ggp.records.xml import from_xml
from tests.ggp.manager.desk import Home, ask, desk, over, turns, two, until_true, write_down

LETTERS = " ".join(f"(letter {'x' * 60}{index})" for index in range(26))
GROWING = f"""
(role left) (role right) {LETTERS} (init (word here))
(legal left go) (legal right go)
(<= (next (word ?a)) (true (word ?a)))
(<= (next (word (cons ?a ?w))) (letter ?a) (true (word ?w)))
(<= terminal (true never)) (goal left 0) (goal right 0)
"""


async def test_a_state_that_grows_without_bound_ends_its_match(home: Home) -> None:
    """With a reason that says how large it was; what was played before stays."""
    async with desk(home) as (service, _):
        async with service.database.writing() as session:
            await rulesheets.keep(session, "growing", GROWING, now=1)
        number = await service.host.set_up(two("growing"))
        row = await over(service, number)
        played = await turns(service, number)

    assert row.status == Status.ABORTED
    assert "position whose state take" in row.reason
    assert row.reason.endswith("bytes; expected at most 1,048,576")
    assert len(played) == 3


async def test_a_match_has_a_size(home: Home) -> None:
    """The turn that makes it too long is its last one."""
    async with desk(home, max_match_bytes=5_000) as (service, _):
        number = await service.host.set_up(two("connectFour"))
        match = await over(service, number)

    assert match.status == Status.ABORTED
    assert match.reason.endswith("bytes long; expected at most 5,000")
    assert 1 <= match.num_turns <= 10


async def test_records_come_in_pieces_and_are_whole(home: Home) -> None:
    """Both forms say what the record says that is made at once."""
    async with desk(home) as (service, client):
        number = await service.host.set_up(two("connectFour"))
        await over(service, number)
        async with service.database.reading() as session:
            whole = await matches.record_of(session, number)
        told = b"".join([piece async for piece in record_json(service.database, number)])
        xml = [piece async for piece in record_xml(service.database, number)]
        _, listed = await ask(client, "GET", f"/matches/{number}/turns")

    assert json.loads(told) == whole.to_json()
    assert from_xml(b"".join(xml).decode()) == whole
    assert len(xml) > 3
    assert [tuple(turn["facts"]) for turn in listed] == list(whole.states)


async def test_a_record_of_a_match_that_has_not_begun_is_empty(home: Home) -> None:
    """In both forms."""
    async with desk(home) as (service, client):
        number = await write_down(service, two())
        _, record = await ask(client, "GET", f"/matches/{number}/record")
        _, listed = await ask(client, "GET", f"/matches/{number}/turns")
        xml = b"".join([piece async for piece in record_xml(service.database, number)])

    assert (record["states"], record["moves"], listed) == ([], [], [])
    assert from_xml(xml.decode()).states == ()


async def test_late_spectators_are_told_little_by_little() -> None:
    """And a long event is the same bytes for all of them."""
    channel = EventChannel()
    for number in range(200):
        channel.publish("turn", {"facts": ["x" * 2_000]}, number)
    channel.publish("turn", {"facts": ["x" * 3 * CHUNK_BYTES]}, 200)
    channel.close()

    first = [chunk async for chunk in channel.frames()]
    second = [chunk async for chunk in channel.frames()]

    assert max(map(len, first[:-1])) <= CHUNK_BYTES
    assert first[-1] is second[-1]
    assert b"".join(first) == b"".join(second)


async def test_a_spectator_that_does_not_read_is_cut_off(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its place is free again; what waited for it is gone."""
    monkeypatch.setattr(responses, "SLOW_SECONDS", 0.2)
    facts = tuple(f"(fact {index} {'x' * 90})" for index in range(100_000))
    async with desk(home, max_spectators=1) as (service, client):
        number = await write_down(service, two())
        async with service.database.writing() as session:
            turn = PlayedTurn(0, (), facts, ("", ""), 1)
            await matches.add_turn(session, number, turn)
        reader, writer = await asyncio.open_connection(client.server.host, client.server.port)
        path = f"/api/v1/matches/{number}/events"
        writer.write(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
        await reader.readuntil(b"\r\n\r\n")
        assert service.spectators.num_watching == 1
        await until_true(lambda: not service.spectators.num_watching)
        writer.close()
