"""Admission: what the machine has left, and whose turn it is to begin."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest

from ggp.processes.lag import Lag
from ggp.server import admission
from ggp.server.admission import LAG_SECONDS, QUEUE_A_CORE, Admission
from tests.waiting import PATIENCE

PLENTY = "MemTotal: 9000000 kB\nMemAvailable: 8000000 kB\n"
LITTLE = "MemTotal: 9000000 kB\nMemAvailable: 100000 kB\n"


@pytest.fixture(autouse=True)
def _patient() -> None:
    """Here a machine may be too busy."""


@pytest.fixture(autouse=True)
def memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The machine's report of its memory: there is plenty, and no container."""
    told = tmp_path / "meminfo"
    told.write_text(PLENTY, encoding="ascii")
    monkeypatch.setattr(admission, "MEMINFO", told)
    monkeypatch.setattr(admission, "CGROUP", tmp_path)
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    return told


def test_a_machine_with_time_and_memory_has_room() -> None:
    """Whatever else is played."""
    assert Admission(Lag()).refusal(num_matches=3) == ""


def test_an_overloaded_machine_has_no_room_beside_other_matches() -> None:
    """For a first one it must do."""
    lag = Lag()
    lag.note(LAG_SECONDS + 0.5, time.monotonic())

    assert "overloaded" in Admission(lag).refusal(num_matches=1)
    assert Admission(lag).refusal(num_matches=0) == ""


def test_little_memory_is_no_room_beside_other_matches(memory: Path) -> None:
    """As the machine tells it."""
    memory.write_text(LITTLE, encoding="ascii")

    assert Admission(Lag()).refusal(num_matches=1) == "102 MB of memory are left"
    assert Admission(Lag()).refusal(num_matches=0) == ""


def test_a_container_may_have_less_than_its_machine(tmp_path: Path) -> None:
    """Memory that it uses for files that were read does not count."""
    (tmp_path / "memory.max").write_text("1000000000\n", encoding="ascii")
    (tmp_path / "memory.current").write_text("900000000\n", encoding="ascii")
    (tmp_path / "memory.stat").write_text("anon 1\ninactive_file 50000000\n", encoding="ascii")

    assert admission.free_memory() == 150_000_000


def test_a_system_that_tells_nothing_has_room(memory: Path) -> None:
    """It is not ours to guess."""
    memory.unlink()

    assert admission.free_memory() is None
    assert Admission(Lag()).refusal(num_matches=1) == ""


async def test_matches_begin_one_after_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """The second when the turn of the first is over."""
    monkeypatch.setattr(admission, "TURN_SECONDS", 0.05)
    found = Admission(Lag())
    async with found.turn(startclock=3600):
        began = time.monotonic()
        async with found.turn(startclock=3600):
            assert time.monotonic() - began >= 0.04


async def test_who_has_begun_sooner_keeps_nobody_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its turn is over then, once and not a second time."""
    monkeypatch.setattr(admission, "TURN_SECONDS", 3600.0)
    found = Admission(Lag())
    async with asyncio.timeout(PATIENCE):
        for _ in range(3):
            async with found.turn(startclock=3600):
                assert found._turns.locked()

    assert found._turns._value == 1


async def test_nobody_waits_longer_than_its_startclock_allows(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Then it begins beside the other."""
    monkeypatch.setattr(admission, "TURN_SECONDS", 3600.0)
    found = Admission(Lag())
    async with found.turn(startclock=3600), asyncio.timeout(PATIENCE), found.turn(startclock=0.04):
        assert found.refusal(num_matches=0) == ""


async def test_too_many_that_wait_are_room_for_no_more() -> None:
    """Until one of them has begun."""
    found = Admission(Lag())

    async def begin() -> None:
        async with found.turn(startclock=3600):
            await asyncio.Event().wait()

    tasks = [asyncio.create_task(begin()) for _ in range(2 * QUEUE_A_CORE + 1)]
    await asyncio.sleep(0)

    assert found.refusal(num_matches=0) == f"{2 * QUEUE_A_CORE} matches are about to begin"
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
