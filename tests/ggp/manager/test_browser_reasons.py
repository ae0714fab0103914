"""The pages that help to understand, used as a person does: reasons, playing on, the editor."""

from __future__ import annotations

import base64
import json
import re
from typing import Any

import pytest

from ggp import games
from tests.ggp.harmed_rules import HARMED, LOST
from tests.ggp.manager.browsing import CHROMIUM, MILLISECONDS

api = pytest.importorskip(
    "playwright.sync_api", reason="the package playwright is not installed (extra `browser`)"
)
pytestmark = [
    pytest.mark.thorough,
    pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium on this machine"),
]
api.expect.set_options(timeout=MILLISECONDS)

MISSPELT = "(role x)\n(init (step 1))\n(<= (legal x go)\n    (true (stepp 1)))\n"
STUCK = """(role a) (role b) (init (cell 1 x)) (next (cell 1 x)) (goal a 0) (goal b 0)
(legal a go) (legal a stay) (<= (legal b go) (true (cell 2 x))) (<= terminal (true (cell 2 x)))
"""


def completed(page: Any, game: str) -> int:
    """A match of two players that take the first legal move, which is over; its number."""
    body = {"game": game, "players": ["legal", "legal"], "startclock": 5, "playclock": 1}
    number = int(page.request.post("/api/v1/matches", data=body).json()["number"])
    page.goto(f"/matches/{number}")
    api.expect(page.locator("#status")).to_have_text("completed")
    return number


def put_cursor(page: Any, words: str, after: int = 1) -> None:
    """Put the cursor of the editor into words that stand there."""
    script = "(area, [words, after]) => { const at = area.value.indexOf(words) + after;"
    script += " area.focus(); area.setSelectionRange(at, at); }"
    page.locator("#rules").evaluate(script, [words, after])


def test_a_match_is_played_on_from_turn_7(page: Any) -> None:
    """It is another match, which has the seven turns and waits for a person's move."""
    number = completed(page, "connectFour")
    page.locator("#turns li:nth-child(7) button").click()
    api.expect(page.locator("#place")).to_contain_text("Turn 7 of")
    page.click("#branch summary")
    page.select_option("#branch select", "red")
    page.fill("#branch input[name=players]", "random")
    page.click("#branch button")

    page.wait_for_url(re.compile(rf"/matches/(?!{number}$)\d+$"))
    api.expect(page.get_by_role("link", name=f"turn 7 of match {number}")).to_be_visible()
    api.expect(page.locator("#choice")).to_be_visible()
    api.expect(page.locator("#turns li").nth(6)).to_have_text("drop a disc in column 2")


def test_a_match_says_why_it_ended_and_why_a_move_was_not_legal(page: Any) -> None:
    """At the position that is shown; another position takes the answer away."""
    completed(page, "ticTacToe")
    page.click("#why-part summary")
    page.click("#why-ended")
    api.expect(page.locator("#answer")).to_contain_text("terminal holds after")
    api.expect(page.locator("#answer .mark.yes").first).to_be_visible()

    page.click("#back")
    api.expect(page.locator("#answer")).to_be_empty()
    api.expect(page.locator("#why-ended")).to_be_hidden()
    page.fill("#why input", "(legal oplayer (mark 1 1))")
    page.press("#why input", "Enter")

    api.expect(page.locator("#answer")).to_contain_text("(legal oplayer (mark 1 1)) does not hold")
    api.expect(page.locator("#answer .mark.no").first).to_be_visible()
    page.fill("#why input", "(lega oplayer ?m)")
    page.press("#why input", "Enter")
    api.expect(page.locator("#answer .bad")).to_contain_text("did you mean 'legal'?")


def test_a_position_is_put_into_another_page(page: Any, browser: Any) -> None:
    """As an image that holds the picture: that page asks the manager for nothing."""
    completed(page, "ticTacToe")
    page.click("#embed summary")
    api.expect(page.locator("#html")).to_have_value(re.compile("base64,"))
    html = page.locator("#html").input_value()
    page.click("#back")
    api.expect(page.locator("#html")).not_to_have_value(html)
    turn = page.locator("#place").inner_text().split()[1]
    assert page.locator("#link").get_attribute("href") == f"#turn-{turn}"
    other = browser.new_page()
    other.set_content(html)

    assert other.evaluate("document.images[0].decode().then(() => document.images[0].naturalWidth)")
    picture = re.search('base64,([^"]+)', html)
    assert picture is not None
    assert base64.b64decode(picture[1]).startswith(b"<svg")
    other.close()


def test_the_editor_tells_why_a_head_holds_though_the_text_is_broken_now(page: Any) -> None:
    """By the last text without an error."""
    page.goto("/editor?game=ticTacToe")
    api.expect(page.locator("#verdict")).to_have_text("Nothing is wrong.")
    page.locator("#rules").evaluate("(area) => { area.value += '(<= (legal'; }")
    page.locator("#rules").dispatch_event("input")
    api.expect(page.locator("#findings li.error").first).to_be_visible()
    put_cursor(page, "(<= decided", 6)

    api.expect(page.locator("#symbol")).to_contain_text("In the first state decided does not hold")
    api.expect(page.locator("#symbol pre")).to_contain_text("no  (line ?")


