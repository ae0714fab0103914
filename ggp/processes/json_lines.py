"""Questions and answers between processes: an object of JSON a line, of bounded length.

Whoever asks has a reader with a limit, and keeps the clock. Whoever answers ends with it.
"""

from __future__ import annotations

import asyncio
import json
import os
import select
import sys
from collections.abc import Mapping
from threading import Thread
from typing import Any


async def ask(writer: asyncio.StreamWriter, message: object) -> None:
    """Write a message; to a process that has died, nothing."""
    try:
        writer.write(json.dumps(message).encode() + b"\n")
        await writer.drain()
    except OSError:
        pass


async def answer(reader: asyncio.StreamReader) -> dict[str, Any]:
    """The next message of a process. But for being an object of bounded size it may be anything.

    Raises:
        EOFError: It has closed its end, perhaps in the middle of a line.
        ValueError: It wrote more than the reader's limit, or something else than an object.
        OSError: It cannot be read.
    """
    line = await reader.readline()
    if not line.endswith(b"\n"):
        raise EOFError("it closed its end")
    try:
        found = json.loads(line)
    except RecursionError:
        raise ValueError("expected an object, not so many brackets") from None
    if not isinstance(found, dict):
        raise ValueError("expected an object")
    return found


def tell(message: Mapping[str, object]) -> None:
    """Write a message of this process to its output."""
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def end_with_asker() -> None:
    """From now on end this process when the one that asks is gone, whatever it is computing.

    What is read from the input stays there.
    """
    end_with(sys.stdin.fileno(), "asker")


def end_with(descriptor: int, name: str) -> None:
    """From now on end this process when the other end of a pipe or socket is closed.

    Args:
        name: Of who is there, for the thread that waits.
    """
    Thread(target=_wait, args=(descriptor,), name=name, daemon=True).start()


def _wait(descriptor: int) -> None:
    poll = select.poll()
    poll.register(descriptor, 0)  # nothing but that the other end was closed
    poll.poll()
    os._exit(0)
