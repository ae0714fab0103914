"""What the system knows of a connection that nobody has looked at."""

from __future__ import annotations

import asyncio
import socket
import time

from ggp.listener.unread import has_unread, round_trip_seconds, seconds_waiting

BLOCKED_SECONDS = 0.3


async def test_bytes_are_known_to_wait_before_they_are_read() -> None:
    """And for how long, though the loop, and so the process, did not get to them."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        client = socket.create_connection(listening.getsockname())
        accepted, _ = listening.accept()
        _, writer = await asyncio.open_connection(sock=accepted)
        writer.transport.pause_reading()  # type: ignore[attr-defined]  # of a reading transport
        before = has_unread(writer.transport)
        client.sendall(b"x")
        time.sleep(BLOCKED_SECONDS)

        assert not before
        assert has_unread(writer.transport)
        assert seconds_waiting(writer.transport) > BLOCKED_SECONDS - 0.1
        assert 0 < round_trip_seconds(writer.transport) < BLOCKED_SECONDS
        client.close()
        writer.close()


def test_of_no_connection_nothing_is_known() -> None:
    """A request that a test made up has none."""
    assert seconds_waiting(None) == 0.0
    assert round_trip_seconds(None) == 0.0
    assert not has_unread(None)
