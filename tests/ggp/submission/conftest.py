"""The source of submissions' processes in these tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ggp.submission.starter import Starter
from tests.fakes.starters import END_FIRST, OPEN, shared_starters


@pytest.fixture(scope="package", autouse=True)
def starters() -> Iterator[None]:
    """Starters are forked, and there at once."""
    with shared_starters():
        yield


@pytest.fixture
def own_starters(monkeypatch: pytest.MonkeyPatch) -> None:
    """Starters are started anew; for tests about how they start, or go."""
    monkeypatch.setattr(Starter, "_open", OPEN)
    monkeypatch.setattr(Starter, "_end_first", END_FIRST)
