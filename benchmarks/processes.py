"""Our own programs as processes: start them, find their address, measure them, and end them."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

START_SECONDS = 600.0  # the kernels may have to be compiled
STOP_SECONDS = 30.0
COMMAND = (sys.executable, "-P", "-m", "ggp")
"""`ggp` as it is when installed: `-P` keeps what lies in the current folder out of its modules."""
TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Running:
    """A running `ggp ...` process."""

    address: str
    pid: int

    def megabytes(self, field: str = "VmRSS") -> float:
        """Return its memory now (`VmRSS`) or its maximum so far (`VmHWM`).

        Raises:
            ProcessLookupError: It has ended, and its status was not read yet.
        """
        status = Path(f"/proc/{self.pid}/status").read_text(encoding="ascii")
        found = re.search(rf"^{field}:\s+([0-9]+) kB$", status, re.MULTILINE)
        if found is None:
            raise ProcessLookupError(f"process {self.pid} has ended")
        return int(found[1]) / 1024

    def cpu_seconds(self) -> float:
        """Return its CPU seconds, not including the processes that it started."""
        stat = Path(f"/proc/{self.pid}/stat").read_text(encoding="utf-8")
        fields = stat.rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICKS


@asynccontextmanager
async def running(
    *arguments: str,
    folder: Path | None = None,
    log: Path = Path("/dev/stderr"),
    prefix: Sequence[str] = (),
    path: Path | None = None,
) -> AsyncIterator[Running]:
    """Run `ggp` with the given arguments for the duration of the `async with`.

    Args:
        arguments: The verb and its options.
        folder: Folder in which it starts; if None, the current one.
        log: The file to which its log is appended.
        prefix: A command that becomes `ggp`, such as one that sets limits first.
        path: Folder of further modules, such as players.

    Raises:
        TimeoutError: It did not end when asked, and was killed.
    """
    with log.open("ab") as file:
        process = await asyncio.create_subprocess_exec(
            *(*prefix, *COMMAND, *arguments),
            stdout=asyncio.subprocess.PIPE,
            stderr=file,
            cwd=folder,
            env=os.environ | ({} if path is None else {"PYTHONPATH": str(path)}),
        )
    try:
        async with asyncio.timeout(START_SECONDS):
            address = await _printed(process)
        yield Running(address, process.pid)
    finally:
        await _end(process)


async def _end(process: asyncio.subprocess.Process) -> None:
    """End a process as Ctrl-C does; kill it if that does not help."""
    if process.returncode is None:
        process.send_signal(signal.SIGINT)
    try:
        async with asyncio.timeout(STOP_SECONDS):
            await process.communicate()
    except TimeoutError:
        process.kill()
        await process.wait()
        raise


async def _printed(process: asyncio.subprocess.Process) -> str:
    """Return the first address that a process prints."""
    assert process.stdout is not None
    async for line in process.stdout:
        found = re.search(r"http://[\w.]+:\d+", line.decode())
        if found:
            return found[0]
    raise RuntimeError("a process ended without an address")
