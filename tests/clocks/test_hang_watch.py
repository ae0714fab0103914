"""An engine process that thinks keeps its tree; one that hangs is replaced."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from ggp.clock import Deadline
from ggp.engine import MatchEngine, MoveOrigin
from ggp.engine.hang_watch import SignsOfLife
from tests.ggp.engine.conftest import StartMatch
from tests.ggp.engine.test_hang_watch import LONG, replacements

NUM_TURNS = 3


async def until_replaced(engine: MatchEngine) -> None:
    """Wait until another process has taken over."""
    while not (engine.num_replaced and engine.pid):
        await asyncio.sleep(0)


@pytest.mark.thorough  # in `tests/ggp/engine` with a fake process, which has no tree
@pytest.mark.usefixtures("kernels")
async def test_a_player_slower_than_its_clock_keeps_its_process_and_its_tree(
    start_match: StartMatch, caplog: pytest.LogCaptureFixture
) -> None:
    """It is slower than its clock for some turns, and cannot even say that it has been asked."""
    engine = await start_match("Plodding", rules=LONG, role="me", overrun_seconds=30.0)
    before = engine.pid

    await engine.play(None, Deadline.after(0.2))
    for _ in range(NUM_TURNS):
        answer = await engine.play(["stay"], Deadline.after(0.2))
        assert answer.move in {"go", "stay"}
    last = await engine.play(["stay"], Deadline.after(60))

    told = last.search_info["told"]
    assert isinstance(told, list)
    assert last.origin is MoveOrigin.SEARCH
    assert told[0] == "prepare"
    assert told.count("stay") == NUM_TURNS + 1
    assert (engine.pid, engine.num_replaced) == (before, 0)
    assert not replacements(caplog)


@pytest.mark.usefixtures("kernels")
async def test_a_turn_for_which_the_engine_is_too_slow_is_played_as_expected(
    start_match: StartMatch,
) -> None:
    """As long as its last line comes true; after that, any legal move must do."""
    engine = await start_match("Foresighted", rules=LONG, role="me", overrun_seconds=30.0)
    await engine.play(None, Deadline.after(10))

    expected = await engine.play(["stay"], Deadline.after(0), Deadline.after(10))
    surprised = await engine.play(["go"], Deadline.after(0), Deadline.after(10))

    assert (expected.move, expected.origin) == ("stay", MoveOrigin.BEST_SO_FAR)
    assert (surprised.move, surprised.origin) == ("go", MoveOrigin.FIRST_LEGAL)


@pytest.mark.usefixtures("kernels")
async def test_a_player_that_waits_for_ever_is_replaced(
    start_match: StartMatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The turn is answered with what it had found, and the next one is played by a new process."""
    engine = await start_match("Locked", rules=LONG, role="me")
    before = engine.pid

    first = await engine.play(None, Deadline.after(0.2))
    await until_replaced(engine)
    second = await engine.play(["go"], Deadline.after(10))

    assert (first.move, first.origin) == ("stay", MoveOrigin.BEST_SO_FAR)
    assert second.origin is MoveOrigin.SEARCH
    assert engine.num_replaced == 1
    assert engine.pid != before
    assert "its player sleeps" in replacements(caplog)[0]


@pytest.mark.usefixtures("kernels")
async def test_a_process_that_is_stopped_in_mid_turn_is_replaced_in_the_next(
    start_match: StartMatch, caplog: pytest.LogCaptureFixture
) -> None:
    """It is silent, and has not read what it is asked; the turn's own time is left."""
    engine = await start_match("Last", rules=LONG, role="me")
    await engine.play(None, Deadline.after(10))
    assert engine.pid is not None
    os.kill(engine.pid, signal.SIGSTOP)
    while ") T " not in Path(f"/proc/{engine.pid}/stat").read_text():
        await asyncio.sleep(0)

    choice = await engine.play(["go"], Deadline.after(10))

    assert choice.origin is MoveOrigin.SEARCH
    assert engine.num_replaced == 1
    assert "it is stopped" in replacements(caplog)[0]


NUM_LOOKS = 20
BUSY = "print(flush=True)\nwhile True: pass"
ASLEEP = "import time\nprint(flush=True)\ntime.sleep(1000)"
WAKING = "import time\nprint(flush=True)\nwhile True: time.sleep(0.01)"


@contextmanager
def running(program: str) -> Iterator[subprocess.Popen[bytes]]:
    """A Python process that has begun with a program."""
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        yield process
        process.kill()


def becomes_quiet(pid: int) -> bool:
    """Whether nothing is seen of a process many times in a row, within a minute."""
    signs, deadline = SignsOfLife(pid), Deadline.after(60)
    while signs.quiet_looks < NUM_LOOKS and not deadline.is_over():
        signs.look()
    return signs.quiet_looks == NUM_LOOKS


def test_a_process_that_works_is_never_quiet() -> None:
    """Also if it has to wait for a processor."""
    with running(BUSY) as process:
        signs = SignsOfLife(process.pid)
        found = []
        for _ in range(NUM_LOOKS):
            signs.look()
            found.append(signs.quiet_looks)

    assert not any(found)


@pytest.mark.parametrize("program", [ASLEEP, WAKING])
def test_a_process_that_sleeps_is_quiet(program: str) -> None:
    """Also if it wakes now and then to look whether it may go on."""
    with running(program) as process:
        assert becomes_quiet(process.pid)


def test_a_process_that_is_stopped_is_quiet() -> None:
    """What it would do is of no use."""
    with running(BUSY) as process:
        os.kill(process.pid, signal.SIGSTOP)
        assert becomes_quiet(process.pid)


def test_of_a_process_that_is_gone_nothing_is_said() -> None:
    """Others notice its end; nor is anything said where the system tells nothing."""
    with running(BUSY) as process:
        signs = SignsOfLife(process.pid)

    signs.look()

    assert signs.quiet_looks == 0
