"""Each turn is a line in the log: the move, and what the player thinks of it."""

from __future__ import annotations

import json
import logging

import pytest

from ggp.engine import Choice, MoveOrigin
from ggp.log import LOGGER
from ggp.server.turn_log import log_turn

THOUGHTS = {
    "value": 61.2,
    "lower": 50.0,
    "upper": 100.0,
    "visits": 1200,
    "playouts_per_second": 52000,
    "depth": 9,
    "nodes": 800,
    "machines": 2,
    "machine_iterations": [300, 400],
    "memory": 34_040_000,
    "line": [["(mark 1 1)", "noop"], ["noop", "(mark 2 2)"]],
    "moves": [{"move": "(mark 1 1)", "value": 61.2, "visits": 700}],
}


def told(
    caplog: pytest.LogCaptureFixture, level: int, thoughts: dict[str, object]
) -> list[tuple[str, dict[str, object]]]:
    """Events and fields that a turn leaves in the log."""
    caplog.set_level(level, LOGGER.name)
    choice = Choice("(mark 1 1)", MoveOrigin.SEARCH, json.dumps(thoughts))
    log_turn(choice, 3.91, match="m", role="xplayer", turn=4)
    return [(one.message, one.__dict__["fields"]) for one in caplog.records]


def test_a_turn_is_one_line_with_figures(caplog: pytest.LogCaptureFixture) -> None:
    """At the usual level."""
    [(event, fields)] = told(caplog, logging.INFO, THOUGHTS)

    assert event == "turn"
    assert fields == {
        "match": "m",
        "role": "xplayer",
        "turn": 4,
        "move": "(mark 1 1)",
        "origin": "search",
        "bounds": "50 to 100",
        "value": 61.2,
        "visits": 1200,
        "playouts_per_second": 52000,
        "depth": 9,
        "nodes": 800,
        "machines": 2,
        "memory_mb": 34.0,
        "seconds": 3.91,
    }


def test_a_solved_position_is_told(caplog: pytest.LogCaptureFixture) -> None:
    """With the plies to the end, instead of bounds."""
    thoughts = {**THOUGHTS, "value": 100.0, "lower": 100.0, "plies": 7}

    [(_, fields)] = told(caplog, logging.INFO, thoughts)

    assert fields["proven"] == "win in 7 plies"
    assert "bounds" not in fields


def test_a_forced_move_is_told(caplog: pytest.LogCaptureFixture) -> None:
    """All others are refuted: the search ended before its time."""
    [(_, fields)] = told(caplog, logging.INFO, {**THOUGHTS, "forced": True, "iterations": 3})

    assert (fields["forced"], fields["iterations"]) == (True, 3)


def test_debug_tells_what_is_expected(caplog: pytest.LogCaptureFixture) -> None:
    """The best moves and how the game may go on are a second line."""
    _, (event, fields) = told(caplog, logging.DEBUG, THOUGHTS)

    assert event == "thoughts"
    assert fields["expects"] == "(mark 1 1), (mark 2 2)"
    assert fields["moves"] == "(mark 1 1) 61.2 (700 visits)"


def test_a_player_without_thoughts_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    """Unknown figures are left out, and those that make no sense."""
    [(_, fields)] = told(caplog, logging.INFO, {"value": "much", "visits": None})

    assert set(fields) == {"match", "role", "turn", "move", "origin", "seconds"}
