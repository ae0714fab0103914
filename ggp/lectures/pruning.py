"""Number of states that alpha-beta prunes, depending on the order of the moves.

The lectures say that the worst order prunes nothing, O(b^d), and that the best order, with each
side's best move first, needs O(b^(d/2)). In practice, the number is closer to the best order. This
module counts states on uniform trees, with b moves everywhere, d plies deep and different values at
all leaves, and in real games.

In a sorted tree, all values below a move are better for its role than all values below the moves
before it, so this order prunes nothing. With random values, even the order with the worst move
first prunes a little, because of bounds from two or more plies above.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean

import gdl
from ggp import games
from ggp.clock import Deadline
from ggp.lectures.report import Claim, LectureReport, ReportTable
from ggp.lectures.trees import MAX, MIN, Scale, Tree, name_of, rulesheet
from ggp.search.core.choices import Joint, choices_in
from ggp.search.core.result import DepthResult
from ggp.search.evaluation import Evaluation, named
from ggp.search.evaluation.evaluation import EVEN
from ggp.search.textbook.adversarial import alphabeta, minimax
from ggp.search.textbook.adversarial.alphabeta import AlphaBetaOptions
from ggp.search.textbook.adversarial.ordering import (
    Action,
    Foreseen,
    LearnedOrder,
    Ordering,
    Shuffled,
    Spot,
)

NUM_SHUFFLES = 5
"""Number of random orders over which the mean is taken."""
WAYS = ("minimax", "worst", "random", "learned", "best")
"""Searches whose states are counted: minimax, and alpha-beta with four orders.

