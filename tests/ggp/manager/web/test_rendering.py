"""Figures in templates."""

from __future__ import annotations

import pytest

from ggp.manager.web.rendering import signed


@pytest.mark.parametrize(
    ("figure", "text"), [(-0.3, "0"), (0.0, "0"), (0.4, "0"), (12.6, "+13"), (-12.6, "-13")]
)
def test_a_rating_of_nothing_has_no_sign(figure: float, text: str) -> None:
    """Least of all a minus."""
    assert signed(figure) == text