def test_the_editor_mends_what_a_finding_names(page: Any) -> None:
    """By a button; the finding is gone then."""
    page.goto("/editor")
    page.fill("#rules", MISSPELT)

    page.locator("#findings .cure").filter(has_text="'step'").first.click()

    api.expect(page.locator("#rules")).to_have_value(MISSPELT.replace("stepp", "step"))
    api.expect(page.locator("#findings")).not_to_contain_text("stepp")


def test_the_editor_says_that_nothing_is_wrong_when_games_were_played(page: Any) -> None:
    """Not before; what the text shows is there at once, and games of an older text tell nothing."""
    held: list[Any] = []

    def hold(route: Any) -> None:
        if "play" in route.request.post_data_json:
            route.continue_()
        else:
            held.append(route)

    page.route("**/rules/check", hold)
    page.goto("/editor?game=ticTacToe")
    verdict = page.locator("#verdict")
    api.expect(verdict).to_have_text("Nothing is wrong in the text; playing random games…")
    page.fill("#rules", f"{LOST}(legl xplayer go)\n")
    api.expect(verdict).to_have_text(re.compile(r"^0 errors, 2 remarks; playing random games…$"))
    api.expect(page.locator("#findings")).to_contain_text("legl")
    page.fill("#rules", games.text("ticTacToe"))
    api.expect(verdict).to_have_text("Nothing is wrong in the text; playing random games…")
    held[-1].continue_()

    api.expect(verdict).to_have_text("Nothing is wrong.")
    assert len(held) == 3


def test_the_editor_makes_several_changes_by_one_button(page: Any) -> None:
    """A rule of its own, and the condition that asks for it."""
    page.goto("/editor")
    page.fill("#rules", HARMED["unsafe-not"])

    page.get_by_role("button", name=re.compile("^Require that none exists")).click()

    end = r"\(not any_line\)\)\n\(<= any_line \(line \?anybody\)\)\n$"
    api.expect(page.locator("#rules")).to_have_value(re.compile(end))
    api.expect(page.locator("#findings")).not_to_contain_text("?anybody")


def test_the_editor_mends_what_random_games_have_lost(page: Any) -> None:
    """By the rule that a button adds."""
    page.goto("/editor")
    page.fill("#rules", LOST)

    page.get_by_role("button", name="Keep the facts 'cell'").click()

    api.expect(page.locator("#rules")).to_have_value(re.compile(r"\(<= \(next \(cell \?\w+ "))
    api.expect(page.locator("#findings")).not_to_contain_text("cell")


def test_random_games_of_the_editor_say_where_nobody_has_a_move(page: Any) -> None:
    """And for which role."""
    page.goto("/editor")
    page.fill("#rules", HARMED["play-no-move"])

    page.click("#try")

    api.expect(page.locator("#statistics")).to_contain_text("no move for y in turn 1")


@pytest.mark.parametrize("width", [1300, 800, 390])
def test_no_move_of_the_editor_is_cut_off(page: Any, width: int) -> None:
    """It stands below where the choice is too narrow; goals are beside it."""
    page.set_viewport_size({"width": width, "height": 900})
    page.goto("/editor?game=breakthrough")
    part = page.locator("#position")
    told = part.locator("td .quiet")
    api.expect(told).to_have_text(
        "(move 1 2 1 3): move white's piece from column 1, row 2 to column 1, row 3"
    )
    part.locator("select").select_option("(move 8 2 8 3)")

    api.expect(told).to_contain_text("move white's piece from column 8, row 2")
    wide = "(box) => [box, box.closest('body')].every((one) => one.scrollWidth <= one.clientWidth)"
    assert part.locator(".scroll").evaluate(wide)


def test_the_editor_names_words_that_may_stand_at_the_cursor(page: Any) -> None:
    """By Ctrl+Space; the one that is chosen takes the place of what was begun."""
    page.goto("/editor?game=ticTacToe")
    page.locator("#rules").evaluate("(area) => { area.value += '(<= terminal (tr'; }")
    put_cursor(page, "(<= terminal (tr", 16)
    page.keyboard.press("Control+Space")

    page.locator("#completions").get_by_role("button", name="true", exact=True).click()

    api.expect(page.locator("#rules")).to_have_value(re.compile(r"\(<= terminal \(true$"))
    api.expect(page.locator("#completions")).to_be_empty()


