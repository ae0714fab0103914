"""What is shown while a tournament is held."""

from __future__ import annotations

import io
import re
from typing import Any

import pytest
from rich.console import Console
from rich.progress import Progress

from ggp.rating.sprt import Sprt, StopRule
from ggp.terminal import tournament_view
from ggp.tournament.fixture import Fixture, Result
from ggp.tournament.table import make_table


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


def test_means_and_pauses_are_shown_if_there_is_something_to_see(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """As long as all play equally often, points say who stands where."""
    first = Result(Fixture(0, 0, "duel", ("a", "b"), seed=1), (100, 0))
    second = Result(Fixture(1, 1, "duel", ("a", "c"), seed=1), (50, 50))

    tournament_view.print_table("even", make_table(["a", "b"], [first]))
    even = capsys.readouterr().out
    uneven_table = make_table(["a", "b", "c"], [first, second], pauses={"b": 1, "c": 1})
    tournament_view.print_table("uneven", uneven_table)
    uneven = capsys.readouterr().out

    assert "mean" not in even + uneven.partition("each against each")[2]
    assert "paused" not in even
    assert re.search(r"player +points +matches +mean +paused +w-d-l", uneven)
    assert re.search(r"1\. a +1\.5 +2 +0\.750 +0 +1-1-0", uneven)
