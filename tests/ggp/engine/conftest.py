"""Pools, and matches of ticTacToe with players that misbehave."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any

import pytest

from ggp import games
from ggp.clock import Deadline
from ggp.engine import EngineConfig, EnginePool, EngineSetup, MatchEngine
from tests.fakes.clock import FakeClock, fake_clock
from tests.fakes.engine_processes import FakePool
from tests.waiting import PATIENCE

__all__ = ["fake_clock"]

StartMatch = Callable[..., Coroutine[Any, Any, MatchEngine]]


@pytest.fixture
async def pool(ready_forkers: None) -> AsyncIterator[EnginePool]:
    """A pool with a warm process; all are gone afterwards."""
    async with EnginePool() as pool:
        await pool.start(num_warm=1)
        for waiting in pool._waiting:  # so that no test has to be patient with its player
            await (await waiting).until_warm()
        yield pool


@pytest.fixture
async def fakes(fake_clock: FakeClock) -> AsyncIterator[FakePool]:
    """A pool of fake processes, in a test whose clock jumps."""
    async with FakePool() as pool:
        yield pool


@pytest.fixture
async def start_match(pool: EnginePool) -> AsyncIterator[StartMatch]:
    """Starts a match as xplayer of ticTacToe, unless told otherwise."""
    async with _matches(pool) as start:
        yield start


@pytest.fixture
async def start_fake_match(fakes: FakePool) -> AsyncIterator[StartMatch]:
    """Starts such a match with fake processes."""
    async with _matches(fakes, patience_seconds=0.3, overrun_seconds=1.0) as start:
        yield start


@asynccontextmanager
async def _matches(pool: EnginePool, **settings: Any) -> AsyncIterator[StartMatch]:
    engines: list[MatchEngine] = []

    async def start(
        player: str, *, rules: str = games.text("ticTacToe"), role: str = "xplayer", **config: Any
    ) -> MatchEngine:
        spec = f"tests.ggp.engine.odd_players:{player}" if player[0].isupper() else player
        engine = await MatchEngine.start(
            pool,
            EngineSetup(rules, role, playclock=0.1),
            EngineConfig(player=spec, **{"reasoner": "interpreter", **settings, **config}),
            Deadline.after(PATIENCE),
            has_standby=True,
        )
        engines.append(engine)
        return engine

    yield start
    for engine in engines:
        await engine.abort()
