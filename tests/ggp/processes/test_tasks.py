"""Cancelled tasks have ended when that returns."""

from __future__ import annotations

import asyncio

from ggp.processes.tasks import cancel


async def test_cancelled_tasks_have_ended() -> None:
    """Also one that fails on its way out; where there is none, nothing is done."""

    async def wait() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            raise OSError

    task = asyncio.create_task(wait())
    await asyncio.sleep(0)
    await cancel(task, None)

    assert isinstance(task.exception(), OSError)
