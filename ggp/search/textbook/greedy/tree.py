"""The game tree of the greedy player, after Genesereth's lecture "Statistical Search".

The lecture's tree is for sequential games, where `findcontrol` names the one mover. Here a state in
which several roles decide at once is unfolded into decisions one after another: the searching role
first, then the other roles, `random` last. Whoever comes later knows what was decided before, so
the searching role's value is pessimistic: what it gets if the others can see its move. Every node
has exactly one mover, and the rest reads as in the lecture.

Differences from the lecture's code, on purpose:

- `subtree` answers None for a move that it does not find; there it answers the node itself, as if
  the move had not been made (and a misplaced brace ends the function before its `return`).
- A node carries proven bounds beside its estimate: the lecture's "Problem" of values that are
  guaranteed and values that are estimated.
- A selection rule is a small pure function of a child and the visits of its parent. The lecture's
  rules read the utility as it stands, also where an opponent moves, and so look where the opponent
  plays badly; here `outlook` turns it to the mover's side.
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
    """Whose value a node's mover wants."""

    OWN = "the searching role: the best child counts"
    OTHER = "another role, taken to be against us: the worst child counts"
    CHANCE = "the random role: the mean of the children counts"


@dataclass(slots=True, eq=False)
class GreedyNode:
    """A state, or a state in which some roles have already decided."""

    state: gdl.State
    partial: dict[
        int, gdl.Move
    ]  # the moves decided so far, by role; empty where a state is entered
    choices: Choices
    mover: int  # index of the role that decides next; the first role if nobody has a choice
    kind: NodeKind  # what the mover wants
    utility: float  # the goal expected for the searching role, 0..100
    lower: float = WORST  # what the utility is proven to lie between; a terminal state is exact
    upper: float = BEST
    visits: int = 0  # how often the node was processed
    sum_utility: float = 0.0  # of the utilities it had after each visit
    sum_squares: float = 0.0
    actions: tuple[gdl.Move, ...] = ()
    children: list[GreedyNode] = field(default_factory=list)

    @property
    def is_final(self) -> bool:
        """Whether the utility is guaranteed: nothing below is worth another look."""
        return self.lower == self.upper

    @property
    def is_expanded(self) -> bool:
        """Whether there is a child for each action."""
        return bool(self.children) and len(self.children) == len(self.actions)

    def deviation(self) -> float:
        """Standard deviation of the utilities seen here, 0..50.

        Two imagined observations, the worst and the best goal, make a node that was hardly looked
        at uncertain.
        """
        count = self.visits + 2
        mean = (self.sum_utility + WORST + BEST) / count
        variance = (self.sum_squares + WORST**2 + BEST**2) / count - mean**2
        return math.sqrt(max(0.0, variance))


class GameTree:
    """Makes nodes for one game, seen by one role. `num_nodes` counts those made."""

    def __init__(self, machine: gdl.StateMachine, role: gdl.Role) -> None:
        self.machine = machine
        self.role = role
        self.own = machine.roles.index(role)
        self.num_nodes = 0

    def makenode(self, state: gdl.State) -> GreedyNode:
        """The node of a state: its reward is exact if the state is terminal, else an estimate."""
        reward = float(self.machine.goal(state, self.role))
        is_over = self.machine.is_terminal(state)
        choices = () if is_over else choices_in(self.machine, state)
        self.num_nodes += 1
        if not choices:  # the game is over, or the rules leave a role without a move
            return GreedyNode(state, {}, (), self.own, NodeKind.OWN, reward, reward, reward)
        mover = self._order(choices)[0]
        return GreedyNode(state, {}, choices, mover, self._kind(mover), reward)

    def expand(self, node: GreedyNode, deadline: Deadline) -> bool:
        """Give a node a child for each move of its mover; False if the time ends before that.

        The children made so far stay, and the next call goes on from there: where there are
        thousands of moves, one turn may not be enough.
        """
        node.actions = node.choices[node.mover]
        for action in node.actions[len(node.children) :]:
            if deadline.is_over():
                return False
            node.children.append(self._child(node, action))
        return True

    def subtree(self, node: GreedyNode, moves: Joint) -> GreedyNode | None:
        """The node reached by a joint move; None if it was not expanded or has no such move."""
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
        joint = tuple(decided.get(index, moves[0]) for index, moves in enumerate(node.choices))
        return self.makenode(self.machine.next_state(node.state, joint))

    def _order(self, choices: Choices) -> list[int]:
        """The deciding roles in the order in which a node unfolds them; never empty."""
        order = sorted(deciders_of(choices), key=self._rank)
        return order or [0]

    def _rank(self, index: int) -> tuple[bool, bool, int]:
        return (self._kind(index) is NodeKind.CHANCE, index != self.own, index)

    def _kind(self, index: int) -> NodeKind:
        if index == self.own:
            return NodeKind.OWN
        return NodeKind.CHANCE if gdl.is_random(self.machine.roles[index]) else NodeKind.OTHER


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
