"""The limit on sandboxes at once: others wait, and idle ones make room."""

from __future__ import annotations

import asyncio
import os
import select
import signal
import sys

import pytest

from ggp import games
from ggp.sandbox import (
    SandboxBounds,
    SandboxBusyError,
    SandboxError,
    SandboxPool,
    SandboxRulebook,
    questions,
)
from ggp.sandbox.process import Sandbox
from tests.ggp.sandbox.test_sandbox import EXPLODING

SECONDS = 60.0
"""Until a test gives up, on a busy machine."""
GROWING = """
(role me) (init (a 0)) (goal me 0) (next (a 0))
(n 0) (n 1) (n 2) (n 3) (n 4) (n 5) (n 6) (n 7) (n 8) (n 9)
(<= (legal me (go ?a ?b ?c ?d ?e ?f ?g)) (n ?a) (n ?b) (n ?c) (n ?d) (n ?e) (n ?f) (n ?g))
"""
"""Ten million legal moves."""
ASKER = """
import asyncio, sys
from ggp.sandbox import Sandbox, questions
async def main():
    sandbox = Sandbox()
    await sandbox.ask(questions.format_rules, "(role me)")
    print(sandbox._process.pid, flush=True)
    await sandbox.ask(questions.statistics, sys.argv[1], seconds=600)
asyncio.run(main())
"""


def _num_alive(*books: SandboxRulebook) -> int:
    return sum(book._sandbox._process is not None for book in books)


async def test_an_idle_process_makes_room_and_comes_back() -> None:
    """More rulesheets are open than there are processes; each answers, with its own rules."""
    async with SandboxPool(num_places=1) as pool:
        names = ("ticTacToe", "nim")
        books = [await SandboxRulebook.open(games.text(name), name, pool) for name in names]

        assert _num_alive(*books) == 1
        for name, book in zip(names, books, strict=True):
            assert (await book.first()).facts
            assert book.roles == games.catalogue()[name].roles
            assert _num_alive(*books) == 1

    assert _num_alive(*books) == 0


async def test_who_is_asked_while_all_places_are_taken_waits() -> None:
    """Twenty questions at once, one process; all are answered."""
    async with SandboxPool(num_places=1) as pool:

        async def ask() -> str:
            return await pool.ask(questions.format_rules, "(role   me)")

        found = await asyncio.gather(*(ask() for _ in range(20)))

        assert set(found) == {"(role me)\n"}
        assert len(pool._alive) == 1


async def test_who_waits_too_long_is_told_that_others_are_served() -> None:
    """And is answered when they are done."""
    async with SandboxPool(num_places=1, patience=0.0) as pool:
        first, second = pool.sandbox(), pool.sandbox()
        async with pool.place(first):
            with pytest.raises(SandboxBusyError, match="all 1 processes for rulesheets are busy"):
                await second.ask(questions.format_rules, "(role me)")

        assert await second.ask(questions.format_rules, "(role   me)") == "(role me)\n"


async def test_the_clock_starts_when_the_process_is_ready() -> None:
    """Rules that may take no time fail, but their process may take time to start."""
    async with Sandbox(SandboxBounds(seconds=0)) as sandbox:
        with pytest.raises(SandboxError, match="the rules took longer than 0 s"):
            await sandbox.ask(questions.format_rules, "(role me)")


async def test_rules_that_eat_memory_end_their_process() -> None:
    """The next question gets a fresh one."""
    async with Sandbox(SandboxBounds(seconds=SECONDS, num_bytes=120 << 20)) as sandbox:
        with pytest.raises(SandboxError, match="more memory"):
            await sandbox.ask(questions.statistics, GROWING)

        assert sandbox._process is None
        assert await sandbox.ask(questions.format_rules, "(role   me)") == "(role me)\n"


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="needs to wait for a grandchild")
async def test_a_sandbox_ends_with_the_process_that_asks() -> None:
    """Even in the middle of an answer, and even if that process was killed."""
    asker = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", ASKER, EXPLODING), stdout=asyncio.subprocess.PIPE
    )
    assert asker.stdout is not None
    async with asyncio.timeout(SECONDS):
        pid = int(await asker.stdout.readline())
    descriptor = os.pidfd_open(pid)
    try:
        asker.send_signal(signal.SIGKILL)
        await asker.wait()
        ended, _, _ = await asyncio.to_thread(select.select, [descriptor], [], [], SECONDS)

        assert ended
    finally:
        os.close(descriptor)
