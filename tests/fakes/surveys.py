"""Surveys of games in tests: they end after some states, instead of after 0.3 s."""

from __future__ import annotations

from typing import Final

import pytest

from ggp.boards import state_view

MAX_STATES: Final = 120


class StateLimit:
    """A deadline that is over when it was asked so often."""

    def __init__(self) -> None:
        self._left = MAX_STATES

    @classmethod
    def after(cls, _: float) -> StateLimit:
        """Take no notice of the time."""
        return cls()

    def is_over(self) -> bool:
        """Return whether it was asked for the last time."""
        self._left -= 1
        return self._left < 0


def survey_few_states(patch: pytest.MonkeyPatch) -> None:
    """Have the boards of a game be found in the same states on every machine."""
    patch.setattr(state_view, "Deadline", StateLimit)
