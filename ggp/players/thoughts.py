"""Thoughts: what players report about a search, in dictionaries that JSON can represent."""

from __future__ import annotations

import time

from ggp.search.core.result import BEST, WORST, Effort, MoveValue, SearchResult

NUM_SHOWN = 5  # number of moves, and of plies of the expected line, in the thoughts
SHORTEST = 1e-3  # shorter times, in seconds, count as this long when rates are computed


class TurnEffort:
    """The work of a search in one turn. The turn begins when this object is created.

    `before` is the search's work before the turn. `num_counted` is the number of iterations that
    earlier turns have reported, or None if that is unknown.
    """

    def __init__(self, before: Effort, num_counted: int | None = None) -> None:
        self._before = before
        self._num_counted = num_counted
        self._began = time.monotonic()

    def figures(self, now: Effort) -> dict[str, object]:
        """Return figures of the work in this turn and of the tree, by name. Leave out unknown ones.

        `now` is the total work of the search.
        """
        seconds = time.monotonic() - self._began
        iterations = now.num_iterations - self._before.num_iterations
        playouts = now.num_playouts - self._before.num_playouts
        known = {
            "seconds": round(seconds, 3),
            # Iterations since the last report: during the startclock or while the others chose.
            "iterations_before": None
            if self._num_counted is None
            else self._before.num_iterations - self._num_counted,
            "iterations": iterations,
            "iterations_per_second": round(iterations / max(seconds, SHORTEST)),
            "playouts": playouts,
            "playouts_per_second": round(playouts / max(seconds, SHORTEST)),
            "depth": now.depth,
            "nodes": now.num_nodes,
            "memory": now.num_bytes,
            "machines": len(now.machines) or None,
            "machine_iterations": [*now.machines] or None,
        }
        return {name: figure for name, figure in known.items() if figure is not None}


def thoughts_on(result: SearchResult, num_shown: int | None = NUM_SHOWN) -> dict[str, object]:
    """Return the result of a search in a form that JSON can represent.

    Show at most `num_shown` moves, and at most `num_shown` plies of the expected line. If it is
    None, show all.
    """
    best = result.moves[0] if result.moves else None
    return {
        "value": round(result.value, 2),
        "lower": result.lower,
        "upper": result.upper,
        "solved": result.is_settled,
        **_length_of(best),
        "visits": result.visits,
        "line": [list(map(str, joint)) for joint in result.line[:num_shown]],
        "moves": [_move_figures(each) for each in result.moves[:num_shown]],
    }


def _move_figures(value: MoveValue) -> dict[str, object]:
    return {
        "move": str(value.move),
        "value": round(value.value, 2),
        "visits": value.visits,
        "lower": value.lower,
        "upper": value.upper,
        # Only if several roles move at once: with which probability to make the move.
        **({"drawn": round(value.share, 4)} if value.share else {}),
        **_length_of(value),
    }


def _length_of(value: MoveValue | None) -> dict[str, int]:
    """Return `{"plies": N}`, the plies to the end, if a win (100) or a loss (0) is proven.

    Otherwise return an empty dict.
    """
    if value is None or value.length is None:
        return {}
    is_telling = value.lower == value.upper and value.lower in {WORST, BEST}
    return {"plies": value.length} if is_telling else {}
