"""Challenges: in the lobby, by a link, for an account; taken up, withdrawn, declined, expired."""

from __future__ import annotations

from typing import Any

import pytest

from ggp.manager.hosting import lobby
from tests.ggp.manager.api.course import course, invited, joined
from tests.ggp.manager.desk import Home, ask, desk, until_turn

OPEN = {"game": "connectFour", "players": ["person", "person:anybody"]}
LINKED = {"game": "phantomTicTacToe", "players": ["person:link", "person"], "name": "Ann"}


async def test_nobody_chooses_the_seed_of_a_hidden_match(home: Home) -> None:
    """It would tell what the other one is dealt."""
    async with desk(home) as (_, client):
        hidden = await ask(client, "POST", "/challenges", {**LINKED, "seed": 1})
        whole = await ask(client, "POST", "/challenges", {**OPEN, "seed": 1})

    assert (hidden[0], whole[0]) == (400, 201)
    assert "the manager draws the seed" in hidden[1]["error"]


async def test_a_challenge_becomes_a_match(home: Home) -> None:
    """Of whoever comes first in the lobby, or has the link; not of a third one."""
    async with desk(home) as (service, client):
        _, made = await ask(client, "POST", "/challenges", {**OPEN, "sides": "random"})
        _, linked = await ask(client, "POST", "/challenges", LINKED)
        _, listed = await ask(client, "GET", "/challenges")
        unseen, _ = await ask(client, "GET", f"/challenges/{linked['number']}")
        link = linked["links"]["xplayer"]
        _, seen = await ask(client, "GET", f"/challenges/{linked['number']}?challenge={link}")
        accept = f"/challenges/{made['number']}/accept"
        _, taken = await ask(client, "POST", accept, {"name": "Bob"})
        late, _ = await ask(client, "POST", accept, {"name": "Eve"})
        accept = f"/challenges/{linked['number']}/accept"
        guessed, _ = await ask(client, "POST", accept, {"link": "x"})
        _, other = await ask(client, "POST", accept, {"link": link})
        used = [(await ask(client, "POST", accept, {"link": link}))[0]]
        used += [(await client.get(f"/matches/{other['match']}?seat={link}")).status]
        path = f"/challenges/{linked['number']}?challenge={linked['key']}"
        _, begun = await ask(client, "GET", path)
        await until_turn(service, taken["match"], 0)
        _, match = await ask(client, "GET", f"/matches/{taken['match']}")
        _, own = await ask(client, "GET", f"/matches/{begun['match']}/seat?seat={linked['key']}")
        mine = await ask(client, "GET", f"/matches/{taken['match']}/seat?seat={taken['key']}")

    assert [one["number"] for one in listed] == [made["number"]]
    assert unseen == 404
    assert (seen["challenger"], seen["acceptable"], seen["own"]) == ("Ann", True, False)
    assert seen["seats"] == [
        {"role": "xplayer", "player": "", "open": "link", "account": ""},
        {"role": "oplayer", "player": "Ann", "open": "", "account": ""},
    ]
    assert sorted(one["player"] for one in match["seats"]) == ["Bob", "person"]
    assert (late, guessed, used) == (409, 404, [409, 403])
    assert (begun["status"], begun["own"], begun["match"]) == ("accepted", True, other["match"])
    assert own == {"roles": ["oplayer"], "keys": {"oplayer": linked["key"]}}
    assert mine[1]["roles"] == [taken["role"]]


