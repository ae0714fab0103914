"""People who play each other: who moves which seat, clocks, and what they agree on."""

from __future__ import annotations

import asyncio
from typing import Any

from aiohttp.test_utils import TestClient

from ggp.manager.service import ManagerService
from tests.ggp.manager.desk import SECONDS, Home, ask, desk, over, until_true, until_turn

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
    said = "the match is not waiting for a move of oplayer in turn 1: xplayer (Ann) is to move"
    assert early == (409, {"error": said})
    assert (found.goals, found.ending) == ([100, 0], "rules")
    assert [[one["forced"] for one in turn["replies"]] for turn in turns[:2]] == [
        [False, True],
        [True, False],
    ]
    assert record["playerNamesFromHost"] == ["Ann", "person"]


async def two_people(client: Client, **more: Any) -> tuple[int, dict[str, str]]:
    """A match between two by their keys."""
    status, made = await ask(client, "POST", "/matches", {**PEOPLE, **more})
    assert status == 201, made
    return made["number"], made["keys"]


async def act(client: Client, number: int, key: str, what: str, **body: Any) -> tuple[int, Any]:
    """Something that a person does in a match."""
    return await ask(client, "POST", f"/matches/{number}/{what}?seat={key}", body)


async def test_who_offered_is_told_that_it_was_declined(home: Home) -> None:
    """Until a move is made; who withdraws an offer is told nothing."""
    async with desk(home) as (service, client):
        number, keys = await two_people(client)
        seen = []
        for turn, (mover, decliner) in enumerate(
            (("xplayer", "oplayer"), ("oplayer", "xplayer")), start=1
        ):
            await until_turn(service, number, turn - 1)
            await act(client, number, keys["oplayer"], "offers", role="oplayer", kind="draw")
            await act(client, number, keys[decliner], "declines", role=decliner, kind="draw")
            _, shown = await ask(client, "GET", f"/matches/{number}")
            seen.append((shown["people"]["offers"], shown["people"]["declined"]))
            await make(client, number, mover, f"(mark 1 {turn})", turn, keys[mover])
        await until_turn(service, number, 2)
        _, shown = await ask(client, "GET", f"/matches/{number}")
        seen.append((shown["people"]["offers"], shown["people"]["declined"]))

    assert seen == [([], []), ([], [{"kind": "draw", "role": "oplayer"}]), ([], [])]


async def test_people_resign_and_agree(home: Home) -> None:
    """Resignation, draw, take-back and rematch, each by the one or the other and by nobody else."""
    async with desk(home) as (service, client):
        first, keys = await two_people(client)
        x, o = keys["xplayer"], keys["oplayer"]
        await until_turn(service, first, 0)
        await make(client, first, "xplayer", "(mark 1 1)", 1, x)
        await until_turn(service, first, 1)
        stranger = await act(client, first, "", "resign", role="oplayer")
        back = [
            await act(client, first, x, "offers", role="xplayer", kind="take-back"),
            await act(client, first, x, "offers", role="xplayer", kind="take-back"),
            await act(client, first, o, "declines", role="oplayer", kind="take-back"),
        ]
        _, shown = await ask(client, "GET", f"/matches/{first}")
        await make(client, first, "oplayer", "(mark 2 2)", 2, o)
        await until_turn(service, first, 2)
        for role, key in (("oplayer", o), ("xplayer", x)):
            back.append(await act(client, first, key, "offers", role=role, kind="take-back"))
        await until_turn_back(service, first, 1)
        draw = [await act(client, first, o, "offers", role="oplayer", kind="draw")]
        early = await act(client, first, o, "offers", role="oplayer", kind="rematch")
        draw.append(await act(client, first, x, "offers", role="xplayer", kind="draw"))
        drawn = await over(service, first)
        again = [await act(client, first, x, "offers", role="xplayer", kind="rematch")]
        again += [await act(client, first, o, "offers", role="oplayer", kind="rematch")]
        again += [await act(client, first, x, "offers", role="xplayer", kind="rematch")]
        second = again[1][1]["number"]
        await until_turn(service, second, 0)
        given_up = await act(client, second, again[2][1]["key"], "resign", role="oplayer")
        lost = await over(service, second)
        _, record = await ask(client, "GET", f"/matches/{second}/record")

    assert stranger[0] == 403
    assert [status for status, _ in back] == [200, 409, 200, 200, 200]
    assert [answer.get("agreed") for _, answer in back] == [False, None, None, False, True]
    assert shown["people"]["offers"] == []
    assert [answer["agreed"] for _, answer in draw] == [False, True]
    assert early[0] == 409
    assert (drawn.status, drawn.ending, drawn.goals) == ("completed", "agreed", [50, 50])
    assert [answer["agreed"] for _, answer in again] == [False, True, True]
    assert again[2][1]["number"] == second
    assert given_up == (200, {})
    assert (lost.ending, lost.goals) == ("resigned", [100, 0])
    assert lost.reason == "oplayer (person) resigned"
    assert record["goalValues"] == [100, 0]
    assert record["ending"] == "resigned"


