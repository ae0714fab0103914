"""/games and /rules over HTTP: strangers' rules are read in a process of their own."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from ggp import games
from ggp.engine import EngineConfig
from ggp.manager.hosting import position_search
from ggp.manager.hosting.position_search import Hint, PositionSearch
from ggp.manager.store.tables import Status
from tests.ggp.harmed_rules import HARMED, LOST, checked
from tests.ggp.manager.desk import WAITING_GAME, Home, ask, desk, over, two

pytestmark = pytest.mark.usefixtures("kernels")

BROKEN = "(role me)\n(<= (legal me (go ?x)) (true here))"


async def test_a_game_is_added_and_played(home: Home) -> None:
    """It joins the catalogue, and can be drawn and played like those that came with us."""
    async with desk(home) as (service, client):
        status, _ = await ask(client, "POST", "/games", {"name": "wait", "text": WAITING_GAME})
        _, listed = await ask(client, "GET", "/games")
        _, roles = await ask(client, "GET", "/games/wait/roles")
        async with client.get("/api/v1/games/wait/picture") as answer:
            picture = await answer.text()
        async with client.get("/api/v1/games/wait/rules") as answer:
            rules = await answer.text()
        match = await over(service, await service.host.set_up(two("wait")))

    assert status == 201
    assert (listed[-1]["name"], listed[-1]["bundled"]) == ("wait", False)
    assert (roles, rules) == (["left", "right"], WAITING_GAME)
    assert picture.startswith("<svg")
    assert (match.status, match.goals) == (Status.COMPLETED, [100, 0])


async def test_the_rules_kept_last_count(home: Home) -> None:
    """Those of before too, when they are kept again; their first comment tells what it is about."""
    texts = [f"; Wait {how}\n;; and see.\n{WAITING_GAME}" for how in ("a bit", "longer")]
    async with desk(home) as (_, client):
        for text in (*texts, texts[0]):
            await ask(client, "POST", "/games", {"name": "wait", "text": text})
        _, listed = await ask(client, "GET", "/games")
        async with client.get("/api/v1/games/wait/rules") as answer:
            rules = await answer.text()
        page = await (await client.get("/games")).text()

    assert rules == texts[0]
    assert [game["rules"] for game in listed if game["name"] == "wait"] == ["Wait a bit and see."]
    assert "Wait a bit and see." in page


async def test_a_game_that_cannot_be_played_is_not_kept(home: Home) -> None:
    """Nor one that has the name of a bundled game."""
    async with desk(home) as (_, client):
        bad = await ask(client, "POST", "/games", {"name": "bad", "text": "(role me"})
        taken = await ask(client, "POST", "/games", {"name": "ticTacToe", "text": WAITING_GAME})
        unknown, _ = await ask(client, "GET", "/games/bad/roles")

        wrong = WAITING_GAME.replace("(legal left go)", "(<= (legal left ?go) (role left))")
        refused = await ask(client, "POST", "/games", {"name": "wrong", "text": wrong})
        told = {"name": "wrong", "text": wrong, "with_errors": True}
        kept = await ask(client, "POST", "/games", told)

    assert (refused[0], kept[0], refused[1]["field"]) == (400, 201, "with_errors")
    assert refused[1]["error"].startswith("with_errors: line 6, column ")
    assert (bad[0], taken[0], unknown) == (400, 409, 404)
    assert "bad:1:" in bad[1]["error"]


async def test_rules_in_the_making_are_checked_laid_out_and_tried(home: Home) -> None:
    """Findings have their place."""
    async with desk(home) as (_, client):
        _, findings = await ask(client, "POST", "/rules/check", {"text": BROKEN})
        _, laid_out = await ask(client, "POST", "/rules/format", {"text": "(role   me)"})
        status, tried = await ask(client, "POST", "/rules/try", {"text": WAITING_GAME})

        place = {"text": "(role me)", "line": 1, "column": 2}
        _, symbol = await ask(client, "POST", "/rules/symbol", place)
        _, nothing = await ask(client, "POST", "/rules/symbol", {**place, "column": 10_000})
        refused, _ = await ask(client, "POST", "/rules/symbol", {**place, "line": 0})

    assert symbol["text"].startswith("**role/1**: keyword")
    assert symbol["definitions"][0] == {"line": 1, "column": 2, "length": 4}
    assert (nothing["text"], refused) == ("", 400)
    assert (2, 19) in {(found["line"], found["column"]) for found in findings}
    assert laid_out == {"text": "(role me)\n"}
    assert (status, tried["length"]) == (200, 2)


async def test_findings_name_their_cures(home: Home) -> None:
    """Texts for places, which mend what is wrong."""
    text = "(role me)\n(init (step 1))\n(<= (legal ?p go)\n    (true (stepp 1)))"
    async with desk(home) as (_, client):
        _, findings = await ask(client, "POST", "/rules/check", {"text": text})

    cures = [cure for found in findings for cure in found["cures"]]
    edits = [edit for cure in cures for edit in cure["edits"]]
    assert {"line": 4, "column": 12, "length": 5, "text": "step"} in edits


async def test_findings_are_those_of_the_command_line(home: Home, tmp_path: Path) -> None:
    """With those of random games, unless these are not wanted."""
    async with desk(home) as (_, client):
        for code, text in HARMED.items():
            _, told = await ask(client, "POST", "/rules/check", {"text": text})
            _, shown = await ask(client, "POST", "/rules/check", {"text": text, "play": False})

            expected = checked(tmp_path / "rules.kif", text)
            assert [{key: one[key] for key in expected[0]} for one in told] == expected
            assert code in {one["code"] for one in told}
            assert shown == [one for one in told if not one["code"].startswith("play-")]


async def test_what_is_lost_in_random_games_has_a_cure(home: Home) -> None:
    """The rule that was taken out."""
    async with desk(home) as (_, client):
        _, told = await ask(client, "POST", "/rules/check", {"text": LOST})

    [cure] = next(one["cures"] for one in told if one["code"] == "play-lost")
    assert cure["title"] == "Keep the facts 'cell'"
    assert "(<= (next (cell " in cure["edits"][0]["text"]


async def test_random_games_say_where_nobody_can_move(home: Home) -> None:
    """They are not among those that take too long."""
    text = (
        "(role x)\n(role y)\n(init (step 0))\n(goal x 1)\n(goal y 1)\n(<= terminal (true over))\n"
    )
    text += "(<= (next (step 1)) (true (step 0)))\n(<= (legal x go) (true (step 0)))\n"
    none, one = "(<= (legal y go) (true (step 0)))", "(legal y go)"
    async with desk(home) as (_, client):
        _, told = await ask(client, "POST", "/rules/try", {"text": f"{text}{none}"})
        _, other = await ask(client, "POST", "/rules/try", {"text": f"{text}{one}"})

    stuck = {"playouts": told["playouts"], "roles": ["x", "y"], "first_turn": 2, "last_turn": 2}
    assert (told["unfinished"], told["stuck"]) == (0, stuck)
    assert other["stuck"]["roles"] == ["x"]


async def test_words_that_may_stand_at_a_place_are_named(home: Home) -> None:
    """With the place of what is there of them."""
    text = "(role me) (legal me go) (init here) (<= terminal (tr"
    async with desk(home) as (_, client):
        place = {"text": text, "line": 1, "column": len(text) + 1}
        _, told = await ask(client, "POST", "/rules/complete", place)

    assert told["begun"] == {"line": 1, "column": len(text) - 1, "length": 2}
    assert "true" in [one["word"] for one in told["words"]]


async def test_a_position_of_rules_in_the_making_is_walked_to_and_explained(home: Home) -> None:
    """By moves; a symbol is explained by the last text that could be read."""
    text = WAITING_GAME
    async with desk(home) as (_, client):
        _, position = await ask(client, "POST", "/rules/position", {"text": text})
        joint = [position["legal"][role][0] for role in position["legal"]]
        moves = [joint]
        _, after = await ask(client, "POST", "/rules/position", {"text": text, "moves": moves})
        twice = {"text": text, "moves": moves * 2}
        _, over = await ask(client, "POST", "/rules/position", twice)
        _, why_not = await ask(client, "POST", "/rules/why", {"text": text, "fact": "terminal"})
        asked = {"text": text, "moves": moves, "fact": "(true ?f)"}
        _, holds = await ask(client, "POST", "/rules/why", asked)
        head = text.split("\n").index("(<= terminal (true (step 2)))") + 1
        place = {"text": f"{text}(<= (legal", "line": head, "column": 5, "sound": text}
        _, symbol = await ask(client, "POST", "/rules/symbol", place)

    assert not position["terminal"]
    assert position["deciding"] == ["left"]
    assert (after["goals"], over["goals"]) == (
        {"left": None, "right": None},
        {"left": 100, "right": 0},
    )
    assert "**In the first state** `terminal` does not hold:" in symbol["text"]
    assert after["facts"] != position["facts"]
    assert (why_not["holds"], why_not["turn"]) == (False, 0)
    assert {line["kind"] for line in why_not["lines"]} >= {"fact", "rule", "condition"}
    assert why_not["lines"][1]["place"]["line"] >= 1
    assert (holds["holds"], holds["turn"]) == (True, 1)
    assert holds["lines"][0]["text"] == f"(true {after['facts'][0]})"


async def test_a_position_of_a_game_is_walked_to_by_its_name(home: Home) -> None:
    """And by moves without their outer parentheses; whoever names no rules, or two, is told so."""
    moves = [["mark 2 2", "noop"], ["noop", "(mark 1 1)"]]
    async with desk(home) as (_, client):
        _, named = await ask(
            client, "POST", "/rules/position", {"game": "ticTacToe", "moves": moves}
        )
        text = {"text": games.text("ticTacToe"), "moves": moves}
        _, written = await ask(client, "POST", "/rules/position", text)
        asked = {"game": "ticTacToe", "moves": moves, "fact": "(true (cell 2 2 x))"}
        _, why = await ask(client, "POST", "/rules/why", asked)
        wrong = [
            await ask(client, "POST", "/rules/position", body)
            for body in ({}, text | {"game": "ticTacToe"}, {"game": "ticTakToe"})
        ]

    assert named == written
    assert named["moves"] == [["(mark 2 2)", "noop"], ["noop", "(mark 1 1)"]]
    assert why["holds"]
    assert [status for status, _ in wrong] == [400, 400, 404]
    assert "or game with the name" in wrong[0][1]["error"]
    assert "did you mean ticTacToe" in wrong[2][1]["error"]


async def test_a_position_of_rules_in_the_making_is_drawn_after_turns_at_random(
    home: Home,
) -> None:
    """As on the pages of matches; the same seed plays the same, and percepts are told."""
    async with desk(home) as (service, client):

        async def position(game: str, **wanted: Any) -> dict[str, Any]:
            body = {"text": games.text(game), "picture": True} | wanted
            return dict((await ask(client, "POST", "/rules/position", body))[1])

        first = await position("connectFour")
        picture = await service.positions.first_picture(
            await service.catalogue.rules_of("connectFour")
        )
        over = await position("connectFour", random=1000, seed=1)
        again = await position("connectFour", random=1000, seed=1)
        after = await position("connectFour", moves=over["moves"][:-1])
        dealt = await position("kuhnPoker", random=1)
        beyond = await position("connectFour", random=1001)

    assert (first["moves"], first["svg"]) == ([], picture)
    assert first["readable"]["red"][3] == "drop a disc in column 4"
    assert over["terminal"]
    assert over == again
    assert not after["terminal"]
    assert len({first["svg"], over["svg"], after["svg"]}) == 3
    assert dealt["percepts"].keys() == {"first", "second", "random"}
    assert beyond["field"] == "random"


async def test_what_cannot_be_asked_about_rules_is_refused(home: Home) -> None:
    """With what would be right."""
    body = {"text": WAITING_GAME, "fact": "terminal"}
    async with desk(home) as (_, client):
        answers = [
            await ask(client, "POST", "/rules/why", body | wrong)
            for wrong in (
                {"fact": "(termina"},
                {"fact": "(lega left ?m)"},
                {"moves": [["fly", "wait"]]},
                {"moves": [["wait"]]},
                {"fact": "(does left go)"},
                {"text": "(role me"},
                {"depth": 100},
            )
        ]

    assert [status for status, _ in answers] == [400] * 7
    errors = [answer["error"] for _, answer in answers]
    assert "did you mean 'legal'" in errors[1]
    assert "fly is no legal move of left on turn 1; expected one of: " in errors[2]
    assert "expected a move of each role (left right) on turn 1" in errors[3]


PLAIN = EngineConfig(
    player="mcts:tree=python,iterations=20", reasoner="interpreter", is_pondering=False
)
MATCHING = "(role a) (role b) (role random) (init first) (legal random deal) "
MATCHING += "(<= (legal ?p ?c) (true first) (side ?p ?c)) (side a heads) (side a tails) "
MATCHING += "(side b heads) (side b tails) (<= (legal a wait) (true last)) "
MATCHING += "(<= (legal b wait) (true last)) (<= (next last) (true first)) (<= (next over) "
MATCHING += "(true last)) (<= terminal (true over)) (goal a 100) (goal b 0)"


@pytest.mark.usefixtures("ready_forkers")
async def test_any_position_is_analysed(home: Home) -> None:
    """For who chooses there; where nobody does to the end, its goals are told without a search."""
    opened = [["mark 2 2", "noop"], ["noop", "(mark 1 1)"], ["(mark 1 2)", "noop"]]
    moves = [*opened, ["noop", "(mark 1 3)"]]
    asked = {"text": games.text("ticTacToe"), "moves": moves, "seconds": 10}
    async with desk(home) as (service, client):
        service.analyses._search._config = PLAIN
        status, told = await ask(client, "POST", "/rules/analysis", asked)
        _, both = await ask(client, "POST", "/rules/analysis", {"text": MATCHING, "seconds": 10})
        service.analyses._search._pool = None  # type: ignore[assignment]  # nobody may search now
        _, forced = await ask(
            client,
            "POST",
            "/rules/analysis",
            {"text": MATCHING, "moves": [["heads", "tails", "deal"]]},
        )
        won = {**asked, "moves": [*moves, ["(mark 3 2)", "noop"]]}
        _, over = await ask(client, "POST", "/rules/analysis", won)
        wrong = [
            await ask(client, "POST", "/rules/analysis", body)
            for body in (
                {**asked, "role": "oplayer"},
                {**asked, "role": "nobody"},
                {"text": games.text("kuhnPoker")},
                {"game": "kuhnPoker"},
                {**asked, "seconds": 11},
            )
        ]

    best = told["roles"]["xplayer"]["moves"][0]
    assert (status, told["deciding"], told["forced"]) == (200, ["xplayer"], [])
    assert (best["move"], best["proven"]) == ("(mark 3 2)", "win in 1 ply")
    assert told["roles"]["xplayer"]["reasoner"] == "interpreter, asked for"
    assert told["values"] == {"xplayer": 100.0, "oplayer": None}
    assert list(both["roles"]) == both["deciding"] == ["a", "b"]
    assert (forced["values"], forced["forced"]) == ({"a": 100, "b": 0}, [["wait", "wait", "deal"]])
    assert (over["terminal"], over["goals"]) == (True, {"xplayer": 100, "oplayer": 0})
    assert [status for status, _ in wrong] == [400] * 5
    assert [answer["field"] for _, answer in wrong] == ["role", "role", "text", "game", "seconds"]
    assert "sees" in wrong[2][1]["error"]


async def test_analyses_are_few_and_end_with_who_asked(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who asks beyond that is told when to come back; a search nobody waits for is ended."""
    began, ended = asyncio.Event(), asyncio.Event()

    async def endless(*_: object) -> Hint:
        began.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()
        raise AssertionError

    monkeypatch.setattr(PositionSearch, "search", endless)
    monkeypatch.setattr(position_search, "MAX_ASKED", 1)
    asked = {"text": games.text("ticTacToe")}
    url, browser = "/api/v1/rules/analysis", {"Accept-Language": "en"}
    async with desk(home) as (_, client), asyncio.timeout(60):

        async def ask_as_a_browser() -> None:
            await client.post(url, json=asked, headers=browser)

        first = asyncio.create_task(ask_as_a_browser())
        await began.wait()
        async with client.post(url, json=asked) as answer:
            status, pause = answer.status, int(answer.headers["Retry-After"])
        first.cancel()
        await ended.wait()

    assert status == 503
    assert pause > 0
