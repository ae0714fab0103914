"""From a rulesheet to its ground program, within a budget."""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import IO

from gdl.ground import Budget, GroundingDeadline, GroundingError, Reason
from gdl.ground.assemble import assemble
from gdl.ground.encoding import Encoding, read_aspif
from gdl.ground.plan import DEFAULT_LIMITS, GroundingLimits, prepare
from gdl.ground.program import GroundProgram
from gdl.rulesheet import Rulesheet

WORKER = Path(__file__).with_name("worker.py")
_OUT_OF_MEMORY = 33  # an exit status, see `worker`
_OUTPUT_SHARE = 4  # the output may be so many times smaller than the memory
_MAX_COMPLAINT = 4096  # characters


def run_grounder(program: bytes, budget: Budget, deadline: GroundingDeadline) -> bytes:
    """The aspif of a program in ASP; GroundingError if time or memory is over, or it died."""
    output_limit = budget.memory // _OUTPUT_SHARE
    numbers = map(str, (len(program), budget.memory, output_limit))
    command = [sys.executable, "-P", str(WORKER), *numbers]
    with _memory_file() as output:
        process = subprocess.Popen(  # noqa: S603 - our own file
            command, stdin=subprocess.PIPE, stdout=output, stderr=subprocess.PIPE, bufsize=0
        )
        with process:
            try:
                _send(process, program)
                complaint = _await_end(process, deadline)
            finally:
                process.kill()
        _check(process.returncode, complaint, budget)
        output.seek(0)
        return output.read()


def _memory_file() -> IO[bytes]:
    """A file without name, to which the grounder writes as fast as to memory."""
    if hasattr(os, "memfd_create"):
        return os.fdopen(os.memfd_create("aspif"), "w+b")
    return tempfile.TemporaryFile()


def _send(process: subprocess.Popen[bytes], program: bytes) -> None:
    """Write the program; its input stays open, so the grounder notices when this process dies."""
    assert process.stdin is not None
    try:
        view = memoryview(program)
        while view:
            view = view[process.stdin.write(view) :]
    except BrokenPipeError:
        return  # it died; its status says why


def _await_end(process: subprocess.Popen[bytes], deadline: GroundingDeadline) -> bytes:
    """Wait until the process has closed its error output; what it wrote there.

    `Popen.wait` with a timeout looks only every 50 ms, which is as long as a small game takes.
    """
    assert process.stderr is not None
    complaint = b""
    with selectors.DefaultSelector() as selector:
        selector.register(process.stderr, selectors.EVENT_READ)
        while True:
            if not selector.select(deadline.remaining()):
                raise deadline.error()
            part = process.stderr.read(_MAX_COMPLAINT)
            if not part:
                process.wait()
                return complaint
            complaint = (complaint + part)[:_MAX_COMPLAINT]


def _check(status: int, complaint: bytes, budget: Budget) -> None:
    if status == 0:
        return
    if status in (_OUT_OF_MEMORY, -signal.SIGXFSZ) or b"bad_alloc" in complaint:
        raise GroundingError(
            Reason.MEMORY, f"grounding needs more memory than {budget.memory / 2**20:.0f} MiB"
        )
    text = " ".join(complaint.decode(errors="replace").split())
    raise GroundingError(Reason.PROCESS, f"the grounder ended with status {status}: {text}")


DEFAULT_BUDGET = Budget()


def ground(
    rulesheet: Rulesheet, budget: Budget = DEFAULT_BUDGET, limits: GroundingLimits = DEFAULT_LIMITS
) -> GroundProgram:
    """All that can happen in a game.

    Raises:
        GroundingError: The rules cannot be grounded, or not within the budget.
        RulesheetError: A statement has no meaning, or there is no role.
    """
    if rulesheet.problems:
        raise rulesheet.problems[0]
    deadline = GroundingDeadline(budget)
    encoding = Encoding()
    plan = prepare(rulesheet, limits)
    text = run_grounder(encoding.program(plan.clauses, plan.asked), budget, deadline)
    rules = read_aspif(text)
    del text
    deadline.check()
    program = assemble(rulesheet, rules, encoding)
    deadline.check()
    return program
