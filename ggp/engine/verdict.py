"""Which move to answer, given all that the processes have said in a turn."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import TypeVar

from ggp.engine.answers import NO_MOVE, Choice, Origin, Position
from ggp.engine.exchange import Exchange

T = TypeVar("T")


def judge(exchanges: Sequence[Exchange], earlier: Position | None) -> Choice:
    """The best founded move: chosen, else reported, else legal, else legal in an earlier turn.

    Args:
        exchanges: This turn's, one per process that was asked, in order.
        earlier: A position of an earlier turn.
    """
    latest = list(reversed(exchanges))
    moved = _first(exchange.moved for exchange in latest)
    position = None if moved is None else moved.position
    in_control = position is None or position.in_control
    for exchange in latest:
        done = exchange.done
        if done is not None and done.move is not None and done.origin is not None:
            thoughts = json.loads(done.thoughts)
            return Choice(done.move, Origin(done.origin), in_control, thoughts, position)
    best = _first(exchange.best for exchange in latest)
    if best is not None:
        thoughts = json.loads(best.thoughts)
        return Choice(best.move, Origin.BEST_SO_FAR, in_control, thoughts, position)
    if position is not None and position.legal:
        origin = Origin.ONLY_MOVE if position.num_legal == 1 else Origin.FIRST_LEGAL
        return Choice(position.legal[0], origin, in_control, {}, position)
    guess = earlier.legal[0] if earlier is not None and earlier.legal else NO_MOVE
    return Choice(guess, Origin.GUESS, in_control, {}, position)


def _first(items: Iterable[T | None]) -> T | None:
    return next((item for item in items if item is not None), None)
