"""Start modules of this program as separate processes, and end these."""

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

    The new process uses the import paths of this process, without the current folder. So it does
    not run files that happen to be there, such as a `resource.py` or another version of this
    program. It has its own session, so the terminal's signals do not reach it.

    Args:
        stderr: As for `asyncio.create_subprocess_exec`.
        limit: Maximum length of a line that the process may write, in bytes.
        pass_fds: Descriptors to pass on under the same numbers.
        environment: The whole environment. If None, that of this process.
        niceness: Niceness of the process and its session, set before it imports anything. If None,
            that of this process.

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
    """Start a module like `start_module`, with the descriptor of a socket as its first argument.

    Return the process, and the other end of the socket.
    """
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
    """Return a reader for the output of a pipe. Its lines have at most `limit` bytes."""
    reader = asyncio.StreamReader(limit=limit)
    pipe = os.fdopen(descriptor, "rb")
    await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), pipe
    )
    return reader


async def end_process(process: asyncio.subprocess.Process) -> None:
    """Kill a process if it is still running. Return when it has been reaped.

    Close our ends of its pipes first. Asyncio waits for the pipes to end, and they stay open while
    a child of the process holds them. Asyncio's own `kill` would first check whether the process
    has ended, and so take the exit status away from the task that waits for it.
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
    # An empty path means the current folder in a process started with `python -m`.
    return os.pathsep.join(path or str(Path.cwd()) for path in sys.path)


class OwnsProcesses(ABC):
    """An owner of processes, which end when its `async with` block is left."""

    @abstractmethod
    async def close(self) -> None:
        """End the processes."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.close()
