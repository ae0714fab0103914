"""The game tree of the greedy player, after Genesereth's lecture "Statistical Search".

The lecture's tree is for sequential games, where `findcontrol` names the only mover. Here, a state
in which several roles decide at once becomes a sequence of decisions: the searching role first,
then the other roles, and `random` last. Later roles know the earlier decisions. So the searching
role's value is pessimistic, as if the others could see its move. Every node has exactly one mover,
and the rest follows the lecture.

This code differs from the lecture's on purpose:

- `subtree` returns None for a move that it does not find. In the lecture it returns the node
  itself, as if the move had not been made, and a misplaced brace ends the function before its
  `return`.

- A node has proven bounds in addition to its estimate. They solve the lecture's "Problem" that some
  values are guaranteed and others are estimated.

- A selection rule is a small pure function of a parent and a child. The lecture's rules use our
  utility even where an opponent moves, and so search moves that are bad for the opponent. Here,
  `outlook` takes the mover's point of view.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum

import gdl
from ggp.clock import Deadline
from ggp.search.core.choices import Choices, Joint, choices_in, deciders_of
from ggp.search.core.result import BEST, WORST


class NodeKind(Enum):
    """The kind of role that moves at a node."""

    OWN = "the searching role: the best child counts"
    OTHER = "another role, assumed to play against us: the worst child counts"
    CHANCE = "the random role: the mean of the children counts"


@dataclass(slots=True, eq=False)
class GreedyNode:
    """A state, together with the moves of the roles that have already decided in it."""

    state: gdl.State
    partial: dict[
        int, gdl.Move
    ]  # the moves decided so far, by role; empty at the first decision in a state
    choices: Choices
    mover: int  # index of the role that decides next; 0 if no role has a choice
    kind: NodeKind  # the kind of mover
    utility: float  # the expected goal of the searching role, 0..100
    lower: float = WORST  # proven bounds of the utility; they are equal in a terminal state
    upper: float = BEST
    visits: int = 0  # how often the node was updated
    sum_utility: float = 0.0  # sum of the utilities after each visit
    sum_squares: float = 0.0  # sum of the squares of these utilities
    actions: tuple[gdl.Move, ...] = ()
    children: list[GreedyNode] = field(default_factory=list)

    @property
    def is_final(self) -> bool:
        """Whether the utility is proven, so that nothing below the node needs to be searched."""
        return self.lower == self.upper

    @property
    def is_expanded(self) -> bool:
        """Whether there is a child for each action."""
        return bool(self.children) and len(self.children) == len(self.actions)

    def deviation(self) -> float:
        """Return the standard deviation of the utilities seen here, 0..50.

        Two imaginary observations, the worst and the best goal, are included, so that nodes with
        few visits count as uncertain.
        """
        count = self.visits + 2
        mean = (self.sum_utility + WORST + BEST) / count
        variance = (self.sum_squares + WORST**2 + BEST**2) / count - mean**2
        return math.sqrt(max(0.0, variance))


class GameTree:
    """A factory of nodes for one game and one searching role. `num_nodes` counts the nodes."""

    def __init__(self, machine: gdl.StateMachine, role: gdl.Role) -> None:
        self.machine = machine
        self.role = role
        self.own = machine.roles.index(role)
        self.num_nodes = 0

    def makenode(self, state: gdl.State) -> GreedyNode:
        """Create the node of a state. Its utility is exact if the state is terminal."""
        reward = float(self.machine.goal(state, self.role))
        is_over = self.machine.is_terminal(state)
        choices = () if is_over else choices_in(self.machine, state)
        self.num_nodes += 1
        if not choices:  # the game is over, or the rules leave a role without a move
            return GreedyNode(state, {}, (), self.own, NodeKind.OWN, reward, reward, reward)
        mover = self._order(choices)[0]
        return GreedyNode(state, {}, choices, mover, self._kind(mover), reward)

    def expand(self, node: GreedyNode, deadline: Deadline) -> bool:
        """Create a child for each move of a node's mover. Return False if the deadline comes first.

        The next call for this node continues with the missing children, because a turn may be too
        short for thousands of moves.
        """
        node.actions = node.choices[node.mover]
        for action in node.actions[len(node.children) :]:
            if deadline.is_over():
                return False
            node.children.append(self._child(node, action))
        return True

    def subtree(self, node: GreedyNode, moves: Joint) -> GreedyNode | None:
        """Return the node after a joint move; None if it does not exist or a move is not legal."""
        while node.children:
            action = moves[node.mover]
            index = node.actions.index(action) if action in node.actions else len(node.actions)
            if index >= len(node.children):
                return None
            node = node.children[index]
            if not node.partial:
                return node
        return None

    def _child(self, node: GreedyNode, action: gdl.Move) -> GreedyNode:
        decided = node.partial | {node.mover: action}
        waiting = [index for index in self._order(node.choices) if index not in decided]
        if waiting:
            self.num_nodes += 1
            kind = self._kind(waiting[0])
            return GreedyNode(node.state, decided, node.choices, waiting[0], kind, node.utility)
        joint = joint_of(node.choices, decided)
        return self.makenode(self.machine.next_state(node.state, joint))

    def _order(self, choices: Choices) -> list[int]:
        """Return the roles with a choice, in the order in which they decide; `[0]` if none has."""
        order = sorted(deciders_of(choices), key=self._rank)
        return order or [0]

    def _rank(self, index: int) -> tuple[bool, bool, int]:
        return (self._kind(index) is NodeKind.CHANCE, index != self.own, index)

    def _kind(self, index: int) -> NodeKind:
        if index == self.own:
            return NodeKind.OWN
        return NodeKind.CHANCE if gdl.is_random(self.machine.roles[index]) else NodeKind.OTHER


def joint_of(choices: Choices, decided: Mapping[int, gdl.Move]) -> Joint:
    """Return the joint move with the moves in `decided`, and the first moves of all other roles."""
    return tuple(decided.get(index, moves[0]) for index, moves in enumerate(choices))


Rule = Callable[[GreedyNode, GreedyNode, float], float]
"""A function from (parent, child, exploration constant) to a score on the scale of goals,
0..100."""


def outlook(parent: GreedyNode, child: GreedyNode) -> float:
    """Return the child's utility for the role that moves at the parent; 0 for `random`."""
    if parent.kind is NodeKind.CHANCE:
        return 0.0
    return child.utility if parent.kind is NodeKind.OWN else BEST - child.utility


