"""/matches over HTTP: set up, read, refused, played by hand, exported and taken in."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

import gdl
from ggp import games
from ggp.engine import EngineConfig
from ggp.manager.api.route import examples_of
from ggp.manager.app import ROUTES
from ggp.manager.domain.players import PERSON
from ggp.manager.hosting.position_search import Hint, PositionSearch
from ggp.manager.web.request_parts import RequestModel
from ggp.records.record import MatchRecord
from ggp.records.recording import open_recording
from ggp.records.xml import from_xml
from tests.ggp.manager.desk import KEY, Home, ask, by_hand, desk, over, two, until, until_turn
from tests.shared import require

pytestmark = pytest.mark.usefixtures("kernels")

MATCH = {"game": "ticTacToe", "players": ["legal", "legal"]}
PLAYERS = {"players": ["mcts", "random"]}
"""An example of our own."""


async def test_no_more_matches_wait_than_may(home: Home) -> None:
    """However many ask for one in the same moment."""
    async with desk(home, max_waiting=3, num_cores=1) as (service, client):
        body = {"game": "ticTacToe", "players": [PERSON, "legal"]}
        answers = await asyncio.gather(*(ask(client, "POST", "/matches", body) for _ in range(20)))
        listed = len((await ask(client, "GET", "/matches"))[1])
        await service.host.close()

    assert sorted(status for status, _ in answers) == [201] * 3 + [409] * 17
    assert listed == 3
    refused = next(answer for status, answer in answers if status == 409)
    assert refused["error"] == "3 matches are already waiting or running; try again later"


@pytest.mark.parametrize(
    ("path", "body", "field", "example"),
    [
        ("/matches", {**MATCH, "seed": -1}, "seed", {"seed": 1}),
        ("/matches", {**MATCH, "players": ["legal"]}, "players", PLAYERS),
        ("/matches", {**MATCH, "players": ["legal", ""]}, "players.1", PLAYERS),
        ("/players", {"name": "a", "source": "no"}, "source", {"source": "http://127.0.0.1:9147"}),
        ("/players", [], "", {"name": "mine", "source": "http://127.0.0.1:9147"}),
    ],
)
async def test_an_error_shows_what_would_be_right(
    home: Home, path: str, body: Any, field: str, example: Any
) -> None:
    """Of the field that is wrong, or the fields that there must be."""
    async with desk(home) as (_, client):
        status, answer = await ask(client, "POST", path, body)

    assert status == 400
    assert answer.get("field", "") == field
    assert answer["example"] == example


@pytest.mark.parametrize(
    "model",
    dict.fromkeys(model for one in ROUTES for model in (one.body, one.query) if model is not None),
)
def test_examples_are_right_themselves(model: type[RequestModel]) -> None:
    """All fields of them, and those alone that are needed."""
    examples = examples_of(model)

    for example in (examples.whole, examples.of_fields):
        assert isinstance(model.model_validate(example), model)


async def test_a_match_is_set_up_and_read(home: Home) -> None:
    """Its number first; then all that is known of it, its turns, and what a position looks like."""
    body = {"game": "ticTacToe", "players": ["random", "legal"], "seed": 3, "playclock": 7}
    async with desk(home) as (service, client):
        status, made = await ask(client, "POST", "/matches", body)
        _, begun = await ask(client, "GET", "/matches/1")
        await over(service, made["number"])
        _, match = await ask(client, "GET", "/matches/1")
        _, turns = await ask(client, "GET", "/matches/1/turns?first=1")
        _, named = await ask(client, "GET", "/matches/1/names?first=2")
        _, position = await ask(client, "GET", "/matches/1/positions/0")
        _, listed = await ask(client, "GET", "/matches?player=legal&status=completed")
        _, none = await ask(client, "GET", "/matches?game=connectFour")

    assert (status, made) == (201, {"number": 1, "keys": {}})
    assert (match["status"], match["playclock"], match["seed"]) == ("completed", 7, 3)
    assert begun["seed"] is None  # it would tell what chance is going to do
    assert [seat["player"] for seat in match["seats"]] == ["random", "legal"]
    assert [turn["number"] for turn in turns] == list(range(1, match["turns"] + 1))
    assert [turn["number"] for turn in named] == list(range(2, match["turns"] + 1))
    assert named[0]["moves"][0] == "do nothing"
    assert named[0]["moves"][1].startswith("mark column ")
    assert position["svg"].startswith("<svg")
    assert position["legal"]["oplayer"] == ["noop"]
    assert (listed, none) == ([match], [])


REFUSED: list[tuple[Any, int, str]] = [
    ({"players": []}, 400, "game: this field is missing"),
    (
        {"game": "ticTacToe", "players": ["legal"]},
        400,
        "players: ticTacToe takes 2 players (xplayer",
    ),
    ({"game": "ticTacTo", "players": []}, 404, "did you mean ticTacToe"),
    ({"game": "ticTacToe", "players": ["legal", "lega"]}, 400, "players: expected a reg"),
    ({"game": "ticTacToe", "players": ["legal", "mcts:c=x"]}, 400, "c"),
    ({"game": "ticTacToe", "players": ["os:system", "legal"]}, 400, "players: expected"),
    ({"game": "ticTacToe", "players": [], "playclock": 0}, 400, "playclock: "),
    ({"game": "ticTacToe", "players": [], "watch": 1}, 400, "watch: there is no such field"),
    ({"game": "a\0b", "players": []}, 400, "game: "),
    (
        {"game": "ticTacToe", "players": ["http://10.0.0.9:1", "legal"]},
        400,
        "start the manager with --allow-host 10.0.0.9",
    ),
    (
        {"game": "ticTacToe", "players": ["http://h:x", "legal"]},
        400,
        "players: expected http://",
    ),
    (
        {"game": "ticTacToe", "players": ["http://localhost:9", "http://127.0.0.1:9/"]},
        400,
        "expected a separate path for each seat, such as http://127.0.0.1:9/white and",
    ),
    (["no object"], 400, "body: "),
]


async def test_what_cannot_be_set_up_is_refused(home: Home) -> None:
    """The error names the field and says what would be right."""
    async with desk(home) as (_, client):
        for body, status, message in REFUSED:
            found, answer = await ask(client, "POST", "/matches", body)
            assert found == status, body
            assert message in answer["error"]
        _, listed = await ask(client, "GET", "/matches")

    assert listed == []


MISSING: list[tuple[str, str, int]] = [
    ("GET", "/matches/7", 404),
    ("GET", "/matches/7/turns", 404),
    ("GET", "/matches/7/events", 404),
    ("GET", "/matches/7/record", 404),
    ("GET", "/matches/7/record.xml", 404),
    ("GET", "/matches/7/positions/0", 404),
    ("GET", "/matches/1/positions/99", 404),
    ("GET", "/matches/seven", 400),
    ("GET", "/matches?limit=0", 400),
    ("GET", "/matches?colour=red", 400),
    ("POST", "/matches/1/abort", 409),
    ("POST", "/matches/1/resume", 409),
    ("POST", "/matches/7/abort", 404),
    ("PUT", "/matches", 405),
    ("GET", "/nothing", 404),
]


async def test_what_is_not_there_is_said(home: Home) -> None:
    """In JSON, with one line."""
    async with desk(home) as (service, client):
        await over(service, await service.host.set_up(two()))
        for method, path, status in MISSING:
            found, answer = await ask(client, method, path)
            assert found == status, path
            assert answer["error"]


WRONG_PAGES: list[tuple[str, int, str]] = [
    ("/matches/999", 404, "there is no match 999"),
    ("/matches?limit=0", 400, "limit: expected at least 1"),
    ("/tournaments/77", 404, "there is no tournament 77"),
    ("/players/nobody", 404, "unknown player &#39;nobody&#39;: expected one of alpha, random"),
    ("/editor?game=ticTacTo", 404, "did you mean ticTacToe"),
    ("/play?game=ticTacTo", 404, "did you mean ticTacToe"),
    ("/nothing", 404, "there is nothing at /nothing"),
]


async def test_who_reads_pages_gets_a_page_of_what_went_wrong(home: Home) -> None:
    """With the way back; a program that asks for the same gets JSON."""
    async with desk(home) as (service, client):
        await service.players.register("alpha", "random", "ggp-base")
        await over(service, await service.host.set_up(two(players=("alpha", "random"))))
        browser = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
        for path, status, message in WRONG_PAGES:
            page = await client.get(path, headers=browser)
            text = await page.text()
            plain = await client.get(path)
            api = await client.get(f"/api/v1{path}", headers=browser)

            assert (page.status, plain.status) == (status, status), path
            assert message in text
            assert 'aria-label="Main"' in text
            assert plain.content_type == api.content_type == "application/json"


async def test_a_match_is_played_by_hand(home: Home) -> None:
    """A move at once, a click that comes late, a move that is not legal, and one taken back."""
    async with desk(home) as (service, client):
        number = await service.host.set_up(by_hand())
        await until_turn(service, number, 0)

        async def move(text: str, turn: int) -> tuple[int, Any]:
            body = {"role": "xplayer", "move": text, "turn": turn}
            return await ask(client, "POST", f"/matches/{number}/moves?seat={KEY}", body)

        first = await move(" ( mark 2 2 )", 1)
        late = await move("(mark 1 1)", 1)
        await until_turn(service, number, 2)
        second = await move("noop", 2)
        wrong = await move("(mark 2 2)", 3)
        body = {"role": "xplayer", "turns": 9}
        too_far = await ask(client, "POST", f"/matches/{number}/take-back?seat={KEY}", body)
        back = await ask(
            client, "POST", f"/matches/{number}/take-back?seat={KEY}", {**body, "turns": 0}
        )
        again = await move("mark 3 3", 1)
        await until(service, number, '["(mark 3 3)","noop"]')
        _, turns = await ask(client, "GET", f"/matches/{number}/turns")

    assert (first[0], second[0], back[0], again[0]) == (200, 409, 200, 200)
    assert late[0] == 409
    assert late[1]["error"].startswith("the match is not waiting for a move of xplayer in turn 1")
    waits = ", but turn 3 is played: xplayer (person) is to move"
    assert second[1]["error"] == f"the match is not waiting for a move of xplayer in turn 2{waits}"
    assert wrong[0] == 400
    assert "move: expected one of (mark 1 2), " in wrong[1]["error"]
    assert wrong[1]["example"] == {"move": "(mark 1 2)"}  # of this position
    assert too_far[0] == 400
    assert too_far[1]["error"] == "turns: expected a number from 0 to 2, got 9"
    assert turns[1]["moves"] == ["(mark 3 3)", "noop"]


async def test_who_is_no_person_cannot_be_moved_by_hand(home: Home) -> None:
    """Only seats where a person sits."""
    async with desk(home) as (service, client):
        number = await service.host.set_up(by_hand())
        await until_turn(service, number, 0)
        body = {"role": "oplayer", "move": "noop", "turn": 1}
        status, answer = await ask(client, "POST", f"/matches/{number}/moves?seat={KEY}", body)

    assert (status, answer["error"]) == (404, "nobody plays oplayer by hand in match 1")


async def test_a_person_who_is_away_for_long_interrupts_the_match(home: Home) -> None:
    """It can go on later."""
    async with desk(home, person_seconds=0.01) as (service, client):
        number = await service.host.set_up(by_hand())
        await over(service, number)
        _, match = await ask(client, "GET", f"/matches/{number}")
        status, _ = await ask(client, "POST", f"/matches/{number}/resume?seat={KEY}")

    assert (match["status"], match["reason"]) == (
        "interrupted",
        "xplayer made no move for 0 minutes",
    )
    assert status == 200


async def test_an_exported_match_can_be_replayed_and_taken_in(home: Home) -> None:
    """As JSON, and as XML; once only under one id, and only by the rules."""
    async with desk(home) as (service, client):
        await over(service, await service.host.set_up(two()))
        _, record = await ask(client, "GET", "/matches/1/record")
        async with client.get("/api/v1/matches/1/record.xml") as answer:
            xml = await answer.text()
        again = await ask(
            client, "POST", "/matches/import", {"game": "ticTacToe", "record": record}
        )
        other = {**record, "matchId": "elsewhere.1"}
        taken = await ask(client, "POST", "/matches/import", {"game": "ticTacToe", "record": other})
        _, copy = await ask(client, "GET", "/matches/2/record")
        moves = [["(mark 1 1)", "(mark 1 1)"], *record["moves"][1:]]
        wrong = await ask(
            client,
            "POST",
            "/matches/import",
            {"game": "ticTacToe", "record": {**other, "matchId": "m.3", "moves": moves}},
        )

    assert from_xml(xml) == MatchRecord.from_text(json.dumps(record))
    assert again == (409, {"error": f"record: this manager already has match {record['matchId']}"})
    assert taken == (201, {"number": 2})
    assert copy == other
    assert wrong[0] == 400
    assert wrong[1]["error"] == "moves: (mark 1 1) of oplayer is not legal in turn 1"
    file = home.folder / "match.json"
    file.write_text(json.dumps(record), encoding="utf-8")
    rules = gdl.read_kif(games.text("ticTacToe"))
    states = list(open_recording(file).states([str(role) for role in gdl.load(rules).roles]))
    assert len(states) == len(record["states"])


@pytest.mark.parametrize("name", ["match_plain.json", "match_plain.xml", "match_abort.json"])
async def test_what_ggp_base_recorded_is_taken_in(home: Home, name: str) -> None:
    """Matches of the real game server, finished and broken off."""
    text = require("protocol", name).read_text(encoding="utf-8")
    async with desk(home) as (_, client):
        body = {"game": "ticTacToe", "record": text}
        status, made = await ask(client, "POST", "/matches/import", body)
        _, match = await ask(client, "GET", f"/matches/{made['number']}")

    assert status == 201
    is_whole = name.startswith("match_plain")
    assert match["status"] == ("completed" if is_whole else "aborted")
    assert [seat["player"] for seat in match["seats"]] == ["P1", "P2"]


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ("", "record"),
        ("{", "expected a match record in JSON"),
        ("<match/>", "matchId: this field is missing"),
        ({"matchId": 1}, "matchId: expected a text"),
        (
            {"matchId": "x", "startTime": 0, "startClock": 1, "playClock": 1},
            "states: expected the states of the match",
        ),
    ],
)
async def test_what_is_no_record_is_not_taken_in(home: Home, record: object, message: str) -> None:
    """The error names the field."""
    async with desk(home) as (_, client):
        body = {"game": "ticTacToe", "record": record}
        status, answer = await ask(client, "POST", "/matches/import", body)

    assert status == 400
    assert message in answer["error"]


@pytest.mark.usefixtures("ready_forkers")
async def test_a_hint_wins_at_once_where_that_can_be(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A short search, in a process, from where the match stands; only for who is to move."""
    plain = EngineConfig(player="mcts:tree=python", reasoner="interpreter", is_pondering=False)
    began, search = asyncio.Event(), PositionSearch.search

    async def watched_search(self: PositionSearch, *asked: Any) -> Hint:
        began.set()
        return await search(self, *asked)

    monkeypatch.setattr(PositionSearch, "search", watched_search)
    async with desk(home) as (service, client):
        service.hints._search._config = plain
        number = await service.host.set_up(by_hand())
        body = {"role": "xplayer", "seconds": 4.0}
        early = await ask(
            client, "POST", f"/matches/{number}/hint?seat={KEY}", {**body, "role": "oplayer"}
        )
        for turn, move in ((1, "(mark 2 2)"), (3, "(mark 1 2)")):
            await until_turn(service, number, turn - 1)
            move_body = {"role": "xplayer", "move": move, "turn": turn}
            await ask(client, "POST", f"/matches/{number}/moves?seat={KEY}", move_body)
        await until_turn(service, number, 4)
        status, hint = await ask(client, "POST", f"/matches/{number}/hint?seat={KEY}", body)
        _, table = await ask(client, "POST", f"/matches/{number}/analysis?seat={KEY}", body)
        began.clear()
        body = {**body, "seconds": 10}
        asked = asyncio.create_task(
            ask(client, "POST", f"/matches/{number}/analysis?seat={KEY}", body)
        )
        await began.wait()
        move_body = {"role": "xplayer", "move": "(mark 3 3)", "turn": 5}
        await ask(client, "POST", f"/matches/{number}/moves?seat={KEY}", move_body)
        async with asyncio.timeout(5):
            stale = await asked

    nobody = "nobody plays oplayer by hand in match 1"
    other = "POST /api/v1/rules/analysis searches any position"
    assert early == (404, {"error": f"{nobody}; {other}"})
    assert (status, hint["move"]) == (200, "(mark 3 2)")
    assert table["moves"][0] == {
        "move": "(mark 3 2)",
        "visits": table["moves"][0]["visits"],
        "value": 100.0,
        "proven": "win in 1 ply",
    }
    assert [one["move"] for one in table["moves"]].count("(mark 3 2)") == 1
    assert table["proven"] == "proven win in 1 ply"
    assert stale[0] == 409


async def test_a_position_of_a_match_is_explained(home: Home) -> None:
    """Why it ended, why a move is not legal, and by what a fact came with the next moves."""
    async with desk(home) as (service, client):
        number = await service.host.set_up(two())
        match = await over(service, number)
        last = f"/matches/{number}/positions/{match.num_turns}/why"
        _, ended = await ask(client, "GET", f"{last}?fact=terminal")
        _, illegal = await ask(client, "GET", f"{last}?fact=(legal xplayer (mark 1 1))")
        first = f"/matches/{number}/positions/0/why"
        _, coming = await ask(client, "GET", f"{first}?fact=(next (control ?who))&depth=2")
        refused, _ = await ask(client, "GET", f"{last}?fact=(next ?f)")
        wrong, _ = await ask(client, "GET", f"{first}?fact=(nonsense)")
        missing, _ = await ask(client, "GET", f"/matches/{number}/positions/99/why?fact=terminal")

    assert (ended["holds"], ended["turn"]) == (True, match.num_turns)
    assert ended["lines"][0]["said"] == "by a rule"
    assert not illegal["holds"]
    assert coming["lines"][0]["text"] == "(next (control oplayer))"
    assert (refused, wrong, missing) == (400, 400, 404)
