"""Runs the grounder in a process that can be stopped."""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import IO

from gdl.ground.budget import Budget, GroundingDeadline, GroundingError, Reason

WORKER = Path(__file__).with_name("worker.py")
_OUT_OF_MEMORY = 33  # an exit status, see `worker`
_OUTPUT_SHARE = 4  # the output may be so many times smaller than the memory
_MAX_COMPLAINT = 4096  # characters


def run_grounder(program: bytes, budget: Budget, deadline: GroundingDeadline) -> bytes:
    """The aspif of a program in ASP.

    Raises:
        GroundingError: The time or the memory is over, or the process died.
    """
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
    """Write the whole program; the grounder reads all of it before it does anything else.

    Its input stays open: when this process dies, however it does, the grounder notices.
    """
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