async def until_turn_back(service: ManagerService, number: int, turn: int) -> None:
    """Wait until moves have been taken back, and somebody is asked again."""
    people = service.people.find(number)
    assert people is not None
    await until_true(lambda: people.turn == turn + 1 and people.who_is_waited_for())


async def test_who_runs_out_of_time_loses(home: Home) -> None:
    """By a clock for the game, of which a first move takes nothing; it goes on after a pause."""
    clock = {"kind": "game", "seconds": 1, "increment": 1}
    async with desk(home) as (service, client):
        number, keys = await two_people(client, clock=clock)
        await until_turn(service, number, 0)
        await make(client, number, "xplayer", "(mark 1 1)", 1, keys["xplayer"])
        await until_turn(service, number, 1)
        await make(client, number, "oplayer", "(mark 2 2)", 2, keys["oplayer"])
        await until_turn(service, number, 2)
        await make(client, number, "xplayer", "(mark 1 2)", 3, keys["xplayer"])
        await until_turn(service, number, 3)
        _, match = await ask(client, "GET", f"/matches/{number}")
    async with desk(home) as (service, client):
        await ask(client, "POST", f"/matches/{number}/resume?seat={keys['xplayer']}")
        found = await over(service, number)

    left = {role: one["left"] for role, one in match["people"]["clocks"].items()}
    assert 1000 < left["xplayer"] <= 2000
    assert left["oplayer"] == 1000
    waiting = match["people"]["waiting"][0]
    assert (waiting["role"], waiting["until"] - waiting["since"]) == ("oplayer", 1000)
    assert (found.status, found.ending, found.goals) == ("completed", "time", [100, 0])
    assert found.reason == "oplayer (person) ran out of time"


async def test_a_hidden_match_that_is_broken_off_stays_hidden(home: Home) -> None:
    """To each but for the own part, until both agree; only its people can break it off."""
    async with desk(home) as (service, client):
        number, keys = await two_people(client, game="phantomTicTacToe")
        x, o = keys["xplayer"], keys["oplayer"]
        await until_turn(service, number, 0)
        _, waits = await ask(client, "GET", f"/matches/{number}")
        _, own = await ask(client, "GET", f"/matches/{number}?seat={x}")
        await make(client, number, "xplayer", "(mark 1 1)", 1, x)
        await until_turn(service, number, 1)
        refused = [await act(client, number, "", what) for what in ("abort", "resume")]
        aborted = [(await act(client, number, key, "abort"))[0] for key in (o, x)]
        shown = [await all_told(client, number, key) for key in ("", o, x)]
        record = await ask(client, "GET", f"/matches/{number}/record?seat={x}")
        report, _ = await ask(client, "POST", f"/matches/{number}/report")
        agreed = [
            (await act(client, number, key, "offers", role=role, kind="reveal"))[1]["agreed"]
            for role, key in (("oplayer", o), ("oplayer", o), ("xplayer", x))
        ]
        revealed = await all_told(client, number, "")

    assert (waits["people"]["waiting"], waits["people"]["turn"]) == ([], 1)
    assert [one["role"] for one in own["people"]["waiting"]] == ["xplayer"]
    assert [status for status, _ in refused] == [403, 403]
    assert aborted == [200, 409]
    assert ["(mark 1 1)" in one for one in shown] == [False, False, True]
    assert not any('"(cell' in one for one in shown)
    assert record[0] == report == 409
    assert record[1]["error"].endswith("can be read when its people agree to show it")
    assert agreed == [False, False, True]
    assert '"(cell 1 1 x)"' in revealed


