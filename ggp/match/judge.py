"""Is an answer a legal move? Decided by its text, as GGP-Base does."""

from __future__ import annotations

from collections.abc import Iterable

from ggp.term_text import first_term, spaced

MAX_QUOTED = 200
"""Characters of an illegal answer that a record keeps; whatever is longer says nothing more."""


def judge(answer: str, legal: Iterable[str]) -> tuple[str | None, str]:
    """The legal move that an answer names, or None and the error to record.

    Case counts, blanks do not; `(noop)` is not `noop`, and `03` is not `3`. What follows the first
    complete term is ignored.
    """
    term = first_term(answer)
    if term is not None and term in set(legal):
        return term, ""
    quoted = "null" if term is None else spaced(term)[:MAX_QUOTED]
    return None, f"IL {quoted}"
