"""Every tool, resource and prompt, driven by the SDK's own client over both transports."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]  # it comes with the SDK's client
import pytest
from mcp import Client, StdioServerParameters, stdio_client

from ggp import games
from ggp.processes.tasks import cancel
from tests.ggp.mcp_server.test_http import serving
from tests.thorough import all_but

GAME = "ticTacToe"
CENTRE = "(mark 2 2)"
PATIENCE = 120.0
"""Seconds, of which a busy machine may need many."""


@asynccontextmanager
async def connected(transport: str) -> AsyncIterator[Client]:
    """A client of a server of its own."""
    if transport == "http":
        with serving() as address:
            async with Client(address) as client:
                yield client
        return
    command = StdioServerParameters(
        command=sys.executable, args=["-m", "ggp", "mcp"], env=dict(os.environ)
    )
    async with Client(stdio_client(command)) as client:
        yield client


class Reader:
    """A client that notes what it has used, and holds each answer to the schema of its tool.

    Attributes:
        used: Names of tools and prompts, and addresses of resources as they are listed.
        told: Messages of progress of the last call.
    """

    def __init__(self, client: Client, schemas: dict[str, dict[str, Any]]) -> None:
        self.used = set[str]()
        self.told = list[str]()
        self._client = client
        self._schemas = schemas

    async def call(self, tool: str, **arguments: object) -> dict[str, Any]:
        """What a tool answers."""
        self.used.add(tool)
        self.told = []
        found = await self._client.call_tool(tool, arguments, progress_callback=self._hear)
        answer = dict(found.structured_content or {})
        assert not found.is_error, answer
        jsonschema.validate(answer, self._schemas[tool])
        return answer

    async def refused(self, tool: str, **arguments: object) -> dict[str, Any]:
        """Why a tool refuses."""
        found = await self._client.call_tool(tool, arguments)
        assert found.is_error
        assert found.structured_content is not None
        return dict(found.structured_content["error"])

    async def begun(self, tool: str, message: str, **arguments: object) -> asyncio.Task[Any]:
        """A call that has told something that begins so, and goes on."""
        self.told = []
        call = asyncio.create_task(
            self._client.call_tool(tool, arguments, progress_callback=self._hear)
        )
        async with asyncio.timeout(PATIENCE):
            while not call.done() and not any(one.startswith(message) for one in self.told):
                await asyncio.sleep(0.05)
        assert not call.done(), await call
        return call

    async def read(self, template: str, **names: str) -> str:
        """The text of a resource."""
        self.used.add(template)
        found = await self._client.read_resource(template.format(**names))
        return str(found.contents[0].text)  # type: ignore[union-attr]

    async def prompt(self, name: str, **arguments: str) -> str:
        """The text of a prompt."""
        self.used.add(name)
        found = await self._client.get_prompt(name, arguments)
        return str(found.messages[0].content.text)  # type: ignore[union-attr]

    async def _hear(self, progress: float, total: float | None, message: str | None) -> None:
        self.told.append(message or "")


@pytest.mark.parametrize("transport", all_but(["stdio"], ["stdio", "http"]))
async def test_a_story_uses_all_that_the_server_lists(transport: str) -> None:
    """A game is found, loaded, played, explained, searched, proved and recorded."""
    async with connected(transport) as client:
        tools = (await client.list_tools()).tools
        reader = Reader(client, {one.name: one.output_schema or {} for one in tools})
        listed = {one.name for one in tools}
        listed |= {
            one.uri_template for one in (await client.list_resource_templates()).resource_templates
        }
        listed |= {str(one.uri) for one in (await client.list_resources()).resources}
        listed |= {one.name for one in (await client.list_prompts()).prompts}
        await tell_rules(reader)
        await tell_match(reader)
        going_on = await give_up(reader)
        assert searching()

    await until_none_searches()
    assert not going_on.done() or going_on.exception()
    assert listed == reader.used


async def tell_rules(reader: Reader) -> None:
    """Rules are found, written and compared."""
    catalogue = await reader.call("list_games")
    assert GAME in [one["name"] for one in catalogue["games"]]
    assert "legal" in await reader.read("ggp://docs/gdl")
    assert "ggp://docs/gdl" in await reader.prompt("write_game", description="a race")

    text = await reader.read("ggp://rules/{rules}", rules=GAME)
    assert text == games.text(GAME)
    loaded = await reader.call("load_rules", text=text, name="mine")
    assert loaded["is_playable"]

    counted = await reader.call("perft", rules=loaded["rules"], depth=2)
    assert [one["sequences"] for one in counted["levels"]] == [9, 72]
    other = await reader.call("scramble", rules=GAME, seed=3, mapping=True)
    other_text = await reader.read("ggp://rules/{rules}", rules=other["rules"])
    assert other["mapping"]["symbols"]["cell"] in other_text
    assert ";;@places" not in other_text
    compared = await reader.call("compare_traces", rules=loaded["rules"], reference="nim")
    assert compared["difference"]["what"] == "roles"


async def tell_match(reader: Reader) -> None:
    """A match from its first move to its record."""
    assert GAME in await reader.prompt("play_game", game=GAME)
    begun = await reader.call("new_match", rules=GAME, seed=1)
    match = begun["match"]
    assert match in await reader.prompt("explain_position", match=match)
    legal = await reader.call("legal_moves", match=match)
    assert CENTRE in [one["move"] for one in legal["moves"]]
    played = await reader.call("play", match=match, move=CENTRE)
    assert played["last_move"] == [CENTRE, "noop"]
    await refuse_bad_moves(reader, match)
    why = await reader.call("why", match=match, fact="(legal oplayer (mark 2 2))")
    assert not why["holds"]
    assert (await reader.call("undo", match=match))["turn"] == 1
    await reader.call("play", match=match, move=CENTRE)

    analysis = await reader.call("analyse", match=match, seconds=0.3)
    assert analysis["words"][0] == analysis["move"]
    assert "starting the process that searches" in reader.told
    assert any("compil" in one for one in reader.told)  # a game, or kernels first
    replied = await reader.call("reply", match=match, rounds=100, seed=1)
    assert replied["played"] == {"oplayer": replied["move"]}
    solved = await reader.call("solve", match=match)
    assert solved["goals"]["oplayer"] in {0, 50}
    report = await reader.call("report", match=match, seconds=1)
    assert [one["turn"] for one in report["moves"]] == [1, 2]

    assert (await reader.call("state", match=match))["turn"] == 3
    record = json.loads(await reader.read("ggp://matches/{match}/record", match=match))
    assert record["moves"][0] == ["( mark 2 2 )", "noop"]
    assert "<svg" in await reader.read("ggp://matches/{match}/picture", match=match)


async def refuse_bad_moves(reader: Reader, match: str) -> None:
    """As prose, of another role, for another turn: each says what is wrong, and changes nothing."""
    taken = await reader.refused("play", match=match, move=CENTRE)
    assert taken["code"] == "illegal_move"
    assert "(cell 2 2 b) is not in the state" in taken["reasons"][0]
    prose = await reader.refused("play", match=match, move="I surrender")
    assert len(prose["nearest"]) == 5
    other = await reader.refused("play", match=match, move="noop", role="zplayer")
    assert other["cure"] == "The roles are xplayer, oplayer."
    late = await reader.refused("play", match=match, move="mark 1 1", turn=1)
    assert late["code"] == "not_now"
    assert (await reader.call("state", match=match))["turn"] == 2


async def give_up(reader: Reader) -> asyncio.Task[Any]:
    """Cancel searches: they end, with their process or before it can search on.

    Returns:
        A search that goes on.
    """
    match = (await reader.call("new_match", rules="connectFour"))["match"]
    await cancel(await reader.begun("analyse", "value", match=match, seconds=300))
    assert len(searching()) == 1
    await cancel(await reader.begun("reply", "searching", match=match, rounds=10**6, seconds=300))
    await until_none_searches()
    return await reader.begun("analyse", "starting", match=match, seconds=300)


def searching() -> list[int]:
    """The processes that search for servers of this test."""
    parents, found = dict[int, int](), list[int]()
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            number = int(folder.name)
            parents[number] = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            if b"mcp_server.search_process" in (folder / "cmdline").read_bytes():
                found.append(number)
    return [one for one in found if parents.get(parents.get(one, 0)) == os.getpid()]


async def until_none_searches() -> None:
    """Wait until no process does."""
    async with asyncio.timeout(PATIENCE):
        while searching():
            await asyncio.sleep(0.05)
