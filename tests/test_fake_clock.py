"""The clock of tests that jumps."""

from __future__ import annotations

import asyncio
import time

import pytest

from ggp import clock
from tests.fakes.clock import FakeClock, fake_clock

__all__ = ["fake_clock"]

LONG = 3600.0


async def test_a_sleep_takes_no_time(fake_clock: FakeClock) -> None:
    """The loop, `ggp.clock` and the test agree on how long it was."""
    loop = asyncio.get_running_loop()
    began, began_here = loop.time(), clock.now()

    await asyncio.sleep(LONG)

    assert loop.time() - began == clock.now() - began_here == pytest.approx(LONG)
    assert fake_clock.elapsed == pytest.approx(LONG)


async def test_things_happen_in_their_order(fake_clock: FakeClock) -> None:
    """And each at its time."""
    happened: list[tuple[str, float]] = []

    async def one(name: str, seconds: float) -> None:
        await asyncio.sleep(seconds)
        happened.append((name, round(fake_clock.elapsed, 3)))

    await asyncio.gather(one("last", 30.0), one("first", 0.5), one("second", 29.0))

    assert happened == [("first", 0.5), ("second", 29.0), ("last", 30.0)]


async def test_what_is_done_before_its_timeout_is_not_late(fake_clock: FakeClock) -> None:
    """And what is not is."""
    async with asyncio.timeout(1.0):
        await asyncio.sleep(0.9)
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(1.0):
            await asyncio.sleep(1.1)


async def test_a_thread_is_waited_for(fake_clock: FakeClock) -> None:
    """No timeout is over meanwhile, because no time passes."""
    async with asyncio.timeout(0.001):
        await asyncio.to_thread(time.sleep, 0.02)

    assert fake_clock.elapsed < 0.001


async def test_what_was_sent_over_a_socket_arrives_first(fake_clock: FakeClock) -> None:
    """A server in this process answers before the clock jumps."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(await reader.readline())
        await asyncio.sleep(LONG)
        writer.write(b"bye\n")
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
        reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
        async with asyncio.timeout(0.001):
            writer.write(b"hello\n")
            echo = await reader.readline()
        at_first = fake_clock.elapsed
        goodbye = await reader.readline()
        writer.close()

    assert (echo, goodbye) == (b"hello\n", b"bye\n")
    assert at_first < 0.001
    assert fake_clock.elapsed == pytest.approx(LONG)


async def test_time_may_be_lost(fake_clock: FakeClock) -> None:
    """As on a machine that stands still for a while."""
    asleep = asyncio.create_task(asyncio.sleep(1.0))
    await asyncio.sleep(0)

    fake_clock.advance(5.0)
    await asleep

    assert fake_clock.elapsed == pytest.approx(5.0)
