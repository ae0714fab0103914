"""The lane kernels are plain Python where numba is switched off."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.gdl.circuit.lanes.signature import signature

pytestmark = pytest.mark.usefixtures("kernels", "lane_steps")

ROOT = Path(__file__).resolve().parents[4]


@pytest.fixture(scope="module")
def plain_signature() -> object:
    """What comes out in a process in which nothing is compiled."""
    plain = subprocess.run(
        [sys.executable, "-m", "tests.gdl.circuit.lanes.signature"],
        check=True,
        capture_output=True,
        cwd=ROOT,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        timeout=120,
    )
    return json.loads(plain.stdout)


def test_kernels_mean_the_same_without_compilation(plain_signature: object) -> None:
    """All kernels, run as Python on numpy, give bit by bit what the compiled ones give."""
    assert plain_signature == signature()
