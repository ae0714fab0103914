"""Texts about a player's search info, a dictionary that `ggp.players.thoughts` creates.

>>> verdict({"value": 100.0, "lower": 100.0, "upper": 100.0, "plies": 7})
'proven win in 7 plies'

Search info may contain anything, because players can be written by other people.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

WAITING = "noop"  # the usual move of a role that has to wait; in some games it means something else


def verdict(search_info: Mapping[str, object]) -> str:
    """Describe the proven value of the best move. Return "" if the value is only an estimate."""
    lower, upper, plies = (number(search_info, name) for name in ("lower", "upper", "plies"))
    if lower is None or lower != upper:
        return ""
    word = {100.0: "proven win", 0.0: "proven loss"}.get(lower)
    if word is None:
        return f"proven: {lower:g}"
    return word if plies is None else f"{word} in {plies:.0f} {'ply' if plies == 1 else 'plies'}"


def bounds(search_info: Mapping[str, object]) -> str:
    """Return the proven bounds of the value, such as `50 to 100`, or "" if nothing is proven."""
    lower, upper = number(search_info, "lower"), number(search_info, "upper")
    if lower is None or upper is None or (lower, upper) == (0, 100):
        return ""
    return f"{lower:g} to {upper:g}"


def proof(search_info: Mapping[str, object]) -> str:
    """Return what is proven about the value: `win in 7 plies`, `50 to 100`, or "" for nothing."""
    return verdict(search_info).removeprefix("proven").lstrip(": ") or bounds(search_info)


def expectation(search_info: Mapping[str, object]) -> str:
    """Return the expected line, such as `(mark 2 2), (mark 1 1)`, or "" if there is none."""
    line = search_info.get("line")
    if not isinstance(line, list):
        return ""
    return ", ".join(_joint(joint) for joint in line if isinstance(joint, list))


def number(search_info: Mapping[str, object], name: str) -> float | None:
    """Return a number of the search info by name, or None if it has no number of that name."""
    found = search_info.get(name)
    return found if isinstance(found, int | float) and not isinstance(found, bool) else None


def count(search_info: Mapping[str, object], name: str) -> float:
    """Return a count in the search info, or 0 if it is missing or invalid."""
    found = number(search_info, name)
    return found if found is not None and 0 < found < math.inf else 0.0


def _joint(moves: Sequence[object]) -> str:
    """Return a joint move as text, without `WAITING`. If all moves are `WAITING`, return one."""
    telling = [str(move) for move in moves if str(move) != WAITING]
    return " ".join(telling or map(str, moves[:1]))
