"""Processes of our own: a module of this program, run by another Python until it is ended."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import socket
import sys
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from ggp.processes.priority import set_priority


async def start_module(
    module: str,
    *arguments: str,
    stderr: int,
    limit: int,
    pass_fds: Sequence[int] = (),
    environment: Mapping[str, str] | None = None,
    niceness: int | None = None,
) -> asyncio.subprocess.Process:
    """Start `python -m MODULE ARGUMENT...`, with pipes to its input and from its output.

    It imports from where this process does, and the current folder is none of these places: what
    lies there by chance, a `resource.py` or another version of this program, is not run. A session
    of its own keeps the terminal's signals from it.

    Args:
        stderr: As of `asyncio.create_subprocess_exec`.
        limit: Bytes of the longest line that it may write.
        pass_fds: Descriptors that it has, too, by the same numbers.
        environment: All of it; this process' own if not given.
        niceness: Its own and its session's, from before it imports anything; this process' own if
            not given.

    Raises:
        OSError: The system refuses to start a process.
    """
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-P", "-m", module, *arguments),
        env={
            **(os.environ if environment is None else environment),
            "PYTHONPATH": _import_paths(),
        },
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=stderr,
        limit=limit,
        start_new_session=True,
        pass_fds=pass_fds,
    )
    if niceness is not None:
        set_priority(process.pid, niceness)
    return process


async def start_with_socket(
    module: str,
    *arguments: str,
    stderr: int,
    limit: int,
    environment: Mapping[str, str] | None = None,
    niceness: int | None = None,
) -> tuple[asyncio.subprocess.Process, socket.socket]:
    """Start a module as `start_module` does; its first argument is a socket, whose end we get."""
    ours, theirs = socket.socketpair()
    ours.setblocking(False)
    number = theirs.fileno()
    with theirs:
        try:
            process = await start_module(
                *(module, str(number), *arguments),
                stderr=stderr,
                limit=limit,
                pass_fds=(number,),
                environment=environment,
                niceness=niceness,
            )
        except BaseException:
            ours.close()
            raise
    return process, ours


async def pipe_reader(descriptor: int, limit: int) -> asyncio.StreamReader:
    """A reader of the output of a pipe, with lines of at most so many bytes."""
    reader = asyncio.StreamReader(limit=limit)
    pipe = os.fdopen(descriptor, "rb")
    await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), pipe
    )
    return reader


async def end_process(process: asyncio.subprocess.Process) -> None:
    """Kill a process, if it is there yet; returns when nothing is left of it.

    Our ends of its pipes are closed first: asyncio waits for their ends, and as long as a child of
    it has them they do not come. Asyncio's own way to kill it would first look whether it has ended
    by itself, and take its status from the one who waits for it.
    """
    transport: asyncio.SubprocessTransport = process._transport  # type: ignore[attr-defined]  # noqa: SLF001  # there is no other way
    try:
        for number in range(3):
            pipe = transport.get_pipe_transport(number)
            if pipe is not None:
                pipe.close()
        if process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process.pid, signal.SIGKILL)
        await process.wait()
    finally:
        transport.close()


def _import_paths() -> str:
    # An empty path is the current folder, of a process that was started with `python -m`.
    return os.pathsep.join(path or str(Path.cwd()) for path in sys.path)


class OwnsProcesses(ABC):
    """An owner of processes, which end when an `async with` block of it is left."""

    @abstractmethod
    async def close(self) -> None:
        """End them."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.close()
