"""Every tool, resource and prompt, driven by the SDK's own client over both transports."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from ggp import games
from ggp.processes.tasks import cancel
from tests.waiting import ended, until

if TYPE_CHECKING:
    from mcp import Client

pytestmark = pytest.mark.usefixtures("kernels")

GAME = "ticTacToe"
CENTRE = "(mark 2 2)"
PATIENCE = 600.0
"""Seconds after which a test gives up, on a busy machine that compiles kernels first."""


@asynccontextmanager
async def connected(transport: str, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Client]:
    """A client of a server of its own."""
    from mcp import Client, StdioServerParameters, stdio_client

    if transport == "memory":
        from ggp.mcp_server import searches
        from ggp.mcp_server.server import make_server
        from tests.ggp.mcp_server.near_search import NearSandbox

        monkeypatch.setattr(searches, "Sandbox", NearSandbox)
        monkeypatch.setattr(searches, "TELL_SECONDS", 0.01)
        async with Client(make_server()) as client:
            yield client
        return
    if transport == "http":
        from tests.ggp.mcp_server.test_http import serving

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
        self._is_told = asyncio.Event()
        self._client = client
        self._schemas = schemas

    async def call(self, tool: str, **arguments: object) -> dict[str, Any]:
        """What a tool answers."""
        from jsonschema import (  # type: ignore[import-untyped]  # it comes with the SDK
            Draft202012Validator,
        )

        self.used.add(tool)
        self.told = []
        found = await self._client.call_tool(tool, arguments, progress_callback=self._hear)
        answer = dict(found.structured_content or {})
        assert not found.is_error, answer
        Draft202012Validator(self._schemas[tool]).validate(answer)
        return answer

    async def refused(self, tool: str, **arguments: object) -> dict[str, Any]:
        """Why a tool refuses."""
        found = await self._client.call_tool(tool, arguments)
        assert found.is_error
        assert found.structured_content is not None
        return dict(found.structured_content["error"])

    async def begun(self, tool: str, message: str, **arguments: object) -> asyncio.Task[Any]:
        """A call that has told something that begins with `message`, and goes on."""
        self.told = []
        call = asyncio.create_task(
            self._client.call_tool(tool, arguments, progress_callback=self._hear)
        )
        async with asyncio.timeout(PATIENCE):
            while not any(one.startswith(message) for one in self.told):
                self._is_told.clear()
                heard = asyncio.create_task(self._is_told.wait())
                await asyncio.wait([call, heard], return_when=asyncio.FIRST_COMPLETED)
                heard.cancel()
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
        self._is_told.set()


RULES = {
    *("list_games", "load_rules", "perft", "scramble", "compare_traces"),
    *("ggp://docs/gdl", "ggp://rules/{rules}", "write_game"),
}
MATCH = {
    *("new_match", "legal_moves", "play", "why", "undo", "state"),
    *("analyse", "reply", "solve", "report"),
    *("ggp://matches/{match}/record", "ggp://matches/{match}/picture"),
    *("play_game", "explain_position"),
}
"""What the parts of the story use: together all that a server lists."""


async def reader_of(client: Client) -> Reader:
    """A reader that knows the schemas of all tools."""
    tools = (await client.list_tools()).tools
    return Reader(client, {one.name: one.output_schema or {} for one in tools})


async def listed_by(client: Client) -> set[str]:
    """All that a server lists: tools, resources and prompts."""
    found = {one.name for one in (await client.list_tools()).tools}
    found |= {
        one.uri_template for one in (await client.list_resource_templates()).resource_templates
    }
    found |= {str(one.uri) for one in (await client.list_resources()).resources}
    return found | {one.name for one in (await client.list_prompts()).prompts}


async def test_rules_are_found_written_and_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every answer has the schema of its tool; nothing is listed that no part of the story uses."""
    async with connected("memory", monkeypatch) as client:
        reader = await reader_of(client)
        await tell_rules(reader)

        assert reader.used == RULES
        assert await listed_by(client) == RULES | MATCH


async def test_a_match_is_played_explained_searched_proved_and_recorded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """No process searches here; `test_searches.py` shows that searches are given up."""
    async with connected("memory", monkeypatch) as client:
        reader = await reader_of(client)
        await tell_match(reader)

        assert reader.used == MATCH


@pytest.mark.thorough
@pytest.mark.parametrize("transport", ["stdio", "http"])
async def test_a_story_is_told_over_each_transport(
    transport: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both parts, with processes that search; all of them end with the server."""
    async with connected(transport, monkeypatch) as client:
        reader = await reader_of(client)
        await tell_rules(reader)
        await tell_match(reader)
        assert reader.used == await listed_by(client)
        going_on = await give_up(reader)
        processes = searching()
        assert processes

    await asyncio.gather(*map(ended, processes))
    await asyncio.wait([going_on])
    assert going_on.exception()


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

    analysis = await reader.call("analyse", match=match, seconds=0.05)
    assert analysis["words"][0] == analysis["move"]
    assert reader.told
    replied = await reader.call("reply", match=match, rounds=100, seed=1)
    assert replied["played"] == {"oplayer": replied["move"]}
    solved = await reader.call("solve", match=match)
    assert solved["goals"]["oplayer"] in {0, 50}
    report = await reader.call("report", match=match, seconds=0.1)
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
    reply = await reader.begun("reply", "searching", match=match, rounds=10**6, seconds=300)
    processes = searching()  # two if the first one has not noticed yet that it was cancelled
    await cancel(reply)
    await until(lambda: len(searching()) < len(processes))
    return await reader.begun("analyse", "value", match=match, seconds=300)


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
