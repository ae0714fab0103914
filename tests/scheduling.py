"""A plugin that says how many processes share the tests, and in which order files are run.

Files that need no compiled kernels come first, because one process compiles them meanwhile. Then
come the tests on real clocks, which mostly wait, and those with clusters; of each kind, one process
runs all. The others follow, those that took longest in the latest run first. The files run in
another order if `--shuffle` gives a seed.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections import Counter
from typing import Any, Final

import pytest
from xdist.scheduler.loadscope import LoadScopeScheduling

from tests.cpu_limits import CACHE_KEY
from tests.shared import REPOSITORY

MAX_PROCESSES: Final = 5
CLOCKS: Final = "tests/clocks/"
ON_CLUSTERS: Final = (
    "tests/ggp/cluster/test_tasks.py",
    "tests/ggp/manager/hosting/test_match_cluster.py",
    "tests/ggp/search/distributed/test_machines.py",
)
"""Files whose tests use a cluster of Ray's; only one process may have one."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option."""
    parser.addoption(
        "--shuffle",
        metavar="SEED",
        help="run the files in the order that SEED gives; `random` chooses a seed and prints it",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Choose a seed if none was given, in the first process for all."""
    if hasattr(config, "workerinput"):
        config.option.shuffle = config.workerinput["shuffle"]
    elif config.option.shuffle == "random":
        config.option.shuffle = str(random.SystemRandom().randrange(10**6))


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Hand the seed to a process that runs tests."""
    node.workerinput["shuffle"] = node.config.option.shuffle


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Return one process more than there are cores: one often waits. 0 if tests are named."""
    if config.args_source is not pytest.Config.ArgsSource.TESTPATHS:
        return 0
    return min(len(os.sched_getaffinity(0)) + 1, MAX_PROCESSES)


class ByFile(LoadScopeScheduling):  # type: ignore[misc]  # xdist is untyped
    """The tests of a file share what it has set up; of those on clocks, or clusters, one runs."""

    def _split_scope(self, nodeid: str) -> str:
        return scope_of(nodeid)


def scope_of(nodeid: str) -> str:
    """Return what tests that run in one process, one after another, have in common."""
    path = nodeid.partition("::")[0]
    if path in ON_CLUSTERS:
        return "clusters"
    return "clocks" if path.startswith(CLOCKS) else path


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> ByFile:
    """Return the scheduler; it keeps the order in which tests were collected."""
    return ByFile(config, log)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Sort the files; the tests of a file stay in their order."""
    scopes = {scope_of(item.nodeid): False for item in items}
    for item in items:
        scopes[scope_of(item.nodeid)] |= "kernels" in getattr(item, "fixturenames", ())
    if (seed := config.option.shuffle) is not None:
        order = sorted(scopes)
        random.Random(seed).shuffle(order)
        place = {scope: (number,) for number, scope in enumerate(order)}
        items.sort(key=lambda item: place[scope_of(item.nodeid)])
        return
    seconds = _seconds_of_scopes(config, items)
    items.sort(
        key=lambda item: (
            scopes[scope := scope_of(item.nodeid)],
            scope not in {"clocks", "clusters"},
            -seconds[scope],
            scope,
        )
    )


def _seconds_of_scopes(config: pytest.Config, items: list[pytest.Item]) -> Counter[str]:
    """Return how long each scope took last time; tests that are new count for little."""
    known = config.cache.get(CACHE_KEY, {}).get("tests", {}) if hasattr(config, "cache") else {}
    found = Counter[str]()
    for item in items:
        found[scope_of(item.nodeid)] += known.get(item.nodeid, {}).get("wall", 0.01)
    return found


def pytest_report_header(config: pytest.Config) -> str | None:
    """Name the seed, if there is one."""
    seed = config.option.shuffle
    return None if seed is None else f"files are shuffled: --shuffle {seed}"


class Compiler:
    """A process that compiles the kernels while tests run that need none."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "ggp.warming.kernels"],
            env=os.environ | {"PYTHONPATH": str(REPOSITORY)},
            stdin=subprocess.DEVNULL,
            start_new_session=True,
        )

    def pytest_unconfigure(self) -> None:
        """End it and the processes it has started."""
        if self._process.poll() is None:
            os.killpg(self._process.pid, 9)
        self._process.wait()


def pytest_sessionstart(session: pytest.Session) -> None:
    """Begin to compile if several processes will run the tests."""
    config = session.config
    if config.getvalue("numprocesses") and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Compiler(), "kernel-compiler")
