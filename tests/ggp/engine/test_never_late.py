"""An engine whose player or process fails: a legal move leaves in time, and the match goes on."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import time
from pathlib import Path

import pytest

from ggp.clock import Deadline
from ggp.engine import Choice, MatchEngine, MoveOrigin
from ggp.engine.pending_request import PendingRequest
from tests.ggp.engine.conftest import StartMatch

pytestmark = pytest.mark.usefixtures("kernels")

LATENESS_SECONDS = 0.3  # what a busy machine may add to a deadline
FIRST = "(mark 1 1)"
LAST = "(mark 3 3)"


async def timed_play(engine: MatchEngine, seconds: float, *moves: str) -> Choice:
    """The engine's choice; fails if it comes after the deadline."""
    begin = time.monotonic()
    choice = await engine.play(moves or None, Deadline.after(seconds))
    assert time.monotonic() - begin < seconds + LATENESS_SECONDS
    return choice


def exchange_of(engine: MatchEngine) -> PendingRequest:
    """The exchange that is under way."""
    worker = engine._supervisor._worker
    assert worker is not None
    return worker._current


async def in_mid_turn(engine: MatchEngine, seconds: float) -> asyncio.Task[Choice]:
    """A play that is under way, as far as the player's first report."""
    before = exchange_of(engine)
    play = asyncio.create_task(timed_play(engine, seconds))
    while exchange_of(engine) is before:
        await asyncio.sleep(0)
    exchange = exchange_of(engine)
    await exchange.until(lambda: exchange.best is not None)
    return play


async def test_a_player_that_always_hangs_makes_legal_moves_to_the_end(
    start_match: StartMatch,
) -> None:
    """With turns that leave no time for another process to read the rules in each of them."""
    engine = await start_match("Mute")
    first = await timed_play(engine, 0.6)
    standby = engine._standby
    assert standby is not None
    while not standby.exchanges or standby.exchanges[-1].moved is None:
        await asyncio.sleep(0)
    moves = ["(mark 1 1)", "(mark 2 2)", "(mark 1 2)", "(mark 3 3)"]

    later = [
        await timed_play(engine, 0.4, *((move, "noop") if turn % 2 == 0 else ("noop", move)))
        for turn, move in enumerate(moves)
    ]

    assert first.origin is MoveOrigin.FIRST_LEGAL
    # In turns 1 and 3 there is one move only.
    assert [choice.move for choice in later] == ["noop", "(mark 1 2)", "noop", "(mark 1 3)"]


@pytest.mark.parametrize(
    ("player", "move", "origin"),
    [
        ("Deaf", LAST, MoveOrigin.BEST_SO_FAR),
        ("Mute", FIRST, MoveOrigin.FIRST_LEGAL),
        pytest.param("Failing", LAST, MoveOrigin.BEST_SO_FAR, marks=pytest.mark.thorough),
        pytest.param("Cheating", FIRST, MoveOrigin.FIRST_LEGAL, marks=pytest.mark.thorough),
        ("Quitting", FIRST, MoveOrigin.FIRST_LEGAL),
        pytest.param("Chatty", LAST, MoveOrigin.SEARCH, marks=pytest.mark.thorough),
        pytest.param("Watchful", LAST, MoveOrigin.SEARCH, marks=pytest.mark.thorough),
    ],
)
async def test_a_legal_move_leaves_in_time(
    start_match: StartMatch, player: str, move: str, origin: MoveOrigin
) -> None:
    """Whatever the player does, in this turn and in the next one."""
    engine = await start_match(player)

    first = await timed_play(engine, 0.7)
    await engine.update([FIRST, "noop"], Deadline.after(5))
    second = await timed_play(engine, 0.7, "noop", "(mark 2 2)")

    assert (first.move, first.origin) == (move, origin)
    assert second.origin is origin
    assert second.position is not None
    assert second.position.turn == 2
    assert second.move in second.position.legal


async def test_a_player_that_always_kills_its_process_is_given_up(start_match: StartMatch) -> None:
    """After three processes the fallback player takes over."""
    engine = await start_match("Leaving", fallback_player="legal")

    first = await timed_play(engine, 3.0)
    await engine.update([FIRST, "noop"], Deadline.after(5))
    second = await timed_play(engine, 20.0, "noop", "(mark 2 2)")

    assert (first.move, first.origin) == (FIRST, MoveOrigin.FIRST_LEGAL)
    assert (second.move, second.origin) == ("(mark 1 2)", MoveOrigin.STAND_IN)


async def test_a_process_killed_in_mid_turn_is_replaced_within_the_turn(
    start_match: StartMatch,
) -> None:
    """Another process makes the moves again and searches in the time left."""
    engine = await start_match("Watchful")
    play = await in_mid_turn(engine, 2.0)
    killed = engine.pid
    assert killed is not None

    os.kill(killed, signal.SIGKILL)
    choice = await play

    assert (choice.move, choice.origin) == (LAST, MoveOrigin.SEARCH)
    assert engine.pid != killed
    following = await timed_play(engine, 1.0, FIRST, "noop")
    assert following.origin is MoveOrigin.ONLY_MOVE
    searched = await timed_play(engine, 2.0, "noop", "(mark 2 2)")
    assert searched.origin is MoveOrigin.SEARCH


