"""Which moves are offered by pointing at places, lines, and boxes between lines, in Chromium."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.ggp.boards.dots import dots_and_boxes
from tests.ggp.manager.browsing import CHROMIUM, MILLISECONDS

api = pytest.importorskip(
    "playwright.sync_api", reason="the package playwright is not installed (extra `browser`)"
)
pytestmark = [
    pytest.mark.thorough,
    pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium on this machine"),
]
api.expect.set_options(timeout=MILLISECONDS)


def shown_moves(page: Any, *moves: str) -> None:
    """Expect that these moves are listed, and no others."""
    api.expect(page.locator("#moves button")).to_have_text(
        [re.compile(f"^{re.escape(move)}") for move in moves]
    )


def test_boxes_offer_their_sides_and_lines_are_drawn_by_pointing_at_them(page: Any) -> None:
    """Dots have other numbers than boxes, and no pair of a move is of two dots."""
    game = {"name": "dots", "text": dots_and_boxes(2, 2)}
    assert page.request.post("/api/v1/games", data=game).ok
    page.goto("/play?game=dots")
    page.select_option("select[name=role]", "ann")
    page.fill("input[name=against]", "legal")
    page.click("#play button[type=submit]")
    line, box = "#board [data-lines]:not([data-words])", "#board [data-words='{}']"
    api.expect(page.locator(f"{line}.open")).to_have_count(12)

    page.locator(box.format("2 2")).click()
    shown_moves(page, *(f"(draw {ends})" for ends in ("2 2 2 3", "2 2 3 2", "2 3 3 3", "3 2 3 3")))
    page.locator(box.format("1 2")).click()
    shown_moves(page, *(f"(draw {ends})" for ends in ("1 2 1 3", "1 2 2 2", "1 3 2 3", "2 2 2 3")))
    api.expect(page.locator("#turns li")).to_have_count(0)
    side = page.locator("#board [data-lines='1 3 2 3']")
    side.hover()
    api.expect(side.locator("rect")).to_have_css("opacity", "0.7")
    side.press("Enter")

    made = page.locator("#turns button").first
    api.expect(made).to_have_attribute("title", re.compile(r"\(draw 1 3 2 3\)"))
    page.locator("#board [data-lines='2 1 2 2'].open").click()
    page.locator("#turns button[title*='(draw 2 1 2 2)']").wait_for()


POINT = """async ([places, legal, words]) => {
    const { letPoint } = await import("/static/board.js");
    const picture = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    for (const [words, board] of places) {
        const square = document.createElementNS("http://www.w3.org/2000/svg", "g");
        square.append(document.createElementNS("http://www.w3.org/2000/svg", "title"));
        Object.assign(square.dataset, board ? { words, board } : { words });
        picture.append(square);
    }
    const place = document.createElement("div");
    place.append(picture);
    let offered;
    letPoint(place, legal, (left) => { offered = left; }, (move) => { offered = move; });
    const pointed = [...picture.children].find((one) => one.dataset.words === words);
    pointed.dispatchEvent(new Event("click"));
    return offered;
}"""
"""The moves that are offered when a place is clicked; the one that is played, if it is one."""
GRID = [[f"{x} {y}", ""] for x in range(1, 5) for y in range(1, 5)]


@pytest.mark.parametrize(
    ("places", "legal", "words", "offered"),
    [
        (GRID, ["(go 1 2 3 4)", "(go 2 3 1 4)", "(go 2 3 2 4)"], "2 3", [1, 2]),
        (GRID, ["(go wp 1 2 3 4)", "(go wp 2 3 1 4)"], "2 3", 1),
        (GRID, ["(put 3 1 2)", "(put 1 2 3)", "(put 1 3 3)"], "1 2", [0, 1]),
        (GRID, ["(draw (dot 1 2) (dot 2 2))", "(draw (dot 2 2) (dot 3 2))"], "2 2", [0, 1]),
        (GRID, ["(drop 1)", "(drop 2)"], "2 4", 1),
        ([["a 1", ""], ["a 2", ""]], ["(move a1 b1)", "(move a2 b2)"], "a 2", 1),
        ([["1 2", "3 3"], ["3 3", "1 2"]], ["(mark 3 3 1 2)", "(mark 1 2 3 3)"], "1 2", 0),
        ([["1 2", "left"]], ["(mark left 1 2)", "(mark right 1 2)"], "1 2", 0),
    ],
)
def test_places_are_pairs_where_they_stand_as_pairs(
    page: Any, places: list[list[str]], legal: list[str], words: str, offered: list[int] | int
) -> None:
    """Neither across two pairs nor of a board and a place; moves are named by their numbers."""
    page.goto("/games")

    found = page.evaluate(POINT, [places, legal, words])

    wanted = legal[offered] if isinstance(offered, int) else [legal[at] for at in offered]
    assert found == wanted
