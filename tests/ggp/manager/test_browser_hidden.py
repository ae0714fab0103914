"""A person plays a game of hidden information in Chromium; its pages say what its role may know."""

from __future__ import annotations

import json
import re
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.ggp.manager.browsing import CHROMIUM, MILLISECONDS

api = pytest.importorskip(
    "playwright.sync_api", reason="the package playwright is not installed (extra `browser`)"
)
pytestmark = [
    pytest.mark.thorough,
    pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium on this machine"),
]
api.expect.set_options(timeout=MILLISECONDS)
MARK = re.compile(r"\(cell \d \d o\)|\(mark \d \d\)")
LAST_WITHOUT_DEDUCTION = 5
"""The turn until which the other has too few marks for any to follow."""


def told(page: Any) -> list[tuple[str, str]]:
    """All that the page is sent of a match from now on but its events, by address; it grows."""
    found: list[tuple[str, str]] = []

    def keep(route: Any) -> None:
        answer = route.fetch()
        found.append((answer.url, answer.text()))
        route.fulfill(response=answer)

    page.route(re.compile(r"/api/v1/matches/\d+(?!.*/events)"), keep)
    return found


def test_the_program_that_is_proposed_fits_the_game(page: Any) -> None:
    """Until another one is chosen."""
    page.goto("/play?game=phantomTicTacToe")
    program = page.locator("input[name=against]")
    for chosen, proposed in (("phantomTicTacToe", "hidden"), ("ticTacToe", "mcts")):
        page.select_option("select[name=game]", chosen)
        api.expect(program).to_have_value(proposed)
    program.fill("random")
    page.select_option("select[name=game]", "phantomTicTacToe")
    api.expect(program).to_have_value("random")


def test_person_plays_without_seeing_what_its_role_does_not(page: Any) -> None:
    """By clicking, to the end; then all is shown."""
    sent = told(page)
    page.goto("/play?game=phantomTicTacToe")
    page.select_option("select[name=role]", "xplayer")
    page.fill("input[name=against]", "random")
    page.fill("input[name=playclock]", "1")
    page.click("#play button[type=submit]")
    api.expect(page.locator("#sight")).to_contain_text("You play xplayer")
    assert "seat=" not in page.url
    place = urlsplit(page.url).path
    before_end = 0
    choice = page.locator("section:has(#choice:not([hidden])) #board .open")
    for _ in range(30):
        choice.or_(page.locator("#status.completed")).first.wait_for()
        page.wait_for_timeout(200)  # until the picture is that of the turn
        if page.locator("#status.completed").count():
            break
        if choice.count() == 0:
            continue
        before_end = len(sent)
        turn = page.locator("#place").inner_text()
        choice.first.click()
        api.expect(page.locator("#place")).not_to_have_text(turn)

    page.unroute_all(behavior="ignoreErrors")
    api.expect(page.locator("#status")).to_have_text("completed")
    api.expect(page.locator("#sight")).to_have_count(0)
    api.expect(page.locator("#records")).to_be_visible()
    api.expect(page.locator("#turns li").nth(1)).to_contain_text("mark column")
    played = page.request.get(f"/api/v1{place}/turns").json()
    hidden = {turn["number"]: turn["moves"][1] for turn in played[1:] if turn["moves"][1] != "noop"}
    assert hidden
    for url, text in sent[:before_end]:
        if "/positions/" in url:
            position = json.loads(text)
            assert set(position["legal"]) == {"xplayer"}
            certain = {fact for fact, share in position["belief"]["likely"].items() if share == 1}
            seen = [turn["percepts"][0] for turn in played[1 : 1 + int(url.rsplit("/", 1)[1])]]
            # A mark of the other is certain where it was found. Later in a match it may also follow
            # from the squares that are left, and from the fact that there is no line yet.
            marks = [fact for fact in certain if MARK.search(fact)]
            assert len(marks) <= seen.count(["taken"]) or len(seen) > LAST_WITHOUT_DEDUCTION
        elif place in url:
            assert not re.search(r"\(cell \d \d o\)", text), url


def test_visitor_of_a_running_match_sees_who_plays(page: Any) -> None:
    """And the number of the turn; no position but the first, no move and no record."""
    made = page.request.post(
        "/api/v1/matches", data={"game": "phantomTicTacToe", "players": ["person", "random"]}
    ).json()
    page.goto(f"/matches/{made['number']}")
    api.expect(page.locator("#sight")).to_contain_text("shown when the match is over")
    api.expect(page.locator("#place")).to_have_text("Turn 0 of 0")
    body = {"role": "xplayer", "move": "(mark 1 1)", "turn": 1}
    path, key = f"/api/v1/matches/{made['number']}", made["keys"]["xplayer"]
    page.request.post(f"{path}/moves?seat={key}", data=body)

    api.expect(page.locator("#turns li").first).to_have_text("not shown yet")
    api.expect(page.locator("#board svg")).to_have_count(0)
    api.expect(page.locator("#choice")).to_be_hidden()
    api.expect(page.locator("#records")).to_be_hidden()
    api.expect(page.locator("#abort")).to_be_hidden()
    page.request.post(f"{path}/abort?seat={key}")
    api.expect(page.locator("#status")).to_have_text("aborted")
    api.expect(page.locator("#turns li").first).to_have_text("not shown yet")
    page.request.post(f"{path}/offers?seat={key}", data={"role": "xplayer", "kind": "reveal"})
    page.reload()
    api.expect(page.locator("#turns li").first).to_have_text("xplayer: mark column 1, row 1")
    api.expect(page.locator("#board path").first).to_be_attached()


def test_a_match_says_who_was_late_at_start(page: Any) -> None:
    """Beside the player."""
    match = {"game": "ticTacToe", "players": ["legal", "legal"], "seed": 1}
    made = page.request.post("/api/v1/matches", data=match).json()
    page.goto(f"/matches/{made['number']}")
    api.expect(page.locator("#status")).to_have_text("completed")
    api.expect(page.locator("#seats td").nth(1)).to_have_text("legal")
    record = page.request.get(f"/api/v1/matches/{made['number']}/record").json()
    record |= {"matchId": "late.1", "errors": [["TO", "CE"], *record["errors"][1:]]}
    late = page.request.post(
        "/api/v1/matches/import", data={"game": "ticTacToe", "record": record}
    ).json()

    page.goto(f"/matches/{late['number']}")

    api.expect(page.locator("#seats td").nth(1)).to_have_text(re.compile(r"late at START$"))
    api.expect(page.locator("#seats td").nth(4)).to_have_text(re.compile(r"no answer to START$"))


def test_form_gives_each_person_an_address(page: Any) -> None:
    """Of a match between two."""
    page.goto("/matches")
    page.locator("#new-match").evaluate("(form) => { form.closest('details').open = true; }")
    page.select_option("#new-match select[name=game]", "phantomTicTacToe")
    api.expect(page.locator("#seats label").first).to_contain_text("xplayer")
    for seat in range(2):
        page.locator("#seats input").nth(seat).fill("person")
    page.click("#new-match button[type=submit]")

    api.expect(page.locator("#invitations input")).to_have_count(2)
    page.goto(page.get_by_label("Link for oplayer").input_value())
    api.expect(page.locator("#sight")).to_contain_text("You play oplayer")
    page.click("#abort")
