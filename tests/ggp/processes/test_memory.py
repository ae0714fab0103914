"""What processes take is told by what they are for."""

from __future__ import annotations

import subprocess
import sys

import pytest

from ggp.processes import memory
from ggp.processes.memory import usage_by_kind

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="nothing is known elsewhere")


def test_children_count_by_the_module_that_they_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that run none of ours are others; so are those that say anything else."""
    monkeypatch.setattr(memory, "KINDS", {"code": "engine"})
    before = usage_by_kind()
    ours = [sys.executable, "-m", "code"]
    other = [sys.executable, "-c", "input()", "-m"]
    pipe = subprocess.PIPE
    with (
        subprocess.Popen(ours, stdin=pipe, stderr=subprocess.DEVNULL) as engine,
        subprocess.Popen(other, stdin=pipe) as stranger,
    ):
        found = usage_by_kind()
        for process in (engine, stranger):
            process.kill()
    after = {kind: one.num_processes - before[kind].num_processes for kind, one in found.items()}

    assert after == {"main": 0, "engine": 1, "other": 1}
    assert 1_000_000 < found["main"].num_bytes < 10_000_000_000
