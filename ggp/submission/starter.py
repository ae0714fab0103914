"""A starter of submission processes. They are forked from one that has imported what they need."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import socket
from typing import Final

from ggp.errors import GgpError
from ggp.processes.children import OwnsProcesses, end_process, start_with_socket
from ggp.processes.tasks import outlived
from ggp.submission.circuits import Circuits

MODULE: Final = "ggp.submission"
MAX_BYTES: Final = 1 << 12
START_SECONDS: Final = 60.0
"""Time for the fork server to import everything, long enough for a busy machine."""
KERNELS: Final = "kernels"
"""The argument that makes the fork server load the kernels for compiled games."""
KERNELS_SECONDS: Final = 300.0
"""Time for loading the kernels, which have to be compiled after an install."""
_KEPT_VARIABLES: Final = ("PATH", "HOME", "LANG", "LC_ALL", "TZ", "LD_LIBRARY_PATH")
"""The environment variables to pass on. Others may contain secrets such as tokens."""
CACHE_VARIABLES: Final = ("GGP_CACHE_DIR", "XDG_CACHE_HOME", "NUMBA_CACHE_DIR")
"""Environment variables with the location of the kernels. Submissions do not get them."""


class StarterError(GgpError):
    """No process can be started. This is no submission's fault."""


class Starter(OwnsProcesses):
    """An object that starts and ends submission processes. They all end when it is closed.

    Attributes:
        circuits: The circuits of the rules that the processes play.
    """

    def __init__(self, *, has_kernels: bool = False) -> None:
        """Create a starter. It starts nothing yet.

        Args:
            has_kernels: Whether the processes can play compiled games.
        """
        self.circuits = Circuits()
        self._has_kernels = has_kernels
        self._compiled = self if has_kernels else None
        self._process: asyncio.subprocess.Process | None = None
        self._control: socket.socket | None = None
        self._is_closed = False
        self._turn = asyncio.Lock()

    @property
    def compiled(self) -> Starter:
        """A starter whose processes can play compiled games. It ends with this one."""
        if self._compiled is None:
            self._compiled = Starter(has_kernels=True)
        return self._compiled

    async def start(self, talk: int, printed: int) -> int:
        """Start a process and return its id.

        The process is not confined yet and has read no submission.

        Args:
            talk: Descriptor of the process's end of the socket for requests.
            printed: Descriptor for the printed output.

        Raises:
            StarterError: No process could be started.
        """
        return int(await self._ask(b"start", (talk, printed)))

    async def end(self, pid: int) -> tuple[int, list[str]]:
        """Kill a process if it is still alive.

        Returns:
            The exit status or a negative signal number, and the actions that the supervisor denied
            the process.

        Raises:
            StarterError: The result is unknown. The process has been killed.
        """
        try:
            found = await self._ask(b"end %d" % pid, ())
        except StarterError:  # the fork server is gone; a stopped process may not have noticed it
            with contextlib.suppress(ProcessLookupError):
                os.killpg(pid, signal.SIGKILL)
            raise
        status, _, attempts = found.partition(b" ")
        return int(status), json.loads(attempts)

    async def close(self) -> None:
        """End all processes. Pending requests fail."""
        self._is_closed = True
        if self._compiled not in {None, self}:
            await self.compiled.close()
        await self.circuits.close()
        if self._control is not None:
            with contextlib.suppress(OSError):  # the fork server has died
                self._control.shutdown(socket.SHUT_RDWR)
        async with self._turn:
            await self._end_first()

    async def _end_first(self) -> None:
        """End the fork server and its children. The next `start` launches another fork server."""
        process, control, self._process, self._control = self._process, self._control, None, None
        if control is not None:
            control.close()
        if process is not None:
            await end_process(process)

    async def _open(self) -> None:
        names = (*_KEPT_VARIABLES, *(CACHE_VARIABLES if self._has_kernels else ()))
        kept = {name: os.environ[name] for name in names if name in os.environ}
        # The same seed must lead to the same play, even if a player iterates over sets of strings.
        fixed = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
        try:
            self._process, self._control = await start_with_socket(
                *(MODULE, *([KERNELS] if self._has_kernels else [])),
                stderr=asyncio.subprocess.DEVNULL,
                limit=MAX_BYTES,
                environment={**kept, **fixed, "PYTHONHASHSEED": "0"},
            )
        except OSError as error:
            raise StarterError(f"cannot start a process: {error}") from error

    async def _ask(self, words: bytes, descriptors: tuple[int, ...]) -> bytes:
        await self._turn.acquire()
        try:
            if self._is_closed or (self._control is None and not descriptors):
                raise StarterError("the process that starts submissions has ended")
            if self._control is None:
                await self._open()
            assert self._control is not None
            socket.send_fds(self._control, [words], list(descriptors))
        except OSError as error:
            try:
                await self._end_first()
            finally:
                self._turn.release()
            raise _gone(error) from error
        except BaseException:
            self._turn.release()
            raise
        # A cancelled caller does not wait for its answer, but no other caller may get that answer.
        return await outlived(asyncio.ensure_future(self._answer(self._control)))

    async def _answer(self, control: socket.socket) -> bytes:
        try:
            async with asyncio.timeout(KERNELS_SECONDS if self._has_kernels else START_SECONDS):
                found = await asyncio.get_running_loop().sock_recv(control, MAX_BYTES)
            if not found:
                raise EOFError
            return found
        except (OSError, TimeoutError, EOFError) as error:
            await self._end_first()  # a later answer would be taken for that of another request
            raise _gone(error) from error
        finally:
            self._turn.release()


def _gone(error: Exception) -> StarterError:
    return StarterError(f"the process that starts submissions has ended: {error}")