async def test_a_process_killed_too_late_to_be_replaced_leaves_its_best_move(
    start_match: StartMatch, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The move that was reported before counts, even if no other process can be had."""
    engine = await start_match("Watchful")
    play = await in_mid_turn(engine, 0.7)
    pid = engine.pid
    assert pid is not None

    def never() -> asyncio.Future[None]:
        return asyncio.get_running_loop().create_future()

    with monkeypatch.context() as patch:
        patch.setattr(engine._supervisor._pool, "acquire", never)
        os.kill(pid, signal.SIGKILL)
        choice = await play

    assert (choice.move, choice.origin) == (LAST, MoveOrigin.BEST_SO_FAR)


async def test_a_process_that_hangs_is_replaced_for_the_next_turn(start_match: StartMatch) -> None:
    """A stopped process keeps its pipes open and says nothing."""
    engine = await start_match("Watchful")
    play = await in_mid_turn(engine, 0.7)
    stopped = engine.pid
    assert stopped is not None

    os.kill(stopped, signal.SIGSTOP)
    choice = await play

    assert (choice.move, choice.origin) == (LAST, MoveOrigin.BEST_SO_FAR)
    await engine.play([FIRST, "noop"], Deadline.after(3))
    searched = await timed_play(engine, 0.7, "noop", "(mark 2 2)")
    assert searched.origin is MoveOrigin.SEARCH
    assert engine.pid != stopped


async def test_a_process_that_dies_between_turns_is_replaced_before_the_next(
    start_match: StartMatch,
) -> None:
    """Nobody waits for a move then, so the new process has time to catch up."""
    engine = await start_match("Watchful")
    await timed_play(engine, 0.5)
    killed = engine.pid
    assert killed is not None

    os.kill(killed, signal.SIGKILL)
    while engine.pid in {killed, None}:
        await asyncio.sleep(0)

    choice = await timed_play(engine, 1.0, FIRST, "noop")
    assert choice.origin is MoveOrigin.ONLY_MOVE


async def test_a_player_that_fills_the_memory_is_replaced_by_a_smaller_one(
    start_match: StartMatch,
) -> None:
    """Memory is bounded per process; the next one is told to hold fewer nodes."""
    engine = await start_match("Hoarding", memory_bytes=1 << 30)

    choice = await timed_play(engine, 20.0)

    assert (choice.move, choice.origin) == (LAST, MoveOrigin.SEARCH)
    assert choice.search_info["hoard"] == 256


async def test_what_a_player_prints_goes_to_the_log(
    start_match: StartMatch, caplog: pytest.LogCaptureFixture
) -> None:
    """And never among the messages."""
    caplog.set_level(logging.INFO)
    engine = await start_match("Chatty")

    choice = await timed_play(engine, 3.0)

    assert choice.origin is MoveOrigin.SEARCH
    assert "not a message" in caplog.text
    assert max(map(len, caplog.messages)) < 3000


async def test_thoughts_are_bounded_and_fit_for_json(start_match: StartMatch) -> None:
    """A player may think what it likes."""
    engine = await start_match("Thoughtful")

    choice = await timed_play(engine, 5.0)

    assert choice.search_info == {"role": "xplayer"}


async def test_abort_ends_a_play_that_is_under_way(start_match: StartMatch) -> None:
    """The manager broke the match off; the process is freed at once."""
    engine = await start_match("Watchful")
    play = await in_mid_turn(engine, 30.0)

    await engine.abort()
    choice = await asyncio.wait_for(play, 5.0)

    assert (choice.move, choice.origin) == (LAST, MoveOrigin.BEST_SO_FAR)
    assert engine.pid is None


async def test_stop_during_a_play_ends_it(start_match: StartMatch) -> None:
    """The manager did not wait for our answer."""
    engine = await start_match("Watchful")
    play = await in_mid_turn(engine, 30.0)

    outcome = await engine.stop([FIRST, "noop"])
    choice = await asyncio.wait_for(play, 5.0)

    assert outcome is not None
    assert not outcome.is_terminal
    assert choice.move == LAST


async def test_what_answers_comes_before_what_searches(start_match: StartMatch) -> None:
    """On a busy core, whether it is shared out by processes or by sessions."""
    engine = await start_match("legal")
    assert engine.pid is not None
    assert engine._standby is not None
    standby = engine._standby.pid
    assert standby is not None

    niceness = {pid: os.getpriority(os.PRIO_PROCESS, pid) for pid in (0, standby, engine.pid)}

    assert niceness[0] == niceness[standby] < niceness[engine.pid]
    if (group := Path(f"/proc/{engine.pid}/autogroup")).exists():
        assert "nice 5" in group.read_text()
