"""What the tests of this folder share."""

from __future__ import annotations

import pytest

from tests.fakes.surveys import survey_few_states


@pytest.fixture(autouse=True)
def few_states(monkeypatch: pytest.MonkeyPatch) -> None:
    """Boards are looked for in few states."""
    survey_few_states(monkeypatch)