`worst` and `best` use the values that minimax finds. `learned` is what a player can do: it uses
iterative deepening, and tries first the previously best moves, killer moves, and frequent cutters.
"""


@dataclass(frozen=True, slots=True)
class PruningTask:
    """A search to measure: a position of a game, the depth, and the evaluation of states."""

    machine: gdl.StateMachine
    state: gdl.State
    depth: int
    evaluate: Evaluation

    @property
    def role(self) -> gdl.Role:
        """The role to move."""
        return self.machine.control(self.state) or self.machine.roles[0]


@dataclass(slots=True)
class PruningWork:
    """A search trace that counts leaves and stores the value of each state.

    Attributes:
        num_leaves: Number of states below which nothing was visited, because of the depth limit or
            because the game ends there.
    """

    num_leaves: int = 0
    values: dict[gdl.State, float] = field(default_factory=dict)
    _is_fresh: bool = False

    def visit(self, state: gdl.State, depth: int, alpha: float, beta: float) -> None:
        """Assume for now that the node is a leaf. Leaving a node below it corrects this."""
        self._is_fresh = True

    def leave(self, state: gdl.State, value: float) -> None:
        """Count the node as a leaf if nothing was visited since the search entered it."""
        self.num_leaves += self._is_fresh
        self._is_fresh = False
        self.values[state] = value

    def cut(
        self, state: gdl.State, kind: str, value: float, bound: float, pruned: Sequence[Joint]
    ) -> None:
        """Do nothing, because a cut-off visits no states."""


@dataclass(frozen=True, slots=True)
class LeafCounts:
    """Leaves and nodes that each of `WAYS` visits in one position, with random orders averaged."""

    depth: int
    leaves: Mapping[str, float]
    nodes: Mapping[str, float]

    @property
    def branching(self) -> float:
        """The branching factor b of a uniform tree with the same number of leaves."""
        return float(self.leaves["minimax"] ** (1 / self.depth))


def count(task: PruningTask) -> LeafCounts:
    """Count what minimax and alpha-beta with each order visit in one position."""
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


def _prune(task: PruningTask, ordering: Ordering) -> tuple[PruningWork, DepthResult]:
    moves = task.machine.legal_moves(task.state, task.role)
    return _search(task, task.depth, ordering, ordering.arrange(moves, _root(task)))


def _deepen(task: PruningTask) -> tuple[PruningWork, DepthResult]:
    ordering = LearnedOrder()
    moves: Sequence[gdl.Move] = task.machine.legal_moves(task.state, task.role)
    for depth in range(1, task.depth):
        _, result = _search(task, depth, ordering, moves)
        moves = [one.move for one in result.result.moves]
    return _search(task, task.depth, ordering, moves)


def _search(
    task: PruningTask, depth: int, ordering: Ordering, moves: Sequence[gdl.Move]
) -> tuple[PruningWork, DepthResult]:
    work = PruningWork()
    result = alphabeta.search(
        task.machine,
        task.state,
        task.role,
        depth=depth,
        evaluate=task.evaluate,
        deadline=Deadline.never(),
        means=AlphaBetaOptions(ordering=ordering, trace=work),
        among=moves,
    )
    return work, result


def _root(task: PruningTask) -> Spot:
    return Spot(task.state, 0, True, None)


def _foresight(
    task: PruningTask, values: Mapping[gdl.State, float]
) -> Callable[[gdl.State, Action], float]:
    """Return a function that looks up the value of the state after an action.

    If the action is not a joint move, all other roles must have only one legal move.
    """
    machine, own = task.machine, task.machine.roles.index(task.role)

    def value(state: gdl.State, action: Action) -> float:
        if isinstance(action, tuple):
            return values[machine.next_state(state, action)]
        joint = [moves[0] for moves in choices_in(machine, state)]
        joint[own] = action
        return values[machine.next_state(state, joint)]

    return value


UNIFORM = ((2, 6), (3, 5), (4, 4))
"""Pairs (b, d) of the uniform trees."""
SEED = 1


@dataclass(frozen=True, slots=True)
class LecturePosition:
    """A position of a real game, with the depth and the evaluation of the search."""

    game: str
    depth: int
    evaluation: str
    num_moves: int = 0
    """Number of moves made before the position. Each was the first legal move."""


POSITIONS = (
    LecturePosition("ticTacToe", 7, "even", num_moves=2),
    LecturePosition("othello", 5, "mobility"),
    LecturePosition("breakthroughSmall", 3, "mobility"),
)
NOTE = (
    "Leaves are states at the depth, or at the end of the game. Worst and best order use the "
    f"values of an earlier minimax search; random is the mean of {NUM_SHUFFLES} orders; learned is "
    "what a player can do: killer and history moves, after a search one ply less deep. In the real "
    "games, b is that of a uniform tree with as many leaves. Equal values allow some pruning even "
    "in the worst order."
)


def run(
    uniform: Sequence[tuple[int, int]] = UNIFORM, positions: Sequence[LecturePosition] = POSITIONS
) -> LectureReport:
    """Report how many states minimax and alpha-beta visit, with several orders of moves.

    The searches start from the roots of uniform trees, and from positions of real games.
    """
    ordered = {(b, d): count(uniform_task(b, d, is_sorted=True)) for b, d in uniform}
    mixed = {(b, d): count(uniform_task(b, d, is_sorted=False)) for b, d in uniform}
    real = {f"{one.game}, d={one.depth}": count(position_task(one)) for one in positions}
    shown = {f"sorted, b={b} d={d}": found for (b, d), found in ordered.items()}
    shown |= {f"random, b={b} d={d}": found for (b, d), found in mixed.items()}
    shown |= real
    return LectureReport(
        title="How much alpha-beta prunes",
        source="Game Playing: Effectiveness of Alpha-Beta Search; Search in Games",
        claims=(*_claims_on_trees(ordered), *_claims_on_games(real)),
        parts=(_leaves(shown), _nodes(shown), _exponents(shown)),
        notes=(NOTE,),
    )


def uniform_task(b: int, d: int, *, is_sorted: bool) -> PruningTask:
    """Return the search task for a uniform tree, with sorted or random values at its leaves."""
    tree = uniform_tree(b, d)
    machine = gdl.Interpreter(rulesheet(tree, Scale(0, 100), (MAX, MIN), "uniform"))
    names = [place.name for place, at in tree.walk() if at == d]
    if is_sorted:
        names.sort(key=_standing)
    else:
        random.Random(SEED).shuffle(names)
    return PruningTask(machine, machine.initial_state(), d, TreeLeafValues(machine, names))


def _standing(name: str) -> list[int]:
    """Return a sort key for a leaf, by which later moves are better for the role that makes them.

    The moves of earlier plies take precedence over those of later plies.
    """
    return [int(digit) * (-1) ** ply for ply, digit in enumerate(name.removeprefix("n"))]


def uniform_tree(b: int, d: int, name: str = "n") -> Tree:
    """Create a tree in which every node has b children down to depth d.

    Each node at depth d has one more node below it, so that the game is not over at depth d. Thus
    the nodes there get their values from an evaluation, and are not limited to the 101 goals.
    """
    if d == 0:
        return Tree(name, (Tree(f"{name}x", is_given=False),))
    return Tree(name, tuple(uniform_tree(b, d - 1, f"{name}{index}") for index in range(b)))


class TreeLeafValues:
    """An evaluation that gives each named node a different value, in ascending order.

    All other nodes have the value 50, so a shallower search learns nothing.
    """

    def __init__(self, machine: gdl.StateMachine, names: Sequence[str]) -> None:
        self._machine = machine
        self._values = {name: 100 * rank / len(names) for rank, name in enumerate(names)}

    def __call__(self, state: gdl.State) -> tuple[float, ...]:
        """Return the node's value, and the rest to 100 for the other role."""
        value = self._values.get(name_of(self._machine, state), EVEN)
        return value, 100 - value


