"""The nodes of the Monte Carlo tree: how each role selects its move, and what is proven.

If one role decides, it selects by UCT (Kocsis and Szepesvari, Bandit based Monte-Carlo Planning,
2006). If several roles decide, each keeps statistics for its own moves and selects independently.
This is decoupled UCT (Finnsson and Bjornsson, Simulation-Based Approach to General Game Playing,
2008).

Every node has proven lower and upper bounds of the goal of every role (Cazenave and Saffidine,
Score Bounded Monte-Carlo Tree Search, 2010). In a terminal state both bounds are the goal. In other
states:

- A role that decides here gets at least the best lower bound of its moves, and at most the best
  upper bound. The lower bound of a move is what it guarantees whatever the others do.

- The `random` role averages. Its moves that have not been seen yet count as anything from 0 to 100.

- A role that waits gets at least the worst of the children. If the deciding role already has a move
  that it cannot improve on, it is expected to make this move. If it has several such moves, it
  makes the one that is worst for the waiting role. So a proven win of the opponent is our proven
  loss.

In a game without a fixed sum the bounds may never meet. So a node is also closed when the goals of
all roles follow from closed children, given that each role makes the move that is best for itself.
No iteration goes below a closed node.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, field

import gdl
from ggp.search.core.choices import Choices, Joint, choices_in, deciders_of, goals_in
from ggp.search.core.result import BEST, WORST
from ggp.search.core.root import may_be_best
from ggp.search.textbook import monte_carlo

TOLERANCE = 0.03
"""If several roles decide, each chooses at random among the moves whose scores are this close to
the best score. Scores have a scale from 0 to 1.

