"""The source of submissions' processes in these tests."""

from __future__ import annotations

import pytest

from tests.fakes import modules


@pytest.fixture(scope="module", autouse=True)
def _submissions_are_forked(forked_submissions: None) -> None:
    """Have starters forked, also for tests that do not ask for it."""


@pytest.fixture
def own_starters(monkeypatch: pytest.MonkeyPatch) -> None:
    """Starters are started anew; for tests about how they start, or go."""
    monkeypatch.setattr(modules, "MODULES", ())
