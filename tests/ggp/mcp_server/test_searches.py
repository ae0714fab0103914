"""Searches of clients: what is told of them, and what ends when they are given up."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any, cast

import pytest

from ggp.mcp_server import searches
from ggp.mcp_server.bounds import ServerBounds
from ggp.mcp_server.known_rules import KnownRules
from ggp.mcp_server.searches import Searches, SearchQuestion
from ggp.processes.tasks import cancel

GAME = cast("KnownRules", type("Rules", (), {"text": "", "name": "game"})())
BEGIN = SearchQuestion("begin", (), 300.0)


class FakeSandbox:
    """A process that answers each question when the test lets it.

    Attributes:
        made: All of them.
        asked: Names of the questions, in the order in which they came.
        given_up: Names of the questions whose asker was cancelled.
        may_answer: Names of questions that are answered at once.
    """

    made: list[FakeSandbox] = []  # noqa: RUF012  # emptied for each test
    asked: list[str] = []  # noqa: RUF012
    given_up: list[str] = []  # noqa: RUF012
    may_answer: set[str] = set()  # noqa: RUF012
    changed = asyncio.Condition()

    def __init__(self, *_: object, **__: object) -> None:
        self.is_closed = False
        self.made.append(self)

    async def ask_named(self, name: str, *_: object) -> Any:
        """Return what the search has found, once the question may be answered."""
        await self._note(self.asked, name)
        try:
            async with self.changed:
                await self.changed.wait_for(lambda: name in self.may_answer)
        except asyncio.CancelledError:
            await self._note(self.given_up, name)
            raise
        return "" if name == "missing_kernels" else {"value": 50}

    async def close(self) -> None:
        """Note that it was ended."""
        self.is_closed = True

    async def _note(self, where: list[str], name: str) -> None:
        async with self.changed:
            where.append(name)
            self.changed.notify_all()

    @classmethod
    async def answer(cls, *names: str) -> None:
        """Have these questions answered from now on."""
        async with cls.changed:
            cls.may_answer.update(names)
            cls.changed.notify_all()

    @classmethod
    async def until(cls, where: list[str], name: str, times: int = 1) -> None:
        """Wait until a question was asked, or given up, so often."""
        async with cls.changed:
            await cls.changed.wait_for(lambda: where.count(name) >= times)


class Heard:
    """What a client was told of its search."""

    def __init__(self) -> None:
        self.messages: list[str] = []
        self._changed = asyncio.Condition()

    async def __call__(self, done: float, seconds: float | None, message: str) -> None:
        """Keep a message."""
        async with self._changed:
            self.messages.append(message)
            self._changed.notify_all()

    async def until(self, message: str) -> None:
        """Wait until a message was told that begins with `message`."""
        async with self._changed:
            await self._changed.wait_for(
                lambda: any(one.startswith(message) for one in self.messages)
            )


@pytest.fixture
async def tools(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Searches]:
    """Searches in fake processes, of which one runs and one waits."""
    monkeypatch.setattr(searches, "Sandbox", FakeSandbox)
    monkeypatch.setattr(searches, "TELL_SECONDS", 0.001)
    for name in ("made", "asked", "given_up"):
        monkeypatch.setattr(FakeSandbox, name, [])
    monkeypatch.setattr(FakeSandbox, "may_answer", set())
    monkeypatch.setattr(FakeSandbox, "changed", asyncio.Condition())
    found = Searches(ServerBounds(num_searches=1, max_waiting=1))
    async with asyncio.timeout(60):
        yield found
        await found.close()


async def test_each_stage_of_a_search_is_told(tools: Searches) -> None:
    """The start of the process, the game, the search and what it has found."""
    heard = Heard()
    search = asyncio.create_task(tools.in_steps(GAME, BEGIN, "step", heard))

    await heard.until("starting the process that searches")
    await FakeSandbox.answer("missing_kernels")
    await heard.until("compiling the game")
    await FakeSandbox.answer("open_rules")
    await heard.until("searching")
    await FakeSandbox.answer("begin", "step")
    await heard.until("value 50")
    await cancel(search)


async def test_a_search_in_steps_that_is_given_up_ends_after_its_step(tools: Searches) -> None:
    """Its process stays for the next search, which need not load the game again."""
    await FakeSandbox.answer("missing_kernels", "open_rules", "begin")
    search = asyncio.create_task(tools.in_steps(GAME, BEGIN, "step", Heard()))
    await FakeSandbox.until(FakeSandbox.asked, "step")

    await cancel(search)
    await FakeSandbox.answer("step", "choose")
    await tools.ask(GAME, SearchQuestion("choose", (), 1.0), Heard())

    assert FakeSandbox.asked.count("step") == 1
    assert FakeSandbox.asked.count("open_rules") == len(FakeSandbox.made) == 1
    assert FakeSandbox.given_up == []


async def test_a_search_that_is_given_up_before_it_begins_is_ended(tools: Searches) -> None:
    """It is in the way of nobody while its game is compiled."""
    await FakeSandbox.answer("missing_kernels")
    search = asyncio.create_task(tools.in_steps(GAME, BEGIN, "step", Heard()))
    await FakeSandbox.until(FakeSandbox.asked, "open_rules")

    await cancel(search)
    await FakeSandbox.until(FakeSandbox.given_up, "open_rules")


async def test_a_question_that_is_given_up_is_ended(tools: Searches) -> None:
    """With its process: the next search prepares one again."""
    await FakeSandbox.answer("missing_kernels", "open_rules")
    search = asyncio.create_task(tools.ask(GAME, SearchQuestion("choose", (), 300.0), Heard()))
    await FakeSandbox.until(FakeSandbox.asked, "choose")

    await cancel(search)
    await FakeSandbox.until(FakeSandbox.given_up, "choose")
    await FakeSandbox.answer("choose")
    await tools.ask(GAME, SearchQuestion("choose", (), 300.0), Heard())

    assert FakeSandbox.asked.count("open_rules") == 2


async def test_all_processes_end_with_the_server(tools: Searches) -> None:
    """A search that goes on is given up."""
    await FakeSandbox.answer("missing_kernels", "open_rules", "begin")
    search = asyncio.create_task(tools.in_steps(GAME, BEGIN, "step", Heard()))
    await FakeSandbox.until(FakeSandbox.asked, "step")

    await tools.close()

    assert [one.is_closed for one in FakeSandbox.made] == [True]
    with pytest.raises(asyncio.CancelledError):
        await search