Without this randomness the choices of the roles would synchronise, as if each knew the other's. See
Lanctot et al., Monte Carlo Tree Search Variants for Simultaneous Move Games, 2014.
"""

SAME = 1e-9  # goals that differ by less count as equal, because means have rounding errors

Interval = tuple[float, float]
UNKNOWN: Interval = (WORST, BEST)

Key = tuple[int, ...]
"""A joint decision: the index of the move of each decider, in order."""


@dataclass(slots=True, eq=False)
class UctNode:
    """A state of the game, with statistics for every role that has a choice there."""

    state: gdl.State
    moves: Choices  # legal moves of each role; empty if the game is over
    deciders: tuple[int, ...]  # indices of the roles with a choice
    counts: list[list[int]]  # for each decider: how often each of its moves was made
    totals: list[list[float]]  # for each decider and move: the sum of its goals afterwards
    lower: tuple[float, ...]  # proven bounds of each role's goal
    upper: tuple[float, ...]
    visits: int = 0
    length: int = 0
    """Plies to the end of the game if losing roles delay it and others hasten it. Valid only if the
    node is solved."""
    children: dict[Key, UctNode] = field(default_factory=dict)  # the successors seen so far
    limits: dict[int, list[tuple[float, float]]] = field(default_factory=dict)
    """The proven bounds of each move of each decider except `random`. Empty until something below
    the node is proven."""
    known: tuple[float, ...] | None = None
    """The goals of all roles if each makes its best moves; None until everything relevant is known.
    """

    @property
    def is_solved(self) -> bool:
        """Whether the goals of all roles are proven."""
        return self.lower == self.upper

    @property
    def is_closed(self) -> bool:
        """Whether nothing is left to search below the node."""
        return self.known is not None

    def joint(self, key: Key) -> Joint:
        """Return the moves of all roles in a joint decision."""
        chosen = dict(zip(self.deciders, key, strict=True))
        return tuple(moves[chosen.get(role, 0)] for role, moves in enumerate(self.moves))

    def key(self, joint: Joint) -> Key | None:
        """Return the joint decision for a joint move; None if a decider cannot make its move."""
        try:
            return tuple(self.moves[role].index(joint[role]) for role in self.deciders)
        except ValueError:
            return None


def make_node(machine: gdl.StateMachine, state: gdl.State) -> UctNode:
    """Create a node without children. It is closed if the game is over or a role has no move."""
    moves = () if machine.is_terminal(state) else choices_in(machine, state)
    if not moves:
        goals = goals_in(machine, state)
        return UctNode(state, (), (), [], [], goals, goals, known=goals)
    deciders = deciders_of(moves)
    return UctNode(
        state,
        moves,
        deciders,
        counts=[[0] * len(moves[role]) for role in deciders],
        totals=[[0.0] * len(moves[role]) for role in deciders],
        lower=(WORST,) * len(moves),
        upper=(BEST,) * len(moves),
    )


def select(node: UctNode, c: float, chance: int | None, rng: random.Random) -> Key:
    """Select a joint decision: each decider by its own statistics, and `random` at random.

    Args:
        c: Weight of exploration, for rewards from 0 to 1.
        chance: Index of the `random` role, if there is one.
    """
    key = []
    for slot, role in enumerate(node.deciders):
        if role == chance:
            key.append(rng.randrange(len(node.moves[role])))
        elif role in node.limits:
            key.append(_select_bounded(node, slot, c, rng))
        else:
            key.append(_select_plain(node, slot, c, rng))
    return tuple(key)


def ucb1(value: float, visits: int, parent_visits: int, c: float) -> float:
    """Return the upper confidence bound of a move: value / 100 + c * sqrt(ln(parent) / visits)."""
    return monte_carlo.ucb1(value / BEST, visits, parent_visits, c)


def move_value(node: UctNode, slot: int, index: int) -> float:
    """Return the mean goal of a decider's move, clipped to the bounds of the move.

    If the move was never made, use 50 as its mean. `slot` is the position of the role among the
    deciders.
    """
    count = node.counts[slot][index]
    value = node.totals[slot][index] / count if count else (WORST + BEST) / 2
    limits = limits_of(node, node.deciders[slot])
    return value if limits is None else min(max(value, limits[index][0]), limits[index][1])


def limits_of(node: UctNode, role: int) -> list[Interval] | None:
    """Return the bounds of each move of a decider, or None if nothing is known.

    For a move to a closed child, both bounds are the child's value. This value holds only if the
    others play well, while proven bounds hold whatever the others do.
    """
    limits = node.limits.get(role)
    if limits is None or len(node.deciders) > 1:
        return limits
    known = [known_after(node, index) for index in range(len(limits))]
    return [
        interval if goals is None else (goals[role], goals[role])
        for interval, goals in zip(limits, known, strict=True)
    ]


def known_after(node: UctNode, index: int) -> tuple[float, ...] | None:
    """Return the goals after a move of the only decider if the child is closed, else None."""
    child = node.children.get((index,))
    return None if child is None else child.known


def worthwhile(node: UctNode, role: int) -> list[int]:
    """Return the moves of a decider that may still be its best; all moves if nothing is proven.

    Leave out moves that cannot give more than another move guarantees, see `may_be_best`.
    """
    limits = limits_of(node, role)
    if limits is None:
        return list(range(len(node.moves[role])))
    floor = max(low for low, _ in limits)
    kept = [index for index, each in enumerate(limits) if may_be_best(each, floor)]
    return kept or list(range(len(limits)))


def truth_beside(node: UctNode, key: Key, c: float) -> tuple[float, ...] | None:
    """Return the goals of the best closed child if it beats the score of the chosen move.

    In this case the decider would rather move to the closed child, and the iteration only explores
    another move. So the goals of the closed child count for the nodes above. Return None if there
    is no such child.
    """
    if len(node.deciders) != 1 or node.deciders[0] not in node.limits:
        return None
    role, index = node.deciders[0], key[0]
    closed = [child.known for child in node.children.values() if child.known is not None]
    best = max(closed, key=lambda goals: goals[role], default=None)
    if best is None or not node.counts[0][index]:
        return None
    score = ucb1(move_value(node, 0, index), node.counts[0][index], node.visits, c)
    return best if best[role] / BEST > score else None


def _select_bounded(node: UctNode, slot: int, c: float, rng: random.Random) -> int:
    """Select by UCB1 among the moves that may be best. Slower than `_select_plain`."""
    counts = node.counts[slot]
    candidates = worthwhile(node, node.deciders[slot])
    if len(node.deciders) == 1:
        unknown = [index for index in candidates if known_after(node, index) is None]
        candidates = unknown or candidates
    scores = {
        index: ucb1(move_value(node, slot, index), counts[index], node.visits, c)
        for index in candidates
    }
    least = max(scores.values()) - (TOLERANCE if len(node.deciders) > 1 else 0)
    return rng.choice([index for index, score in scores.items() if score >= least])


def _select_plain(node: UctNode, slot: int, c: float, rng: random.Random) -> int:
    """Select by UCB1 among all moves. `ucb1` is inlined, because this runs for every ply."""
    counts, totals = node.counts[slot], node.totals[slot]
    if 0 in counts:
        return rng.choice([index for index, count in enumerate(counts) if not count])
    log_visits = math.log(node.visits)
    weight = BEST * c
    scores = [
        total / count + weight * math.sqrt(log_visits / count)
        for total, count in zip(totals, counts, strict=True)
    ]
    best = max(scores)
    if len(node.deciders) == 1:
        return scores.index(best)
    return rng.choice([i for i, score in enumerate(scores) if score >= best - BEST * TOLERANCE])


def prove(node: UctNode, chance: int | None) -> bool:
    """Tighten a node's bounds by the bounds of its children, and close the node if possible.

    Return whether anything changed.

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
    if node.known is None:
        node.known = _known_goals(node, chance)
        is_news = is_news or node.is_closed
    return is_news


