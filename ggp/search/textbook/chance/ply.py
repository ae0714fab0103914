"""One ply as the searches of this room see it: my move, the others' replies, and then chance.

Where several roles move at once, they are taken one after another: first the searching role, then
the other players, who know its move, then `random`. So my value is pessimistic where the others are
against me, as in the greedy player's tree; where roles take turns, nothing is changed by it.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import gdl
from ggp.clock import Deadline
from ggp.search.core.choices import Choices, Joint, choices_in, random_index
from ggp.search.core.result import BEST, WORST, DepthResult, MoveValue, OutOfTime, SearchResult
from ggp.search.evaluation.evaluation import Evaluation


@dataclass(frozen=True, slots=True)
class Seats:
    """The seats of a game, as the searching role sees them; role indices."""

    own: int
    others: tuple[int, ...]  # the other players, without `random`
    chance: int | None  # the `random` role, if there is one and it is not the searching role itself


def seats_of(machine: gdl.StateMachine, role: gdl.Role) -> Seats:
    """The seats as a role sees them."""
    own = machine.roles.index(role)
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


@dataclass(slots=True)
class Ground:
    """The game below a searching role: what every node asks, and what has been counted."""

    machine: gdl.StateMachine
    role: gdl.Role
    evaluate: Evaluation
    deadline: Deadline
    seats: Seats = field(init=False)
    nodes: int = 0  # states visited, each as often as it was met
    evaluations: int = 0  # of these, those valued by the evaluation
    was_cut: bool = False  # whether a line was cut off by the depth

    def __post_init__(self) -> None:
        self.seats = seats_of(self.machine, self.role)

    def visit(self, state: gdl.State) -> Choices:
        """Count a state; who may do what in it, nothing if the game is over.

        Raises:
            OutOfTime: The deadline has come.
        """
        if self.deadline.is_over():
            raise OutOfTime("the time is over")
        self.nodes += 1
        return () if self.machine.is_terminal(state) else choices_in(self.machine, state)

    def goal(self, state: gdl.State) -> float:
        """The goal of the searching role where the game is over."""
        return float(self.machine.goal(state, self.role))

    def estimate(self, state: gdl.State) -> float:
        """The evaluation's estimate of a state where the depth ends."""
        self.evaluations += 1
        self.was_cut = True
        return self.evaluate(state)[self.seats.own]


def depth_result(
    values: Mapping[gdl.Move, float], ground: Ground, depth: int, *, is_guaranteed: bool
) -> DepthResult:
    """The best move first, of equal ones the one that the rules name first.

    Args:
        values: Of each own move, in the order of the rules.
        is_guaranteed: Whether nobody can bring the role below the values, if all was seen. That is
            so if the others are taken to be against it.
    """
    is_complete = not ground.was_cut
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
        SearchResult.ranked(moves, ground.nodes),
        depth,
        ground.nodes,
        ground.evaluations,
        is_complete=is_complete,
    )
