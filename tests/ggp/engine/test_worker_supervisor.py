"""Legal moves are known before anything is searched, and whatever becomes of who searches."""

from __future__ import annotations

import asyncio
import os
import select
import signal
from collections.abc import AsyncIterator

import pytest

from ggp import games
from ggp.clock import Deadline
from ggp.engine import (
    EngineConfig,
    EnginePool,
    EngineSetup,
    JointMove,
    MatchEngine,
    MoveError,
    MoveOrigin,
    RulesError,
    process,
)
from ggp.engine.worker_supervisor import StandbyFollower
from tests.fakes.forkers import Forker
from tests.waiting import PATIENCE, ended

SETUP = EngineSetup(games.text("ticTacToe"), "xplayer", playclock=5)


@pytest.fixture
async def starved(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[EnginePool]:
    """A pool whose processes never get as far as taking a command."""

    async def never(_: EnginePool) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(EnginePool, "acquire", never)
    async with EnginePool() as pool:
        yield pool


async def test_moves_are_legal_though_no_process_ever_searches(starved: EnginePool) -> None:
    """As on a machine that is too busy to load what a search needs."""
    engine = await MatchEngine.start(
        starved, SETUP, EngineConfig(), Deadline.after(0.1), has_standby=True
    )
    steps = [None, ("(mark 1 1)", "noop"), ("noop", "(mark 2 2)"), ("(mark 1 2)", "noop")]

    choices = [
        await engine.play(step, Deadline.after(0), Deadline.after(PATIENCE)) for step in steps
    ]
    await engine.abort()

    assert [choice.move for choice in choices] == ["(mark 1 1)", "noop", "(mark 1 2)", "noop"]
    assert choices[2].origin is MoveOrigin.FIRST_LEGAL
    assert choices[3].origin is MoveOrigin.ONLY_MOVE
    assert engine.roles == ("xplayer", "oplayer")


async def test_who_asks_may_know_what_is_legal(starved: EnginePool) -> None:
    """A referee's own table needs no other process for that."""
    engine = await MatchEngine.start(starved, SETUP, EngineConfig(), Deadline.after(0))

    choice = await engine.play(None, Deadline.after(0), legal=["(mark 2 3)", "(mark 3 1)"])
    await engine.abort()

    assert (choice.move, choice.origin) == ("(mark 2 3)", MoveOrigin.FIRST_LEGAL)


async def test_moves_that_cannot_be_read_are_refused_though_nobody_searches(
    starved: EnginePool,
) -> None:
    """They are not kept as a step that no later turn could follow on."""
    engine = await MatchEngine.start(
        starved, SETUP, EngineConfig(), Deadline.after(0.1), has_standby=True
    )
    with pytest.raises(MoveError, match="expected a move"):
        await engine.play(("(mark 1", "noop"), Deadline.after(0), Deadline.after(PATIENCE))

    choice = await engine.play(("(mark 1 1)", "noop"), Deadline.after(0), Deadline.after(PATIENCE))
    await engine.abort()

    assert choice.move == "noop"


async def test_rules_that_cannot_be_read_cost_no_process_that_searches(starved: EnginePool) -> None:
    """Such a process takes seconds to start; the next match will need it."""
    setup = EngineSetup("(role me", "me", playclock=5)

    with pytest.raises(RulesError, match="<rules>:1:1"):
        await MatchEngine.start(
            starved, setup, EngineConfig(), Deadline.after(600), has_standby=True
        )


async def test_one_that_was_held_up_follows_to_the_newest_turn() -> None:
    """Legal moves of turns that are over help nobody."""
    history = (JointMove(("(mark 1 1)", "noop")), JointMove(("noop", "(mark 2 2)")))
    async with EnginePool() as pool:
        standby = StandbyFollower(pool.forks, SETUP, EngineConfig())
        await asyncio.wait_for(standby.read(), PATIENCE)
        pid = standby.pid
        assert pid is not None

        os.kill(pid, signal.SIGSTOP)
        for turn in (1, 2):
            standby.follow(history[:turn])
            await asyncio.sleep(0)
        os.kill(pid, signal.SIGCONT)
        await asyncio.wait_for(standby.until_there(), PATIENCE)
        position = standby.position
        await standby.close()

    assert position is not None
    assert (position.turn, position.num_legal) == (2, 7)


async def test_one_that_died_is_replaced_at_the_next_turn() -> None:
    """By one that is forked, so that it need not import anything."""
    history = (JointMove(("(mark 1 1)", "noop")),)
    async with EnginePool() as pool:
        standby = StandbyFollower(pool.forks, SETUP, EngineConfig())
        await asyncio.wait_for(standby.read(), PATIENCE)
        killed = standby.pid
        assert killed is not None

        os.kill(killed, signal.SIGKILL)
        standby.follow(history)
        await asyncio.wait_for(standby.until_there(), PATIENCE)
        position = standby.position
        successor = standby.pid
        await standby.close()

    assert position is not None
    assert position.legal == ("noop",)
    assert successor not in {None, killed}


@pytest.mark.usefixtures("own_processes")
async def test_none_is_left_when_the_pool_is_closed() -> None:
    """Nor is the process that forked them."""
    async with EnginePool() as pool:
        worker = await pool.forks.acquire()
        await worker.until_awake()
        forking = pool.forks.pid
        assert forking is not None

    for pid in (worker.pid, forking):
        await ended(pid)


async def test_nothing_is_left_of_one_that_ends_before_it_has_spoken(
    forkers: dict[str, Forker], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor of what it might have printed: that pipe has come to its end, too."""
    monkeypatch.setattr(process, "REAP_SECONDS", PATIENCE)
    forker = forkers[""].pid
    async with EnginePool() as pool:
        os.kill(forker, signal.SIGSTOP)  # it forks only after the pool has given the fork up
        try:
            worker = await pool.forks.acquire()
            closing = asyncio.create_task(worker.close())
            await asyncio.sleep(0)
        finally:
            os.kill(forker, signal.SIGCONT)
        await closing

        assert worker.pid == 0
        assert worker._process.stderr is not None
        assert worker._process.stderr.at_eof()


async def test_nothing_is_left_of_one_whose_first_words_are_not_read(
    forkers: dict[str, Forker], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Unread bytes make its next read an error (ECONNRESET), not the end of its input."""
    monkeypatch.setattr(process, "REAP_SECONDS", PATIENCE)
    forker = forkers[""].pid
    async with EnginePool() as pool:
        os.kill(forker, signal.SIGSTOP)
        try:
            worker = await pool.forks.acquire()
        finally:
            os.kill(forker, signal.SIGCONT)
        assert worker._process.stdin is not None
        connection = worker._process.stdin.get_extra_info("socket")
        select.select([connection], [], [])  # here, so that the event loop reads nothing
        await worker.close()

        assert worker.pid == 0
        assert worker._process.stderr is not None
        assert worker._process.stderr.at_eof()


async def test_one_goes_with_the_server_that_was_killed() -> None:
    """It ends when its pipe closes, and so does the process that forks."""
    async with EnginePool() as pool:
        worker = await pool.forks.acquire()
        await worker.until_awake()
        assert worker._process.stdin is not None
        worker._process.stdin.close()

        await ended(worker.pid)
