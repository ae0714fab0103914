"""`ggp serve` as a child process with a new cache folder, so that every game is new to it.

async with ServerProcess.running("mcts", seed=0, is_cold=False) as server:
    ...  # a match with the player at server.address
server.lines  # its log
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import re
import signal
import tempfile
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import gdl
from ggp.engine.process import WARM
from ggp.errors import CommandFailedError
from ggp.processes.children import end_process, start_module
from ggp.processes.tasks import cancel
from ggp.server.config import ServerConfig

MAX_LINE_BYTES = 1 << 20
START_SECONDS = 60.0
STOP_SECONDS = 20.0
KERNELS_VARIABLE = "NUMBA_CACHE_DIR"

_WARM = re.compile(WARM.replace("%d", "[0-9]+"))

LogLine = Mapping[str, object]


class ServerProcess:
    """A server that is running or has run.

    Attributes:
        address: The address of the server.
        lines: Its log so far, with the fields of each line.
    """

    def __init__(self, process: Process) -> None:
        self.address = ""
        self.lines: list[LogLine] = []
        self._process = process
        self._said = asyncio.Event()
        self._reading = asyncio.create_task(self._read())

    @classmethod
    @asynccontextmanager
    async def running(
        cls, player: str, *, seed: int, is_cold: bool
    ) -> AsyncIterator[ServerProcess]:
        """Start a server on a free port and yield it. At exit, stop it and read the end of its log.

        Args:
            player: Spec of the player, as for `ggp serve --player`.
            is_cold: Whether the kernels, which all games share, have to be compiled as well.

        Raises:
            CommandFailedError: The server does not start.
        """
        with tempfile.TemporaryDirectory(prefix="ggp-bench-", ignore_cleanup_errors=True) as folder:
            environment = _environment(Path(folder), is_cold=is_cold)
            options = ("--port", "0", "--player", player, "--seed", str(seed))
            process = await start_module(
                *("ggp", "serve", *options, "--log-format", "json"),
                stderr=PIPE,
                limit=MAX_LINE_BYTES,
                environment=environment,
            )
            server = cls(process)
            try:
                await server._until_waiting()
                if not is_cold:
                    await server._until_warm()
                yield server
            finally:
                await server._stop()
                if is_cold:
                    await _compile_rest(environment)

    async def _until_waiting(self) -> None:
        with contextlib.suppress(TimeoutError):
            self.address = await asyncio.wait_for(self._announced(), START_SECONDS)
        if not self.address:
            raise CommandFailedError(
                "ggp serve did not start: it ended, or it printed no address within "
                f"{START_SECONDS:g} s"
            )

    async def _announced(self) -> str:
        """Return the address that the server prints, or "" if the server exits before that."""
        assert self._process.stdout is not None
        async for line in self._process.stdout:
            if "://" in (text := line.decode().strip()):
                return text
        return ""

    async def _until_warm(self) -> None:
        """Wait until the server has loaded the kernels, as if a user had started it early."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(START_SECONDS):
                # Wait for the idle processes and for the fork server.
                while self._num_warm <= ServerConfig().num_warm:
                    self._said.clear()
                    await self._said.wait()

    @property
    def _num_warm(self) -> int:
        return sum(bool(_WARM.fullmatch(str(line.get("event")))) for line in self.lines)

    async def _stop(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            self._process.send_signal(signal.SIGTERM)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(STOP_SECONDS):
                await asyncio.gather(self._process.wait(), self._reading)
        await cancel(self._reading)
        await end_process(self._process)

    async def _read(self) -> None:
        assert self._process.stderr is not None
        while line := await self._process.stderr.readline():
            with contextlib.suppress(ValueError):
                fields = json.loads(line)
                self.lines += [fields] if isinstance(fields, dict) else []
                self._said.set()


def _environment(folder: Path, *, is_cold: bool) -> dict[str, str]:
    kernels = os.environ.get(KERNELS_VARIABLE) or str(gdl.cache_folder() or "")
    known = {name: value for name, value in os.environ.items() if name != KERNELS_VARIABLE}
    shared = {KERNELS_VARIABLE: kernels} if kernels and not is_cold else {}
    return known | shared | {"GGP_CACHE_DIR": str(folder)}


async def _compile_rest(environment: Mapping[str, str]) -> None:
    """Finish compiling kernels. A process that outlives the server may still write to the cache."""
    process = await start_module(
        "ggp", "warm", stderr=DEVNULL, limit=MAX_LINE_BYTES, environment=environment
    )
    try:
        await process.communicate()
    finally:
        await end_process(process)
