"""Processes are started one after the other, whoever is cancelled meanwhile."""

from __future__ import annotations

import asyncio
import os
import socket

from ggp.submission.starter import Starter


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
