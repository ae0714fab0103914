"""Replaying a trace finds the first thing that differs, wherever it is."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import gdl
from ggp.clock import Deadline
from ggp.records.recording import TraceError, open_trace
from ggp.records.replay import Verdict, replay
from tests.shared import require

pytestmark = pytest.mark.usefixtures("kernels")

RULES = """
(role Left) (role right) (init (count 2)) (succ 1 2) (succ 0 1)
(legal Left Foo) (legal Left (bar 1)) (legal right noop)
(<= (next (count ?m)) (true (count ?n)) (succ ?m ?n))
(<= terminal (true (count 0)))
(<= (sees right (done ?move)) (does Left ?move))
(goal right 30) (<= (goal Left 70) terminal) (<= (goal right 40) terminal)
"""
HEAD = {"game": "countdown", "roles": ["left", "right"]}
LEGAL = {"left": ["(bar 1)", "foo"], "right": ["noop"]}
TRACE: list[dict[str, Any]] = [
    {
        "playout": 0,
        "step": 0,
        "state": ["(count 2)"],
        "terminal": False,
        "legal": LEGAL,
        "moves": ["foo", "noop"],
        "goals": {"right": 30},
    },
    {
        "playout": 0,
        "step": 1,
        "state": ["(count 1)"],
        "terminal": False,
        "legal": LEGAL,
        "moves": ["(bar 1)", "noop"],
        "goals": {"right": 30},
    },
    {
        "playout": 0,
        "step": 2,
        "state": ["(count 0)"],
        "terminal": True,
        "goals": {"left": 70},
        "goal_sets": {"right": [30, 40]},
    },
]


def trace_file(folder: Path, states: list[dict[str, Any]], head: object = HEAD) -> Path:
    """A trace in a file."""
    path = folder / "countdown.jsonl.gz"
    lines = "\n".join(json.dumps(line) for line in [head, *states])
    path.write_bytes(gzip.compress(lines.encode()))
    return path


def verdict_on(path: Path, deadline: Deadline | None = None) -> Verdict:
    """The verdict of replaying a trace file with RULES."""
    trace = open_trace(path)
    machine = gdl.load(gdl.read_kif(RULES))
    return replay(machine, trace.roles, trace.states(), deadline or Deadline.never())


def changed(step: int, **change: object) -> list[dict[str, Any]]:
    """TRACE with members of one state changed; None takes a member away."""
    line = {key: value for key, value in (TRACE[step] | change).items() if value is not None}
    return [*TRACE[:step], line, *TRACE[step + 1 :]]


def test_a_true_trace_agrees(tmp_path: Path) -> None:
    """All states are compared, whatever the case of letters."""
    assert verdict_on(trace_file(tmp_path, TRACE)) == Verdict(3)


@pytest.mark.parametrize(
    ("states", "found"),
    [
        (changed(1, state=["(count 3)"]), "step 1: state: expected (count 3), got (count 1)"),
        (changed(1, terminal=True), "step 1: terminal: expected true, got false"),
        (
            changed(1, legal={"left": ["foo"], "right": ["noop"]}),
            "step 1: legal left: expected no more (1 in all), got (bar 1) (1 of 2)",
        ),
        (
            changed(0, legal=LEGAL | {"right": []}),
            "step 0: legal right: expected nothing, got noop",
        ),
        (
            changed(0, percepts={"right": ["(done (bar 1))"]}),
            "step 0: percepts right: expected (done (bar 1)), got (done foo)",
        ),
        (
            changed(1, percepts={"left": ["tick"], "right": ["(done (bar 1))"]}),
            "step 1: percepts left: expected tick, got nothing",
        ),
        (changed(2, goals={"left": 60}), "step 2: goals left: expected 60, got 70"),
        (changed(2, goals=None), "step 2: goals left: expected nothing, got 70"),
        (
            changed(2, goal_sets={"right": [30, 50]}),
            "step 2: goals right: expected 50 (1 of 2), got 40 (1 of 2)",
        ),
    ],
)
def test_the_first_difference_is_named(
    tmp_path: Path, states: list[dict[str, Any]], found: str
) -> None:
    """Playout, step, what differs, and both sides of it."""
    verdict = verdict_on(trace_file(tmp_path, states))

    assert str(verdict.difference) == f"playout 0, {found}"


def test_percepts_that_were_recorded_are_compared(tmp_path: Path) -> None:
    """Roles that are not named saw nothing."""
    states = changed(0, percepts={"right": ["(done foo)"]})

    assert verdict_on(trace_file(tmp_path, states)) == Verdict(3)


def test_roles_are_compared_in_order(tmp_path: Path) -> None:
    """Joint moves depend on the order."""
    path = trace_file(tmp_path, TRACE, HEAD | {"roles": ["right", "left"]})

    difference = verdict_on(path).difference

    assert difference is not None
    assert (difference.what, difference.expected) == ("roles", "right left")


def test_a_playout_may_stop_in_the_middle(tmp_path: Path) -> None:
    """The successor of a playout's last state is not in the file; the next playout starts anew."""
    again = [{**TRACE[0], "playout": 1}, {**TRACE[1], "playout": 1, "moves": None}]

    assert verdict_on(trace_file(tmp_path, [*TRACE[:2], *again])) == Verdict(4)


