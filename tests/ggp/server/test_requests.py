"""Long messages keep nobody waiting, and cost nothing where they are refused anyway."""

from __future__ import annotations

import asyncio

import pytest

from ggp.protocol import DEFAULT_LIMITS, Info, Start
from ggp.server.replies import RefusalError
from ggp.server.requests import MAX_WAITING, SHORT_CHARACTERS, Reader
from tests.ggp.server.wire import RULES, serving, start

LONG = RULES + " " * SHORT_CHARACTERS
UNREADABLE = start("b", rules=LONG)[:-20]


def free(_: Start) -> bool:
    """There is room for any match."""
    return False


async def test_a_start_that_is_refused_anyway_is_not_read() -> None:
    """Were it read, it would be told what is wrong with it."""
    async with serving(max_matches=1) as wire:
        assert (await wire.post(UNREADABLE)).status == 400
        await wire.say(start("a"))

        assert await wire.say(UNREADABLE) == "busy"
        assert await wire.say(f"start(b,white,[{LONG}") == "reply(b,busy)"


async def test_a_long_start_of_a_match_that_is_known_is_read() -> None:
    """It may begin it anew."""
    async with serving(max_matches=1) as wire:
        assert await wire.say(start("a")) == "ready"
        assert await wire.say(start("a", rules=LONG)) == "ready"


async def test_only_so_many_long_messages_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """One is read at a time, and short ones at any time."""
    running, most, go = 0, 0, asyncio.Event()

    async def slow(*_: object) -> Info:
        nonlocal running, most
        running += 1
        most = max(most, running)
        await go.wait()
        running -= 1
        return Info()

    monkeypatch.setattr("asyncio.to_thread", slow)
    reader = Reader(DEFAULT_LIMITS)
    text = "(INFO" + " " * SHORT_CHARACTERS + ")"
    tasks = [asyncio.create_task(reader.read(text, free)) for _ in range(MAX_WAITING)]
    await asyncio.sleep(0)

    with pytest.raises(RefusalError, match="too many long messages"):
        await reader.read(text, free)
    assert await reader.read("(INFO)", free) == Info()
    go.set()
    assert await asyncio.gather(*tasks) == [Info()] * MAX_WAITING
    assert most == 1
