"""Tables as CSV: no text that a stranger has chosen is a formula."""

from __future__ import annotations

import pytest

from ggp.csv_text import csv_lines


@pytest.mark.parametrize(
    "text", ["=1+1", " =1+1", "\u00a0=1+1", "\uff1d1+1", "\ufe621", "\t@x", "-1"]
)
def test_what_spreadsheets_take_for_formulas_is_a_text(text: str) -> None:
    """Also behind blanks and in full width."""
    assert csv_lines([(text, 1.0)]).strip('"').startswith("'")


@pytest.mark.parametrize("text", ["mine", "a=1", "", "  ", "李"])
def test_other_texts_stay(text: str) -> None:
    """As they are."""
    assert csv_lines([(text, None)]) == f"{text},\n"


def test_truth_is_yes_or_no() -> None:
    """In all tables alike."""
    assert csv_lines([(True, False)]) == "yes,no\n"
