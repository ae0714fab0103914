"""Whether a process works or sleeps is seen from without."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from ggp.clock import Deadline
from ggp.engine.signs_of_life import SignsOfLife

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
