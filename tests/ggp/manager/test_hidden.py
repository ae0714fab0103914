"""Matches of hidden information: who asks is told what they may know, to the last byte."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

import pytest
from aiohttp.test_utils import TestClient

from ggp.manager.service import ManagerService
from ggp.manager.store import rulesheets
from tests.ggp.manager.desk import Home, ask, desk, over, turns, until_turn
from tests.thorough import all_but

pytestmark = pytest.mark.usefixtures("kernels")

GAME = "phantomTicTacToe"
ROLES = ("xplayer", "oplayer")
SCRIPT = (
    ("(mark 1 1)", "noop"),
    ("noop", "(mark 2 2)"),
    ("noop", "noop"),
    ("(mark 2 2)", "noop"),
    ("(mark 1 2)", "noop"),
    ("noop", "{second}"),
    ("noop", "noop"),
    ("noop", "noop"),
)
"""Of xplayer and oplayer; the first mark of oplayer is on the middle, or xplayer would see more."""


async def set_up(client: TestClient[Any, Any], **more: Any) -> tuple[int, dict[str, str]]:
    """A match between two people, its number and their keys."""
    body = {"game": GAME, "players": ["person", "person"], **more}
    status, made = await ask(client, "POST", "/matches", body)
    assert status == 201
    return made["number"], made["keys"]


async def make(
    client: TestClient[Any, Any], number: int, key: str, role: str, move: str, turn: int
) -> tuple[int, Any]:
    """A person's move."""
    body = {"role": role, "move": move, "turn": turn}
    return await ask(client, "POST", f"/matches/{number}/moves?seat={key}", body)


async def play(
    service: ManagerService,
    client: TestClient[Any, Any],
    number: int,
    keys: dict[str, str],
    joint_moves: Sequence[Sequence[str]],
) -> None:
    """Play turns of a match, the first ones; `noop` is made by the manager."""
    await until_turn(service, number, 0)
    for turn, moves in enumerate(joint_moves, start=1):
        chosen = [(role, move) for role, move in zip(ROLES, moves, strict=True) if move != "noop"]
        for role, move in chosen:
            assert await make(client, number, keys[role], role, move, turn) == (200, {})
        await until_turn(service, number, turn)


async def events(client: TestClient[Any, Any], path: str, turn: int, place: str = "") -> bytes:
    """What is sent to a spectator until a turn has come."""
    headers = {"Last-Event-ID": place} if place else {}
    found = b""
    async with client.get(path, headers=headers) as answer:
        assert answer.status == 200
        while f'"number":{turn},"moves"'.encode() not in found or not found.endswith(b"\n\n"):
            found += await answer.content.readany()
    return found


async def all_bytes(
    client: TestClient[Any, Any], number: int, key: str, turn: int, *, is_whole: bool
) -> bytes:
    """Return all that a visitor or a player with a key can read of a match.

    With `is_whole`, also what the pages around the match say, and all its positions.
    """
    found = []
    client.session.cookie_jar.clear()
    here, seat = f"/matches/{number}", f"?seat={key}" if key else ""
    api = "/api/v1" + here
    around = [
        *("/", "/matches", "/play", "/games", "/tournaments", "/players", "/players/person"),
        *("/matches?status=running", "/api/v1/matches", "/api/v1/players/person/record"),
        *("/api/v1/ratings", "/api/v1/tournaments", f"/api/v1/games/{GAME}/picture"),
        *(f"{api}/positions/{one}{seat}" for one in range(turn)),
    ]
    pages = [
        *(around if is_whole else ("/matches", "/api/v1/matches")),
        *(here + seat, api + seat, f"{api}/turns{seat}", f"{api}/turns{seat or '?'}&first=2"),
        *(f"{api}/record{seat}", f"{api}/record.xml{seat}", f"{api}/names{seat}"),
        *(f"{api}/positions/{one}{seat}" for one in (turn, turn + 1)),
    ]
    for path in pages:
        async with client.get(path) as answer:
            body = await answer.read()
            found.append(f"{path} {answer.status} {sorted(answer.headers.items())}\n".encode())
            found.append(body)
    asked = [
        ("hint", {"role": "oplayer"}),
        ("analysis", {"role": "xplayer"}),
        ("take-back", {"role": "xplayer", "turns": 0}),
        ("moves", {"role": "xplayer", "move": "(mark 1 1)", "turn": turn}),
        ("moves", {"role": "oplayer", "move": "(mark 9 9)", "turn": turn + 1}),
        ("resume", {}),
    ]
    for what, said in asked:
        async with client.post(f"{api}/{what}{seat}", json=said) as answer:
            found.append(f"{what} {answer.status}\n".encode() + await answer.read())
    found.append(await events(client, f"{api}/events{seat}", turn))
    found.append(await events(client, f"{api}/events{seat}", turn, "0-1"))
    return b"\n".join(found)