def test_time_that_is_up_stops_the_replay(tmp_path: Path) -> None:
    """A state that was not compared is not called equal."""
    verdict = verdict_on(trace_file(tmp_path, TRACE), Deadline.after(0))

    assert verdict == Verdict(0, is_complete=False)


@pytest.mark.parametrize("moves", [["foo"], ["foo", "jump"]])
def test_moves_that_are_not_legal_are_no_trace(tmp_path: Path, moves: list[str]) -> None:
    """A joint move that the trace itself does not call legal cannot be made."""
    with pytest.raises(TraceError, match="step 0: expected a legal move of each role"):
        verdict_on(trace_file(tmp_path, changed(0, moves=moves)))


def no_zip(path: Path) -> None:
    """Replace a file by something that is no gzip."""
    path.write_bytes(b"no zip")


def cut_zip(path: Path) -> None:
    """Cut a file short."""
    path.write_bytes(path.read_bytes()[:-20])


def no_state(path: Path) -> None:
    """A second line that is no state."""
    path.write_bytes(gzip.compress(json.dumps(HEAD).encode() + b'\n{"playout": "x"}'))


def no_head(path: Path) -> None:
    """A first line that is a state."""
    path.write_bytes(gzip.compress(json.dumps(TRACE[0]).encode()))


def empty(path: Path) -> None:
    """Nothing."""
    path.write_bytes(gzip.compress(b""))


@pytest.mark.parametrize("spoil", [no_zip, cut_zip, no_state, no_head, empty])
def test_a_file_that_is_no_trace_is_named(tmp_path: Path, spoil: Callable[[Path], None]) -> None:
    """The error says which file, and where a line is to blame which."""
    path = trace_file(tmp_path, TRACE)
    spoil(path)

    with pytest.raises(TraceError, match=r"countdown\.jsonl\.gz"):
        verdict_on(path)


def recorded(names: list[str]) -> Iterator[tuple[Path, Path]]:
    """Rulesheets of the corpus and their traces."""
    for name in names:
        yield (
            require("corpus", "rules", f"{name}.kif"),
            require("corpus", "traces", f"{name}.jsonl.gz"),
        )


@pytest.mark.parametrize("name", ["ticTacToe", "connectFour", "beatMania", "dresden_mobility"])
def test_the_interpreter_agrees_with_recorded_traces(name: str) -> None:
    """Traces of an independent engine, one with chance and one with a role that gets stuck."""
    [(rules, path)] = recorded([name])
    trace = open_trace(path)
    machine = gdl.load(gdl.read_kif(rules.read_text(encoding="utf-8")))

    verdict = replay(machine, trace.roles, trace.states(), Deadline.after(60))

    assert verdict.difference is None
    assert verdict.is_complete
    assert verdict.num_states > 90