def test_the_editor_explains_a_position_that_moves_lead_to(page: Any) -> None:
    """Why, and why not; a place leads to its rule."""
    page.goto("/editor?game=ticTacToe")
    api.expect(page.locator("#verdict")).to_have_text("Nothing is wrong.")
    page.select_option("#position select[name=xplayer]", "(mark 2 2)")
    page.click("#position [type=submit]")
    api.expect(page.locator("#position .note")).to_have_text("After 1 turn.")
    page.fill("#why input", "(legal oplayer (mark 2 2))")
    page.press("#why input", "Enter")
    api.expect(page.locator("#answer")).to_contain_text("does not hold after 1 turn")
    api.expect(page.locator("#answer .mark.no").first).to_be_visible()
    page.fill("#why input", "(legal oplayer (mark 1 1))")
    page.press("#why input", "Enter")
    api.expect(page.locator("#answer")).to_contain_text("holds after 1 turn")
    page.locator("#answer button").first.click()

    chosen = "(area) => area.value.slice(area.selectionStart, area.selectionEnd)"
    assert page.locator("#rules").evaluate(chosen).startswith("(<= (legal ?role (mark")
    page.fill("#why input", "(next (cell 1 1 ?what))")
    page.press("#why input", "Enter")
    api.expect(page.locator("#answer")).to_contain_text("(next (cell 1 1 o))")


def test_a_game_in_the_making_is_clicked_through(page: Any) -> None:
    """By pointing, at random, to the end and back; it goes on as the text changes, where it can."""
    page.goto("/editor?game=ticTacToe")
    part, rules = page.locator("#position"), page.locator("#rules")
    note, turns = part.locator(".note"), part.locator(".turns li")
    api.expect(note).to_have_text("In the first position.")
    first = part.locator(".board").inner_html()
    part.locator('.board [data-words="2 2"].open').focus()
    page.keyboard.press("Enter")
    api.expect(turns).to_have_text(["(mark 2 2) noop"])
    part.get_by_role("button", name="Random move").press("Enter")
    api.expect(note).to_have_text("After 2 turns.")
    rules.evaluate("(area) => { area.value += '\\n; ' + 'long '.repeat(100); }")
    with page.expect_response("**/rules/position"):  # by the text that has been checked
        rules.dispatch_event("input")
    api.expect(page.locator("#colours > :last-child")).to_contain_text("long long")
    assert rules.evaluate("(area) => area.scrollHeight <= area.clientHeight + 1")
    assert rules.evaluate("(area) => area.scrollWidth <= area.clientWidth")
    part.get_by_role("button", name="To the end").click()
    api.expect(note).to_have_text(re.compile(r"After \d turns the game is over."))
    api.expect(part.locator("tbody td:last-child").first).to_have_text(re.compile("^(0|50|100)$"))
    played = turns.all_text_contents()
    api.expect(part.get_by_role("button", name="Random move")).to_be_disabled()
    part.get_by_role("button", name="Take back").click()
    api.expect(note).to_have_text(f"After {len(played) - 1} turns.")
    turns.nth(0).get_by_role("button").click()
    api.expect(note).to_have_text("After 1 turn.")
    assert turns.all_text_contents() == played
    page.fill(
        "#rules", "(role a) (role b) (init (cell 1 x)) (legal a go) (legal a stay)\n(<= terminal"
    )
    api.expect(part.locator("#outdated")).to_be_visible()
    api.expect(note).to_have_text("After 1 turn.")
    page.fill("#rules", STUCK + "(<= (goal")
    api.expect(part.locator("#outdated")).to_be_visible()
    api.expect(note).to_have_text("After 1 turn.")
    page.fill("#rules", STUCK)
    api.expect(note).to_have_text(
        "In the first position b has no legal move, and the game is not over."
    )
    api.expect(part.get_by_role("button", name="Play", exact=True)).to_be_disabled()
    assert part.locator(".board").inner_html() != first


def test_a_list_of_moves_names_whose_answer_was_missing(page: Any) -> None:
    """Also of a role that had no choice, beside its own move and not behind the other one."""
    number = completed(page, "ticTacToe")
    replies = [{"legal": 9, "fallback": "", "thoughts": {}, "seconds": 0}]
    replies += [{**replies[0], "legal": 1, "fallback": "its process was ended in turn 1"}]
    start = {"number": 0, "moves": [], "facts": [], "errors": ["", ""], "replies": []}
    turn = {**start, "number": 1, "moves": ["(mark 1 1)", "noop"], "errors": ["", "CE"]}
    told = [start, {**turn, "replies": replies}]
    body = "".join(f"event: turn\ndata: {json.dumps({**one, 'percepts': []})}\n\n" for one in told)
    page.route(
        "**/events", lambda route: route.fulfill(content_type="text/event-stream", body=body)
    )
    page.route("**/names*", lambda route: route.fulfill(json=[]))  # of other moves
    page.goto("/matches")
    page.goto(f"/matches/{number}")

    expected = "(mark 1 1)  oplayer: noop, error CE (its process was ended in turn 1)"
    api.expect(page.locator("#turns li").first).to_have_text(expected)
