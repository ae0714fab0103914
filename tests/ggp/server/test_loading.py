"""A server says its address once it can say which moves are legal: START may come at once."""

from __future__ import annotations

import asyncio
import logging
from contextlib import AsyncExitStack

import pytest
from aiohttp import ClientSession
from aiohttp.test_utils import unused_port

from ggp.engine.errors import WorkerLostError
from ggp.engine.process_pool import ForkServer
from ggp.server.app import running
from ggp.server.config import ServerConfig


async def test_it_says_its_address_once_all_is_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before, it answers whoever knows it already."""
    asked, loaded = asyncio.Event(), asyncio.Event()

    async def until_loaded(_: ForkServer) -> None:
        asked.set()
        await loaded.wait()

    monkeypatch.setattr(ForkServer, "until_loaded", until_loaded)
    config = ServerConfig(port=unused_port(), num_warm=0)
    async with AsyncExitStack() as stack, ClientSession() as session:
        starting = asyncio.create_task(stack.enter_async_context(running(config)))
        await asked.wait()
        async with session.get(f"http://127.0.0.1:{config.port}/health") as answer:
            assert answer.status == 200
        assert not starting.done()
        loaded.set()
        assert await starting == f"http://127.0.0.1:{config.port}"


async def test_it_says_it_also_if_nothing_can_be_loaded(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The log says so; START tries again."""

    async def until_loaded(_: ForkServer) -> None:
        raise WorkerLostError("no memory")

    monkeypatch.setattr(ForkServer, "until_loaded", until_loaded)
    caplog.set_level(logging.WARNING)
    async with (
        running(ServerConfig(port=0, num_warm=0)) as address,
        ClientSession() as session,
        session.get(f"{address}/health") as answer,
    ):
        assert answer.status == 200

    assert [record.message for record in caplog.records] == [
        "could not load the engine before the first START"
    ]
