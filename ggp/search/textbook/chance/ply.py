"""A ply in the searches with chance: our move, then the others' replies, then chance.

Roles that move at once are treated as if they moved one after another: first the searching role,
then the other players, who know its move, then `random`. So the value of the searching role is
pessimistic if the others play against it, as in the tree of the greedy player. If roles take turns,
this order changes nothing.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import gdl
from ggp.search.core.choices import Choices, Joint, random_index
from ggp.search.core.result import BEST, WORST, DepthResult, MoveValue, SearchResult
from ggp.search.textbook.adversarial.scope import Scope


@dataclass(frozen=True, slots=True)
class Seats:
    """The indices of the searching role, the other players, and `random`."""

    own: int
    others: tuple[int, ...]  # the other players, without `random`
    chance: int | None  # the `random` role; None if there is none, or if it is the searching role


def seats_of(machine: gdl.StateMachine, own: int) -> Seats:
    """Return the seats if the role with index `own` is the searching role."""
    chance = random_index(machine)
    chance = None if chance == own else chance
    others = tuple(i for i in range(len(machine.roles)) if i not in {own, chance})
    return Seats(own, others, chance)


def replies_to(choices: Choices, seats: Seats, move: gdl.Move) -> Iterator[Joint]:
    """Yield the joint moves in which the searching role makes `move` and the others reply.

    The move of `random` is not chosen yet, so its first legal move stands in for it.
    """
    open_to_us: dict[int, tuple[gdl.Move, ...]] = {seats.own: (move,)}
    if seats.chance is not None:
        open_to_us[seats.chance] = choices[seats.chance][:1]
    return itertools.product(*(open_to_us.get(i, moves) for i, moves in enumerate(choices)))


def num_replies(choices: Choices, seats: Seats) -> int:
    """Return the number of replies to a move. It is the same for all own moves."""
    return math.prod(len(choices[index]) for index in seats.others)


def outcomes_of(choices: Choices, seats: Seats, reply: Joint) -> list[Joint]:
    """Return the equally likely joint moves that combine a reply with the moves of `random`."""
    if seats.chance is None:
        return [reply]
    before, after = reply[: seats.chance], reply[seats.chance + 1 :]
    return [(*before, move, *after) for move in choices[seats.chance]]


def depth_result(
    values: Mapping[gdl.Move, float], scope: Scope, *, is_guaranteed: bool
) -> DepthResult:
    """Return the result of a search, with the best move first. Ties keep the order of `values`.

    Args:
        values: The value of each own move, in the order of the legal moves.
        scope: The counters of the search.
        is_guaranteed: Whether a complete search proves the values. This is true if the search
            assumed that the others play against the role.
    """
    is_complete = not scope.evaluations  # only lines that reach the depth limit are evaluated
    moves = tuple(
        MoveValue(
            move,
            value,
            1,
            lower=value if is_complete and is_guaranteed else WORST,
            upper=value if is_complete and is_guaranteed else BEST,
        )
        for move, value in sorted(values.items(), key=lambda item: -item[1])
    )
    return DepthResult(
        SearchResult.ranked(moves, scope.nodes),
        scope.depth,
        scope.nodes,
        scope.evaluations,
        is_complete=is_complete,
    )
