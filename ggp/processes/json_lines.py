"""Requests and answers between processes: one JSON object per line, of limited length.

The asking process limits the length of an answer, and the time for it. The answering process ends
when the asking process ends.
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
    """Write a message. Do nothing if the process has died."""
    try:
        writer.write(json.dumps(message).encode() + b"\n")
        await writer.drain()
    except OSError:
        pass


async def answer(reader: asyncio.StreamReader) -> dict[str, Any]:
    """Return the next message from a process: an object with any content.

    Raises:
        EOFError: The process has closed its end, perhaps in the middle of a line.
        ValueError: The process wrote more than the reader's limit, or something other than an
            object.
        OSError: The output of the process cannot be read.
    """
    line = await reader.readline()
    if not line.endswith(b"\n"):
        raise EOFError("the process closed its output")
    try:
        found = json.loads(line)
    except RecursionError:
        raise ValueError("expected an object, got too many nested brackets") from None
    if not isinstance(found, dict):
        raise ValueError("expected an object")
    return found


def tell(message: Mapping[str, object]) -> None:
    """Write a message to this process's output."""
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def end_with_asker() -> None:
    """End this process when the asking process is gone, even during a computation.

    Do not consume any input.
    """
    end_with(sys.stdin.fileno(), "asker")


def end_with(descriptor: int, name: str) -> None:
    """End this process when the other end of a pipe or socket is closed.

    Args:
        name: The name of the process at the other end. The waiting thread gets this name.
    """
    Thread(target=_wait, args=(descriptor,), name=name, daemon=True).start()


def _wait(descriptor: int) -> None:
    poll = select.poll()
    poll.register(descriptor, 0)  # report only that the other end was closed
    poll.poll()
    os._exit(0)
