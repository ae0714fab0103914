"""What is shown while a tournament is held."""

from __future__ import annotations

import io
from typing import Any

import pytest
from rich.console import Console
from rich.progress import Progress

from ggp.terminal import tournament_view
from ggp.training.arena.sprt import Sprt, StopRule


def test_the_bar_shows_the_ratio_and_its_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """With each result."""
    text = io.StringIO()
    terminal = Console(file=text, force_terminal=True, width=100)

    def shown(*columns: Any) -> Progress:
        return Progress(*columns, console=terminal, auto_refresh=False)

    monkeypatch.setattr(tournament_view, "bars", shown)
    test = Sprt(StopRule(elo0=0, elo1=20))
    test.add(0.75)
    with tournament_view.match_bar() as show:
        show(0, 2, test)

    assert f"LLR {test.llr:.2f} (-2.94 to 2.94)" in text.getvalue()
