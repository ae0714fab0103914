"""A server that is too busy to look at its connections knows how long a message has waited."""

from __future__ import annotations

import asyncio
import logging
import socket
import time

import pytest

from ggp.log import LOGGER
from tests.ggp.server.wire import serving

BLOCKED_SECONDS = 0.4


async def test_the_time_of_a_message_counts_from_when_it_came(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Not from when this process got to it: the manager's clock runs meanwhile."""
    caplog.set_level(logging.INFO, LOGGER.name)
    async with serving() as wire:
        with socket.create_connection((wire.host, wire.port)) as client:
            client.sendall(b"POST / HTTP/1.0\r\nContent-Length: 6\r\n\r\n(INFO)")
            time.sleep(BLOCKED_SECONDS)  # the loop, and so the server, cannot go on
            client.setblocking(False)
            await asyncio.get_running_loop().sock_recv(client, 1)

    [told] = [vars(one)["fields"] for one in caplog.records if one.getMessage() == "message"]
    assert told["duration_ms"] > 1000 * (BLOCKED_SECONDS - 0.1)  # the system counts in ticks
