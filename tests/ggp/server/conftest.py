"""Servers whose clock jumps and whose engine processes are fakes, unless a test says otherwise."""

from __future__ import annotations

import math

import pytest

from ggp.processes import lag
from ggp.server import admission
from tests.fakes.clock import fake_clock

__all__ = ["fake_clock"]

SECONDS_BETWEEN_LOOKS = 10.0


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Refuse no match because other tests keep this machine busy; look for that less often."""
    monkeypatch.setattr(admission, "LAG_SECONDS", math.inf)
    monkeypatch.setattr(lag, "BEAT_SECONDS", SECONDS_BETWEEN_LOOKS)
