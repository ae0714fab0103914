"""The process that compiles beside the engine process: what it makes, and what its end costs."""

from __future__ import annotations

import logging
import os
import select
import signal
import subprocess
import sys
from multiprocessing import Pipe
from pathlib import Path

import pytest

from ggp import games
from ggp.clock import Deadline
from ggp.engine import EngineConfig, EnginePool, EngineSetup, MatchEngine, MoveOrigin
from ggp.engine.worker.compiler_process import CompilerProcess
from tests.ggp.engine.test_log_lines import alarms
from tests.waiting import PATIENCE

pytestmark = pytest.mark.usefixtures("kernels")

KILLED = "the process that compiles games was killed by SIGKILL (out of memory?)"


def children_of(pid: int) -> list[int]:
    """The processes that a process has started."""
    text = Path(f"/proc/{pid}/task/{pid}/children").read_text()
    return [int(word) for word in text.split()]


async def test_the_engine_process_itself_compiles_nothing(pool: EnginePool) -> None:
    """Its child does, and is there for what a search asks for later."""
    setup = EngineSetup(games.text("ticTacToe"), "xplayer", playclock=5)
    engine = await MatchEngine.start(
        pool, setup, EngineConfig(player="legal"), Deadline.after(PATIENCE)
    )
    try:
        assert engine.pid is not None
        (child,) = children_of(engine.pid)
        assert engine.reasoner.startswith("lanes")
        assert children_of(child) == []
    finally:
        await engine.abort()


async def test_a_preparer_that_is_killed_leaves_the_interpreter_playing(
    pool: EnginePool, caplog: pytest.LogCaptureFixture
) -> None:
    """One line in the log says so, and the match is played."""
    caplog.set_level(logging.INFO)
    for waiting in pool._waiting:
        (child,) = children_of((await waiting).pid)
        os.kill(child, signal.SIGKILL)
    setup = EngineSetup(games.text("ticTacToe"), "xplayer", playclock=5)
    engine = await MatchEngine.start(
        pool, setup, EngineConfig(player="legal"), Deadline.after(PATIENCE)
    )
    try:
        choice = await engine.play(None, Deadline.after(PATIENCE))

        assert (choice.move, choice.origin) == ("(mark 1 1)", MoveOrigin.SEARCH)
        assert engine.reasoner == f"interpreter, {KILLED}"
        why = "the interpreter plays this match, because the game could not be compiled"
        assert alarms(caplog) == [f"engine {engine.pid}: {why}: {KILLED}"]
    finally:
        await engine.abort()


@pytest.mark.thorough  # above with the process that compiles
async def test_a_learner_that_is_killed_costs_the_match_nothing(pool: EnginePool) -> None:
    """Nor does the process that tests for it: the same engine plays on."""
    setup = EngineSetup(games.text("breakthrough"), "white", playclock=5)
    config = EngineConfig(player="mcts:learn=on")
    engine = await MatchEngine.start(pool, setup, config, Deadline.after(3))
    try:
        assert engine.pid is not None
        (compiler_process,) = children_of(engine.pid)
        learners = children_of(compiler_process)
        assert learners
        for learner in learners:
            for pid in (*children_of(learner), learner):
                os.kill(pid, signal.SIGKILL)
        pid = engine.pid

        choice = await engine.play(None, Deadline.after(3))

        assert choice.move.startswith("(move ")
        assert engine.pid == pid
    finally:
        await engine.abort()


async def test_the_preparer_ends_with_the_engine_process(pool: EnginePool) -> None:
    """However that ends: nobody else knows of it."""
    (waiting,) = pool._waiting
    worker = await waiting
    (child,) = children_of(worker.pid)
    descriptor = os.pidfd_open(child)
    try:
        os.kill(worker.pid, signal.SIGKILL)
        assert select.select([descriptor], [], [], PATIENCE)[0]
    finally:
        os.close(descriptor)


def test_an_extra_is_done_without_if_the_preparer_is_gone() -> None:
    """The search goes on; the log says what it lacks."""
    lines: list[tuple[int, str]] = []
    ours, theirs = Pipe()
    process = subprocess.Popen([sys.executable, "-c", "pass"])
    theirs.close()
    compiler_process = CompilerProcess(process.pid, ours, ours)
    compiler_process.log = lambda level, text: lines.append((level, text))

    assert compiler_process._extra("decisive") is None

    gone = "the process that compiles games ended with status 0"
    assert lines == [(logging.WARNING, f"the search works without decisive: {gone}")]
    process.returncode = 0  # it was waited for