def _known_goals(node: UctNode, chance: int | None) -> tuple[float, ...] | None:
    """Return the goals of all roles if each makes its best moves, or None if that is unknown.

    If several moves of the decider are best, each other role gets the worst of their goals.
    """
    if node.is_solved:
        return node.lower
    if len(node.deciders) > 1:
        return None
    closed = [child.known for child in node.children.values() if child.known is not None]
    roles = range(len(node.moves))
    if not node.deciders or node.deciders[0] == chance:
        if len(closed) < _num_joint(node):
            return None
        return tuple(sum(goals[role] for goals in closed) / len(closed) for role in roles)
    decider = node.deciders[0]
    best = max((goals[decider] for goals in closed), default=WORST)
    others = (
        node.limits[decider][index][1]
        for index in range(len(node.moves[decider]))
        if known_after(node, index) is None
    )
    if not closed or (best < BEST and any(high >= best for high in others)):
        return None
    satisfying = [goals for goals in closed if goals[decider] >= best - SAME]
    return tuple(
        best if role == decider else min(goals[role] for goals in satisfying) for role in roles
    )


def _length_below(node: UctNode, chance: int | None) -> int:
    """Return the plies to the end after the next move in a solved node.

    A single decider that loses delays the end, and one that does not lose hastens it. In other
    nodes, the longest line counts.
    """
    solved = [child for child in node.children.values() if child.is_solved]
    if len(node.deciders) != 1 or node.deciders[0] == chance:
        return max((child.length for child in solved), default=0)
    role = node.deciders[0]
    best = node.lower[role]
    lengths = [child.length for child in solved if child.lower[role] == best]
    return (max if best == WORST else min)(lengths, default=0)


def _move_intervals(node: UctNode, slot: int) -> list[Interval]:
    """Return the proven bounds of each move of the decider in `slot`, for that decider."""
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
    """Return the upper bounds of `role` after each best move of the only decider.

    A move is best if it guarantees the highest goal that the decider can still get.
    """
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
