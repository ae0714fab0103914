"""The greedy search of Genesereth's lecture "Statistical Search": grow the best branch first.

    select a branch, and a branch of it, down to the fringe; expand the fringe node; propagate
    the values back to the root; repeat until the time runs out; move where the value is best.

Estimates are the goals that the rules give to states before the end (`findreward`). As in the
lecture, all other roles are assumed to play against the searching role, even in games of more than
two roles. The `random` role averages. This code differs where the lecture's code has errors:

- In the lecture, `scoremax` and `scoremin` return the score of the last child, not of the best one.
  Also, `update` closes one brace too many, before its `return`.

- In the lecture, `process` leaves a terminal node without counting the visit, so the rule "least
  visits" would return to it forever. Here, finished subtrees are not selected at all.

- In the lecture, `process` calls itself once per ply. Here, a loop follows a path, so the depth is
  not limited.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import gdl
from ggp.clock import Deadline
from ggp.search.core.choices import Joint, require_moves
from ggp.search.core.result import Effort, MoveValue, SearchResult
from ggp.search.textbook.greedy.tree import RULES, GameTree, GreedyNode, NodeKind, joint_of, select

LINE_LENGTH = 20  # plies of the expected line that a result shows


@dataclass(frozen=True, slots=True)
class GreedySettings:
    """Parameters of the search."""

    select: str = "uct"  # name of the selection rule, a key of `RULES`
    c: float = 0.5  # weight of exploration in the rules that have one
    max_nodes: int = 100_000  # no node is expanded while the tree has more nodes than this


DEFAULTS = GreedySettings()


class GreedySearch:
    """A search with a tree. `step` grows the tree, and `advance` keeps it from move to move."""

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
        """The work so far, and the number of nodes held. There are no playouts."""
        return Effort(self._num_rounds, 0, self.num_nodes, self._deepest)

    @property
    def num_nodes(self) -> int:
        """Number of nodes in the tree."""
        return self._tree.num_nodes

    @property
    def state(self) -> gdl.State:
        """The state at the root."""
        return self.root.state

    @property
    def is_decided(self) -> bool:
        """Whether the move is final, because it is forced or proven best."""
        root = self.root
        if root.is_final or len(root.choices[self._tree.own]) == 1:
            return True
        if not root.is_expanded or root.kind is not NodeKind.OWN:
            return False
        best, *others = rank(root)
        return all(best.lower >= other.upper for other in others)

    def step(self, deadline: Deadline) -> bool:
        """Select, expand and update, like the lecture's `process`.

        Return False if nothing is left to search, or memory or time has run out.
        """
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
        """Keep the subtree of the joint move, or start a new tree if it is not there."""
        child = self._tree.subtree(self.root, moves)
        if child is None or child.state != state:
            self._tree.num_nodes = 0
            child = self._tree.makenode(state)
        else:
            self._tree.num_nodes = count_nodes(child)
        self._deepest = max(0, self._deepest - 1)
        self.root = child

    def result(self) -> SearchResult:
        """Return the best move so far, or the first legal one if nothing was expanded yet."""
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
            best = best_child(node)
            joint = joint_of(node.choices, node.partial | {node.mover: node.actions[best]})
            node = node.children[best]
            if not node.partial:  # all roles have decided
                line.append(joint)
        return tuple(line)


def update(node: GreedyNode) -> None:
    """Update an expanded node's value from those of its children, and count the visit."""
    combine = COMBINE[node.kind]
    node.lower = combine([child.lower for child in node.children])
    node.upper = combine([child.upper for child in node.children])
    value = combine([child.utility for child in node.children])
    # Proofs override estimates.
    node.utility = min(max(value, node.lower), node.upper)
    node.visits += 1
    node.sum_utility += node.utility
    node.sum_squares += node.utility**2


def mean(values: list[float]) -> float:
    """Return the average, because all moves of the `random` role are equally likely."""
    return sum(values) / len(values)


COMBINE: dict[NodeKind, Callable[[list[float]], float]] = {
    NodeKind.OWN: max,
    NodeKind.OTHER: min,
    NodeKind.CHANCE: mean,
}


def rank(node: GreedyNode) -> list[MoveValue]:
    """Return the moves at a node where the searching role moves, the best first.

    This is the lecture's `selectaction`.
    """
    pairs = zip(node.actions, node.children, strict=False)  # not all may be expanded yet
    ordered = sorted(pairs, key=lambda pair: preference(pair[1]), reverse=True)
    return [
        MoveValue(action, child.utility, child.visits, child.lower, child.upper)
        for action, child in ordered
    ]


def preference(child: GreedyNode) -> tuple[float, float, float, int]:
    """Return the key by which the searching role prefers a child.

    Among children with equal values, a proven value above 50 comes before an estimated one, and an
    estimated value below 50 before a proven one. Then the child with more visits comes first.
    """
    return (child.utility, child.lower + child.upper, child.lower, child.visits)


def best_child(node: GreedyNode) -> int:
    """Return the index of the mover's preferred child; at chance nodes, the most visited one."""
    indices = range(len(node.children))
    if node.kind is NodeKind.OWN:
        return max(indices, key=lambda index: preference(node.children[index]))
    if node.kind is NodeKind.OTHER:
        return min(indices, key=lambda index: preference(node.children[index]))
    return max(indices, key=lambda index: node.children[index].visits)


def count_nodes(root: GreedyNode) -> int:
    """Count the nodes of the tree below `root`, including `root`."""
    count, stack = 0, [root]
    while stack:
        node = stack.pop()
        count += 1
        stack.extend(node.children)
    return count