def without_names(found: bytes, number: int, keys: dict[str, str]) -> bytes:
    """The same without what is another in any two matches: numbers, names, keys, times, lengths."""
    text = found.decode()
    for key in keys.values():
        text = text.replace(key, "KEY")
    text = re.sub(rf"ggp\.{GAME}\.\d+\.[0-9a-f]+", "MATCH", text)
    text = re.sub(rf"(match(?:es)?[ /]|ggp_seat_){number}\b", r"\1N", text)
    text = re.sub(rf'("number": |data-number="|>){number}\b', r"\1N", text)
    text = re.sub(r'("(?:time|created|since|until)": ?)\d+', r"\1T", text)
    text = re.sub(r"event: people\n.*\n\n", "", text)  # how many come is chance
    text = re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d", "T", text)
    text = re.sub(r'"seconds": ?[\d.]+', '"seconds":S', text)
    text = re.sub(r"\('(Date|Content-Length|Etag|Last-Modified)', '[^']*'\)", r"\1", text)
    return text.encode()


async def one_match(
    home: Home, second: str, *, is_whole: bool, spectators: str = "nothing"
) -> dict[str, bytes]:
    """All that xplayer and a visitor read of a match in which oplayer makes these marks."""
    async with desk(home) as (service, client):
        number, keys = await set_up(client, spectators=spectators)
        moves = [[one.format(second=second) for one in joint] for joint in SCRIPT]
        await play(service, client, number, keys, moves)
        found = {
            who: without_names(
                await all_bytes(client, number, key, len(moves), is_whole=is_whole), number, keys
            )
            for who, key in (("xplayer", keys["xplayer"]), ("visitor", ""))
        }
        await service.host.abort(number)
        assert (await turns(service, number))[-3].moves[1] == second
        return found


@pytest.mark.parametrize("is_whole", all_but([False], [False, True]))
async def test_no_byte_depends_on_what_a_role_does_not_know(
    home: Home, other_home: Home, *, is_whole: bool
) -> None:
    """Two matches in which xplayer sees the same and oplayer does another thing: all is equal."""
    one = await one_match(home, "(mark 3 3)", is_whole=is_whole)
    other = await one_match(other_home, "(mark 3 1)", is_whole=is_whole)

    for who, found in one.items():
        assert found.split(b"\n") == other[who].split(b"\n"), who
        assert b"(cell 2 2 o)" in found if who == "xplayer" else b"(cell" not in found


@pytest.mark.parametrize("is_whole", all_but([False], [False, True]))
async def test_spectators_see_everything_where_a_match_is_set_up_so(
    home: Home, other_home: Home, *, is_whole: bool
) -> None:
    """But a player with a key still sees its part only."""
    one = await one_match(home, "(mark 3 3)", spectators="all", is_whole=is_whole)
    other = await one_match(other_home, "(mark 3 1)", spectators="all", is_whole=is_whole)

    assert one["xplayer"] == other["xplayer"]
    assert b"(cell 3 3 o)" in one["visitor"]
    assert b"(cell 3 3 o)" not in other["visitor"]
    assert b"(cell 3 1 o)" in other["visitor"]


async def test_all_is_shown_when_the_match_is_over(home: Home) -> None:
    """The turns with what each role saw, the record, the positions, the seed."""
    async with desk(home) as (service, client):
        wanted = {"game": GAME, "players": ["random", "random"]}
        chosen, refused = await ask(client, "POST", "/matches", {**wanted, "seed": 5})
        _, made = await ask(client, "POST", "/matches", wanted)
        number = made["number"]
        match = await over(service, number)
        _, shown = await ask(client, "GET", f"/matches/{number}")
        _, told = await ask(client, "GET", f"/matches/{number}/turns")
        status, record = await ask(client, "GET", f"/matches/{number}/record")
        _, position = await ask(client, "GET", f"/matches/{number}/positions/{match.num_turns}")
        sent = await events(client, f"/api/v1/matches/{number}/events", match.num_turns)

    assert made["keys"] == {}
    assert (chosen, refused["field"]) == (400, "seed")  # else its owner would know the deal
    assert (shown["seed"], shown["hides"], shown["spectators"]) == (match.seed, True, "nothing")
    assert match.seed
    assert all(None not in turn["moves"] for turn in told)
    assert told[1]["percepts"] == [["placed"], []]
    assert status == 200
    assert len(record["states"]) == match.num_turns + 1
    assert (position["terminal"], position["belief"]) == (True, None)
    assert b"null" not in sent


async def test_only_whoever_has_the_key_moves_a_role(home: Home) -> None:
    """Not a visitor, and not another player."""
    async with desk(home) as (service, client):
        number, keys = await set_up(client)
        await until_turn(service, number, 0)
        move = ("xplayer", "(mark 1 1)", 1)
        refused = [await make(client, number, key, *move) for key in ("", "x", keys["oplayer"])]
        made = await make(client, number, keys["xplayer"], *move)

    assert sorted(keys) == ["oplayer", "xplayer"]
    assert [status for status, _ in refused] == [403, 403, 403]
    assert refused[0][1]["error"].startswith("the seat of xplayer is taken")
    assert made == (200, {})


