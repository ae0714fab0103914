"""One ply as the searches of this room see it: my move, the others' replies, and then chance.

Where several roles move at once, they are taken one after another: first the searching role, then
the other players, who know its move, then `random`. So my value is pessimistic where the others are
against me, as in the greedy player's tree; where roles take turns, nothing is changed by it.
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
    """The seats of a game, as the searching role sees them; role indices."""

    own: int
    others: tuple[int, ...]  # the other players, without `random`
    chance: int | None  # the `random` role, if there is one and it is not the searching role itself


def seats_of(machine: gdl.StateMachine, own: int) -> Seats:
    """The seats as a role sees them."""
    chance = random_index(machine)
    chance = None if chance == own else chance
    others = tuple(i for i in range(len(machine.roles)) if i not in {own, chance})
    return Seats(own, others, chance)


def replies_to(choices: Choices, seats: Seats, move: gdl.Move) -> Iterator[Joint]:
    """The joint moves in which the searching role makes `move` and the others reply.

    What `random` does is still open: its place has its first move.
    """
    open_to_us: dict[int, tuple[gdl.Move, ...]] = {seats.own: (move,)}
    if seats.chance is not None:
        open_to_us[seats.chance] = choices[seats.chance][:1]
    return itertools.product(*(open_to_us.get(i, moves) for i, moves in enumerate(choices)))


def num_replies(choices: Choices, seats: Seats) -> int:
    """Number of replies to any own move."""
    return math.prod(len(choices[index]) for index in seats.others)


def outcomes_of(choices: Choices, seats: Seats, reply: Joint) -> list[Joint]:
    """The joint moves that `random` may make of a reply, each as likely as the others."""
    if seats.chance is None:
        return [reply]
    before, after = reply[: seats.chance], reply[seats.chance + 1 :]
    return [(*before, move, *after) for move in choices[seats.chance]]


def depth_result(
    values: Mapping[gdl.Move, float], scope: Scope, *, is_guaranteed: bool
) -> DepthResult:
    """The best move first, of equal ones the one that the rules name first.

    Args:
        values: Of each own move, in the order of the rules.
        is_guaranteed: Whether nobody can bring the role below the values, if all was seen. That is
            so if the others are taken to be against it.
    """
    is_complete = not scope.evaluations  # each is a line that was cut off by the depth
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
