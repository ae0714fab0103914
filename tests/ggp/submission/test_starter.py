"""Processes are started one after the other, whoever is cancelled meanwhile."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import socket

import pytest

from ggp.processes.tasks import cancel
from ggp.submission.starter import Starter, StarterError
from tests.thorough import all_but
from tests.waiting import ended, until


async def test_who_is_cancelled_takes_no_answer_of_others() -> None:
    """The number of a process goes to the one that asked for it."""
    ours, theirs = socket.socketpair()
    reading, writing = os.pipe()
    async with Starter() as starter:
        first = await starter.start(theirs.fileno(), writing)
        asked = asyncio.ensure_future(starter.start(theirs.fileno(), writing))
        await asyncio.sleep(0)  # it has asked, and nobody has answered
        asked.cancel()
        third = await starter.start(theirs.fileno(), writing)

        assert [await starter.end(pid) for pid in (first, third)] == [(-9, []), (-9, [])]
        assert third > first + 1
        assert await starter.end(third) == (0, [])
    for one in (ours, theirs):
        one.close()
    for descriptor in (reading, writing):
        os.close(descriptor)


async def test_whoever_waits_for_an_answer_is_told_that_the_starter_was_closed() -> None:
    """At once, though the first process hangs; who comes later starts no other one."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        async with asyncio.timeout(30), Starter() as starter:
            first = await starter.start(theirs.fileno(), theirs.fileno())
            assert starter._process is not None
            os.kill(starter._process.pid, signal.SIGSTOP)
            asked = asyncio.ensure_future(starter.start(theirs.fileno(), theirs.fileno()))
            ended = asyncio.ensure_future(starter.end(first))
            await asyncio.sleep(0)
        for waiting in (asked, ended):
            with pytest.raises(StarterError):
                await waiting
        with pytest.raises(StarterError):
            await starter.start(theirs.fileno(), theirs.fileno())


async def test_an_error_that_nobody_waits_for_is_not_logged() -> None:
    """Who asked is cancelled, as when the manager stops with a match just begun."""
    logged: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: logged.append(context))
    ours, theirs = socket.socketpair()
    with ours, theirs:
        async with asyncio.timeout(30), Starter() as starter:
            await starter.start(theirs.fileno(), theirs.fileno())
            assert starter._process is not None
            os.kill(starter._process.pid, signal.SIGSTOP)
            asked = asyncio.ensure_future(starter.start(theirs.fileno(), theirs.fileno()))
            await asyncio.sleep(0)
            await cancel(asked)
    del asked
    gc.collect()

    assert not logged


@pytest.mark.parametrize("source", all_but(["forked"], ["forked", "own"]))
async def test_a_first_process_that_has_died_is_followed_by_another(
    source: str, request: pytest.FixtureRequest
) -> None:
    """Whose processes are ended with it, those that are stopped too."""
    if source == "own":
        request.getfixturevalue("own_starters")
    ours, theirs = socket.socketpair()
    with ours, theirs:
        async with Starter() as starter:
            lost = await starter.start(theirs.fileno(), theirs.fileno())
            await until(lambda: os.getpgid(lost) == lost)
            os.kill(lost, signal.SIGSTOP)
            assert starter._process is not None
            os.kill(starter._process.pid, signal.SIGKILL)
            await starter._process.wait()
            await ended(lost)  # by the kernel, as who asks may be killed, too
            with pytest.raises(StarterError, match="has ended"):
                await starter.start(theirs.fileno(), theirs.fileno())
            with pytest.raises(StarterError, match="has ended"):
                await starter.end(lost)
            next_one = await starter.start(theirs.fileno(), theirs.fileno())
            assert await starter.end(next_one) == (-signal.SIGKILL, [])
