"""The pool: warm processes, and none left behind."""

from __future__ import annotations

import asyncio
import os
import signal
import sys

import pytest

from ggp.engine import EngineError, EnginePool
from ggp.engine.process import WorkerProcess


def exists(pid: int) -> bool:
    """Whether there is such a process, be it a zombie."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


async def test_a_process_taken_is_replaced(pool: EnginePool) -> None:
    """No process is handed out twice."""
    first = await pool.take()
    second = await pool.take()

    assert first.pid != second.pid
    assert first.is_alive
    assert second.is_alive


async def test_a_process_that_died_while_it_waited_is_not_handed_out(pool: EnginePool) -> None:
    """It has been replaced, or another one is started."""
    dead = await pool._waiting[0]
    os.kill(dead.pid, signal.SIGKILL)
    while dead.is_alive:
        await asyncio.sleep(0)

    worker = await pool.take()

    assert worker.pid != dead.pid
    assert worker.is_alive


async def test_all_processes_are_reaped(pool: EnginePool) -> None:
    """Those in use, those given back and those that wait."""
    used = await pool.take()
    given_back = await pool.take()
    waiting = await pool._waiting[0]
    pool.give_back(given_back)

    await pool.close()

    assert not any(exists(worker.pid) for worker in (used, given_back, waiting))


async def test_a_closed_pool_hands_out_nothing() -> None:
    """A server that shuts down starts no new processes."""
    pool = EnginePool()
    await pool.close()

    with pytest.raises(EngineError, match="closed"):
        await pool.take()


async def test_closing_while_processes_warm_up_leaves_none() -> None:
    """Even those that have not said a word."""
    pool = EnginePool()
    start = asyncio.create_task(pool.start(num_warm=3))
    while not pool._alive:
        await asyncio.sleep(0)

    await pool.close()
    await asyncio.gather(start, return_exceptions=True)

    assert not pool._alive


async def test_a_process_that_cannot_start_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """The message says what the system refused."""
    monkeypatch.setattr(sys, "executable", "/nonexistent/python")

    with pytest.raises(EngineError, match="cannot start an engine process"):
        await WorkerProcess.spawn()


async def test_a_worker_is_in_a_session_of_its_own(pool: EnginePool) -> None:
    """The terminal's Ctrl-C ends the server, which then ends its engines in order."""
    worker = await pool.take()

    assert os.getsid(worker.pid) == worker.pid
