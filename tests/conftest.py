"""Rules for all tests: whose caches they use, and which may run side by side.

All tests together run in three processes; those given by name run in this one, unless `-n` says
more.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from xdist.scheduler.loadscope import LoadScopeScheduling

from tests.shared import ENGINE_PATH

if TYPE_CHECKING:
    from ray.cluster_utils import Cluster

TESTS = Path(__file__).parent
PROCESSES = 3  # on two cores: one waits for clocks most of the time, and one for clusters

# Here clocks run while processes are started and play: one after another.
ON_CLOCKS = (
    "ggp/engine/",
    "ggp/server/",
    "ggp/seating/",
    "ggp/manager/hosting/test_foreign",
    "ggp/cli/test_match",
    "ggp/cli/test_play",
    "ggp/terminal/test_person_match",
    "ggp/cli/test_serve",
)
# Only one process has clusters at a time.
ON_CLUSTERS = (
    "ggp/cluster/test_tasks.py",
    "ggp/manager/hosting/test_match_cluster.py",
    "ggp/search/distributed/test_machines.py",
)
# Few tests that take long, or wait while others compute: they begin first. Of the rest, the files
# with the most tests do.
FIRST = (
    "clocks",
    "ggp/manager/test_browser.py",
    "ggp/environments/test_openspiel_algorithms.py",
    "clusters",
    "ggp/manager/test_crashes.py",
    "ggp/manager/api/test_schemathesis.py",
    "ggp/manager/test_browser_accounts.py",
    "benchmarks/test_starved.py",
)


def pytest_configure(config: pytest.Config) -> None:
    """Keep kernels in pytest's own cache: a second run need not compile them again.

    Where they are kept is settled when the first of them is imported, which is before any fixture.
    So is the bytecode where Python may not write it beside the sources: tests start hundreds of
    processes, and each would compile all modules anew.

    The collector looks more seldom than by default at what the tests leave behind, and at the tests
    themselves, which takes a fifth of the time in which they are collected.
    """
    gc.set_threshold(10_000, 20, 50)
    is_kept = config.pluginmanager.hasplugin("cacheprovider")
    if is_kept and os.environ.pop("PYTHONDONTWRITEBYTECODE", ""):
        sys.pycache_prefix = os.environ["PYTHONPYCACHEPREFIX"] = str(config.cache.mkdir("bytecode"))
        sys.dont_write_bytecode = False  # of this process, too: pytest compiles the tests anew
    if is_kept and "NUMBA_CACHE_DIR" not in os.environ:
        folder = config.cache.mkdir("numba")
        folder.chmod(0o700)  # others may not write here, whatever the umask says
        os.environ["NUMBA_CACHE_DIR"] = str(folder)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Of all tests the thorough ones are asked for: files that do not have the word have none.

    Each of the processes would read four hundred files for those in a hundred of them.
    """
    if config.option.markexpr != "thorough" or collection_path.suffix != ".py":
        return None
    if collection_path.is_relative_to(TESTS / "ggp/manager"):  # their databases may be marked
        return None
    return True if "thorough" not in collection_path.read_text(encoding="utf-8") else None


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Number of processes that run the tests; 0: this one."""
    return PROCESSES if config.args_source is pytest.Config.ArgsSource.TESTPATHS else 0


class ByFile(LoadScopeScheduling):  # type: ignore[misc]  # xdist is untyped
    """The tests of a file share what it has set up; of those on clocks, or clusters, one runs."""

    def _split_scope(self, nodeid: str) -> str:
        path = nodeid.partition("::")[0].removeprefix("tests/")
        if path in ON_CLUSTERS:
            return "clusters"
        return "clocks" if path.startswith(ON_CLOCKS) else path

    def _assign_work_unit(self, node: Any) -> None:
        first = next((scope for scope in FIRST if scope in self.workqueue), None)
        if first is not None:
            self.workqueue.move_to_end(first, last=False)
        super()._assign_work_unit(node)


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> ByFile:
    """Which process runs which tests."""
    return ByFile(config, log)


@pytest.fixture(scope="session", autouse=True)
def surroundings(
    pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[None]:
    """Circuits are kept for as long as the tests run; processes that tests start inherit it.

    Engine processes load the kernels that they use, not all of them. Who runs the tests may have
    networks of their own: no player finds them. Nothing is learned in matches but where a test asks
    for it: that takes a core.

    Before all tests the kernels are compiled: in one test after another that would take longer.
    What is there by then stays to the end: the collector need not look at it again and again.
    """
    # Not by the environment: a test may run tests, in a process that inherits it.
    is_one_of_several = hasattr(pytestconfig, "workerinput")
    with pytest.MonkeyPatch.context() as patch:
        if is_one_of_several:
            folder = tmp_path_factory.getbasetemp().parent / "cache"
            folder.mkdir(mode=0o700, exist_ok=True)
        else:
            folder = tmp_path_factory.mktemp("cache")
        patch.setenv("GGP_CACHE_DIR", str(folder))
        patch.setenv("GGP_NETWORKS", str(tmp_path_factory.mktemp("networks")))
        patch.setenv("GGP_LEARN", "off")
        patch.setenv("PYTHONPATH", ENGINE_PATH)
        for place in reversed(ENGINE_PATH.split(os.pathsep)):  # what we start imports as we do
            patch.syspath_prepend(place)
        patch.delenv("COLUMNS", raising=False)  # of the terminal of who runs them
        if is_one_of_several:
            from ggp.warming.kernels import warm_up

            warm_up()
        gc.collect()
        gc.freeze()
        yield
        gc.unfreeze()


@pytest.fixture(scope="session")
def cluster(surroundings: None) -> Iterator[Cluster]:
    """A cluster of Ray's on this machine: a head without CPUs, and two nodes of one each.

    Tests that take a node away put another one in its place. Who uses it stands in `ON_CLUSTERS`.
    """
    from ggp.cluster.connection import SETTINGS

    with pytest.MonkeyPatch.context() as patch:
        for name, value in SETTINGS.items():
            patch.setenv(name, value)  # before Ray is imported
        from ray.cluster_utils import Cluster

        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        patch.setenv("RAY_worker_niceness", "0")  # else what is beside them comes first
        config = {"health_check_period_ms": 500, "health_check_timeout_ms": 1000}
        found = Cluster(
            initialize_head=True, head_node_args={"num_cpus": 0, "_system_config": config}
        )
        try:
            for _ in range(2):
                found.add_node(num_cpus=1)
            yield found
        finally:
            import ray

            ray.shutdown()
            found.shutdown()
