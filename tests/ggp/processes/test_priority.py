"""Who comes first: what answers, before what computes, and never a user's terminal."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ggp.processes.children import start_module
from ggp.processes.priority import ANSWERING, COMPUTING

ITS_OWN = "(os.getpriority(os.PRIO_PROCESS, 0), open('/proc/self/autogroup').read().split()[-1])"
CAP_SYS_NICE = 23
AUTOGROUP = Path("/proc/self/autogroup")

AUTOGROUP_NOW = AUTOGROUP.read_text(encoding="ascii") if AUTOGROUP.exists() else ""

pytestmark = pytest.mark.skipif(
    not AUTOGROUP_NOW, reason="no autogroups on this system, or control groups in their place"
)


def run(code: str, *, leads_session: bool) -> str:
    """What a process prints of itself after some code: its niceness and its session's."""
    program = f"import os; from ggp.processes.priority import *; {code}; print(*{ITS_OWN})"
    command = [sys.executable, "-c", program]
    return subprocess.check_output(command, text=True, start_new_session=leads_session).strip()


def test_what_computes_gives_way_with_its_session() -> None:
    """Where Linux shares out a core by sessions, a process' own niceness counts for nothing."""
    assert run("give_way(5)", leads_session=True) == f"{COMPUTING} {COMPUTING}"


def test_a_session_that_others_are_in_is_left_alone() -> None:
    """`ggp warm` in a terminal must not slow down what is started there afterwards."""
    inherited = AUTOGROUP_NOW.split()[-1]

    assert run("give_way(5)", leads_session=False) == f"{COMPUTING} {inherited}"


async def test_a_process_is_started_with_its_priority() -> None:
    """What it imports takes a while, and must not take it from what answers."""
    process = await start_module(
        "timeit",
        *("-n1", "-r1", f"import os; input(); print(*{ITS_OWN})"),
        stderr=subprocess.DEVNULL,
        limit=1000,
        niceness=COMPUTING,
    )
    printed, _ = await process.communicate(b"go on\n")

    assert printed.decode().splitlines()[0] == f"{COMPUTING} {COMPUTING}"


def test_what_answers_comes_first_where_it_may() -> None:
    """CAP_SYS_NICE, which root has outside containers; everybody else keeps what there is."""
    lines = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
    status = dict(line.split(":", 1) for line in lines)
    may = bool(int(status["CapEff"], 16) >> CAP_SYS_NICE & 1)
    niceness = ANSWERING if may else os.getpriority(os.PRIO_PROCESS, 0)

    assert run("come_first()", leads_session=True).split()[0] == str(niceness)