async def test_challenges_end_and_are_bounded(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    """By who has made them; of one address there are no more than so many."""
    monkeypatch.setattr(lobby, "MAX_OF_ADDRESS", 2)
    async with desk(home) as (_, client):
        made = [(await ask(client, "POST", "/challenges", OPEN))[1] for _ in range(2)]
        full, refused = await ask(client, "POST", "/challenges", OPEN)
        path = f"/challenges/{made[0]['number']}"
        strange, _ = await ask(client, "POST", f"{path}/withdraw", {"key": "x"})
        gone, _ = await ask(client, "POST", f"{path}/withdraw", {"key": made[0]["key"]})
        accepted, _ = await ask(client, "POST", f"{path}/accept", {})
        monkeypatch.setattr(lobby, "MILLISECONDS_A_MINUTE", 0)
        _, brief = await ask(client, "POST", "/challenges", OPEN)
        _, expired = await ask(client, "GET", f"/challenges/{brief['number']}")
        _, listed = await ask(client, "GET", "/challenges")
        wrong = [
            (await ask(client, "POST", "/challenges", {**OPEN, "players": players}))[1]["error"]
            for players in (
                ["person", "person"],
                ["person", "person:me"],
                ["person", "person:@Ada"],
                ["person", "random"],
                ["person:anybody"],
            )
        ]

    assert (full, refused["error"]) == (409, "2 of your challenges are open; withdraw one first")
    assert (strange, gone, accepted) == (403, 200, 409)
    assert expired["status"] == "expired"
    assert [one["number"] for one in listed] == [made[1]["number"]]
    assert wrong[0].startswith("players: expected person at most once, and an open seat")
    assert wrong[1].startswith("players: expected person, person:anybody, person:link")
    assert wrong[2] == "players: there is no account Ada that may play"
    assert wrong[3] == wrong[0]
    assert wrong[4].startswith("players: connectFour takes 2")


async def test_an_account_is_challenged(home: Home) -> None:
    """It alone sees and takes the seat, moves by its account, and has a new key when it wants."""
    wanted: dict[str, Any] = {"game": "ticTacToe", "players": ["person", "person:@bob"]}
    async with course(home) as (service, people):
        ann, bob = people["student"], people["nobody"]
        await joined(bob, await invited(people["lecturer"], "student"), "Bob")
        _, made = await ask(ann, "POST", "/challenges", wanted)
        _, other = await ask(ann, "POST", "/challenges", wanted)
        path = f"/challenges/{made['number']}"
        seen = [len((await ask(people[who], "GET", "/challenges"))[1]) for who in people]
        refused = [
            (await ask(people["lecturer"], "POST", f"{path}/accept", {}))[0],
            (await ask(people["spectator"], "POST", f"{path}/accept", {}))[0],
            (await ask(ann, "POST", f"{path}/accept", {}))[0],
            (await ask(bob, "POST", f"{path}/accept", {"name": "Robert"}))[0],
        ]
        declined, _ = await ask(bob, "POST", f"/challenges/{other['number']}/decline")
        _, taken = await ask(bob, "POST", f"{path}/accept", {})
        number = taken["match"]
        await until_turn(service, number, 0)
        body = {"role": "xplayer", "move": "(mark 1 1)", "turn": 1}
        moves = [
            (await ask(people[who], "POST", f"/matches/{number}/moves", body))[0]
            for who in ("host", "lecturer", "nobody", "student")
        ]
        _, match = await ask(people["lecturer"], "GET", f"/matches/{number}")
        renewing = f"/matches/{number}/seats/oplayer/key"
        renewed = [await ask(people[who], "POST", renewing) for who in ("lecturer", "nobody")]
        renewed += [await ask(people["host"], "POST", renewing)]
        broken_off = [
            (await ask(people[who], "POST", f"/matches/{number}/abort"))[0]
            for who in ("lecturer", "nobody")
        ]

    assert dict(zip(people, seen, strict=True)) == {
        "nobody": 2,
        "host": 2,
        "lecturer": 0,
        "student": 2,
        "spectator": 0,
    }
    assert refused == [404, 403, 409, 400]
    assert declined == 200
    assert taken["role"] == "oplayer"
    assert [one["player"] for one in match["seats"]] == ["student", "Bob"]
    assert moves == [403, 403, 403, 200]
    assert [status for status, _ in renewed] == [403, 200, 200]
    assert renewed[1][1]["key"] != renewed[2][1]["key"]
    assert broken_off == [403, 200]
