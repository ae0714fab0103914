"""The cores are shared in order, and none is lost."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import pytest

from ggp.manager.hosting.cores import Cores


class Matches:
    """Matches that ask for cores, and tell when they have them."""

    def __init__(self, cores: Cores) -> None:
        self.cores = cores
        self.running: list[str] = []
        self._ends: dict[str, asyncio.Event] = {}
        self.tasks: dict[str, asyncio.Task[None]] = {}

    async def begin(
        self, name: str, num_cores: int, *, at_once: bool = False, account: int | None = None
    ) -> None:
        """Let one ask."""
        self._ends[name] = asyncio.Event()
        self.tasks[name] = asyncio.create_task(self._run(name, num_cores, at_once, account))
        await settle()

    async def end(self, name: str) -> None:
        """Let one end."""
        self._ends[name].set()
        await settle()

    async def _run(self, name: str, num_cores: int, at_once: bool, account: int | None) -> None:
        async with self.cores.taken(num_cores, at_once=at_once, account=account):
            self.running.append(name)
            await self._ends[name].wait()
        self.running.remove(name)


async def settle() -> None:
    """Let all tasks do what they can."""
    for _ in range(10):
        await asyncio.sleep(0)


@pytest.fixture
async def matches() -> AsyncIterator[Matches]:
    """On two cores."""
    found = Matches(Cores(2))
    async with AsyncExitStack() as stack:
        yield found
        for task in found.tasks.values():
            task.cancel()
            stack.push_async_callback(asyncio.wait, [task])


async def test_matches_begin_in_order(matches: Matches) -> None:
    """A small one does not overtake a big one, which would wait for ever."""
    await matches.begin("one", 1)
    await matches.begin("big", 2)
    await matches.begin("small", 1)

    assert matches.running == ["one"]
    await matches.end("one")
    assert matches.running == ["big"]
    await matches.end("big")
    assert matches.running == ["small"]


async def test_a_match_that_needs_more_than_there_are_runs_alone(matches: Matches) -> None:
    """It takes them all."""
    await matches.begin("huge", 5)
    await matches.begin("next", 1)

    assert matches.running == ["huge"]


async def test_a_match_that_needs_none_never_waits(matches: Matches) -> None:
    """However many do."""
    await matches.begin("big", 2)
    await matches.begin("waits", 2)
    await matches.begin("cheap", 0)

    assert matches.running == ["big", "cheap"]


async def test_who_sits_there_and_waits_comes_first(matches: Matches) -> None:
    """The others make up for it."""
    await matches.begin("big", 2)
    await matches.begin("waits", 1)
    await matches.begin("person", 1, at_once=True)
    assert matches.running == ["big", "person"]

    await matches.end("big")
    assert matches.running == ["person", "waits"]


async def test_one_that_gives_up_waiting_makes_room(matches: Matches) -> None:
    """Those behind it move up."""
    await matches.begin("one", 1)
    await matches.begin("big", 2)
    await matches.begin("small", 1)
    matches.tasks["big"].cancel()
    await settle()

    assert matches.running == ["one", "small"]


async def test_what_is_cancelled_the_moment_its_turn_comes_gives_back(matches: Matches) -> None:
    """No core is lost."""
    await matches.begin("one", 2)
    await matches.begin("two", 2)
    matches._ends["one"].set()
    await asyncio.sleep(0)
    matches.tasks["two"].cancel()
    await settle()
    await matches.begin("three", 2)

    assert matches.running == ["three"]


async def test_cores_are_released_and_taken_back() -> None:
    """Who takes them back waits for nobody, and none is lost or given back twice."""
    cores = Cores(1)
    others = Matches(cores)
    async with cores.taken(1, at_once=True, match=7) as taken:
        await others.begin("waits", 1)
        assert (others.running, cores.holders) == ([], {7})

        taken.release()
        taken.release()
        await settle()
        assert (others.running, cores.holders) == (["waits"], set())

        taken.take_back()
        await others.begin("next", 1)
        await others.end("waits")
        assert (others.running, cores.holders) == ([], {7})
    await settle()
    assert (others.running, cores.holders) == (["next"], set())
    await others.end("next")
    assert cores.free_core.is_set()


async def test_of_one_account_one_match_at_a_time_has_cores(matches: Matches) -> None:
    """Its later ones wait, and not before others that ask; where they alone wait, one is free."""
    await matches.begin("one", 1, account=5)
    await matches.begin("two", 1, account=5)
    await matches.begin("three", 2, account=5)
    assert (matches.running, matches.cores.free_core.is_set()) == (["one"], True)

    await matches.begin("other", 1, account=6)
    await matches.begin("nobody's", 2)
    assert matches.running == ["one", "other"]

    await matches.end("one")
    assert matches.running == ["other"]
    await matches.end("other")
    assert matches.running == ["nobody's"]
    await matches.end("nobody's")
    assert matches.running == ["two"]
    await matches.end("two")
    assert matches.running == ["three"]


async def test_a_match_of_an_account_that_needs_no_cores_neither_waits_nor_is_waited_for(
    matches: Matches,
) -> None:
    """However many it has."""
    await matches.begin("cheap", 0, account=5)
    await matches.begin("one", 1, account=5)
    await matches.begin("cheap too", 0, account=5)

    assert matches.running == ["cheap", "one", "cheap too"]
