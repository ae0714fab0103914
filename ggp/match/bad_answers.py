"""Answers that are late, missing or illegal: which they are, and which move is made instead.

Whether an answer is a legal move is decided by its text, as GGP-Base does.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence

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


def replacements(legal: Mapping[str, Sequence[str]], seed: int, turn: int) -> dict[str, str]:
    """A random legal move of each role: made where its answer is late, missing or illegal.

    They are drawn before anybody answers, and for everybody: what one player does must not change
    the luck of the others in a match with the same seed.

    Args:
        legal: The legal moves of each role; sorted here, as a match that is taken up again may have
            them in another order.
        seed: Of the match.
        turn: Its number.
    """
    luck = random.Random(f"{seed}:{turn}")
    return {role: luck.choice(sorted(moves)) for role, moves in legal.items()}
