"""A `ggp serve` that is not attacked: it plays the matches that managers host during an attack."""

from __future__ import annotations

from contextlib import AsyncExitStack
from pathlib import Path

from processes import running

MOVE_SECONDS = 0.4
STEADY = ("--player", "steady:Steady", "--option", f"seconds={MOVE_SECONDS}")
"""Takes its time for each move, and computes nothing."""
MODULES = Path(__file__).parent
"""The folder of that player."""
MAX_MATCHES = 64


class Opponent:
    """A player that is started on first use, and ends with the given stack."""

    def __init__(self, stack: AsyncExitStack, folder: Path) -> None:
        self._stack = stack
        self._folder = folder
        self._address = ""

    async def address(self) -> str:
        """Return its address."""
        if not self._address:
            limits = ("--engine", "interpreter", "--max-matches", str(MAX_MATCHES))
            command = ("serve", "--port", "0", *limits, *STEADY)
            log = self._folder / "opponent.log"
            started = running(*command, path=MODULES, log=log, folder=self._folder)
            self._address = (await self._stack.enter_async_context(started)).address
        return self._address
