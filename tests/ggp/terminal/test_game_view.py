"""The line that a view shows of what a player thinks."""

from __future__ import annotations

import pytest

from ggp.match.events import Reply
from ggp.terminal.game_view import thoughts_line


@pytest.mark.parametrize(
    ("thoughts", "line"),
    [
        ({}, ""),
        ({"forced": True}, ""),
        ({"visits": 1, "nodes": 1}, "1 visit, 1 node"),
        ({"machines": 3, "machine_iterations": [1, 2, 3]}, "3 machines"),
        ({"value": 51.2, "visits": 12345, "lower": 0, "upper": 100}, "value 51, 12,345 visits"),
        ({"value": 51.2, "lower": 50, "upper": 100.0}, "value 51 (proven: 50 to 100)"),
        ({"value": 50.0, "lower": 100.0, "upper": 100.0, "nodes": 9}, "proven win, 9 nodes"),
        ({"lower": 0, "upper": 0, "plies": 4, "depth": 6}, "proven loss in 4 plies, depth 6"),
        ({"playouts_per_second": 52312.0, "memory": 34_000_000}, "52.31 k playouts/s, 34 MB"),
        ({"value": "much", "visits": None}, ""),
        ({"value": 51.0, "games": 1234, "of_the": "best"}, "value 51, games 1,234, of the best"),
        ({"rate": 0.12345, "sure": True, "rows": [1]}, "rate 0.1235, sure yes"),
        ({"huge": 10**40, "odd": float("inf")}, f"huge 10{',000' * 8},00..., odd inf"),
        ({"long": "x\n" * 40, "whole": 3.0}, "long " + "x\\n" * 18 + "x..., whole 3"),
    ],
)
def test_thoughts_are_shown_in_few_words(thoughts: dict[str, object], line: str) -> None:
    """Figures we know in our words, what else a player reports in its own, however odd it is."""
    assert thoughts_line(Reply("x", "noop", search_info=thoughts)) == line
