"""Checks play a game on its compiled form if the interpreter is too slow: they may need kernels."""

from __future__ import annotations

import pytest


@pytest.fixture(scope="session", autouse=True)
def _kernels(kernels: None) -> None:
    """On a slow machine more games are compiled."""
