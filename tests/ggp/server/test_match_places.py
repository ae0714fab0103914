"""Places: nobody takes them all, nobody keeps one without need, and nobody loses one by mistake."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from ggp.engine import EngineConfig
from ggp.protocol.dialects.base import GgpBase
from tests.fakes.leaving import reset
from tests.ggp.server.wire import RULES, Wire, serving, start

pytestmark = pytest.mark.usefixtures("fake_clock")

SLEEPY = EngineConfig(player="tests.ggp.engine.odd_players:Sleepy")
"""Prepares for as long as it may."""
LONG = "3600 3600"
NUM_COPIES = 130
TCP = Path("/proc/net/tcp")
HELD = {"01", "08"}  # ESTABLISHED, and CLOSE_WAIT: the client is gone, the server is not
OTHER_RULES = RULES.replace("(init (heap 3))", "(init (heap 2))")


async def test_copies_of_one_start_hold_no_places() -> None:
    """Two wait; the others are told so, and INFO and the match beside them do not notice."""
    async with serving(engine=SLEEPY) as wire:
        await wire.say(start("live", clocks="1 30"))
        async with waiting(wire), waiting(wire):
            for _ in range(NUM_COPIES - 2):
                refused = await wire.post(start("m", clocks=LONG))
                assert refused.status == 503, refused.body
            assert "available" in await wire.say("( INFO )")
            assert await wire.say("( PLAY live NIL )") == "take"

        await until(lambda: has_let_go(wire.port))


@pytest.mark.parametrize("is_reset", [True, False], ids=["reset", "closed"])
async def test_who_hangs_up_before_the_match_gives_its_place(is_reset: bool) -> None:
    """A startclock of an hour holds it no longer, once somebody else wants it."""
    async with serving(engine=SLEEPY, max_matches=1, orphan_grace=0.0) as wire:
        _, writer = await opened(wire, start("m", clocks=LONG))
        await until(lambda: says(wire, "( INFO )", "(status busy)"))
        reset(writer) if is_reset else writer.close()

        await until(lambda: says(wire, "( INFO )", "(status available)"))
        assert await wire.say(start("n", clocks="1 5")) == "ready"


async def test_a_match_whose_manager_still_waits_keeps_its_place() -> None:
    """One of two copies has gone, and the other has not."""
    server = serving(engine=SLEEPY, max_matches=1, orphan_grace=0.0)
    async with server as wire, waiting(wire):
        async with waiting(wire):
            assert (await wire.post(start("m", clocks=LONG))).status == 503
        await until(lambda: is_let_in(wire))

        assert await wire.say(start("n")) == "busy"


async def test_who_ends_its_side_makes_room_for_who_asks_again() -> None:
    """A client that closed its socket looks so, and its copies must not keep a new one out."""
    server = serving(engine=SLEEPY, max_matches=1, orphan_grace=0.0)
    async with server as wire:
        ended = [await opened(wire, start("m", clocks="60 5")) for _ in range(2)]
        for _, writer in ended:
            writer.write_eof()
        await until(lambda: says(wire, "( INFO )", "(status available)"))
        again = await opened(wire, start("m", clocks="60 5"))
        await until(lambda: says(wire, "( INFO )", "(status busy)"))
        answers = [await reader.read() for reader, _ in (*ended, again)]
        for _, writer in (*ended, again):
            writer.close()

    assert [b"ready" in answer for answer in answers] == [False, True, True]


@pytest.mark.parametrize("rules", ["(role white) (<= )", "(role white) (legal white (wait"])
async def test_a_start_that_cannot_be_read_ends_no_match(rules: str) -> None:
    """It has the name and the role of a match that is played."""
    async with serving() as wire:
        await wire.say(start("m"))
        assert await wire.say("( PLAY m NIL )") == "take"

        assert (await wire.post(start("m", rules=rules))).status == 400
        assert await wire.say("( PLAY m (take noop ) )") == "noop"


async def test_other_rules_that_can_be_read_begin_the_match_anew() -> None:
    """At the same place."""
    async with serving(max_matches=1) as wire:
        await wire.say(start("m"))
        await wire.say("( PLAY m NIL )")
        await wire.say("( PLAY m (take noop ) )")

        assert await wire.say(start("m", rules=OTHER_RULES)) == "ready"
        assert await wire.say("( PLAY m NIL )") == "take"


async def test_a_server_without_a_place_says_so_each_way() -> None:
    """INFO, ping and START go by the same."""
    async with serving(max_matches=1) as wire:
        await wire.say(start("a"))

        assert "(status busy)" in await wire.say("( INFO )")
        assert await wire.say("ping(p1)") == "reply(p1,busy)"
        assert await wire.say(start("b")) == "busy"


async def opened(wire: Wire, message: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A connection on which a message was sent."""
    reader, writer = await asyncio.open_connection(wire.host, wire.port)
    writer.write(GgpBase.framing.request(message, host=wire.host, receiver="tester"))
    await writer.drain()
    return reader, writer


@asynccontextmanager
async def waiting(wire: Wire) -> AsyncIterator[None]:
    """A START that waits to be answered as long as this lasts; then its connection is reset."""
    _, writer = await opened(wire, start("m", clocks=LONG))
    try:
        await wire.say("( INFO )")
        await wire.say("( INFO )")  # by now the server has the other, which came first
        yield
    finally:
        reset(writer)


async def is_let_in(wire: Wire) -> bool:
    """Whether a second copy of the START may wait: the one before it has been let go."""
    copy = asyncio.create_task(wire.post(start("m", clocks=LONG)))
    done, _ = await asyncio.wait({copy}, timeout=0.3)
    copy.cancel()
    await asyncio.gather(copy, return_exceptions=True)
    return not done


async def says(wire: Wire, message: str, words: str) -> bool:
    """Whether the answer has these words."""
    return words in await wire.say(message)


async def until(condition: Callable[[], Awaitable[bool]]) -> None:
    """Look again and again, for a minute of the clock that jumps."""
    async with asyncio.timeout(60):
        while not await condition():
            await asyncio.sleep(0.1)


async def has_let_go(port: int) -> bool:
    """Return whether the server on a port has let all its clients go."""
    rows = [row.split() for row in TCP.read_text(encoding="ascii").splitlines()[1:]]
    return not any(row[1].endswith(f":{port:04X}") and row[3] in HELD for row in rows)
