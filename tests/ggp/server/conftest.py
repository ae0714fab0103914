"""Clocks run here: what engine processes are forked from is there before they do."""

from __future__ import annotations

import math

import pytest

from ggp.server import admission


@pytest.fixture(scope="package", autouse=True)
def _engines(ready_forkers: None) -> None:
    """No match waits for the first of them."""


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """No match is refused because other tests keep this machine busy."""
    monkeypatch.setattr(admission, "LAG_SECONDS", math.inf)
