"""Which move to answer, given all that the processes have said in a turn."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace

from ggp.engine.answers import NO_MOVE, Choice, EnginePosition, MoveOrigin
from ggp.engine.pending_request import PendingRequest

_RANKS = list(MoveOrigin)


def judge(
    exchanges: Sequence[PendingRequest],
    earlier: EnginePosition | None,
    legal: Sequence[str] = (),
    expected: str = "",
) -> Choice:
    """The best founded move: chosen, reported, expected, legal, or legal in an earlier turn.

    Args:
        exchanges: This turn's, one per process that was asked, in order; later ones come first.
        earlier: A position of an earlier turn.
        legal: Moves known to be legal in this turn, if any are, from who asks for a move.
        expected: The move that the player expected to make in this turn, if it did.
    """
    latest = list(reversed(exchanges))
    position = next((each.moved.position for each in latest if each.moved is not None), None)
    choices = [choice for exchange in latest for choice in _choices(exchange)]
    choices += _last_resorts(position, earlier, legal, expected)
    best = min(choices, key=lambda choice: _RANKS.index(choice.origin))
    in_control = position is None or position.in_control
    return replace(best, in_control=in_control, position=position)


def _choices(exchange: PendingRequest) -> Iterator[Choice]:
    done, best = exchange.done, exchange.best
    if done is not None and done.move is not None and done.origin is not None:
        yield Choice(done.move, MoveOrigin(done.origin), thoughts=json.loads(done.thoughts))
    if best is not None:
        yield Choice(best.move, MoveOrigin.BEST_SO_FAR, thoughts=json.loads(best.thoughts))


def _last_resorts(
    position: EnginePosition | None,
    earlier: EnginePosition | None,
    legal: Sequence[str],
    expected: str,
) -> Iterator[Choice]:
    told = position.legal if position is not None else legal
    if expected in told:
        yield Choice(expected, MoveOrigin.BEST_SO_FAR)
    if told:
        num_legal = position.num_legal if position is not None else len(legal)
        yield Choice(told[0], MoveOrigin.ONLY_MOVE if num_legal == 1 else MoveOrigin.FIRST_LEGAL)
    yield Choice(earlier.legal[0] if earlier and earlier.legal else NO_MOVE, MoveOrigin.GUESS)
