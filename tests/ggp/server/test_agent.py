"""A legal move leaves when something breaks inside, and nothing of the inside shows."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from typing import Any, cast

import pytest

from ggp.engine import EnginePool, RulesError
from ggp.processes.lag import Lag
from ggp.protocol import Message, Play, Start, Stop
from ggp.server.agent import Agent, UnplayableError
from ggp.server.app import Handlers
from ggp.server.callers import UNKNOWN_CALLER
from ggp.server.match_places import SeatKey
from ggp.server.ongoing import OngoingMatch
from ggp.server.replies import HttpReply
from tests.ggp.server.wire import QUICK, parsed, serving, start


class BrokenMatch:
    """A match in which everything fails."""

    message = Start("m", "white", "", 1, 1)
    turn = 0
    num_replaced = 0

    def __init__(self, error: Exception) -> None:
        self._error = error

    async def play(self, *_: object) -> None:
        raise self._error

    async def stop(self, *_: object) -> None:
        raise self._error

    async def abort(self) -> None:
        pass

    def fallback(self) -> str:
        return "take"


class BrokenAgent:
    """An agent that fails whatever it is asked."""

    def __init__(self) -> None:
        self.lag = Lag()

    def refuses(self, *_: object, **__: object) -> bool:
        return False

    async def answer(self, message: Message, arrived: float, *_: object) -> HttpReply:
        raise RuntimeError(f"no answer to {message} of {arrived}")


async def test_a_broken_match_still_answers_with_a_legal_move() -> None:
    """The cause is for the log."""
    agent = agent_in(BrokenMatch(RuntimeError("inside")))

    reply = await agent.answer(Play("m"), time.monotonic())

    assert (reply.text, reply.notes["origin"]) == ("take", "fallback")


async def test_rules_that_prove_unplayable_are_told_at_the_first_play() -> None:
    """START may have been answered before the rules were read."""
    agent = agent_in(BrokenMatch(RulesError("<rules>:1:2: bad")))

    with pytest.raises(UnplayableError, match=r"^m:1:2: bad$"):
        await agent.answer(Play("m"), time.monotonic())

    assert (await agent.answer(Play("m"), time.monotonic())).text == "busy"


async def test_a_broken_end_is_logged_and_nothing_else(caplog: pytest.LogCaptureFixture) -> None:
    """STOP has been answered by then."""
    agent = agent_in(BrokenMatch(RuntimeError("inside")))

    reply = await agent.answer(Stop("m"), time.monotonic())
    await agent.close()

    assert reply.text == "done"
    assert [record.levelno for record in caplog.records] == [logging.ERROR]


async def test_an_unforeseen_error_shows_nothing_of_the_inside(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Status 500 and one line; type and place are in the log."""
    handlers = Handlers(cast(Agent, BrokenAgent()), QUICK)
    server = await asyncio.get_running_loop().create_server(served_by(handlers), "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"POST / HTTP/1.0\r\nContent-Length: 6\r\n\r\n(INFO)")
    response = parsed(await reader.read())
    writer.close()
    server.close()

    assert (response.status, response.body) == (500, "the message could not be answered\n")
    fields: dict[str, Any] = vars(caplog.records[0])["fields"]
    assert fields["error"].startswith("RuntimeError: no answer to Info")
    assert "test_agent.py:" in fields["where"]
    assert json.dumps(fields)


def agent_in(match: BrokenMatch) -> Agent:
    """An agent that plays one match."""
    agent = Agent(QUICK, EnginePool())
    agent.places.matches[SeatKey("m", "", UNKNOWN_CALLER)] = cast(OngoingMatch, match)
    return agent


def served_by(handlers: Handlers) -> Any:
    """A factory of a connection for each client."""
    from ggp.listener.connection import BoundedServer

    return BoundedServer(handlers.handle, QUICK.bounds())


async def test_a_server_is_available_before_its_engines_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A match that begins then is played by an engine that starts for it."""

    async def never(pool: EnginePool, num_warm: int = 1) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(EnginePool, "start", never)
    async with serving() as wire:
        assert "available" in await wire.say("( INFO )")
        assert await wire.say(start("m")) == "ready"
        assert await wire.say("( PLAY m nil )") == "take"
