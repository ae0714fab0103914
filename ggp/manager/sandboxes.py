"""Processes that read rules nobody vouches for: their number, and whom they serve."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from ggp.sandbox import SandboxPool

NUM_OF_MATCHES = 24
"""Of more matches at once, some start their process again at each turn."""
NUM_OF_PAGES = 4
NUM_OF_EDITORS = 2
PATIENCE_SECONDS = 15.0
"""Longest wait of a page or a program for a process; a match waits as long as it takes."""


@dataclass(frozen=True, slots=True)
class Sandboxes:
    """Pools apart, so that none waits for what another is asked for."""

    matches: SandboxPool
    pages: SandboxPool
    """For what is shown of games and matches."""
    editors: SandboxPool
    """For rules in the making."""


@asynccontextmanager
async def open_sandboxes() -> AsyncIterator[Sandboxes]:
    """Pools whose processes end with the `async with`."""
    async with (
        SandboxPool(NUM_OF_MATCHES) as of_matches,
        SandboxPool(NUM_OF_PAGES, patience=PATIENCE_SECONDS) as of_pages,
        SandboxPool(NUM_OF_EDITORS, patience=PATIENCE_SECONDS) as of_editors,
    ):
        yield Sandboxes(of_matches, of_pages, of_editors)
