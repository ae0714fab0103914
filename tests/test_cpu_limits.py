"""The bounds on CPU time: of whole process trees, with few exceptions, each for a reason."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from typing import Any

import pytest

from tests import cpu_limits
from tests.shared import REPOSITORY

CONFTEST = """
from pathlib import Path
from tests import cpu_limits

cpu_limits.TEST_SECONDS = cpu_limits.FIXTURE_SECONDS = 0.1
cpu_limits.EXCEPTIONS = Path(__file__).with_name("exceptions.txt")
"""
EXCEPTIONS = """
# A comment.
test_it.py::test_listed  there is no way around it
"""
TESTS = """
import subprocess, sys, time
import pytest

def burn(seconds=0.25):
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass

BURN = "import time\\nwhile time.process_time() < 0.25: pass\\nprint(flush=True)\\n"

def child(more=""):
    command = [sys.executable, "-I", "-S", "-c", BURN + more]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

@pytest.fixture(scope="module")
def heavy():
    burn()

@pytest.fixture
def left():
    processes = []
    yield processes
    for process in processes:
        process.communicate()

def test_light(heavy): pass

def test_here(): burn()

def test_listed(): burn()

def test_a_little_longer(): burn(0.12)

def test_child_that_ended(): child().communicate()

def test_child_that_lives(left):
    left.append(child("input()"))
    left[0].stdout.readline()
"""


@dataclass(frozen=True)
class Run:
    """A run of pytest with the plugin, and the figures that it has kept."""

    status: int
    over: list[str]
    too_long: list[str]
    kept: dict[str, Any]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Run the tests above, with bounds of a tenth of a second."""
    folder = tmp_path_factory.mktemp("limits")
    (folder / "conftest.py").write_text(CONFTEST)
    (folder / "exceptions.txt").write_text(EXCEPTIONS)
    (folder / "test_it.py").write_text(TESTS)
    (folder / "pytest.ini").write_text("[pytest]\n")
    plugins = [word for name in ("xdist.plugin", "tests.cpu_limits") for word in ("-p", name)]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "--cpu-limits", *plugins],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(REPOSITORY), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "6 passed" in done.stdout, done.stdout + done.stderr
    over, too_long = (
        [line.split()[-1] for line in done.stdout.splitlines() if line.startswith(verdict)]
        for verdict in ("over the bound: ", "too long: ")
    )
    kept = json.loads((folder / ".pytest_cache/v" / cpu_limits.CACHE_KEY).read_text())
    return Run(done.returncode, over, too_long, kept)


def test_what_takes_twice_its_bound_is_reported_and_fails_the_run(run: Run) -> None:
    """Though all tests pass: a test, a fixture, and tests that had a child process compute."""
    assert set(run.too_long) == {
        "test_it.py::heavy",
        "test_it.py::test_here",
        "test_it.py::test_child_that_ended",
        "test_it.py::test_child_that_lives",
    }
    assert run.status == pytest.ExitCode.TESTS_FAILED


def test_what_takes_a_little_longer_is_listed(run: Run) -> None:
    """It fails nothing: the same test takes longer next to others."""
    assert run.over == ["test_it.py::test_a_little_longer"]


def test_the_figures_of_all_tests_are_kept(run: Run) -> None:
    """Of those within the bounds, too; a fixture is measured apart from the tests that use it."""
    tests = run.kept["tests"]

    assert len(tests) == 6
    assert tests["test_it.py::test_light"]["call"] < 0.1 < tests["test_it.py::test_light"]["setup"]
    assert tests["test_it.py::test_listed"]["call"] >= 0.1
    assert run.kept["fixtures"]["test_it.py::heavy"] >= 0.1


def test_exceptions_are_few() -> None:
    """Each new one is a reason to look for a cheaper test."""
    assert len(cpu_limits.exceptions()) <= cpu_limits.MAX_EXCEPTIONS == 25


@pytest.mark.parametrize("name", cpu_limits.exceptions())
def test_an_exception_is_a_test_or_a_fixture_and_has_a_reason(name: str) -> None:
    """What was renamed or removed is no exception any more."""
    place, _, function = name.partition("::")
    path = REPOSITORY / place
    file = path if path.suffix == ".py" else path / "conftest.py"

    assert len(cpu_limits.exceptions()[name].split()) >= 3
    assert f"def {function.partition('[')[0].rpartition('::')[2]}(" in file.read_text("utf-8")
