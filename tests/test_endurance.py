"""The programs under attack, load and failures for minutes; run before a release."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.shared import REPOSITORY

pytestmark = [pytest.mark.endurance, pytest.mark.usefixtures("kernels")]


@pytest.mark.parametrize(
    "command",
    [
        "attacks.py",
        "clock.py --matches 50 --jobs 3 --burners 4",
        "crashes.py --kills 50",
        "durability.py",
        "soak.py --minutes 10",
        "starved.py",
    ],
)
def test_a_benchmark_of_endurance_finds_no_fault(command: str) -> None:
    """No answer is late or illegal, and nothing is lost; the output shows the figures."""
    script, *options = command.split()

    done = subprocess.run(
        [sys.executable, str(REPOSITORY / "benchmarks" / script), *options], check=False
    )

    assert done.returncode == 0