def position_task(position: LecturePosition) -> PruningTask:
    """Return the search task for a position of a real game."""
    game = gdl.load(gdl.read_kif(games.text(position.game), position.game), "interpreter")
    state = game.initial_state()
    for _ in range(position.num_moves):
        state = game.next_state(state, [moves[0] for moves in choices_in(game, state)])
    return PruningTask(game.machine, state, position.depth, named(game, position.evaluation))


def perfect(b: int, d: int) -> int:
    """Return the number of leaves visited with the best order: b^ceil(d/2) + b^floor(d/2) - 1.

    Knuth and Moore, An analysis of alpha-beta pruning, 1975.
    """
    return int(b ** ((d + 1) // 2) + b ** (d // 2) - 1)


def exponent(found: LeafCounts, way: str) -> float:
    """Return the x for which b^(x d) leaves were visited.

    It is 1 if nothing was pruned, and about 0.5 with the best order.
    """
    return math.log(found.leaves[way]) / math.log(found.leaves["minimax"])


def _claims_on_trees(trees: Mapping[tuple[int, int], LeafCounts]) -> list[Claim]:
    claims = []
    for (b, d), found in trees.items():
        where = f"b={b} d={d}"
        worst, best = found.leaves["worst"], found.leaves["best"]
        claims.append(Claim.same(f"{where}: worst order, b^d leaves", b**d, f"{worst:g}"))
        # O(b^(d/2)) hides a constant factor: the exact count is less than 2 sqrt(b) times as large.
        is_so = best == perfect(b, d) <= 2 * math.sqrt(b) * b ** (d / 2)
        half = f"O({b ** (d / 2):.3g})"
        claims.append(Claim(f"{where}: best order, O(b^(d/2)) leaves", half, f"{best:g}", is_so))
    return claims


def _claims_on_games(real: Mapping[str, LeafCounts]) -> list[Claim]:
    claims = []
    for where, found in real.items():
        best, ours, worst = (exponent(found, way) for way in ("best", "learned", "worst"))
        what = f"{where}: in practice x of b^(x d) is nearer to the best than to the worst"
        ordered = f"{best:.2f} .. {ours:.2f} ... {worst:.2f}"
        claims.append(Claim(what, "nearer", ordered, ours - best < worst - ours))
    return claims


def _leaves(shown: Mapping[str, LeafCounts]) -> ReportTable:
    rows = []
    for name, found in shown.items():
        half = found.leaves["minimax"] ** 0.5
        counts = (f"{found.leaves[way]:,.0f}" for way in WAYS)
        rows.append((name, f"{found.branching:.2f}", *counts, f"{half:,.0f}"))
    columns = ("tree", "b", *WAYS, "b^(d/2)")
    return ReportTable("Leaves visited", columns, tuple(rows), columns[1:])


def _nodes(shown: Mapping[str, LeafCounts]) -> ReportTable:
    rows = [(name, *(f"{found.nodes[way]:,.0f}" for way in WAYS)) for name, found in shown.items()]
    return ReportTable("Nodes visited, the leaves among them", ("tree", *WAYS), tuple(rows), WAYS)


def _exponents(shown: Mapping[str, LeafCounts]) -> ReportTable:
    rows = [
        (name, *(f"{exponent(found, way):.2f}" for way in WAYS)) for name, found in shown.items()
    ]
    return ReportTable("x, where b^(x d) leaves were visited", ("tree", *WAYS), tuple(rows), WAYS)
