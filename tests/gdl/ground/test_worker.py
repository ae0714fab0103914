"""The process that grounds ends with whoever asked it."""

from __future__ import annotations

import subprocess
import sys

from gdl.ground.process import WORKER
from gdl.ground.worker import ORPHANED

# 60 to the 8th instances: the sun will be cold before they are all written.
ENDLESS = b"d(1..60). p(A,B,C,D,E,F,G,H) :- d(A), d(B), d(C), d(D), d(E), d(F), d(G), d(H)."


def test_a_grounder_ends_when_nobody_waits_for_it() -> None:
    """Its input closes when the process that asked is gone, however that came about."""
    numbers = map(str, (len(ENDLESS), 1 << 32, 1 << 30))
    command = [sys.executable, "-P", str(WORKER), *numbers]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) as process:
        assert process.stdin is not None
        process.stdin.write(ENDLESS)
        process.stdin.flush()

        process.stdin.close()

        assert process.wait(timeout=30) == ORPHANED
