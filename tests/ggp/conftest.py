"""The source of engine processes in tests, and what is looked up once for all tests."""

from __future__ import annotations

import functools
import sys
from collections.abc import Iterator
from importlib.metadata import EntryPoint

import pytest

from ggp.players import registry
from tests.fakes.forkers import OWN, Forker, shared_forkers


@pytest.fixture(scope="session", autouse=True)
def forkers(surroundings: None) -> Iterator[dict[str, Forker]]:
    """Engine processes are forked, and there at once."""
    with shared_forkers() as forkers:
        yield forkers


@pytest.fixture(scope="session")
def ready_forkers(forkers: dict[str, Forker]) -> None:
    """They are so in the first test as well."""
    for forker in forkers.values():
        forker.control()


@pytest.fixture
def own_processes(forkers: dict[str, Forker], monkeypatch: pytest.MonkeyPatch) -> None:
    """Engine processes are started anew; for tests about how they start, or go."""
    for (owner, name), means in OWN.items():
        monkeypatch.setattr(owner, name, means)


@pytest.fixture(scope="session", autouse=True)
def installed_players(surroundings: None) -> Iterator[None]:
    """Which players are installed is looked up once, and again when Python looks elsewhere.

    A verb asks a few times; tests ask thousands of times.
    """
    look_up = registry._installed

    @functools.cache
    def found(_: tuple[str, ...]) -> dict[str, EntryPoint]:
        return look_up()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(registry, "_installed", lambda: found(tuple(sys.path)))
        yield
