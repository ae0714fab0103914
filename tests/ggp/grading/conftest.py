"""The source of submissions' processes in these tests."""

from __future__ import annotations

import pytest


@pytest.fixture(scope="module", autouse=True)
def _submissions_are_forked(forked_submissions: None) -> None:
    """Have starters forked, also for tests that do not ask for it."""
