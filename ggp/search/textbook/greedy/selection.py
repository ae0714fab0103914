"""The selection rules of the greedy player: which child deserves the next look.

Each rule is a small pure function of a child and the visits of its parent; the child with the
highest score is looked into next. The lecture's rules read the utility as it stands, also where an
opponent moves, and so look where the opponent plays badly; here `outlook` turns it to the mover's
side.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from ggp.search.core.result import BEST
from ggp.search.textbook.greedy.tree import GreedyNode, NodeKind

Rule = Callable[[GreedyNode, GreedyNode, float], float]
"""(parent, child, exploration constant) -> score; scores are on the scale of goals, 0..100."""


def outlook(parent: GreedyNode, child: GreedyNode) -> float:
    """The child's utility as the parent's mover sees it; chance sees nothing."""
    if parent.kind is NodeKind.CHANCE:
        return 0.0
    return child.utility if parent.kind is NodeKind.OWN else BEST - child.utility


def utility(parent: GreedyNode, child: GreedyNode, c: float) -> float:
    """Exploitation alone: the best child so far."""
    return outlook(parent, child)


def visits(parent: GreedyNode, child: GreedyNode, c: float) -> float:
    """Exploration alone: the child looked at least."""
    return -child.visits


def exploit_explore(parent: GreedyNode, child: GreedyNode, c: float) -> float:
    """Utility plus the share of its parent's visits that the child did not have, in percent."""
    return outlook(parent, child) + round((1 - child.visits / max(1, parent.visits)) * 100)


def uct(parent: GreedyNode, child: GreedyNode, c: float) -> float:
    """Utility plus c * sqrt(ln(parent's visits) / visits); a new child comes first.

    The lecture divides the utility by the visits, which is right for a sum of rewards; a utility
    propagated by minimum and maximum is a value already.
    """
    if child.visits == 0:
        return math.inf
    bonus = math.sqrt(math.log(max(1, parent.visits)) / child.visits)
    return outlook(parent, child) + BEST * c * bonus


def deviation(parent: GreedyNode, child: GreedyNode, c: float) -> float:
    """Utility plus c standard deviations of the utilities seen: promising or still in doubt."""
    return outlook(parent, child) + c * child.deviation()


RULES: Mapping[str, Rule] = {
    "utility": utility,
    "visits": visits,
    "exploit_explore": exploit_explore,
    "uct": uct,
    "deviation": deviation,
}
"""The rules by the name that the option `select` takes."""


def select(node: GreedyNode, rule: Rule, c: float) -> GreedyNode:
    """The child to look into next: of those not yet settled, the one with the highest score.

    Settled is a child whose value is guaranteed, and one that cannot change its parent's value.
    Ties go to the child looked at least, then to the first. A chance node knows no good or bad
    child and takes the least looked at, by whatever rule.
    """
    score = visits if node.kind is NodeKind.CHANCE else rule
    open_children = (child for child in node.children if is_open(node, child))
    return max(open_children, key=lambda child: (score(node, child, c), -child.visits))


def is_open(parent: GreedyNode, child: GreedyNode) -> bool:
    """Whether more knowledge about the child could still change what its parent is worth."""
    if child.is_final:
        return False
    if parent.kind is NodeKind.OWN:
        return child.upper > parent.lower
    return parent.kind is NodeKind.CHANCE or child.lower < parent.upper
