"""The slider of a match, used in Chromium by mouse and keys, with scripts and without."""

from __future__ import annotations

from typing import Any

import pytest

from ggp import notebook
from tests.ggp.manager.browsing import CHROMIUM, FLAGS
from tests.ggp.notebook.hostile import RULES
from tests.ggp.notebook.test_match import random_match

api = pytest.importorskip(
    "playwright.sync_api", reason="the package playwright is not installed (extra `browser`)"
)
pytestmark = [
    pytest.mark.thorough,
    pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium on this machine"),
]


def chosen(page: Any) -> list[str]:
    """The move whose picture is seen, of each match of the page."""
    seen = page.locator(".frame").evaluate_all(
        "all => all.filter(one => getComputedStyle(one).visibility === 'visible')"
        ".map(one => one.parentElement.querySelector('.move').textContent.split('.')[0])"
    )
    assert isinstance(seen, list)
    return seen


def test_matches_on_one_page_do_not_disturb_each_other() -> None:
    """Also if two of them are the same, and if scripts may not run."""
    match = random_match(notebook.game("ticTacToe"))
    last = str(len(match) - 1)
    other = random_match(notebook.game(RULES))
    html = match._repr_html_() + match._repr_html_() + other._repr_html_()
    with api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        for has_scripts in (True, False):
            page = browser.new_context(java_script_enabled=has_scripts).new_page()
            faults: list[str] = []
            page.on("pageerror", lambda error, faults=faults: faults.append(str(error)))
            page.on("dialog", lambda said, faults=faults: faults.append(said.message))
            page.set_content("<!doctype html>" + html)
            page.locator("form").first.locator("label").nth(2).click()
            page.keyboard.press("ArrowDown")
            page.keyboard.press("Enter")
            assert chosen(page)[:2] == ["3", last]
            assert page.locator("form button").count() == (15 if has_scripts else 0)
            if has_scripts:
                page.locator("form").nth(1).get_by_label("first position").click()
                page.locator("form").nth(1).get_by_label("one forward").click()
                page.locator("form").first.get_by_label("position", exact=True).press("ArrowRight")
                assert chosen(page)[:2] == ["4", "1"]
            assert faults == []
        browser.close()
