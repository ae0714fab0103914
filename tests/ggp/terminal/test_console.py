"""What is printed everywhere: rates."""

from __future__ import annotations

import pytest

from ggp.terminal.console import figure


@pytest.mark.parametrize(
    ("number", "shown"),
    [
        (0.0, "0.000"),
        (12.3, "12.30"),
        (508.0, "508.0"),
        (999.96, "1.000 k"),
        (84_123.0, "84.12 k"),
        (999_960.0, "1.000 M"),
        (53_720_000.0, "53.72 M"),
        (1.2e9, "1.200 G"),
    ],
)
def test_rates_have_four_digits(number: float, shown: str) -> None:
    """With the unit that leaves one to three before the point."""
    assert figure(number) == shown
