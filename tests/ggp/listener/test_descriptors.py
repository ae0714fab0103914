"""As many files as there may be, and enough of them for what is no client."""

from __future__ import annotations

import resource
from collections.abc import Iterator

import pytest

from ggp.listener import descriptors
from ggp.manager.config import ManagerConfig
from ggp.server.config import ServerConfig


@pytest.fixture
def allowed() -> Iterator[tuple[int, int]]:
    """The limits of this process; a test may change them."""
    usual = resource.getrlimit(resource.RLIMIT_NOFILE)
    yield usual
    resource.setrlimit(resource.RLIMIT_NOFILE, usual)


def test_the_limit_is_raised_as_far_as_it_may_be(allowed: tuple[int, int]) -> None:
    """Shells allow a thousand, mostly, and more to who asks."""
    resource.setrlimit(resource.RLIMIT_NOFILE, (allowed[0] // 2, allowed[1]))

    found = descriptors.raise_limit()

    assert found == resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    assert found == min(allowed[1], descriptors.MOST)


@pytest.mark.parametrize("soft", [256, 1024, 4096])
def test_clients_leave_enough_to_the_matches(allowed: tuple[int, int], soft: int) -> None:
    """However few files there are, clients never have them all, nor none."""
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, allowed[1]))

    for bounds in (ManagerConfig().bounds(), ServerConfig().bounds()):
        assert 0 < bounds.max_connections <= 3 * soft // 4
        assert 0 < bounds.max_per_address <= bounds.max_connections
    assert descriptors.backlog() <= soft // 8


def test_where_there_are_many_files_all_are_let_in(allowed: tuple[int, int]) -> None:
    """Two thousand spectators, and others."""
    if descriptors.raise_limit() < 8192:
        pytest.skip("needs a system that allows a process 8192 files")

    assert ManagerConfig(num_cores=2).bounds().max_connections > ManagerConfig().max_spectators
    assert ServerConfig().bounds().max_connections == ServerConfig().max_connections
