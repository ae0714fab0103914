"""An endpoint of the chat completions protocol over real HTTP, that says what a test tells it."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from aiohttp import web
from aiohttp.test_utils import TestServer

LEGAL = re.compile(r"^\d+\. (.+)$", re.MULTILINE)


@dataclass(slots=True)
class Asked:
    """One request to the endpoint."""

    body: dict[str, Any]
    authorization: str

    @property
    def last(self) -> str:
        """The last message."""
        return str(self.body["messages"][-1]["content"])

    @property
    def legal(self) -> list[str]:
        """The legal moves in the message that asks for the turn's move."""
        question = str(self.body["messages"][1]["content"])
        return LEGAL.findall(question.partition("Your legal moves:")[2])


Reply: TypeAlias = "str | web.Response | Endless | Late"
Speak: TypeAlias = Callable[[Asked], Reply]


class Endless:
    """A response that does not end."""


@dataclass(frozen=True, slots=True)
class Late:
    """An answer after some seconds."""

    seconds: float


@dataclass(slots=True)
class Chat:
    """A fake endpoint, and the requests that it got."""

    speak: Speak
    asked: list[Asked] = field(default_factory=list)

    async def answer(self, request: web.Request) -> web.StreamResponse:
        """Answer a request."""
        asked = Asked(await request.json(), request.headers.get("Authorization", ""))
        self.asked.append(asked)
        said = self.speak(asked)
        if isinstance(said, Late):
            await asyncio.sleep(said.seconds)
            said = f"MOVE: {asked.legal[0]}"
        if isinstance(said, Endless):
            return await _endless(request)
        return completion(said) if isinstance(said, str) else said


def completion(text: str) -> web.Response:
    """A well-formed response, of 100 tokens in and 10 out."""
    choice = {"message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
    usage = {"prompt_tokens": 100, "completion_tokens": 10}
    return web.Response(text=json.dumps({"choices": [choice], "usage": usage}))


@asynccontextmanager
async def chatting(chat: Chat) -> AsyncIterator[str]:
    """Let a fake endpoint run; gives the spec of a player, `llm:http://127.0.0.1:PORT/v1`."""
    app = web.Application()
    app.router.add_post("/v1/chat/completions", chat.answer)
    async with TestServer(app, port=0) as server:
        yield f"llm:http://127.0.0.1:{server.port}/v1"


async def _endless(request: web.Request) -> web.StreamResponse:
    response = web.StreamResponse()
    await response.prepare(request)
    try:
        while True:
            await response.write(b" " * 65536)
    except ConnectionError:
        return response
