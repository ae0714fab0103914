"""Figures of a served match: what is counted, and what cannot flatter."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import pytest

from ggp.bench.served_match import OwnTurn, _cores, _start_seconds
from ggp.match.events import Reply

SEARCHED: dict[str, Any] = {"event": "turn", "origin": "search", "iterations": 300, "playouts": 600}


def turn(error: str = "", **line: Any) -> OwnTurn:
    """The third turn, answered after 1.5 s."""
    return OwnTurn.of(3, Reply("white", "a", error, 1.5, 4), line)


def test_a_turn_is_what_the_log_says_in_the_time_of_who_waits() -> None:
    """Not in the seconds that the search itself counts."""
    found = turn(**SEARCHED, iterations_before=40, seconds=0.1)

    assert (found.iterations_before, found.iterations, found.playouts) == (40, 300, 600)
    assert found.to_json()["iterations_per_second"] == 200
    assert found.is_counted


@pytest.mark.parametrize(
    "line",
    [
        {**SEARCHED, "proven": "win in 3 plies"},
        {**SEARCHED, "forced": True},
        {"event": "turn", "origin": "search"},  # of a book
    ],
)
def test_a_clear_move_is_not_counted(line: dict[str, Any]) -> None:
    """The search ended before its time, or there was none."""
    assert not turn(**line).is_counted


@pytest.mark.parametrize(
    ("error", "line"),
    [
        ("", {}),
        ("TO", {}),
        ("", {"event": "turn", "origin": "first legal"}),
        ("", {"event": "turn", "origin": "best so far", "proven": "win in 3 plies"}),
    ],
)
def test_what_went_wrong_is_counted(error: str, line: dict[str, Any]) -> None:
    """A turn without a search of its own has a rate of 0, and lowers the figure."""
    found = turn(error, **line)

    assert found.is_counted
    assert found.iterations == 0


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="needs Linux")
def test_one_core_is_for_all_processes_and_then_given_back() -> None:
    """A process that is started meanwhile has that core, and no other."""
    before = os.sched_getaffinity(0)

    with _cores(is_one=True):
        shown = subprocess.check_output(
            [sys.executable, "-c", "import os; print(len(os.sched_getaffinity(0)))"], text=True
        )

    assert shown.strip() == "1"
    assert os.sched_getaffinity(0) == before


def test_how_long_start_took_is_that_of_the_engine_that_compiled() -> None:
    """Not that of the process beside it, which only follows, nor of one that came later."""
    lines = [
        {"event": "engine 1 uses this reasoner: interpreter, asked for", "read": 0.1, "ready": 0.1},
        {"event": "engine 2 uses this reasoner: lanes", "read": 0.2, "compile": 0.01, "ready": 0.5},
        {"event": "engine 2 searches on lanes", "seconds": 0.6},
        {"event": "engine 3 uses this reasoner: lanes", "read": 9.2, "compile": 0.01, "ready": 9.5},
    ]

    found = _start_seconds(lines)

    assert found == {"read": 0.2, "compile": 0.01, "ready": 0.5, "search": 0.6}
