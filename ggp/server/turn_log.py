"""The log lines of a turn: the move, and what the player thinks of it."""

from __future__ import annotations

import logging

from ggp.engine import Choice
from ggp.log import log_event
from ggp.match.thoughts import bounds, expectation, number, verdict

MEGABYTE = 1_000_000
_FIGURES = (
    *("value", "visits", "iterations_before", "iterations", "playouts", "playouts_per_second"),
    *("depth", "nodes"),
)


def log_turn(choice: Choice, seconds: float, **place: object) -> None:
    """Write one line, and with `--log-level debug` another one with what the player expects.

    Args:
        seconds: From the question to the answer.
        place: Which turn it is: the match, the role, the number.
    """
    thoughts = choice.thoughts
    proven = verdict(thoughts)
    memory = number(thoughts, "memory")
    log_event(
        logging.INFO,
        "turn",
        **place,
        move=choice.move,
        origin=choice.origin.value,
        proven=proven.removeprefix("proven").lstrip(": ") or None,
        bounds=None if proven else bounds(thoughts) or None,
        forced=True if thoughts.get("forced") is True else None,
        **{name: number(thoughts, name) for name in _FIGURES},
        machines=number(thoughts, "machines"),
        network=network if isinstance(network := thoughts.get("network"), str) else None,
        memory_mb=None if memory is None else round(memory / MEGABYTE, 1),
        seconds=round(seconds, 3),
    )
    log_event(
        logging.DEBUG,
        "thoughts",
        **place,
        expects=expectation(thoughts) or None,
        moves=_moves(thoughts.get("moves")) or None,
        iterations_per_second=number(thoughts, "iterations_per_second"),
    )


def _moves(moves: object) -> str:
    if not isinstance(moves, list):
        return ""
    return ", ".join(_move(one) for one in moves if isinstance(one, dict))


def _move(one: dict[str, object]) -> str:
    value, visits = number(one, "value"), number(one, "visits")
    worth = verdict(one).removeprefix("proven: ") or ("?" if value is None else f"{value:.1f}")
    return f"{one.get('move')} {worth} ({visits or 0:.0f} visits)"
