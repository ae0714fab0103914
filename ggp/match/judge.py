"""Is an answer a legal move? Decided by its text, as GGP-Base does."""

from __future__ import annotations

from collections.abc import Iterable

import gdl
from ggp.match.term_text import first_term, spaced

MAX_QUOTED = 200
"""Characters of an illegal answer that a record keeps; whatever is longer says nothing more."""


def judge(answer: str, legal: Iterable[gdl.Move]) -> tuple[gdl.Move | None, str]:
    """The legal move that an answer names, or None and the error to record.

    Case counts, blanks do not; `(noop)` is not `noop`, and `03` is not `3`. What follows the first
    complete term is ignored.
    """
    term = first_term(answer)
    by_text = {str(move): move for move in legal}
    if term in by_text:
        return by_text[term], ""
    quoted = "null" if term is None else spaced(term)[:MAX_QUOTED]
    return None, f"IL {quoted}"
