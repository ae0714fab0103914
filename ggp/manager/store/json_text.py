"""Values as JSON: strictly, for databases and browsers that know no Infinity and no NaN."""

from __future__ import annotations

import json
import math
from typing import Any


def spelled(value: Any) -> str:
    """The JSON of a value; numbers that it has no word for are null."""
    try:
        return json.dumps(value, allow_nan=False)
    except ValueError:
        return json.dumps(finite(value), allow_nan=False)


def finite(value: Any) -> Any:
    """A value with None in place of all numbers that are none.

    >>> finite({"value": float("nan"), "visits": [1, float("inf")]})
    {'value': None, 'visits': [1, None]}
    """
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {name: finite(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [finite(one) for one in value]
    return value
