"""The benchmark that attacks our own programs: how it judges, and what it sends."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys

import pytest
from attacking import rulesheets
from attacking.report import HEADINGS, Report, in_columns
from attacking.weighing import family, is_alive, megabytes, num_files

import gdl
from tests.shared import REPOSITORY

SLEEPER = "import subprocess, sys; subprocess.run([sys.executable, '-c', 'input()'])"


def withstood() -> Report:
    """A row of an attack that did no harm."""
    return Report("one", has_match=True, turns=5, recovery=0.5, megabytes=100, most_megabytes=200)


def test_an_attack_that_did_no_harm_is_withstood() -> None:
    """All that is promised was kept."""
    assert withstood().problems() == []
    assert withstood().row().endswith("pass")


@pytest.mark.parametrize(
    ("field", "value", "problem"),
    [
        ("late", 1, "1 late"),
        ("illegal", 2, "2 illegal"),
        ("lost", 3, "3 lost"),
        ("most_megabytes", 5000.0, "grew by 4900 MB, expected at most 600"),
        ("recovery", 5.1, "recovered after 5.1 s"),
        ("longest", 30.0, "no turn for 30.0 s"),
        ("turns", 0, "no turn was played"),
        ("faults", ["left 2 processes behind"], "left 2 processes behind"),
    ],
)
def test_each_broken_promise_is_told(field: str, value: object, problem: str) -> None:
    """One suffices."""
    report = withstood()
    setattr(report, field, value)

    assert report.problems() == [problem]
    assert report.row().endswith("FAIL")


def test_bad_answers_are_counted_by_their_codes() -> None:
    """As the referee writes them: late, illegal with the move, lost, and good ones."""
    report = withstood()

    for error in ("TO", "IL (mark 9 9)", "CE", "CE", ""):
        report.count(error)

    assert (report.late, report.illegal, report.lost) == (1, 1, 2)


def test_a_row_stands_below_its_headings() -> None:
    """In columns of the same width."""
    assert len(withstood().row()) == len(in_columns(list(HEADINGS)))


def test_processes_are_weighed_with_their_children() -> None:
    """All that descend from one, as long as they live."""
    process = subprocess.Popen(
        [sys.executable, "-c", SLEEPER], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdin is not None
    with process:
        while len(pids := family(process.pid)) < 2:
            assert process.poll() is None
        assert pids[0] == process.pid
        assert megabytes(pids) > megabytes(pids[:1]) > 0
        assert num_files(process.pid) >= 3
        process.stdin.close()

    assert not any(map(is_alive, pids))
    assert os.getpid() in family(os.getpid())


def test_hostile_rulesheets_are_small_and_can_be_read() -> None:
    """Their meaning is large, not their text."""
    for text in (rulesheets.exploding(), rulesheets.endless(), rulesheets.swollen()):
        assert len(text) <= 32_000
        assert gdl.read_kif(text).rules


def test_the_swollen_rulesheet_has_states_of_megabytes() -> None:
    """With 6 things instead of 24 its first state is 64 times smaller."""
    machine = gdl.load(gdl.read_kif(rulesheets.swollen(num_things=6)), "interpreter")

    size = sum(len(str(fact)) for fact in machine.facts(machine.initial_state()))

    assert 64 * size > 16 << 20


def test_the_attacks_are_listed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`--list` tells each in a line and attacks nobody."""
    attacks = importlib.import_module("attacks")
    monkeypatch.setattr(sys, "argv", ["attacks.py", "--list"])

    assert attacks.main() == 0

    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == list(attacks.ATTACKS)
    assert len(lines) > 10


@pytest.mark.thorough
def test_the_program_needs_nothing_of_the_tests() -> None:
    """A user runs it without the folders that tests can import from."""
    command = [sys.executable, str(REPOSITORY / "benchmarks" / "attacks.py"), "--list"]
    elsewhere = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}

    done = subprocess.run(command, check=True, capture_output=True, text=True, env=elsewhere)

    assert len(done.stdout.splitlines()) > 10
