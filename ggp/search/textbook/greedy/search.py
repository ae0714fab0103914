"""The greedy search of Genesereth's lecture "Statistical Search": grow the best branch first.

    select a branch, and a branch of it, down to the fringe; expand the fringe node; propagate
    the values back to the root; repeat until the time runs out; move where the value is best.

Estimates are the goal values that the rules give states before the end (`findreward`). Roles other
than the searching one are taken to be against it, as in the lecture, also where there are more than
two; the `random` role averages. Where the lecture's code slips, this one differs:

- `scoremax` and `scoremin` there answer the score of the last child, not the best one (and
  `update` closes one brace too many, before its `return`);
- `process` there leaves a terminal node without counting the visit, so that the rule "least
  visits" would return to it for ever; here finished subtrees are not selected at all;
- `process` there calls itself once a ply; here a path takes its place, however deep the game.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import gdl
from ggp.clock import Deadline
from ggp.search.core.choices import Joint, require_moves
from ggp.search.core.result import Effort, MoveValue, SearchResult
from ggp.search.textbook.greedy.tree import RULES, GameTree, GreedyNode, NodeKind, select

LINE_LENGTH = 20  # plies of the expected line that a result shows


@dataclass(frozen=True, slots=True)
class GreedySettings:
    """Search parameters."""

    select: str = "uct"  # name of the selection rule, a key of `RULES`
    c: float = 0.5  # weight of exploration in the rules that have one
    max_nodes: int = 100_000  # no node is expanded while the tree holds more than this


DEFAULTS = GreedySettings()


class GreedySearch:
    """A tree that grows by `step` and is kept from move to move by `advance`."""

    def __init__(
        self,
        machine: gdl.StateMachine,
        state: gdl.State,
        role: gdl.Role,
        settings: GreedySettings = DEFAULTS,
    ) -> None:
        require_moves(machine, state)
        self.settings = settings
        self._rule = RULES[settings.select]
        self._tree = GameTree(machine, role)
        self.root = self._tree.makenode(state)
        self._num_rounds = 0
        self._deepest = 0

    @property
    def effort(self) -> Effort:
        """Work done so far, and memory held; it plays nothing out."""
        return Effort(self._num_rounds, 0, self.num_nodes, self._deepest)

    @property
    def num_nodes(self) -> int:
        """Nodes in the tree."""
        return self._tree.num_nodes

    @property
    def state(self) -> gdl.State:
        """The state from which it searches."""
        return self.root.state

    @property
    def is_decided(self) -> bool:
        """Whether more search cannot change the move: it is forced, or guaranteed the best."""
        root = self.root
        if root.is_final or len(root.choices[self._tree.own]) == 1:
            return True
        if not root.is_expanded or root.kind is not NodeKind.OWN:
            return False
        best, *others = rank(root)
        return all(best.lower >= other.upper for other in others)

    def step(self, deadline: Deadline) -> bool:
        """The lecture's `process`: select, expand, update. False if there is nothing to gain."""
        if self.root.is_final or self.num_nodes > self.settings.max_nodes:
            return False
        path = [self.root]
        while path[-1].is_expanded:
            path.append(select(path[-1], self._rule, self.settings.c))
        if not self._tree.expand(path[-1], deadline):
            return False
        for node in reversed(path):
            update(node)
        self._num_rounds += 1
        self._deepest = max(self._deepest, sum(not node.partial for node in path))
        return True

    def advance(self, moves: Joint, state: gdl.State) -> None:
        """Keep the subtree of the joint move made; a new tree if it was never looked at."""
        child = self._tree.subtree(self.root, moves)
        if child is None or child.state != state:
            self._tree.num_nodes = 0
            child = self._tree.makenode(state)
        else:
            self._tree.num_nodes = count_nodes(child)
        self._deepest = max(0, self._deepest - 1)
        self.root = child

    def result(self) -> SearchResult:
        """The best move so far; the first legal one if nothing was expanded yet."""
        root = self.root
        own_moves = root.choices[self._tree.own]
        if root.mover != self._tree.own or not root.children:
            move = MoveValue(own_moves[0], root.utility, root.visits, root.lower, root.upper)
            ranked = [move]
        else:
            ranked = rank(root)
        return SearchResult.ranked(ranked, root.visits, self._line())

    def _line(self) -> tuple[Joint, ...]:
        line: list[Joint] = []
        node = self.root
        while node.children and len(line) < LINE_LENGTH:
            decided, choices = node.partial, node.choices
            best = best_child(node)
            decided = decided | {node.mover: node.actions[best]}
            node = node.children[best]
            if not node.partial:
                line.append(
                    tuple(decided.get(index, moves[0]) for index, moves in enumerate(choices))
                )
        return tuple(line)


def update(node: GreedyNode) -> None:
    """Propagate the children's values to an expanded node, and count the visit."""
    combine = COMBINE[node.kind]
    node.lower = combine([child.lower for child in node.children])
    node.upper = combine([child.upper for child in node.children])
    value = combine([child.utility for child in node.children])
    # What is proven overrules what is estimated.
    node.utility = min(max(value, node.lower), node.upper)
    node.visits += 1
    node.sum_utility += node.utility
    node.sum_squares += node.utility**2


def mean(values: list[float]) -> float:
    """The average: every move of the random role is equally likely."""
    return sum(values) / len(values)


COMBINE: dict[NodeKind, Callable[[list[float]], float]] = {
    NodeKind.OWN: max,
    NodeKind.OTHER: min,
    NodeKind.CHANCE: mean,
}


def rank(node: GreedyNode) -> list[MoveValue]:
    """The moves of a node of the searching role, the best first (the lecture's `selectaction`)."""
    pairs = zip(node.actions, node.children, strict=False)  # not all may be expanded yet
    ordered = sorted(pairs, key=lambda pair: preference(pair[1]), reverse=True)
    return [
        MoveValue(action, child.utility, child.visits, child.lower, child.upper)
        for action, child in ordered
    ]


def preference(child: GreedyNode) -> tuple[float, float, float, int]:
    """The key by which the searching role prefers a child.

    Among equal values a guaranteed gain comes before an estimated one, and an estimated loss
    before a guaranteed one; then what was looked at more.
    """
    return (child.utility, child.lower + child.upper, child.lower, child.visits)


def best_child(node: GreedyNode) -> int:
    """Index of the child that the node's mover takes; chance, the one looked at most."""
    indices = range(len(node.children))
    if node.kind is NodeKind.OWN:
        return max(indices, key=lambda index: preference(node.children[index]))
    if node.kind is NodeKind.OTHER:
        return min(indices, key=lambda index: preference(node.children[index]))
    return max(indices, key=lambda index: node.children[index].visits)


def count_nodes(root: GreedyNode) -> int:
    """Number of nodes in the tree below and including `root`."""
    count, stack = 0, [root]
    while stack:
        node = stack.pop()
        count += 1
        stack.extend(node.children)
    return count
