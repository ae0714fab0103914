"""Search info of a player in words; `ggp.players.thoughts` has the figures.

>>> verdict({"value": 100.0, "lower": 100.0, "upper": 100.0, "plies": 7})
'proven win in 7 plies'

Whoever reads it must expect anything in them: players may be written by others.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

WAITING = "noop"  # what roles usually do while others move; elsewhere it may mean anything


def verdict(search_info: Mapping[str, object]) -> str:
    """The proven value of the best move, in words; empty if its value is an estimate."""
    lower, upper, plies = (number(search_info, name) for name in ("lower", "upper", "plies"))
    if lower is None or lower != upper:
        return ""
    word = {100.0: "proven win", 0.0: "proven loss"}.get(lower)
    if word is None:
        return f"proven: {lower:g}"
    return word if plies is None else f"{word} in {plies:.0f} {'ply' if plies == 1 else 'plies'}"


def bounds(search_info: Mapping[str, object]) -> str:
    """Between which goals the value is proven to lie, `50 to 100`; empty if nothing is proven."""
    lower, upper = number(search_info, "lower"), number(search_info, "upper")
    if lower is None or upper is None or (lower, upper) == (0, 100):
        return ""
    return f"{lower:g} to {upper:g}"


def expectation(search_info: Mapping[str, object]) -> str:
    """The moves expected from here on, `(mark 2 2), (mark 1 1)`; empty if there are none."""
    line = search_info.get("line")
    if not isinstance(line, list):
        return ""
    return ", ".join(_joint(joint) for joint in line if isinstance(joint, list))


def number(search_info: Mapping[str, object], name: str) -> float | None:
    """A figure in search info; None if there is no such figure."""
    found = search_info.get(name)
    return found if isinstance(found, int | float) and not isinstance(found, bool) else None


def count(search_info: Mapping[str, object], name: str) -> float:
    """A figure that counts something; 0 if there is none that makes sense."""
    found = number(search_info, name)
    return found if found is not None and 0 < found < math.inf else 0.0


def _joint(moves: Sequence[object]) -> str:
    """A joint move without those who only wait, as far as the words show it."""
    telling = [str(move) for move in moves if str(move) != WAITING]
    return " ".join(telling or map(str, moves[:1]))
