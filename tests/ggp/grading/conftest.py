"""The source of submissions' processes in these tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.fakes.starters import shared_starters


@pytest.fixture(scope="package", autouse=True)
def starters() -> Iterator[None]:
    """Starters are forked, and there at once."""
    with shared_starters():
        yield
