"""Match records, ours and those of a GGP-Base server, are replayed like traces."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

import gdl
from ggp.clock import Deadline
from ggp.records.record import MatchRecord
from ggp.records.recording import TraceError, open_recording, recording_name
from ggp.records.replay import Verdict, replay
from tests.ggp.records.whole_xml import to_xml
from tests.shared import require

pytestmark = pytest.mark.usefixtures("kernels")

RULES = """
(role Left) (role right) (init (count 2)) (succ 1 2) (succ 0 1)
(legal Left Foo) (legal Left (bar 1)) (legal right noop)
(<= (next (count ?m)) (true (count ?n)) (succ ?m ?n))
(<= terminal (true (count 0))) (goal right 30) (<= (goal Left 70) terminal)
"""
RECORD: dict[str, Any] = {
    "matchId": "m.1",
    "randomToken": "t",
    "startTime": 1,
    "startClock": 10,
    "playClock": 5,
    "states": ["( ( COUNT 2 ) )", "( ( count 1 ) )", "( ( count 0 ) )"],
    "moves": [["foo", "noop"], ["( bar 1 )", "noop"]],
    "errors": [["", ""], ["TO", ""], ["", ""]],
    "goalValues": [70, 30],
    "isCompleted": True,
}
ABORTED = RECORD | {"isCompleted": False, "isAborted": True, "goalValues": None}


def verdict_on(path: Path, rules: str = RULES) -> Verdict:
    """The verdict of replaying a file."""
    machine = gdl.load(gdl.read_kif(rules))
    recording = open_recording(path)
    roles = [role.name.lower() for role in machine.roles]
    return replay(machine, recording.roles, recording.states(roles), Deadline.never())


def saved(folder: Path, *records: dict[str, Any], indent: int | None = None) -> Path:
    """Records in a file, one a line."""
    path = folder / "match.json"
    present = [{key: value for key, value in one.items() if value is not None} for one in records]
    path.write_text("\n".join(json.dumps(one, indent=indent) for one in present))
    return path


def test_a_true_record_agrees(tmp_path: Path) -> None:
    """Every state, whatever the case and the blanks."""
    assert verdict_on(saved(tmp_path, RECORD)) == Verdict(3)


def test_a_record_over_several_lines_is_read(tmp_path: Path) -> None:
    """As a tool lays it out that makes JSON readable."""
    assert verdict_on(saved(tmp_path, RECORD, indent=2)) == Verdict(3)


@pytest.mark.parametrize("head", ["", '<?xml version="1.0" encoding="UTF-8"?>\n'])
def test_a_record_in_xml_is_read(head: str, tmp_path: Path) -> None:
    """As the game manager and GGP-Base write it; a wrong one differs."""
    path = tmp_path / "record.xml"
    for record, expected in ((RECORD, True), (RECORD | {"goalValues": [70, 0]}, False)):
        path.write_text(head + to_xml(MatchRecord.from_text(json.dumps(record))), encoding="utf-8")

        assert (verdict_on(path) == Verdict(3)) is expected


def test_xml_that_is_no_record_is_refused_with_its_file(tmp_path: Path) -> None:
    """The place and what is wrong."""
    path = tmp_path / "page.xml"
    path.write_text("<html></html>", encoding="utf-8")

    with pytest.raises(
        TraceError, match=r"page\.xml: expected a match record: expected an element match"
    ):
        verdict_on(path)


def test_several_records_are_playouts(tmp_path: Path) -> None:
    """The lines of `ggp match --json`."""
    wrong = RECORD | {"goalValues": [70, 0]}

    verdict = verdict_on(saved(tmp_path, RECORD, wrong))

    assert str(verdict.difference) == "playout 1, step 2: goals right: expected 0, got 30"


def test_a_record_with_gzip_is_read(tmp_path: Path) -> None:
    """Like a trace."""
    path = tmp_path / "match.json.gz"
    path.write_bytes(gzip.compress(json.dumps(RECORD).encode()))

    assert verdict_on(path) == Verdict(3)
    assert recording_name(path) == "match"


def test_of_an_aborted_match_the_end_is_not_compared(tmp_path: Path) -> None:
    """It may have been broken off anywhere."""
    cut = ABORTED | {"states": RECORD["states"][:2], "moves": RECORD["moves"][:1]}

    assert verdict_on(saved(tmp_path, ABORTED)).difference is None
    assert verdict_on(saved(tmp_path, cut)) == Verdict(2)


@pytest.mark.parametrize(
    ("change", "found"),
    [
        (
            {"states": ["((count 2))", "((count 2))", "((count 0))"]},
            "step 1: state: expected (count 2), got (count 1)",
        ),
        (
            {"moves": [["jump", "noop"], ["foo", "noop"]]},
            "step 0: move left: expected jump, got no such legal move ((bar 1) foo)",
        ),
        ({"moves": [["foo"], ["foo"]]}, "step 0: roles: expected 1 moves, got 2 roles"),
        ({"goalValues": [60, 30]}, "step 2: goals left: expected 60, got 70"),
        (
            {"states": ["((count 2))", "((count 1))"], "moves": [["foo", "noop"]]},
            "step 1: terminal: expected true, got false",
        ),
    ],
    ids=["state", "illegal move", "other game", "goals", "not over"],
)
def test_the_first_difference_is_named(tmp_path: Path, change: Any, found: str) -> None:
    """A move must be legal and lead to the next state; a completed match has its goals."""
    verdict = verdict_on(saved(tmp_path, RECORD | change))

    assert str(verdict.difference) == f"playout 0, {found}"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('{"matchId": "m"', "expected a match record"),
        ('{"matchId": 1}', "matchId: expected a text"),
        (
            json.dumps(RECORD | {"states": [], "moves": []}),
            "states: expected the states of the match",
        ),
        ('{"a": 1}', "expected a match record"),
        ("", "the file is empty"),
    ],
)
def test_what_is_no_record_is_named(tmp_path: Path, text: str, reason: str) -> None:
    """With the file."""
    path = tmp_path / "match.json"
    path.write_text(text)

    with pytest.raises(TraceError, match=reason) as caught:
        verdict_on(path)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize("name", ["match_plain", "match_scrambled", "match_abort"])
def test_records_of_a_ggp_base_server_agree(name: str) -> None:
    """Its own spelling, its own order of facts."""
    path = require("protocol", f"{name}.json")
    rules = require("corpus", "rules", "ticTacToe.kif").read_text(encoding="utf-8")

    assert verdict_on(path, rules).difference is None
