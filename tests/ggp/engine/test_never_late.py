"""An engine whose player or process fails: a legal move leaves in time, and the match goes on.

The clock jumps and the processes are fakes; `tests/clocks` has real ones.
"""

from __future__ import annotations

import asyncio

import pytest

from ggp.clock import Deadline
from ggp.engine import Choice, MatchEngine, MoveOrigin
from ggp.engine.pending_request import PendingRequest
from tests.fakes.clock import FakeClock
from tests.fakes.engine_processes import FakePool
from tests.ggp.engine.conftest import StartMatch

FIRST = "(mark 1 1)"
LAST = "(mark 3 3)"
TURN_SECONDS = 30.0


async def play(engine: MatchEngine, *moves: str) -> Choice:
    """Return the engine's choice; fail if it comes after the deadline."""
    loop = asyncio.get_running_loop()
    begin = loop.time()
    choice = await engine.play(moves or None, Deadline.after(TURN_SECONDS))
    assert loop.time() - begin <= TURN_SECONDS + 1e-6
    return choice


def exchange_of(engine: MatchEngine) -> PendingRequest:
    """Return the exchange that is under way."""
    worker = engine._supervisor._worker
    assert worker is not None
    return worker._current


async def in_mid_turn(engine: MatchEngine) -> asyncio.Task[Choice]:
    """Return a play that is under way, once the player has made its first report."""
    before = exchange_of(engine)
    playing = asyncio.create_task(play(engine))
    while exchange_of(engine) is before:
        await asyncio.sleep(0)
    exchange = exchange_of(engine)
    await exchange.until(lambda: exchange.best is not None)
    return playing


async def test_a_player_that_always_hangs_makes_legal_moves_to_the_end(
    start_fake_match: StartMatch,
) -> None:
    """Its process is replaced now and then, and another one says what is legal."""
    engine = await start_fake_match("Mute")
    first = await play(engine)
    moves = ["(mark 1 1)", "(mark 2 2)", "(mark 1 2)", "(mark 3 3)"]

    later = [
        await play(engine, *((move, "noop") if turn % 2 == 0 else ("noop", move)))
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
        ("Failing", LAST, MoveOrigin.BEST_SO_FAR),
        ("Cheating", FIRST, MoveOrigin.FIRST_LEGAL),
        ("Leaving", FIRST, MoveOrigin.FIRST_LEGAL),
        ("Watchful", LAST, MoveOrigin.SEARCH),
        ("Unhurried", LAST, MoveOrigin.BEST_SO_FAR),
    ],
)
async def test_a_legal_move_leaves_in_time(
    start_fake_match: StartMatch, player: str, move: str, origin: MoveOrigin
) -> None:
    """Whatever the player does, in this turn and in the next one."""
    engine = await start_fake_match(player, fallback_player="Mute")

    first = await play(engine)
    await engine.update([FIRST, "noop"], Deadline.after(5))
    second = await play(engine, "noop", "(mark 2 2)")

    assert (first.move, first.origin) == (move, origin)
    assert second.origin is origin
    assert second.position is not None
    assert second.position.turn == 2
    assert second.move in second.position.legal


async def test_a_player_that_always_kills_its_process_is_given_up(
    start_fake_match: StartMatch,
) -> None:
    """After three processes the fallback player takes over."""
    engine = await start_fake_match("Leaving", fallback_player="legal")

    first = await play(engine)
    await engine.update([FIRST, "noop"], Deadline.after(5))
    second = await play(engine, "noop", "(mark 2 2)")

    assert (first.move, first.origin) == (FIRST, MoveOrigin.FIRST_LEGAL)
    assert (second.move, second.origin) == ("(mark 1 2)", MoveOrigin.STAND_IN)


async def test_a_process_killed_in_mid_turn_is_replaced_within_the_turn(
    start_fake_match: StartMatch, fakes: FakePool
) -> None:
    """Another process makes the moves again and searches in the time left."""
    engine = await start_fake_match("Watchful")
    playing = await in_mid_turn(engine)
    killed = fakes.lent.processes[-1]

    killed.close()
    choice = await playing

    assert (choice.move, choice.origin) == (LAST, MoveOrigin.SEARCH)
    assert engine.pid == fakes.lent.processes[-1].pid != killed.pid
    following = await play(engine, FIRST, "noop")
    assert following.origin is MoveOrigin.ONLY_MOVE
    searched = await play(engine, "noop", "(mark 2 2)")
    assert searched.origin is MoveOrigin.SEARCH


async def test_a_process_killed_too_late_to_be_replaced_leaves_its_best_move(
    start_fake_match: StartMatch, fakes: FakePool
) -> None:
    """The move that was reported before counts, even if no other process can be had."""
    engine = await start_fake_match("Watchful")
    playing = await in_mid_turn(engine)

    fakes.lent.is_empty = True
    fakes.lent.processes[-1].close()
    choice = await playing

    assert (choice.move, choice.origin) == (LAST, MoveOrigin.BEST_SO_FAR)


async def test_a_process_that_hangs_is_replaced_for_a_later_turn(
    start_fake_match: StartMatch, fakes: FakePool, fake_clock: FakeClock
) -> None:
    """A stopped process keeps its pipes open and says nothing."""
    engine = await start_fake_match("Watchful", overrun_seconds=40.0)
    playing = await in_mid_turn(engine)
    stopped = fakes.lent.processes[-1]

    stopped.stop()
    choice = await playing
    await asyncio.sleep(60.0)
    await engine.play([FIRST, "noop"], Deadline.after(3))
    searched = await play(engine, "noop", "(mark 2 2)")

    assert (choice.move, choice.origin) == (LAST, MoveOrigin.BEST_SO_FAR)
    assert searched.origin is MoveOrigin.SEARCH
    assert engine.pid != stopped.pid


async def test_a_process_that_dies_between_turns_is_replaced_before_the_next(
    start_fake_match: StartMatch, fakes: FakePool
) -> None:
    """Nobody waits for a move then, so the new process has time to catch up."""
    engine = await start_fake_match("Watchful")
    await play(engine)
    killed = fakes.lent.processes[-1]

    killed.close()
    await asyncio.sleep(1.0)

    assert engine.pid not in {killed.pid, None}
    choice = await play(engine, FIRST, "noop")
    assert choice.origin is MoveOrigin.ONLY_MOVE


async def test_abort_ends_a_play_that_is_under_way(start_fake_match: StartMatch) -> None:
    """The manager broke the match off; the process is freed at once."""
    engine = await start_fake_match("Watchful")
    playing = await in_mid_turn(engine)

    await engine.abort()
    choice = await asyncio.wait_for(playing, 5.0)

    assert (choice.move, choice.origin) == (LAST, MoveOrigin.BEST_SO_FAR)
    assert engine.pid is None


async def test_stop_during_a_play_ends_it(start_fake_match: StartMatch) -> None:
    """The manager did not wait for our answer."""
    engine = await start_fake_match("Watchful")
    playing = await in_mid_turn(engine)

    outcome = await engine.stop([FIRST, "noop"])
    choice = await asyncio.wait_for(playing, 5.0)

    assert outcome is not None
    assert not outcome.is_terminal
    assert choice.move == LAST
