"""Four iterations of Monte Carlo tree search with UCB1, following an article.

The article has this rule for leaves: a leaf that was never sampled is played out at once. A leaf
that was sampled gets a child for each action, and the first child is played out. Sums and visit
counts are propagated back to the root.

In the article's example, a state S0 has two actions, the rollouts yield 20, 10 and 0, and C = 2.
Here the example is a rulesheet, and the rollouts are random playouts whose seed yields the same
results.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from dataclasses import dataclass, field

import gdl
from ggp.clock import Deadline
from ggp.lectures.report import Claim, LectureReport, Picture, comparison
from ggp.lectures.sketch import Sketch
from ggp.lectures.trees import Scale, name_of, rulesheet, tree_of
from ggp.search.core.playout import playout
from ggp.search.textbook.monte_carlo import ucb1

TREE = tree_of("(S0 (S1 S3=0 S4=20?) (S2 S5=10? S6=0?))")
"""A rollout from S1 yields 20, but S3 has 0, so S4 must have 20. A rollout from S2 yields 10."""
SCALE = Scale(0, 100)
C = 2.0
SEED = 10
NUM_ITERATIONS = 4


@dataclass(slots=True)
class BanditNode:
    """A state, with the sum of the rewards and the number of the rollouts through it (`t`, `n`)."""

    state: gdl.State
    name: str
    total: float = 0.0
    visits: int = 0
    children: list[BanditNode] = field(default_factory=list)

    @property
    def mean(self) -> float:
        """Mean of the rollouts, or 0 before the first rollout."""
        return self.total / max(1, self.visits)


@dataclass(frozen=True, slots=True)
class Iteration:
    """The course of one iteration.

    Attributes:
        bounds: UCB1 values of the children of each node on the way down, by name.
        path: The names of the nodes from the root to the node that is played out.
        expanded: The name of the node that was expanded. Empty if no node was expanded.
        picture: The tree after the iteration.
    """

    bounds: dict[str, float]
    path: tuple[str, ...]
    expanded: str
    rollout: float
    picture: Sketch


class Walkthrough:
    """The article's search, run one iteration at a time."""

    def __init__(self, machine: gdl.StateMachine, seed: int) -> None:
        self._machine = machine
        self._role = machine.roles[0]
        self._rng = random.Random(seed)
        start = machine.initial_state()
        self.root = BanditNode(start, name_of(machine, start))
        self._expand(self.root)

    def iterate(self) -> Iteration:
        """Run one iteration: select, expand, play out, and update the path."""
        bounds: dict[str, float] = {}
        path = [self.root]
        while path[-1].children:
            path.append(self._select(path[-1], bounds))
        expanded = ""
        if path[-1].visits and not self._machine.is_terminal(path[-1].state):
            expanded = path[-1].name
            self._expand(path[-1])
            path.append(self._select(path[-1], bounds))
        reward = self._rollout(path[-1])
        for each in path:
            each.total += reward
            each.visits += 1
        names = tuple(each.name for each in path)
        return Iteration(bounds, names, expanded, reward, _sketch(self.root, bounds, names))

    def _select(self, parent: BanditNode, bounds: dict[str, float]) -> BanditNode:
        for child in parent.children:
            bounds[child.name] = ucb1(child.mean, child.visits, parent.visits, C)
        return max(parent.children, key=lambda child: bounds[child.name])

    def _expand(self, parent: BanditNode) -> None:
        for move in self._machine.legal_moves(parent.state, self._role):
            state = self._machine.next_state(parent.state, [move])
            parent.children.append(BanditNode(state, name_of(self._machine, state)))

    def _rollout(self, start: BanditNode) -> float:
        if self._machine.is_terminal(start.state):
            return float(self._machine.goal(start.state, self._role))
        played = playout(self._machine, start.state, self._rng, Deadline.never())
        assert played is not None  # it has no deadline
        return played.goals[0]


def run() -> LectureReport:
    """Run the four iterations."""
    found = list(iterations())
    pictures = [
        Picture(_heading(number, one), one.picture) for number, one in enumerate(found, start=1)
    ]
    return LectureReport(
        title="Four iterations of Monte Carlo tree search",
        source="the article on Monte Carlo Tree Search, a walk-through with UCB1",
        claims=tuple(_claims(found)),
        parts=tuple(pictures),
        notes=(NOTE,),
    )


NOTE = (
    "t is the sum of the rollouts through a node, n their number; each node shows the UCB1 value "
    "by which the iteration selected. The article does not give the result of the fourth rollout; "
    "ours is the value of S5 here."
)


def iterations(seed: int = SEED) -> Iterator[Iteration]:
    """Yield the iterations in order."""
    machine = gdl.Interpreter(rulesheet(TREE, SCALE, ("player",), "walkthrough"))
    walkthrough = Walkthrough(machine, seed)
    for _ in range(NUM_ITERATIONS):
        yield walkthrough.iterate()


def _claims(found: list[Iteration]) -> tuple[Claim, ...]:
    first, second, third, fourth = found
    return comparison(
        (
            ("1: UCB1 of S1 and S2", "∞, ∞", _bounds(first, "S1", "S2")),
            ("1: rollout from S1", 20, f"{first.rollout:g}"),
            ("1: sum and visits at S0", "t=20 n=1", _figures(first, "S0")),
            ("2: UCB1 of S1 and S2", "20.00, ∞", _bounds(second, "S1", "S2")),
            ("2: selected", "S2", second.path[1]),
            ("2: rollout from S2", 10, f"{second.rollout:g}"),
            ("2: sum at S0", "t=30", _figures(second, "S0").split()[0]),
            ("3: selected and expanded", "S1", third.expanded),
            ("3: UCB1 of S3 and S4", "∞, ∞", _bounds(third, "S3", "S4")),
            ("3: played out", "S3", third.path[-1]),
            ("3: rollout from S3", 0, f"{third.rollout:g}"),
            ("4: UCB1 of S1", "11.48", _bounds(fourth, "S1")),
            ("4: UCB1 of S2", "12.10", _bounds(fourth, "S2")),
            ("4: selected and expanded", "S2", fourth.expanded),
            ("4: new states", "S5, S6", ", ".join(_below(fourth.picture, "S2"))),
        )
    )


def _heading(number: int, one: Iteration) -> str:
    grown = f", expanded {one.expanded}" if one.expanded else ""
    return f"Iteration {number}: selected {' - '.join(one.path)}{grown}, rollout {one.rollout:g}"


def _bounds(one: Iteration, *names: str) -> str:
    return ", ".join(_written(one.bounds[name]) for name in names)


def _written(bound: float) -> str:
    return "∞" if math.isinf(bound) else f"{bound:.2f}"


def _figures(one: Iteration, name: str) -> str:
    return _find(one.picture, name).label.partition(" ")[2]


def _below(sketch: Sketch, name: str) -> list[str]:
    return [child.label.partition(" ")[0] for child in _find(sketch, name).children]


def _find(sketch: Sketch, name: str) -> Sketch:
    waiting = [sketch]
    while waiting:
        one = waiting.pop()
        if one.label.partition(" ")[0] == name:
            return one
        waiting.extend(one.children)
    raise LookupError(name)


def _sketch(place: BanditNode, bounds: dict[str, float], path: tuple[str, ...]) -> Sketch:
    children = tuple(_sketch(child, bounds, path) for child in place.children)
    remark = f"UCB1 {_written(bounds[place.name])}" if place.name in bounds else ""
    label = f"{place.name} t={place.total:g} n={place.visits}"
    is_selected = place.name in path[1:]
    return Sketch(label, remark, children, is_faded=not place.visits, is_chosen=is_selected)
