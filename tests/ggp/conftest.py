"""The source of engine processes in tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.fakes.forkers import OWN, Forker, shared_forkers


@pytest.fixture(scope="session", autouse=True)
def forkers(surroundings: None) -> Iterator[dict[str, Forker]]:
    """Engine processes are forked, and there at once."""
    with shared_forkers() as forkers:
        yield forkers


@pytest.fixture(scope="session")
def ready_forkers(forkers: dict[str, Forker], kernels: None) -> None:
    """They are so in the first test as well."""
    for forker in forkers.values():
        forker.control()


@pytest.fixture
def own_processes(forkers: dict[str, Forker], monkeypatch: pytest.MonkeyPatch) -> None:
    """Engine processes are started anew; for tests about how they start, or go."""
    for (owner, name), means in OWN.items():
        monkeypatch.setattr(owner, name, means)
