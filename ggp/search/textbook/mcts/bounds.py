"""Guaranteed values in the Monte Carlo tree: what is proven about a node from its children.

Every node has for every role a proven lower and upper bound of the goal. A terminal state is exact.
For the others:

- a role that decides here gets at least the best lower bound among its moves, where a move counts
  for what it guarantees whatever the others do at the same time, and at most the best upper bound;
- the `random` role averages; a move of it not yet seen counts as anything from 0 to 100;
- a role that only watches is sure of the worst that can come. If the one who decides already holds
  a move that it cannot improve on, it is expected to make such a move, and of several the one that
  is worst for the watcher: so a proven win of the opponent is our proven loss.

Score bounds in Monte Carlo search: Cazenave and Saffidine, Score Bounded Monte-Carlo Tree Search,
2010.
"""

from __future__ import annotations

import math

from ggp.search.core.result import BEST, WORST
from ggp.search.textbook.mcts.tree import UctNode

Interval = tuple[float, float]
UNKNOWN: Interval = (WORST, BEST)


def prove(node: UctNode, chance: int | None) -> bool:
    """Tighten a node's bounds from its children's; returns whether they changed.

    `chance` is the index of the `random` role, if there is one.
    """
    node.limits = {
        role: _move_intervals(node, slot)
        for slot, role in enumerate(node.deciders)
        if role != chance
    }
    before = node.lower, node.upper
    intervals = [_role_interval(node, role, chance) for role in range(len(node.moves))]
    node.lower = tuple(map(max, node.lower, (low for low, _ in intervals)))
    node.upper = tuple(map(min, node.upper, (high for _, high in intervals)))
    is_news = (node.lower, node.upper) != before
    if is_news and node.is_solved:
        node.length = 1 + _length_below(node, chance)
    return is_news


def _length_below(node: UctNode, chance: int | None) -> int:
    """Plies to the end after the move in a solved node: the longest way that cannot be avoided."""
    solved = [child for child in node.children.values() if child.is_solved]
    if len(node.deciders) != 1 or node.deciders[0] == chance:
        return max((child.length for child in solved), default=0)
    role = node.deciders[0]
    best = node.lower[role]
    lengths = [child.length for child in solved if child.lower[role] == best]
    return (max if best == WORST else min)(lengths, default=0)


def _move_intervals(node: UctNode, slot: int) -> list[Interval]:
    """Interval of the proven values of each move of the decider in this slot, for that decider."""
    role = node.deciders[slot]
    answers: list[list[UctNode]] = [[] for _ in node.moves[role]]
    for key, child in node.children.items():
        answers[key[slot]].append(child)
    num_answers = _num_joint(node) // len(answers)
    return [_span(some, role, is_complete=len(some) == num_answers) for some in answers]


def _role_interval(node: UctNode, role: int, chance: int | None) -> Interval:
    if role in node.limits:
        limits = node.limits[role]
        return max(low for low, _ in limits), max(high for _, high in limits)
    children = list(node.children.values())
    num_joint = _num_joint(node)
    if node.deciders == (chance,):
        unseen = num_joint - len(children)
        low = sum(child.lower[role] for child in children) + unseen * WORST
        high = sum(child.upper[role] for child in children) + unseen * BEST
        return low / num_joint, high / num_joint
    low, high = _span(children, role, is_complete=len(children) == num_joint)
    if len(node.deciders) == 1:
        high = min([high, *_satisfied(node, children, role)])
    return low, high


def _num_joint(node: UctNode) -> int:
    return math.prod(len(node.moves[decider]) for decider in node.deciders)


def _satisfied(node: UctNode, children: list[UctNode], role: int) -> list[float]:
    """The role's upper bounds behind the moves that the one decider cannot improve on."""
    decider = node.deciders[0]
    limits = node.limits[decider]
    best = max(high for _, high in limits)
    return [child.upper[role] for child in children if child.lower[decider] == best]


def _span(children: list[UctNode], role: int, is_complete: bool) -> Interval:
    if not children:
        return UNKNOWN
    low = min(child.lower[role] for child in children) if is_complete else WORST
    high = max(child.upper[role] for child in children) if is_complete else BEST
    return low, high
