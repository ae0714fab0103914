"""The thoughts that a submission reports beside a move: numbers and short texts alone."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import islice
from typing import Final

MOST_THOUGHTS: Final = 16
MOST_CHARACTERS: Final = 200
LARGEST: Final = 10**15
"""Of a whole number."""


def bounded(thoughts: object) -> dict[str, object]:
    """The numbers and texts among thoughts, as many and as long as are kept of a move.

    >>> bounded({"depth": 3, "line": [1, 2], "value": float("inf"), "plan": "win"})
    {'depth': 3, 'plan': 'win'}
    """
    if not isinstance(thoughts, Mapping):
        return {}
    named = ((str(name)[:MOST_CHARACTERS], _bounded(value)) for name, value in thoughts.items())
    kept = ((name, value) for name, value in named if value is not None)
    return dict(islice(kept, MOST_THOUGHTS))


def _bounded(value: object) -> object:
    # Not a subclass, which may say anything of itself.
    if type(value) is str:
        return value[:MOST_CHARACTERS]
    if type(value) is float:
        return value if math.isfinite(value) else None
    if type(value) is int:
        return value if abs(value) <= LARGEST else None
    return value if type(value) is bool else None