async def test_a_page_that_is_opened_with_the_key_keeps_it(home: Home) -> None:
    """And the address does not; one with a wrong key is not kept."""
    async with desk(home) as (service, client):
        number, keys = await set_up(client)
        await until_turn(service, number, 0)
        wrong = await client.get(f"/matches/{number}?seat=nonsense")
        async with client.get(f"/matches/{number}") as answer:
            visited = await answer.text()
        right = await client.get(f"/matches/{number}?seat={keys['oplayer']}")
        page = await right.text()
        _, position = await ask(client, "GET", f"/matches/{number}/positions/0")

    assert wrong.status == 403
    assert 'data-sight="nothing"' in visited
    assert (right.status, right.url.query_string) == (200, "")
    assert 'data-sight="oplayer"' in page
    assert position["legal"] == {"oplayer": ["noop"]}
    assert position["belief"]["worlds"] == 1


async def test_a_player_that_thinks_tells_nobody(home: Home) -> None:
    """Its thoughts, its time and its faults are its own until the end."""
    async with desk(home) as (service, client):
        players = ["person", "mcts:iterations=20"]
        body = {"game": GAME, "players": players, "startclock": 1, "playclock": 1}
        _, made = await ask(client, "POST", "/matches", body)
        number, key = made["number"], made["keys"]["xplayer"]
        await until_turn(service, number, 0)
        await make(client, number, key, "xplayer", "(mark 2 2)", 1)
        await until_turn(service, number, 1)
        await until_turn(service, number, 2)
        _, told = await ask(client, "GET", f"/matches/{number}/turns?seat={key}")
        played = await turns(service, number)
        await service.host.abort(number)

    assert "thoughts" in played[2].replies[1]
    assert told[2]["replies"][1] == {}
    assert told[2]["moves"] == ["noop", None]
    assert told[2]["facts"] == []


async def test_a_belief_is_drawn_faintly(home: Home) -> None:
    """What is certain is solid; the rest has how likely it is."""
    async with desk(home) as (service, client):
        number, keys = await set_up(client)
        await play(service, client, number, keys, [("(mark 1 1)", "noop"), ("noop", "(mark 2 2)")])
        seat = f"?seat={keys['xplayer']}"
        _, position = await ask(client, "GET", f"/matches/{number}/positions/2{seat}")

    belief = position["belief"]
    assert belief["likely"]["(cell 1 1 x)"] == 1
    assert belief["likely"]["(cell 3 3 o)"] == pytest.approx(1 / 9, abs=1e-3)
    assert (belief["complete"], belief["consistent"]) == (True, True)
    assert position["svg"].count(">11%<") == 8
    assert json.dumps(position["legal"]) == '{"xplayer": ["noop"]}'
    assert position["readable"] == {"xplayer": ["do nothing"]}


async def test_reasons_are_told_to_those_who_see_the_whole_position(home: Home) -> None:
    """A derivation may name any fact, so a role that sees a part of it is told nothing."""
    async with desk(home) as (service, client):
        number, keys = await set_up(client)
        await play(service, client, number, keys, [("(mark 1 1)", "noop")])
        path = f"/matches/{number}/positions/1/why?fact=(true (cell 1 1 x))"
        refused = [await ask(client, "GET", path)]
        refused += [await ask(client, "GET", f"{path}&seat={key}") for key in keys.values()]
        await service.host.abort(number)
        await over(service, number)
        refused.append(await ask(client, "GET", path))
        for role, key in keys.items():  # what was broken off is shown when both agree
            offer = {"role": role, "kind": "reveal"}
            await ask(client, "POST", f"/matches/{number}/offers?seat={key}", offer)
        status, told = await ask(client, "GET", path)

    assert [status for status, _ in refused] == [409] * 4
    assert not any("lines" in answer for _, answer in refused)
    assert (status, told["holds"]) == (200, True)


async def test_the_pages_propose_a_player_for_hidden_information(home: Home) -> None:
    """For games that were added, too; not where only a comment speaks of `sees`."""
    async with desk(home) as (service, client):
        async with service.database.writing() as session:
            await rulesheets.keep(session, "mine", "(role x)\n(sees x now) ; seen", now=1)
            await rulesheets.keep(session, "open", "; no (sees x now)\n(role x)", now=1)
        pages = [await (await client.get(path)).text() for path in ("/play", "/matches")]

    wanted = {"phantomTicTacToe": "hidden", "ticTacToe": "mcts", "mine": "hidden", "open": "mcts"}
    for page in pages:
        found = dict(re.findall(r'<option value="(\w+)" .*data-program="(\w+)"', page))
        assert found | wanted == found