async def all_told(client: Client, number: int, key: str) -> str:
    """What somebody reads of the turns and by the events of a match that is over."""
    found = ""
    for path in ("turns", "events"):
        async with client.get(f"/api/v1/matches/{number}/{path}?seat={key}") as answer:
            found += await answer.text()
    return found


async def test_it_is_said_who_is_there(home: Home) -> None:
    """By whoever's stream of events has the key of a seat, as long as it is open."""
    async with desk(home) as (service, client):
        number, keys = await two_people(client)
        await until_turn(service, number, 0)
        path = f"/api/v1/matches/{number}/events"
        async with client.get(path) as looker:
            page = await client.get(f"{path}?seat={keys['oplayer']}")
            there = await read_until(looker, '"oplayer":{"status":"connected"')
            page.close()
            away = await read_until(looker, '"oplayer":{"status":"away"')
        _, match = await ask(client, "GET", f"/matches/{number}")

    assert '"xplayer":{"status":"connected"' not in there + away
    assert match["people"]["presence"]["oplayer"]["status"] == "away"


async def read_until(answer: Any, text: str) -> str:
    """What is sent until a text is among it."""
    found = ""
    async with asyncio.timeout(SECONDS):
        while text not in found:
            found += (await answer.content.readany()).decode()
    return found


async def test_one_person_may_hold_all_seats(home: Home) -> None:
    """Who says so; each role is moved by the one key, and moves are taken back at once."""
    async with desk(home) as (service, client):
        number, keys = await two_people(client, hold="all", name="Ann")
        await until_turn(service, number, 0)
        key = keys["xplayer"]
        await make(client, number, "xplayer", "(mark 1 1)", 1, key)
        await until_turn(service, number, 1)
        moved = await make(client, number, "oplayer", "(mark 2 2)", 2, key)
        await until_turn(service, number, 2)
        back, _ = await act(client, number, key, "take-back", role="xplayer", turns=1)
        await until_turn_back(service, number, 1)
        hidden = {**PEOPLE, "game": "phantomTicTacToe", "hold": "all"}
        refused, answer = await ask(client, "POST", "/matches", hidden)

    assert keys["oplayer"] == key
    assert (moved[0], back, refused) == (200, 200, 400)
    assert answer["error"].startswith("hold: phantomTicTacToe hides information from roles")


async def test_a_match_that_was_resigned_is_taken_in_again(home: Home, other_home: Home) -> None:
    """With the goals that it has by that, and no others."""
    async with desk(home) as (service, client):
        number, keys = await two_people(client)
        await until_turn(service, number, 0)
        await act(client, number, keys["xplayer"], "resign", role="xplayer")
        _, record = await ask(client, "GET", f"/matches/{number}/record")
    async with desk(other_home) as (service, client):
        body = {"game": "ticTacToe", "record": {**record, "goalValues": [100, 100]}}
        wrong, answer = await ask(client, "POST", "/matches/import", body)
        await ask(client, "POST", "/matches/import", {**body, "record": record})
        _, match = await ask(client, "GET", "/matches/1")

    assert wrong == 400
    assert answer["error"].startswith("goalValues: expected the goals of a match with the ending")
    assert (match["ending"], match["reason"]) == ("resigned", "xplayer (person) resigned")
    assert match["goals"] == [0, 100]
