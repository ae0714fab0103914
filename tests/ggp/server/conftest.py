"""Clocks run here: what engine processes are forked from is there before they do."""

from __future__ import annotations

import pytest


@pytest.fixture(scope="package", autouse=True)
def _engines(ready_forkers: None) -> None:
    """No match waits for the first of them."""
