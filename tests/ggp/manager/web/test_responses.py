"""Figures and buttons in templates."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ggp.manager.web import responses
from ggp.manager.web.responses import signed

TEMPLATES = Path(responses.__file__).parent / "templates"
BUTTON = re.compile(r"<button.*?>(?P<label>.*?)</button>", re.DOTALL)


@pytest.mark.parametrize(
    ("figure", "text"), [(-0.3, "0"), (0.0, "0"), (0.4, "0"), (12.6, "+13"), (-12.6, "-13")]
)
def test_a_rating_of_nothing_has_no_sign(figure: float, text: str) -> None:
    """Least of all a minus."""
    assert signed(figure) == text


@pytest.mark.parametrize("page", sorted(TEMPLATES.glob("*.html")), ids=lambda page: page.name)
def test_no_button_is_labelled_by_a_sign_of_the_font(page: Path) -> None:
    """A font may lack it and show an empty box: such labels are drawn."""
    labels = [found["label"] for found in BUTTON.finditer(page.read_text(encoding="utf-8"))]

    assert [label for label in labels if not re.search(r"[A-Za-z]", label)] == []
