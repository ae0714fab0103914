"""The search info that a submission reports with a move: only numbers and short texts."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import islice
from typing import Final

MAX_THOUGHTS: Final = 16
MAX_CHARACTERS: Final = 200
LARGEST: Final = 10**15
"""The largest integer that is kept."""


def bounded(thoughts: object) -> dict[str, object]:
    """Return the numbers and texts in `thoughts`, limited in number and length.

    >>> bounded({"depth": 3, "line": [1, 2], "value": float("inf"), "plan": "win"})
    {'depth': 3, 'plan': 'win'}
    """
    if not isinstance(thoughts, Mapping):
        return {}
    named = ((str(name)[:MAX_CHARACTERS], _bounded(value)) for name, value in thoughts.items())
    kept = ((name, value) for name, value in named if value is not None)
    return dict(islice(kept, MAX_THOUGHTS))


def _bounded(value: object) -> object:
    # Reject subclasses, which could pretend anything about themselves.
    if type(value) is str:
        return value[:MAX_CHARACTERS]
    if type(value) is float:
        return value if math.isfinite(value) else None
    if type(value) is int:
        return value if abs(value) <= LARGEST else None
    return value if type(value) is bool else None
