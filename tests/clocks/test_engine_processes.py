"""Real engine processes that hang or die: a legal move leaves, and the match goes on."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
from pathlib import Path

import pytest

from ggp.clock import Deadline
from ggp.engine import Choice, MatchEngine
from ggp.engine.pending_request import PendingRequest
from tests.ggp.engine.conftest import StartMatch

pytestmark = pytest.mark.usefixtures("kernels")

LATENESS_SECONDS = 10.0  # what a busy machine may add
LAST = "(mark 3 3)"
SQUARES = {f"(mark {column} {row})" for column in range(1, 4) for row in range(1, 4)}


async def timed_play(engine: MatchEngine, seconds: float, *moves: str) -> Choice:
    """Return the engine's choice; fail if it is late."""
    async with asyncio.timeout(seconds + LATENESS_SECONDS):
        return await engine.play(moves or None, Deadline.after(seconds))


def exchange_of(engine: MatchEngine) -> PendingRequest:
    """Return the exchange that is under way."""
    worker = engine._supervisor._worker
    assert worker is not None
    return worker._current


async def in_mid_turn(engine: MatchEngine, seconds: float) -> asyncio.Task[Choice]:
    """Return a play that is under way, once the player has made its first report."""
    before = exchange_of(engine)
    play = asyncio.create_task(timed_play(engine, seconds))
    while exchange_of(engine) is before:
        await asyncio.sleep(0)
    exchange = exchange_of(engine)
    await exchange.until(lambda: exchange.best is not None)
    return play


@pytest.mark.parametrize(
    "player",
    [
        "Deaf",
        pytest.param("Mute", marks=pytest.mark.thorough),
        pytest.param("Failing", marks=pytest.mark.thorough),
        pytest.param("Cheating", marks=pytest.mark.thorough),
        "Quitting",
        pytest.param("Chatty", marks=pytest.mark.thorough),
        pytest.param("Watchful", marks=pytest.mark.thorough),
    ],
)
async def test_a_legal_move_leaves_whatever_the_player_does(
    start_match: StartMatch, player: str
) -> None:
    """In this turn and in the next one."""
    engine = await start_match(player, patience_seconds=0.3, overrun_seconds=1.0)

    first = await timed_play(engine, 0.3)
    await engine.update(["(mark 1 1)", "noop"], Deadline.after(5))
    second = await timed_play(engine, 0.3, "noop", "(mark 2 2)")

    assert first.move in SQUARES
    assert second.move in SQUARES - {"(mark 1 1)", "(mark 2 2)"} or second.position is None


async def test_a_process_killed_in_mid_turn_is_replaced(start_match: StartMatch) -> None:
    """The turn is answered with a legal move, and the following one by another process."""
    engine = await start_match("Last", patience_seconds=60.0)
    watchful = await start_match("Watchful", patience_seconds=60.0)
    play = await in_mid_turn(watchful, 2.0)
    killed = watchful.pid
    assert killed is not None

    os.kill(killed, signal.SIGKILL)
    choice = await play
    following = await timed_play(watchful, 10.0, "(mark 1 1)", "noop")

    assert choice.move in SQUARES
    assert following.move == "noop"
    assert watchful.pid not in {killed, engine.pid}
    assert (watchful.num_replaced, engine.num_replaced) == (1, 0)


async def test_a_player_that_fills_the_memory_is_replaced_by_a_smaller_one(
    start_match: StartMatch,
) -> None:
    """Memory is bounded per process; the next one is told to hold fewer nodes."""
    engine = await start_match("Hoarding", memory_bytes=1 << 30, patience_seconds=60.0)

    choice = await timed_play(engine, 60.0)

    assert choice.move == LAST
    assert choice.search_info["hoard"] == 256


async def test_what_a_player_prints_goes_to_the_log(
    start_match: StartMatch, caplog: pytest.LogCaptureFixture
) -> None:
    """And never among the messages."""
    caplog.set_level(logging.INFO)
    engine = await start_match("Chatty")

    choice = await timed_play(engine, 60.0)

    assert choice.move == LAST
    async with asyncio.timeout(60.0):
        while "not a message" not in caplog.text:  # it comes over a pipe of its own
            await asyncio.sleep(0.01)
    assert max(map(len, caplog.messages)) < 3000


async def test_thoughts_are_bounded_and_fit_for_json(start_match: StartMatch) -> None:
    """A player may think what it likes."""
    engine = await start_match("Thoughtful")

    choice = await timed_play(engine, 60.0)

    assert choice.search_info == {"role": "xplayer"}


async def test_what_answers_comes_before_what_searches(start_match: StartMatch) -> None:
    """On a busy core, whether it is shared out by processes or by sessions."""
    engine = await start_match("legal")
    assert engine.pid is not None
    assert engine._standby is not None
    standby = engine._standby.pid
    assert standby is not None

    niceness = {pid: os.getpriority(os.PRIO_PROCESS, pid) for pid in (standby, engine.pid)}

    assert niceness[standby] < niceness[engine.pid]
    if (group := Path(f"/proc/{engine.pid}/autogroup")).exists():
        assert "nice 5" in group.read_text()
