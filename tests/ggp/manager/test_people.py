"""People who play each other: who moves which seat, clocks, and what they agree on."""

from __future__ import annotations

from typing import Any

from aiohttp.test_utils import TestClient

from tests.ggp.manager.desk import Home, ask, desk, over, until_turn

PEOPLE = {"game": "ticTacToe", "players": ["person", "person"]}
Client = TestClient[Any, Any]


async def make(
    client: Client, number: int, role: str, move: str, turn: int, key: str = ""
) -> tuple[int, Any]:
    """A person's move."""
    body = {"role": role, "move": move, "turn": turn}
    seat = f"?seat={key}" if key else ""
    return await ask(client, "POST", f"/matches/{number}/moves{seat}", body)


async def test_two_play_an_open_game_without_accounts(home: Home) -> None:
    """Each by a key; moves without a choice are made at once, and it is said who is to move."""
    async with desk(home) as (service, client):
        status, made = await ask(client, "POST", "/matches", {**PEOPLE, "name": "Ann"})
        number, keys = made["number"], made["keys"]
        await until_turn(service, number, 0)
        _, match = await ask(client, "GET", f"/matches/{number}")
        strangers = [await make(client, number, "xplayer", "(mark 1 1)", 1)]
        strangers += [await make(client, number, "xplayer", "(mark 1 1)", 1, keys["oplayer"])]
        early = await make(client, number, "oplayer", "(mark 1 1)", 1, keys["oplayer"])
        for turn, role, move in (
            (1, "xplayer", "(mark 1 1)"),
            (2, "oplayer", "(mark 2 2)"),
            (3, "xplayer", "(mark 1 2)"),
            (4, "oplayer", "(mark 3 3)"),
            (5, "xplayer", "(mark 1 3)"),
        ):
            assert await make(client, number, role, move, turn, keys[role]) == (200, {})
        found = await over(service, number)
        _, turns = await ask(client, "GET", f"/matches/{number}/turns?first=1")
        _, record = await ask(client, "GET", f"/matches/{number}/record")

    assert (status, sorted(keys)) == (201, ["oplayer", "xplayer"])
    assert [(one["player"], one["person"]) for one in match["seats"]] == [
        ("Ann", True),
        ("person", True),
    ]
    assert [one["role"] for one in match["people"]["waiting"]] == ["xplayer"]
    assert [status for status, _ in strangers] == [403, 403]
    said = "no move of oplayer is waited for in turn 1: xplayer (Ann) is to move"
    assert early == (409, {"error": said})
    assert (found.goals, found.ending) == ([100, 0], "rules")
    assert [[one["forced"] for one in turn["replies"]] for turn in turns[:2]] == [
        [False, True],
        [True, False],
    ]
    assert record["playerNamesFromHost"] == ["Ann", "person"]
