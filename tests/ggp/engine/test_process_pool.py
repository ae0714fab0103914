"""The pool: warm processes, and none left behind."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
import sys
from pathlib import Path

import pytest

from ggp import games
from ggp.clock import Deadline
from ggp.engine import EngineConfig, EngineError, EnginePool, EngineSetup, MatchEngine, MoveOrigin
from ggp.engine.errors import WorkerLostError
from ggp.engine.process import WorkerProcess
from ggp.engine.process_pool import ForkServer
from tests.waiting import PATIENCE, ended, until

pytestmark = pytest.mark.usefixtures("kernels")


async def until_loaded(pool: EnginePool) -> None:
    """Wait until processes are forked from one that has loaded all."""
    async with asyncio.timeout(PATIENCE):
        await pool._ready.until_loaded()


async def until_gone(pid: int) -> None:
    """Wait until a process that is no child of ours has ended and was reaped."""
    await ended(pid)
    await until(lambda: not exists(pid))


def exists(pid: int) -> bool:
    """Whether there is such a process, be it a zombie."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


async def test_a_process_taken_is_replaced(pool: EnginePool) -> None:
    """No process is handed out twice."""
    first = await pool.acquire()
    second = await pool.acquire()

    assert first.pid != second.pid
    assert first.is_alive
    assert second.is_alive


async def test_a_process_that_died_while_it_waited_is_not_handed_out(pool: EnginePool) -> None:
    """It has been replaced, or another one is started."""
    dead = await pool._waiting[0]
    os.kill(dead.pid, signal.SIGKILL)
    await until(lambda: not dead.is_alive)

    worker = await pool.acquire()

    assert worker.pid != dead.pid
    assert worker.is_alive


@pytest.mark.thorough  # below after the first process was taken
@pytest.mark.usefixtures("own_processes")
async def test_what_later_processes_are_forked_from_may_be_loaded_before_a_match(
    pool: EnginePool,
) -> None:
    """A first match, which takes one of those that wait, has the core for itself."""
    await pool.load_ahead()

    await until_loaded(pool)

    assert all(task.result().is_warm for task in pool._waiting)


@pytest.mark.usefixtures("own_processes")
async def test_later_processes_are_forked_from_one_that_has_loaded_the_kernels(
    pool: EnginePool, caplog: pytest.LogCaptureFixture
) -> None:
    """A match is played in one as in any other, what its player prints is logged, and it goes."""
    caplog.set_level(logging.INFO)
    await pool.acquire()
    await until_loaded(pool)
    config = EngineConfig(player="tests.ggp.engine.odd_players:Chatty")
    setup = EngineSetup(games.text("ticTacToe"), "xplayer", 30)

    engine = await MatchEngine.start(pool, setup, config, Deadline.after(PATIENCE))
    choice = await engine.play(None, Deadline.after(PATIENCE))

    assert choice.origin is MoveOrigin.SEARCH
    assert engine.reasoner.startswith("lanes")
    # What it prints comes over a pipe of its own.
    await until(lambda: f"engine {engine.pid}: not a message" in caplog.text)
    pid = engine.pid
    assert pid is not None
    parent = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1]
    assert int(parent) == pool._ready.pid
    await engine.abort()
    await pool.close()
    await until_gone(pid)  # it was killed; another process than ours reaps it


async def test_all_processes_are_reaped(pool: EnginePool) -> None:
    """Those in use, those given back and those that wait."""
    used = await pool.acquire()
    given_back = await pool.acquire()
    await pool.start(num_warm=1)
    waiting = await pool._waiting[0]
    pool.release(given_back)

    await pool.close()

    for worker in (used, given_back, waiting):
        await until_gone(worker.pid)


async def test_a_closed_pool_hands_out_nothing() -> None:
    """A server that shuts down starts no new processes."""
    pool = EnginePool()
    await pool.close()

    with pytest.raises(EngineError, match="closed"):
        await pool.acquire()


@pytest.mark.usefixtures("own_processes")
async def test_closing_while_processes_warm_up_leaves_none() -> None:
    """Even those that have not said a word."""
    pool = EnginePool()
    start = asyncio.create_task(pool.start(num_warm=3))
    while not pool._alive:
        await asyncio.sleep(0)

    await pool.close()
    await asyncio.gather(start, return_exceptions=True)

    assert not pool._alive


@pytest.mark.usefixtures("own_processes")
async def test_a_process_that_cannot_start_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """The message says what the system refused."""
    monkeypatch.setattr(sys, "executable", "/nonexistent/python")

    with pytest.raises(EngineError, match="cannot start an engine process"):
        await WorkerProcess.spawn()


@pytest.mark.usefixtures("own_processes")
async def test_who_waits_until_all_is_loaded_waits_for_nothing_dead() -> None:
    """It is an error then."""
    server = ForkServer()
    await server.start()
    assert server.pid is not None
    os.kill(server.pid, signal.SIGKILL)

    async with asyncio.timeout(PATIENCE):
        with pytest.raises(WorkerLostError, match="ended before it had loaded"):
            await server.until_loaded()
    await server.close()


@pytest.mark.usefixtures("own_processes")
async def test_a_worker_is_in_a_session_of_its_own() -> None:
    """The terminal's Ctrl-C ends the server, which then ends its engines in order."""
    worker = await WorkerProcess.spawn()

    session = os.getsid(worker.pid)

    await worker.close()
    assert session == worker.pid


_LOADS_FOR_EVER = """
import asyncio, os, signal
from ggp.engine.process_pool import ForkServer

async def main():
    server = ForkServer()
    await server.start()
    await server.until_loaded()
    os.kill(server.pid, signal.SIGSTOP)  # as if it compiled
    print(server.pid, flush=True)
    await asyncio.sleep(60)

asyncio.run(main())
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel of Linux does it")
async def test_who_forks_ends_with_its_parent_also_while_it_loads() -> None:
    """It reads nothing then, and would not see that its socket is closed."""
    parent = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", _LOADS_FOR_EVER), stdout=asyncio.subprocess.PIPE
    )
    assert parent.stdout is not None
    forker = int(await parent.stdout.readline())
    parent.kill()
    await parent.wait()

    try:
        await ended(forker)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.kill(forker, signal.SIGKILL)
