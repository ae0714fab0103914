"""What all tests have in common: caches, compiled kernels, sources of engines, a cluster."""

from __future__ import annotations

import contextlib
import gc
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import hypothesis
import pytest

from tests import kernel_use
from tests.shared import ENGINE_PATH

if TYPE_CHECKING:
    from ray.cluster_utils import Cluster

    from tests.fakes.forkers import Forker
    from tests.fakes.modules import Source

TESTS = Path(__file__).parent

pytest_plugins = ["tests.cpu_limits", "tests.scheduling"]


def pytest_configure(config: pytest.Config) -> None:
    """Keep kernels and bytecode in pytest's own cache, so that the next run finds them.

    numba and Python settle where they are kept before any fixture runs. Bytecode is kept there only
    if Python may not write it next to the sources: tests start many processes, and each would
    compile all modules again.

    The garbage collector runs less often than by default, because tests leave much behind; that
    saves a fifth of the time to collect the tests.
    """
    gc.set_threshold(10_000, 20, 50)
    # The same examples in each run, so that none fails without a reason; `thorough` has others.
    hypothesis.settings.register_profile("same", derandomize=config.option.markexpr != "thorough")
    hypothesis.settings.load_profile("same")
    if os.environ.pop("PYTHONDONTWRITEBYTECODE", ""):
        sys.pycache_prefix = os.environ["PYTHONPYCACHEPREFIX"] = str(_kept(config, "bytecode"))
        sys.dont_write_bytecode = False  # pytest keeps what it compiles in this process, too
    if "NUMBA_CACHE_DIR" not in os.environ:
        os.environ["NUMBA_CACHE_DIR"] = str(_kept(config, "numba"))


def _kept(config: pytest.Config, name: str) -> Path:
    """Return a folder in pytest's cache, or one that is removed at the end if it has none."""
    try:
        folder = config.cache.mkdir(name)
        folder.chmod(0o700)  # machine code is read from it: others may not write here
    except (AttributeError, OSError):  # `-p no:cacheprovider`, or a folder that cannot be written
        folder = Path(tempfile.mkdtemp(prefix="ggp-tests-"))
        config.add_cleanup(lambda: shutil.rmtree(folder, ignore_errors=True))
    return folder


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Remove the temporary folders of all tests after Ctrl-C."""
    factory: pytest.TempPathFactory | None = getattr(session.config, "_tmp_path_factory", None)
    if exitstatus == pytest.ExitCode.INTERRUPTED and factory and not _is_worker(session.config):
        _remove(factory.getbasetemp())


def _remove(folder: Path) -> None:
    """Remove pytest's temporary folder, the link to it, and their folder if nothing is left."""
    shutil.rmtree(folder, ignore_errors=True)
    for link in folder.parent.glob("*current"):
        if link.is_symlink() and not link.exists():
            link.unlink(missing_ok=True)
    with contextlib.suppress(OSError):
        folder.parent.rmdir()


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Skip files without a test of the tier that is asked for, to save the time to import them."""
    tier = config.option.markexpr
    if tier not in {"thorough", "endurance"} or collection_path.suffix != ".py":
        return None
    if collection_path.is_relative_to(TESTS / "ggp/manager"):  # their databases may be marked
        return None
    return True if tier not in collection_path.read_text(encoding="utf-8") else None


@pytest.fixture(scope="session", autouse=True)
def surroundings(
    pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[None]:
    """Set the environment of this process and of those that tests start.

    Compiled games are kept until the tests end. No player finds the networks of the user, and none
    learns during matches unless a test asks for it. Engine processes load only the kernels that
    they use.
    """
    with pytest.MonkeyPatch.context() as patch:
        if _is_worker(pytestconfig):
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
        patch.delenv("COLUMNS", raising=False)  # the width of the user's terminal
        if _is_worker(pytestconfig):
            kernel_use.forbid(patch, is_strict=pytestconfig.option.cpu_limits)
        gc.collect()
        gc.freeze()  # what the collection of tests has left stays to the end
        yield
        gc.unfreeze()


def _is_worker(config: pytest.Config) -> bool:
    """Return whether several processes run the tests, and this is one of them.

    The environment cannot tell: a test may run pytest in a process that inherits it.
    """
    return hasattr(config, "workerinput")


@pytest.fixture(scope="session")
def kernels(surroundings: None, pytestconfig: pytest.Config) -> None:
    """Compiled kernels: a test that calls any, here or in an engine process, asks for them.

    `tests/scheduling.py` has them compiled while tests run that need none. Tests that are named
    compile what they use.
    """
    if _is_worker(pytestconfig):
        kernel_use.load()
        gc.collect()
        gc.freeze()


@pytest.fixture(scope="session")
def forkers(surroundings: None) -> Iterator[dict[str, Forker]]:
    """The two processes from which engine processes are forked, for all tests from now on.

    Each starts when a test first needs it.
    """
    from tests.fakes.forkers import shared_forkers

    with shared_forkers() as forkers:
        yield forkers


@pytest.fixture(scope="session")
def ready_forkers(forkers: dict[str, Forker], kernels: None) -> None:
    """Start both, so that engine processes are there at once."""
    for forker in forkers.values():
        forker.control()


@pytest.fixture
def own_processes(forkers: dict[str, Forker], monkeypatch: pytest.MonkeyPatch) -> None:
    """Let pools start processes of their own; for tests about how these start, or go."""
    from tests.fakes.forkers import OWN

    for (owner, name), means in OWN.items():
        monkeypatch.setattr(owner, name, means)


@pytest.fixture(scope="session")
def module_sources(surroundings: None) -> Iterator[dict[str, Source]]:
    """Processes that have imported what tests start as processes."""
    sources: dict[str, Source] = {}
    yield sources
    for source in sources.values():
        source.close()


@pytest.fixture(scope="session")
def submission_source(module_sources: dict[str, Source]) -> None:
    """The process that submissions come from is there already."""
    from tests.fakes.modules import start_source

    start_source(module_sources, "ggp.submission")


@pytest.fixture(scope="module")
def forked_submissions(
    module_sources: dict[str, Source], submission_source: None
) -> Iterator[None]:
    """Starters of submissions are forked, and there at once."""
    from tests.fakes.modules import forked_modules

    with forked_modules(module_sources):
        yield


@pytest.fixture(scope="session")
def cluster(surroundings: None) -> Iterator[Cluster]:
    """A cluster of Ray's on this machine: a head without CPUs, and two nodes of one each.

    Tests that remove a node add another one. The files that use it are listed in
    `tests.scheduling.ON_CLUSTERS`.
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
