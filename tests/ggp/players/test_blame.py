"""A player's mistake in one line."""

from __future__ import annotations

import gdl
from ggp.players.blame import blame


def test_a_key_that_is_a_term_is_told_as_text() -> None:
    """A KeyError shows it as code, which authors do not know."""
    move = gdl.read_term("(mark 1 2)")

    assert blame(KeyError(move), "sampler") == "KeyError: (mark 1 2)"
    assert blame(KeyError("a"), "sampler") == "KeyError: 'a'"
