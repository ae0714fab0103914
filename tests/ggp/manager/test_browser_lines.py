"""Moves that draw lines, by pointing at the lines or at the boxes between them, in Chromium."""

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

    api.expect(page.locator("#turns li").first).to_have_text("(draw 1 3 2 3)")
    page.locator("#board [data-lines='2 1 2 2'].open").click()
    api.expect(page.locator("#turns")).to_contain_text("(draw 2 1 2 2)")
