"""Options that take several values."""

from __future__ import annotations

import pytest

from ggp.cli.verbs import _spread

SEVERAL = {"--games"}


@pytest.mark.parametrize(
    ("given", "read"),
    [
        ("a --games b c --seed 1 d", "a --games b --games c --seed 1 d"),
        ("--games b --games c", "--games b --games c"),
        ("--games=b c", "--games=b c"),
        ("--seed 1 a b", "--seed 1 a b"),
        ("--games", "--games"),
        ("--games b -h", "--games b -h"),
    ],
)
def test_values_after_the_first_have_the_option_before_them(given: str, read: str) -> None:
    """All others are left as they are."""
    assert " ".join(_spread(given.split(), SEVERAL)) == read