def utility(parent: GreedyNode, child: GreedyNode, c: float) -> float:
    """Score by utility. This is pure exploitation: it prefers the best child so far."""
    return outlook(parent, child)


def visits(parent: GreedyNode, child: GreedyNode, c: float) -> float:
    """Score by few visits. This is pure exploration: it prefers the least visited child."""
    return -child.visits


def exploit_explore(parent: GreedyNode, child: GreedyNode, c: float) -> float:
    """Score by utility plus the percentage of the parent's visits that went to other children."""
    return outlook(parent, child) + round((1 - child.visits / max(1, parent.visits)) * 100)


def uct(parent: GreedyNode, child: GreedyNode, c: float) -> float:
    """Score by utility plus c * sqrt(ln(parent's visits) / visits). Unvisited children come first.

    The lecture divides the utility by the visits, which is right if the utility is a sum of
    rewards. Here the utility is already a value, because it is a minimum or maximum.
    """
    if child.visits == 0:
        return math.inf
    bonus = math.sqrt(math.log(max(1, parent.visits)) / child.visits)
    return outlook(parent, child) + BEST * c * bonus


def deviation(parent: GreedyNode, child: GreedyNode, c: float) -> float:
    """Score by utility plus c standard deviations. Prefer promising and uncertain children."""
    return outlook(parent, child) + c * child.deviation()


RULES: Mapping[str, Rule] = {
    "utility": utility,
    "visits": visits,
    "exploit_explore": exploit_explore,
    "uct": uct,
    "deviation": deviation,
}
"""The rules by their names in the option `select`."""


def select(node: GreedyNode, rule: Rule, c: float) -> GreedyNode:
    """Return the open child with the highest score.

    A child is not open if its value is proven, or if it cannot change its parent's value. Ties go
    to the least visited child, then to the first. At a chance node no child is better than another,
    so every rule selects the least visited one.
    """
    score = visits if node.kind is NodeKind.CHANCE else rule
    open_children = (child for child in node.children if is_open(node, child))
    return max(open_children, key=lambda child: (score(node, child, c), -child.visits))


def is_open(parent: GreedyNode, child: GreedyNode) -> bool:
    """Return whether more knowledge about the child could still change the parent's value."""
    if child.is_final:
        return False
    if parent.kind is NodeKind.OWN:
        return child.upper > parent.lower
    return parent.kind is NodeKind.CHANCE or child.lower < parent.upper
