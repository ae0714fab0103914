"""The tests of the manager run on each kind of database that can be had.

    GGP_TEST_POSTGRES=postgresql+asyncpg://USER@HOST/NAME pytest tests/ggp/manager

NAME is any database of that server; each test makes one of its own and drops it.
"""

from __future__ import annotations

import functools
import os
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import argon2
import pytest
from databases import fresh

from tests.fakes.modules import Source, forked_modules, start_source
from tests.fakes.quick_sqlite import quick_sqlite
from tests.ggp.manager.browsing import address, browser, page
from tests.ggp.manager.desk import Home

__all__ = ["address", "browser", "home", "other_home", "page", "server"]

SERVER = os.environ.get("GGP_TEST_POSTGRES", "")
HERE = Path(__file__).parent
ON_POSTGRESQL = (
    "api/test_accounts",
    "api/test_matches",
    "api/test_tournaments",
    "hosting/test_continuous.py::test_a_restart",
    "hosting/test_full_disk",
    "hosting/test_host",
    "hosting/test_stop_rule",
    "store/",
    "test_backup.py::test_a_",
    "test_crashes",
)
"""Between them they make all statements that a server may understand otherwise than SQLite."""

KILLED_ON_POSTGRESQL = (
    "test_a_tournament_survives_being_killed",
    "test_ctrl_c_leaves_a_tournament_where_it_was",
)
"""They take minutes there, and are run before a release; on SQLite they are thorough."""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Function]) -> None:
    """Run the other tests on SQLite alone, and those that kill the manager seldom elsewhere."""
    others = {item for item in items if "[postgresql" in item.name and not _on_postgresql(item)}
    config.hook.pytest_deselected(items=list(others))
    items[:] = [item for item in items if item not in others]
    for item in items:
        if "[postgresql" in item.name and item.originalname in KILLED_ON_POSTGRESQL:
            item.own_markers = [one for one in item.own_markers if one.name != "thorough"]
            item.add_marker(pytest.mark.endurance)


def _on_postgresql(item: pytest.Item) -> bool:
    if not item.path.is_relative_to(HERE):
        return True
    place = f"{item.path.relative_to(HERE).as_posix()}::{item.name}"
    return place.startswith(ON_POSTGRESQL)


@pytest.fixture(autouse=True)
def quick_hashes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hash passwords by the right algorithm, but with little memory and time."""
    quick = functools.partial(argon2.PasswordHasher, time_cost=1, memory_cost=64, parallelism=1)
    monkeypatch.setattr(argon2, "PasswordHasher", quick)


@pytest.fixture(scope="session")
def report_source(module_sources: dict[str, Source], kernels: None) -> None:
    """The process that reports come from is there already."""
    start_source(module_sources, "ggp.report")


@pytest.fixture(autouse=True)
def forked(module_sources: dict[str, Source]) -> Iterator[None]:
    """Sandboxes, submissions and reports get processes that are forked, which takes no time."""
    with forked_modules(module_sources):
        yield


@pytest.fixture(autouse=True)
def quick_databases() -> Iterator[None]:
    """SQLite needs neither threads nor the disk, except where that is the subject."""
    with quick_sqlite():
        yield


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.thorough)])
def server(request: pytest.FixtureRequest) -> str:
    """The server where databases are made; empty: in files."""
    if request.param == "sqlite":
        return ""
    if not SERVER:
        pytest.skip(
            "needs a PostgreSQL server where databases may be made: "
            "GGP_TEST_POSTGRES=postgresql+asyncpg://USER@HOST/NAME"
        )
    return SERVER


@pytest.fixture
async def home(server: str, tmp_path: Path) -> AsyncIterator[Home]:
    """A home of its own for a manager."""
    async with fresh(tmp_path, server) as url:
        yield Home(tmp_path, url)


@pytest.fixture
async def other_home(server: str, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Home]:
    """Another one."""
    folder = tmp_path_factory.mktemp("other")
    async with fresh(folder, server) as url:
        yield Home(folder, url)
