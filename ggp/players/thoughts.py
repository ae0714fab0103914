"""What a search thinks, as players report it: a dictionary fit for JSON, and that in words.

>>> verdict({"value": 100.0, "lower": 100.0, "upper": 100.0, "plies": 7})
'proven win in 7 plies'

Whoever reads thoughts must expect anything in them: players may be written by others.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence

from ggp.search.result import BEST, WORST, Effort, MoveValue, SearchResult

NUM_SHOWN = 5  # moves and plies in the thoughts
SHORTEST = 1e-3  # seconds: what took less says nothing about rates
WAITING = "noop"  # what roles usually do while others move; elsewhere it may mean anything


class Turn:
    """What a search does from now on, apart from what it did before."""

    def __init__(self, before: Effort) -> None:
        self._before = before
        self._began = time.monotonic()

    def figures(self, now: Effort) -> dict[str, object]:
        """What it did since, and what it holds, fit for JSON; what is not known is left out."""
        seconds = time.monotonic() - self._began
        iterations = now.num_iterations - self._before.num_iterations
        playouts = now.num_playouts - self._before.num_playouts
        known = {
            "seconds": round(seconds, 3),
            "iterations": iterations,
            "iterations_per_second": round(iterations / max(seconds, SHORTEST)),
            "playouts": playouts,
            "playouts_per_second": round(playouts / max(seconds, SHORTEST)),
            "depth": now.depth,
            "nodes": now.num_nodes,
            "memory": now.num_bytes,
        }
        return {name: figure for name, figure in known.items() if figure is not None}


def thoughts_on(result: SearchResult, num_shown: int | None = NUM_SHOWN) -> dict[str, object]:
    """What a search found, fit for JSON: so many moves and plies of what it expects, or all."""
    best = result.moves[0] if result.moves else None
    return {
        "value": round(result.value, 2),
        "lower": result.lower,
        "upper": result.upper,
        "solved": result.is_proven,
        **_length_of(best),
        "visits": result.visits,
        "line": [list(map(str, joint)) for joint in result.line[:num_shown]],
        "moves": [_told(each) for each in result.moves[:num_shown]],
    }


def verdict(thoughts: Mapping[str, object]) -> str:
    """What is proven of the best move, in words; empty if its value is an estimate."""
    lower, upper, plies = (number(thoughts, name) for name in ("lower", "upper", "plies"))
    if lower is None or lower != upper:
        return ""
    word = {BEST: "proven win", WORST: "proven loss"}.get(lower)
    if word is None:
        return f"proven: {lower:g}"
    return word if plies is None else f"{word} in {plies:.0f} {'ply' if plies == 1 else 'plies'}"


def bounds(thoughts: Mapping[str, object]) -> str:
    """Between which goals the value is proven to lie, `50 to 100`; empty if nothing is proven."""
    lower, upper = number(thoughts, "lower"), number(thoughts, "upper")
    if lower is None or upper is None or (lower, upper) == (WORST, BEST):
        return ""
    return f"{lower:g} to {upper:g}"


def expectation(thoughts: Mapping[str, object]) -> str:
    """The moves expected from here on, `(mark 2 2), (mark 1 1)`; empty if none are told."""
    line = thoughts.get("line")
    if not isinstance(line, list):
        return ""
    return ", ".join(_joint(joint) for joint in line if isinstance(joint, list))


def number(thoughts: Mapping[str, object], name: str) -> float | None:
    """A figure among the thoughts; None if there is no such figure."""
    found = thoughts.get(name)
    return found if isinstance(found, int | float) and not isinstance(found, bool) else None


def _joint(moves: Sequence[object]) -> str:
    """A joint move without those who only wait, as far as that can be told from the words."""
    telling = [str(move) for move in moves if str(move) != WAITING]
    return " ".join(telling or map(str, moves[:1]))


def _told(value: MoveValue) -> dict[str, object]:
    return {
        "move": str(value.move),
        "value": round(value.value, 2),
        "visits": value.visits,
        "lower": value.lower,
        "upper": value.upper,
        **_length_of(value),
    }


def _length_of(value: MoveValue | None) -> dict[str, int]:
    """The plies to the end, where they say something: on the way to a win or a loss."""
    if value is None or value.length is None:
        return {}
    is_telling = value.lower == value.upper and value.lower in {WORST, BEST}
    return {"plies": value.length} if is_telling else {}
