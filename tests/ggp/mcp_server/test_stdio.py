"""The tools, driven by the SDK's own client over standard input and output."""

from __future__ import annotations

import os
import sys
from typing import Any

from mcp import Client, StdioServerParameters, stdio_client


async def test_a_match_is_played_and_what_is_refused_says_why() -> None:
    """Nothing that is refused changes anything."""
    command = StdioServerParameters(
        command=sys.executable, args=["-m", "ggp", "mcp"], env=dict(os.environ)
    )
    async with Client(stdio_client(command)) as client:

        async def call(tool: str, **arguments: object) -> dict[str, Any]:
            found = await client.call_tool(tool, arguments)
            assert found.structured_content is not None
            return dict(found.structured_content)

        match = (await call("new_match", rules="ticTacToe"))["match"]
        legal = await call("legal_moves", match=match, limit=4, offset=4)
        played = await call("play", match=match, move="mark 2 2")
        refused = await call("play", match=match, move="(mark 2 2)")
        prose = await call("play", match=match, move="I surrender")
        state = await call("state", match=match)
        huge = await call("perft", rules="nim", depth=10**9)
        nobody = await call("state", match="m-none")
        faulty = await call("load_rules", text="(role x) (legal x ?y)")
        undone = await call("undo", match=match)

    assert (legal["total"], legal["next_offset"]) == (9, 8)
    assert played["last_move"] == ["(mark 2 2)", "noop"]
    assert refused["error"]["code"] == "illegal_move"
    assert "(cell 2 2 b) is not in the state" in refused["error"]["reasons"][0]
    assert len(prose["error"]["nearest"]) == 5
    assert state["turn"] == 2
    assert huge["error"]["code"] == "bad_argument"
    assert nobody["error"]["code"] == "unknown_handle"
    assert not faulty["is_playable"]
    assert undone["turn"] == 1
