"""Counting what alpha-beta visits of one position: in the best, the worst and random orders."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean

import gdl
from ggp.clock import Deadline
from ggp.search.core.choices import Joint, choices_in
from ggp.search.core.result import DepthResult
from ggp.search.evaluation import Evaluation
from ggp.search.textbook.adversarial import alphabeta, minimax
from ggp.search.textbook.adversarial.alphabeta import Means
from ggp.search.textbook.adversarial.ordering import (
    Action,
    Foreseen,
    LearnedOrder,
    Ordering,
    Shuffled,
    Spot,
)

NUM_SHUFFLES = 5
"""Random orders, of which the mean counts."""
WAYS = ("minimax", "worst", "random", "learned", "best")
"""Searches whose states are counted: minimax, and alpha-beta in four orders.

`worst` and `best` are made from the values that minimax finds. `learned` is what a player can do:
it searches one ply deeper each time, with what was best, killer moves and what cut off often first.
"""


@dataclass(frozen=True, slots=True)
class Task:
    """A search to count: a position of a game, how deep, and what states are worth there."""

    machine: gdl.StateMachine
    state: gdl.State
    depth: int
    evaluate: Evaluation

    @property
    def role(self) -> gdl.Role:
        """The role that moves."""
        return self.machine.control(self.state) or self.machine.roles[0]


@dataclass(slots=True)
class PruningWork:
    """A trace that counts leaves, and keeps the value of each state.

    Attributes:
        num_leaves: States below which nothing was looked at, because they are at the depth or the
            game ends there.
    """

    num_leaves: int = 0
    values: dict[gdl.State, float] = field(default_factory=dict)
    _is_fresh: bool = False

    def visit(self, state: gdl.State, depth: int, alpha: float, beta: float) -> None:
        """A node may be a leaf until something below it is visited."""
        self._is_fresh = True

    def leave(self, state: gdl.State, value: float) -> None:
        """Count a leaf, if nothing was visited since the state was entered."""
        self.num_leaves += self._is_fresh
        self._is_fresh = False
        self.values[state] = value

    def cut(
        self, state: gdl.State, kind: str, value: float, bound: float, pruned: Sequence[Joint]
    ) -> None:
        """A cut-off is no work."""


@dataclass(frozen=True, slots=True)
class LeafCounts:
    """Leaves and nodes that each way of `WAYS` visits in one position; means for random orders."""

    depth: int
    leaves: Mapping[str, float]
    nodes: Mapping[str, float]

    @property
    def branching(self) -> float:
        """The b of a uniform tree with as many leaves."""
        return float(self.leaves["minimax"] ** (1 / self.depth))


def count(task: Task) -> LeafCounts:
    """Search with minimax, and with alpha-beta in every order."""
    known = PruningWork()
    plain = minimax.search(
        task.machine,
        task.state,
        task.role,
        depth=task.depth,
        evaluate=task.evaluate,
        deadline=Deadline.never(),
        trace=known,
    )
    foreseen = _foresight(task, known.values)
    shuffles = [Shuffled(random.Random(seed)) for seed in range(NUM_SHUFFLES)]
    searches = {
        "minimax": [(known, plain)],
        "worst": [_prune(task, Foreseen(foreseen, worst_first=True))],
        "random": [_prune(task, shuffled) for shuffled in shuffles],
        "learned": [_deepen(task)],
        "best": [_prune(task, Foreseen(foreseen))],
    }
    found = [result.value for way in WAYS for _, result in searches[way]]
    assert set(found) == {plain.value}, "pruning never changes the value"
    return LeafCounts(
        depth=task.depth,
        leaves={way: fmean(work.num_leaves for work, _ in searches[way]) for way in WAYS},
        nodes={way: fmean(result.nodes for _, result in searches[way]) for way in WAYS},
    )


def _prune(task: Task, ordering: Ordering) -> tuple[PruningWork, DepthResult]:
    """Alpha-beta as on the slides, but in an order, at the root too."""
    moves = task.machine.legal_moves(task.state, task.role)
    return _search(task, task.depth, ordering, ordering.arrange(moves, _root(task)))


def _deepen(task: Task) -> tuple[PruningWork, DepthResult]:
    """Alpha-beta to depth 1, 2, ...; the last depth counts."""
    ordering = LearnedOrder()
    moves: Sequence[gdl.Move] = task.machine.legal_moves(task.state, task.role)
    for depth in range(1, task.depth):
        _, result = _search(task, depth, ordering, moves)
        moves = [one.move for one in result.result.moves]
    return _search(task, task.depth, ordering, moves)


def _search(
    task: Task, depth: int, ordering: Ordering, moves: Sequence[gdl.Move]
) -> tuple[PruningWork, DepthResult]:
    work = PruningWork()
    result = alphabeta.search(
        task.machine,
        task.state,
        task.role,
        depth=depth,
        evaluate=task.evaluate,
        deadline=Deadline.never(),
        means=Means(ordering=ordering, trace=work),
        among=moves,
    )
    return work, result


def _root(task: Task) -> Spot:
    return Spot(task.state, 0, True, None)


def _foresight(
    task: Task, values: Mapping[gdl.State, float]
) -> Callable[[gdl.State, Action], float]:
    """A function for the value of the state behind an action, where only one role decides."""
    machine, own = task.machine, task.machine.roles.index(task.role)

    def value(state: gdl.State, action: Action) -> float:
        if isinstance(action, tuple):
            return values[machine.next_state(state, action)]
        joint = [moves[0] for moves in choices_in(machine, state)]
        joint[own] = action
        return values[machine.next_state(state, joint)]

    return value
