"""Our own programs as processes: started, asked for their address, weighed, and ended."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

START_SECONDS = 600.0  # the kernels may have to be compiled
STOP_SECONDS = 30.0
TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Running:
    """A `ggp ...` that runs."""

    address: str
    pid: int

    def megabytes(self, field: str = "VmRSS") -> float:
        """Its memory now (`VmRSS`) or at most so far (`VmHWM`)."""
        status = Path(f"/proc/{self.pid}/status").read_text(encoding="ascii")
        found = re.search(rf"^{field}:\s+([0-9]+) kB$", status, re.MULTILINE)
        assert found is not None
        return int(found[1]) / 1024

    def cpu_seconds(self) -> float:
        """How long it has computed, the processes that it started not counted."""
        stat = Path(f"/proc/{self.pid}/stat").read_text(encoding="utf-8")
        fields = stat.rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICKS


@asynccontextmanager
async def running(*arguments: str) -> AsyncIterator[Running]:
    """`ggp` with these arguments, as long as the `async with` lasts."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "ggp", *arguments), stdout=asyncio.subprocess.PIPE
    )
    try:
        async with asyncio.timeout(START_SECONDS):
            address = await _printed(process)
        yield Running(address, process.pid)
    finally:
        if process.returncode is None:
            process.send_signal(signal.SIGINT)
        async with asyncio.timeout(STOP_SECONDS):
            await process.communicate()


async def _printed(process: asyncio.subprocess.Process) -> str:
    """The first address that a process prints."""
    assert process.stdout is not None
    async for line in process.stdout:
        found = re.search(r"http://[\w.]+:\d+", line.decode())
        if found:
            return found[0]
    raise RuntimeError("a process ended without an address")
