"""The log lines of a turn: the move and the player's search info."""

from __future__ import annotations

import logging

from ggp.engine import Choice
from ggp.log import log_event
from ggp.match.search_info import bounds, expectation, number, verdict

MEGABYTE = 1_000_000
_FIGURES = (
    *("value", "visits", "iterations_before", "iterations", "playouts", "playouts_per_second"),
    *("depth", "nodes"),
)


def log_turn(choice: Choice, seconds: float, **place: object) -> None:
    """Log one line, and with `--log-level debug` a second one with the expected line and moves.

    Args:
        seconds: Time from the request to the answer.
        place: Fields that identify the turn: match, role and number.
    """
    search_info = choice.search_info
    proven = verdict(search_info)
    memory = number(search_info, "memory")
    log_event(
        logging.INFO,
        "turn",
        **place,
        move=choice.move,
        origin=choice.origin.value,
        proven=proven.removeprefix("proven").lstrip(": ") or None,
        bounds=None if proven else bounds(search_info) or None,
        forced=True if search_info.get("forced") is True else None,
        **{name: number(search_info, name) for name in _FIGURES},
        machines=number(search_info, "machines"),
        network=network if isinstance(network := search_info.get("network"), str) else None,
        memory_mb=None if memory is None else round(memory / MEGABYTE, 1),
        seconds=round(seconds, 3),
    )
    log_event(
        logging.DEBUG,
        "thoughts",
        **place,
        expects=expectation(search_info) or None,
        moves=_moves(search_info.get("moves")) or None,
        iterations_per_second=number(search_info, "iterations_per_second"),
    )


def _moves(moves: object) -> str:
    if not isinstance(moves, list):
        return ""
    return ", ".join(_move(one) for one in moves if isinstance(one, dict))


def _move(one: dict[str, object]) -> str:
    value, visits = number(one, "value"), number(one, "visits")
    worth = verdict(one).removeprefix("proven: ") or ("?" if value is None else f"{value:.1f}")
    return f"{one.get('move')} {worth} ({visits or 0:.0f} visits)"
