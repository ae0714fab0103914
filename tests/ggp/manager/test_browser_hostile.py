"""Rules whose names are HTML: no page makes elements of them, nor what it offers to others."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.ggp.manager.browsing import CHROMIUM, MILLISECONDS
from tests.ggp.notebook.hostile import EVIL, RULES

api = pytest.importorskip(
    "playwright.sync_api", reason="the package playwright is not installed (extra `browser`)"
)
pytestmark = [
    pytest.mark.thorough,
    pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium on this machine"),
]

MADE = "img[src^=x]"
"""The element that names would make."""
HARMLESS = "harmless"

api.expect.set_options(timeout=MILLISECONDS)


@pytest.fixture
def visit(page: Any) -> Callable[[str, str], Any]:
    """Opens a page, waits for some text on it, and looks what has become of names."""
    page.on("dialog", lambda dialog: pytest.fail(f"a script has run: {dialog.message}"))

    def visited(path: str, text: str) -> Any:
        page.goto(path)
        api.expect(page.locator("body")).to_contain_text(text)
        assert page.locator(MADE).count() == 0, path
        return page

    return visited


def test_names_are_text_wherever_they_are_shown(
    page: Any, visit: Callable[[str, str], Any]
) -> None:
    """Match, report, what is offered for other pages, branch, play, editor, statistics."""
    added = page.request.post("/api/v1/games", data={"name": HARMLESS, "text": RULES})
    assert added.ok, added.text()
    body = {"game": HARMLESS, "players": ["random"], "startclock": 5, "playclock": 5, "seed": 1}
    number = page.request.post("/api/v1/matches", data=body).json()["number"]
    page.goto(f"/matches/{number}")
    api.expect(page.locator("#status")).to_have_text("completed")

    visit(f"/matches/{number}", EVIL)
    page.locator("#embed summary").click()
    offered = page.locator("#html")
    api.expect(offered).to_have_value(re.compile("^<img"))
    html = offered.input_value()
    page.click("#report")
    page.click("#ask")
    api.expect(page.locator("#accuracy tbody tr")).to_have_count(1, timeout=6 * MILLISECONDS)
    visit(page.url, EVIL)
    branch = {"turn": 0, "players": ["person"]}
    made = page.request.post(f"/api/v1/matches/{number}/branches", data=branch)
    for path in (f"/matches/{made.json()['number']}", "/matches"):
        visit(path, HARMLESS)
    visit(f"/editor?game={HARMLESS}", EVIL)
    visit("/games", HARMLESS)
    page.goto("about:blank")
    page.set_content(html)
    assert page.evaluate("[...document.body.querySelectorAll('*')].map(x => x.tagName)") == ["IMG"]
