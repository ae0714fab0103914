"""A process that makes one report on a match, and dies if that takes too long."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from ggp.errors import GgpError
from ggp.processes import end_process, start_module
from ggp.report.analysis import SECONDS

MAX_BYTES: Final = 32 << 20
"""Of a report."""
MOST_SECONDS: Final = 240.0
"""Of search for all turns of a match."""
START_SECONDS: Final = 240.0
"""For kernels, which are compiled once after an install, rules and whatever else is to be made."""

Progress = Callable[[int, int], None]
"""Told how many positions are done, and how many there are."""


class ReportError(GgpError):
    """There is no report on a match; the message says why."""


@dataclass(frozen=True, slots=True)
class ReportOrder:
    """A match that is to be reported on.

    Attributes:
        name: Of the game.
        rules: As text.
        moves: The joint moves.
    """

    name: str
    rules: str
    moves: Sequence[Sequence[str]]

    @property
    def seconds(self) -> float:
        """For each turn."""
        return min(SECONDS, MOST_SECONDS / max(1, len(self.moves)))

    @property
    def most_seconds(self) -> float:
        """After which the process has failed."""
        return START_SECONDS + 2 * self.seconds * len(self.moves)


async def made_report(order: ReportOrder, progress: Progress) -> dict[str, Any]:
    """The report on a match as JSON; whoever is cancelled here has ended the process.

    Args:
        order: What to report on.
        progress: Is called after each position.

    Raises:
        ReportError: There is none.
    """
    try:
        process = await start_module(
            "ggp.report", stderr=asyncio.subprocess.DEVNULL, limit=MAX_BYTES
        )
    except OSError as error:
        raise ReportError(f"cannot start a process for the report: {error}") from error
    try:
        async with asyncio.timeout(order.most_seconds):
            return await _exchange(process, order, progress)
    except TimeoutError:
        raise ReportError(f"the report took longer than {order.most_seconds:.0f} s") from None
    finally:
        await end_process(process)


async def _exchange(
    process: asyncio.subprocess.Process, order: ReportOrder, progress: Progress
) -> dict[str, Any]:
    assert process.stdin is not None
    assert process.stdout is not None
    told = {"name": order.name, "rules": order.rules, "moves": order.moves}
    with contextlib.suppress(OSError):  # it died; there is no answer then
        process.stdin.write(json.dumps({**told, "seconds": order.seconds}).encode() + b"\n")
        await process.stdin.drain()
    try:
        while line := await process.stdout.readline():
            found: dict[str, Any] = json.loads(line)
            if "error" in found:
                raise ReportError(found["error"])
            if "report" in found:
                report: dict[str, Any] = found["report"]
                return report
            progress(found["done"], found["of"])
    except (OSError, ValueError) as error:  # ValueError: half a line, or one beyond all bounds
        raise ReportError(f"the report could not be read: {error}") from error
    raise ReportError("the process that made the report died")
