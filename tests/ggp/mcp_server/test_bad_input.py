"""What clients ask that cannot be: each is refused with a code and the cure, and nothing hangs."""

from __future__ import annotations

import asyncio
from typing import Any

from mcp import Client

from ggp.mcp_server.bounds import ServerBounds
from ggp.mcp_server.server import make_server
from ggp.processes.tasks import cancel

ENDLESS = "(role me) (init (n 0)) (legal me go) (<= (next (n (s ?x))) (true (n ?x))) (goal me 0)"
ENDLESS += " (<= terminal (true (n over)))"
STUCK = "(role me) (init (a 0)) (<= (legal me go) (true (a 1))) (<= terminal (true (a 2)))"
STUCK += " (goal me 0)"


def serving() -> Client:
    """A client of a server within this process, which lets one search run and one wait."""
    return Client(make_server(bounds=ServerBounds(num_searches=1, max_waiting=1)))


async def call(client: Client, tool: str, **arguments: object) -> dict[str, Any]:
    """What a tool answers, a refusal as well."""
    found = await client.call_tool(tool, arguments)
    answer = dict(found.structured_content or {})
    assert found.is_error == ("error" in answer)
    if found.is_error:
        assert answer["error"]["cure"]
    return answer


async def code(client: Client, tool: str, **arguments: object) -> str:
    """The code of a refusal; empty if it is none."""
    answer = await call(client, tool, **arguments)
    return str(answer["error"]["code"]) if "error" in answer else ""


async def test_what_cannot_be_asked_is_refused() -> None:
    """Out of order, without bounds, of strangers: nothing changes by it."""
    async with serving() as client:
        match = (await call(client, "new_match", rules="ticTacToe"))["match"]
        cases: list[tuple[str, str, dict[str, Any]]] = [
            ("unknown_handle", "state", {"match": "m-none"}),
            ("unknown_handle", "new_match", {"rules": "chess960"}),
            ("unknown_handle", "perft", {"rules": "r-none"}),
            ("not_now", "report", {"match": match}),
            ("not_now", "undo", {"match": match}),
            ("bad_argument", "perft", {"rules": "nim", "max_nodes": 10**9}),
            ("bad_argument", "perft", {"rules": "nim", "depth": 10**9}),
            ("bad_argument", "solve", {"match": match, "max_states": 10**9}),
            ("bad_argument", "analyse", {"match": match, "seconds": 10**9}),
            ("bad_argument", "reply", {"match": match, "rounds": 10**9}),
            ("bad_argument", "analyse", {"match": match, "role": "nobody"}),
            ("bad_argument", "compare_traces", {"rules": "nim"}),
            ("bad_argument", "play", {"match": match, "move": "m" * 10_000}),
            ("bad_argument", "play", {"match": match, "moves": "mark"}),
            ("bad_argument", "no_such_tool", {}),
            ("limit_reached", "load_rules", {"text": "; x" * 700_000}),
            ("illegal_move", "play", {"match": match, "move": "noop"}),
            ("illegal_move", "play", {"match": match, "move": "b2-b4"}),
            ("illegal_move", "play", {"match": match, "move": "((((" * 200}),
        ]

        found = [(await code(client, tool, **asked), tool, asked) for _, tool, asked in cases]
        page = await call(client, "legal_moves", match=match, limit=4, offset=4)

        assert found == cases
        assert (page["total"], page["next_offset"]) == (9, 8)


async def test_a_role_learns_nothing_of_others() -> None:
    """Where information is hidden, a handle is for its role alone."""
    async with serving() as client:
        seats = (await call(client, "new_match", rules="kuhnPoker", seed=1))["seats"]
        mine, other = list(seats.items())[:2]

        assert await code(client, "legal_moves", match=mine[1], role=other[0]) == "hidden"
        assert await code(client, "undo", match=mine[1]) == "hidden"
        assert await code(client, "why", match=mine[1], fact="terminal") == "hidden"
        assert await code(client, "report", match=mine[1]) == "hidden"


async def test_rules_at_fault_harm_nobody() -> None:
    """A state that grows for ever, and one in which a role has no move."""
    async with serving() as client:
        faulty = await call(client, "load_rules", text="(role x) (legal x ?y)")
        endless = await call(client, "load_rules", text=ENDLESS)
        stuck = await call(client, "load_rules", text=STUCK)

        assert not faulty["is_playable"]
        assert faulty["findings"][0]["line"] == 1
        assert [one["code"] for one in endless["findings"]] == ["play-failed"]
        assert [one["code"] for one in stuck["findings"]] == ["play-no-move"]
        assert endless["rules"] is stuck["rules"] is None


async def test_a_flood_of_searches_is_refused() -> None:
    """One runs, one waits; the third is told to come back, and those that are given up are gone."""
    async with serving() as client:
        match = (await call(client, "new_match", rules="ticTacToe"))["match"]
        asked = {"match": match, "seconds": 300}
        calls = [asyncio.create_task(client.call_tool("analyse", asked)) for _ in range(2)]
        await asyncio.sleep(0.2)

        refused = await code(client, "analyse", **asked)
        await cancel(*calls)

        assert refused == "busy"
