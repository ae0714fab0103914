"""The source of engine processes in tests."""

from __future__ import annotations

import pytest

from tests.fakes.forkers import Forker


@pytest.fixture(scope="session", autouse=True)
def _engines_are_forked(forkers: dict[str, Forker]) -> None:
    """Have engine processes forked, also for tests that do not ask for it."""
