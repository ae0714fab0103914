"""Scanning a changed text again: the same words as if it were scanned for the first time."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from gdl.errors import Source
from gdl.kif import rescan, scan

TEXTS = st.lists(
    st.sampled_from(["(", ")", "a", "?x", " ", "\n", "\n", "\r\n", "; b", "\ufeff"]), max_size=30
).map("".join)


@given(TEXTS, TEXTS, st.integers(0, 40), st.integers(0, 40))
def test_changed_lines_are_read_again_and_no_others(
    text: str, put: str, start: int, length: int
) -> None:
    """Whatever takes the place of whatever."""
    before = Source("before", text)
    after = Source("after", text[:start] + put + text[start + length :])

    found = rescan(after, before, scan(before))

    assert [(type(one), one.text, one.span) for one in found] == [
        (type(one), one.text, one.span) for one in scan(after)
    ]
