"""What clients ask that cannot be: each is refused with a code and the cure, and nothing hangs."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from ggp.mcp_server import searches
from ggp.mcp_server.bounds import ServerBounds
from ggp.processes.tasks import cancel

if TYPE_CHECKING:
    from mcp import Client

ENDLESS = "(role me) (init (n 0)) (legal me go) (<= (next (n (s ?x))) (true (n ?x))) (goal me 0)"
ENDLESS += " (<= terminal (true (n over)))"
NEXT = "(next (cell 1 1 x))"
STUCK = "(role me) (init (a 0)) (<= (legal me go) (true (a 1))) (<= terminal (true (a 2)))"
STUCK += " (goal me 0)"


def serving() -> Client:
    """A client of a server within this process, which lets one search run and one wait."""
    from mcp import Client

    from ggp.mcp_server.server import make_server

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
            ("bad_argument", "play", {"match": match, "moves": 3}),
            ("bad_argument", "no_such_tool", {}),
            ("bad_argument", "scramble", {"rules": "nim", "symbols": False, "board": False}),
            ("bad_argument", "play", {"match": match, "moves": ["mark 1 1"]}),
            ("bad_argument", "why", {"match": match, "fact": "(foo 1)"}),
            ("bad_argument", "why", {"match": match, "fact": "(("}),
            ("bad_argument", "why", {"match": match, "fact": NEXT}),
            ("bad_argument", "why", {"match": match, "fact": NEXT, "moves": {"oplayer": "noop"}}),
            ("illegal_move", "why", {"match": match, "fact": NEXT, "moves": ["mark 7 1", "noop"]}),
            ("limit_reached", "load_rules", {"text": "; x" * 700_000}),
            ("illegal_move", "play", {"match": match, "move": "noop"}),
            ("illegal_move", "play", {"match": match, "move": "b2-b4"}),
            ("illegal_move", "play", {"match": match, "move": "((((" * 200}),
        ]

        found = [(await code(client, tool, **asked), tool, asked) for _, tool, asked in cases]
        page = await call(client, "legal_moves", match=match, limit=4, offset=4)

        assert found == cases
        assert (page["total"], page["next_offset"]) == (9, 8)


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("kuhn poker", "there is no game 'kuhn poker'; did you mean kuhnPoker"),
        ("chess960", "there is no game 'chess960'"),
    ],
)
async def test_a_game_that_is_not_there_is_told_of_its_like(name: str, problem: str) -> None:
    """Not by a list of all games, which `list_games` has."""
    async with serving() as client:
        error = (await call(client, "new_match", rules=name))["error"]

        assert error["problem"].startswith(problem)
        assert "list_games" in error["cure"]


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
        text = ["undefined-value"]  # for both end where no state gets
        assert [one["code"] for one in endless["findings"]] == [*text, "play-failed"]
        assert [one["code"] for one in stuck["findings"]] == [*text, *text, "play-no-move"]
        assert endless["rules"] is stuck["rules"] is None


class HangingSandbox:
    """A process that answers nothing."""

    def __init__(self, *_: object, **__: object) -> None:
        pass

    async def ask_named(self, *_: object) -> None:
        """Wait until the question is given up."""
        await asyncio.Event().wait()

    async def close(self) -> None:
        """End."""


async def test_a_flood_of_searches_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """One runs, one waits; the third is told to come back, and those that are given up are gone."""
    monkeypatch.setattr(searches, "Sandbox", HangingSandbox)
    monkeypatch.setattr(searches, "TELL_SECONDS", 0.01)
    heard = [asyncio.Event(), asyncio.Event()]

    def hear(search: asyncio.Event) -> Any:
        async def told(*_: object) -> None:
            search.set()

        return told

    async with asyncio.timeout(60), serving() as client:
        match = (await call(client, "new_match", rules="ticTacToe"))["match"]
        asked = {"match": match, "seconds": 300}
        calls = []
        for search in heard:
            asking = client.call_tool("analyse", asked, progress_callback=hear(search))
            calls.append(asyncio.create_task(asking))
            await search.wait()

        refused = await code(client, "analyse", **asked)
        await cancel(*calls)

        assert refused == "busy"


@pytest.mark.parametrize(
    "moves",
    [
        "mark column 1, row 1",
        ["(mark 1 1)", "noop"],
        ["mark 1 1", "NOOP"],
        {"xplayer": "mark(1, 1)"},
    ],
)
async def test_why_takes_moves_as_play_does(moves: object) -> None:
    """In words or as terms; a list, a role's name, or the move of the one who moves."""
    async with serving() as client:
        match = (await call(client, "new_match", rules="ticTacToe"))["match"]

        why = await call(client, "why", match=match, fact=NEXT, moves=moves)
        played = await call(client, "play", match=match, moves=moves)

        assert why["holds"]
        assert played["last_move"] == ["(mark 1 1)", "noop"]


async def test_a_question_is_cured_by_what_it_should_be() -> None:
    """An example of the match, which can be asked as it stands."""
    async with serving() as client:
        match = (await call(client, "new_match", rules="ticTacToe"))["match"]

        error = (await call(client, "why", match=match, fact=NEXT))["error"]

        assert "(legal xplayer (mark 1 1))" in error["cure"]
        assert '{"xplayer": "(mark 1 1)", "oplayer": "noop"}' in error["cure"]


async def test_findings_tell_their_cures_in_the_text_too() -> None:
    """Where to write what: a model may be shown the text alone."""
    async with serving() as client:
        found = await client.call_tool("load_rules", {"text": "(role x) (legal x go"})

        assert "at line 1, column 21 insert )" in str(found.content[0])


@pytest.mark.parametrize(
    ("name", "given", "told"),
    [
        ("write_game", {}, "prompt write_game without description: it takes description"),
        ("play_game", {"rules": "nim"}, "prompt play_game with rules: it takes game"),
        ("no_such", {}, "expected play_game or write_game or explain_position"),
    ],
)
async def test_a_prompt_that_cannot_be_is_refused(
    name: str, given: dict[str, str], told: str, caplog: pytest.LogCaptureFixture
) -> None:
    """In a sentence; nothing is logged as a fault of the server."""
    from mcp.shared.exceptions import MCPError

    async with serving() as client:
        with pytest.raises(MCPError, match=told):
            await client.get_prompt(name, given)

    assert not caplog.records


async def test_a_tree_that_is_not_counted_whole_says_so_in_its_text() -> None:
    """Who reads nothing else believes that this was all."""
    from mcp.types import TextContent

    async with serving() as client:
        found = await client.call_tool("perft", {"rules": "nim", "depth": 9, "max_nodes": 500})

    text = "\n".join(one.text for one in found.content if isinstance(one, TextContent))
    assert text.endswith("is not counted: 500 joint moves or 5 s were too few (max_nodes, seconds)")
