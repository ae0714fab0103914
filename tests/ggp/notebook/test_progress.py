"""Coroutines that are run from a cell."""

from __future__ import annotations

import asyncio

import pytest

from ggp.notebook.table import progress_line, run


async def test_it_runs_beside_a_loop() -> None:
    """As in a kernel, whose cells run in a loop."""

    async def work() -> int:
        await asyncio.sleep(0)
        return 7

    assert run(work()) == 7


def test_errors_come_through() -> None:
    """Also one that waiting for a thread might raise."""

    async def work() -> None:
        raise TimeoutError("mine")

    with pytest.raises(TimeoutError, match="mine"):
        run(work())


def test_who_interrupts_has_the_work_cancelled_first() -> None:
    """Players are sent home before the cell is done."""
    said: list[str] = []

    async def work() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            said.append("tidied up")

    def interrupt() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(work(), interrupt)
    assert said == ["tidied up"]


def test_what_takes_minutes_is_said_without_a_notebook(capsys: pytest.CaptureFixture[str]) -> None:
    """A script that waits for the compiler says so; how far a search is concerns notebooks only."""
    with progress_line() as line:
        line.announce("kernels are being compiled")
        line.report("12 of 30 turns")

    assert capsys.readouterr() == ("", "kernels are being compiled\n")
