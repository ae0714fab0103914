"""The beginning of a match: START is answered in time, whatever is not ready by then."""

from __future__ import annotations

import asyncio
import os
import signal
from dataclasses import replace

import pytest

from ggp import games
from ggp.clock import Deadline
from ggp.engine import EngineConfig, EngineError, EnginePool, EngineSetup, MatchEngine, MoveOrigin
from tests.fakes.clock import FakeClock
from tests.fakes.engine_processes import FakePool
from tests.ggp.engine.test_slow_games import SLOW
from tests.waiting import PATIENCE

pytestmark = pytest.mark.usefixtures("kernels")

ODD = "tests.ggp.engine.odd_players"
SETUP = EngineSetup(games.text("ticTacToe"), "xplayer", 5)


async def test_a_player_that_never_stops_preparing_is_replaced(
    fakes: FakePool, fake_clock: FakeClock
) -> None:
    """START is answered at its deadline, and the first PLAY with a move that was chosen."""
    config = EngineConfig(player=f"{ODD}:Unready", reasoner="interpreter", overrun_seconds=5.0)
    hasty = replace(SETUP, playclock=1.0)

    engine = await MatchEngine.start(fakes, hasty, config, Deadline.after(10.0))
    started = fake_clock.elapsed
    choice = await engine.play(None, Deadline.after(50.0))

    assert started == pytest.approx(10.0)
    assert engine.is_ready
    assert choice.origin is MoveOrigin.SEARCH
    await engine.abort()


async def test_rules_that_take_longer_than_the_clock_are_read_on(pool: EnginePool) -> None:
    """The first PLAY waits for them."""
    config = EngineConfig(player="legal", patience_seconds=0.1, reasoner="interpreter")

    engine = await MatchEngine.start(pool, EngineSetup(SLOW, "me", 1), config, Deadline.after(0))
    was_ready = engine.is_ready
    choice = await engine.play(None, Deadline.after(PATIENCE))

    assert not was_ready
    assert engine.roles == ("me",)
    assert choice.origin is MoveOrigin.SEARCH
    await engine.abort()


async def test_start_is_answered_by_its_deadline_however_long_a_player_could_prepare(
    pool: EnginePool,
) -> None:
    """Mcts would use any time: it is told when to return."""
    config = EngineConfig(player="mcts")

    async with asyncio.timeout(0.3 + PATIENCE):
        engine = await MatchEngine.start(pool, SETUP, config, Deadline.after(0.3))

    await engine.abort()


async def test_a_match_begins_anew_when_its_first_process_dies(pool: EnginePool) -> None:
    """Before it has said a word of the match."""
    waiting = await pool._waiting[0]
    os.kill(waiting.pid, signal.SIGKILL)

    engine = await MatchEngine.start(
        pool, SETUP, EngineConfig(player="legal", reasoner="interpreter"), Deadline.after(PATIENCE)
    )

    assert engine.is_ready
    assert engine.pid != waiting.pid
    await engine.abort()


async def test_without_processes_a_match_does_not_begin(pool: EnginePool) -> None:
    """The error says so; nothing hangs."""
    await pool.close()

    with pytest.raises(EngineError, match="closed"):
        await MatchEngine.start(pool, SETUP, EngineConfig(), Deadline.after(PATIENCE))
