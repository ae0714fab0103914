"""The system's knowledge of a connection: unread bytes, times, and whether the client is gone.

Most of it needs Linux and TCP. Without them, the functions return 0 or False.
"""

from __future__ import annotations

import asyncio
import fcntl
import socket
import struct
import sys
import termios
from contextlib import suppress
from functools import partial
from typing import Final

_LAST_RECEIVED: Final = struct.Struct("=52xI")
"""From `struct tcp_info`: milliseconds since data last arrived."""
_UNMEASURED: Final = 0xFFFFFFFF
"""What the Linux kernel reports if it has not measured a round trip."""
_COUNT: Final = struct.Struct("=i")
MAX_SECONDS: Final = 10.0
"""Upper bound of all these times. A request that has waited longer is too old anyway."""
_ROUND_TRIP: Final = struct.Struct("=148xI")
"""From `struct tcp_info`: microseconds of the shortest round trip of the last minutes."""


def seconds_waiting(transport: asyncio.BaseTransport | None) -> float:
    """Return the seconds since a connection's latest bytes reached this machine, or 0 if unknown.

    The bytes may have waited for this process because it had no core.
    """
    return min(_number(transport, _LAST_RECEIVED) / 1e3, MAX_SECONDS)


def round_trip_seconds(transport: asyncio.BaseTransport | None) -> float:
    """Return how long a packet takes to a connection's client and back, or 0 if unknown."""
    microseconds = _number(transport, _ROUND_TRIP)
    return 0.0 if microseconds == _UNMEASURED else min(microseconds / 1e6, MAX_SECONDS)


def _number(transport: asyncio.BaseTransport | None, field: struct.Struct) -> int:
    """Return a field of the Linux kernel's `struct tcp_info`, or 0 if unknown."""
    if (connection := _socket(transport)) is not None and sys.platform == "linux":
        with suppress(OSError, struct.error):
            told = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, field.size)
            (number,) = field.unpack(told)
            return int(number)
    return 0


def has_unread(transport: asyncio.BaseTransport | None) -> bool:
    """Return whether bytes have arrived that this process has not read."""
    if (connection := _socket(transport)) is not None:
        with suppress(OSError):
            told = fcntl.ioctl(connection.fileno(), termios.FIONREAD, _COUNT.pack(0))
            return bool(_COUNT.unpack(told)[0])
    return False


DEATH_OPTIONS: Final = {"TCP_KEEPIDLE": 15, "TCP_KEEPINTVL": 15, "TCP_KEEPCNT": 3}
"""Seconds of silence after which TCP probes a client, seconds between probes, and their number."""
_CLOSED: Final = 7
"""State of a TCP connection that was reset or whose client no longer responds."""


def notice_death(transport: asyncio.BaseTransport) -> None:
    """Make the system detect within about a minute that a silent client is gone."""
    if (connection := _socket(transport)) is None:
        return
    with suppress(OSError):  # not a TCP connection
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        for name in filter(partial(hasattr, socket), DEATH_OPTIONS):
            connection.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), DEATH_OPTIONS[name])


def is_gone(transport: asyncio.BaseTransport) -> bool:
    """Return whether the system knows that a client can no longer read."""
    if (connection := _socket(transport)) is not None:
        with suppress(OSError):
            if connection.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR):
                return True
            if sys.platform == "linux":
                told = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 1)
                return told[0] == _CLOSED
    return False


def _socket(transport: asyncio.BaseTransport | None) -> socket.socket | None:
    return None if transport is None else transport.get_extra_info("socket")
