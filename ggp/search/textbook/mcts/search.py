"""Monte Carlo tree search: select, expand, simulate, back up, until the time runs out.

The search works for any number of roles, each of which maximises its own rewards. It handles
simultaneous moves by decoupled UCT, and the `random` role by sampling. Proofs
(`ggp.search.textbook.mcts.tree`) override samples. The search chooses a proven win, avoids or
delays a proven loss, and does not search a finished branch again.

The code follows Browne et al., A Survey of Monte Carlo Tree Search Methods, 2012, algorithm 2.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass

import gdl
from ggp.clock import Deadline
from ggp.search.core.choices import Joint, is_deterministic_solo, random_index, require_moves
from ggp.search.core.playout import HORIZON, playout
from ggp.search.core.result import BEST, WORST, CompleteLine, Effort, MoveValue, SearchResult
from ggp.search.core.root import floor_and_ceiling, rank
from ggp.search.textbook.mcts.tree import (
    Key,
    UctNode,
    known_after,
    limits_of,
    make_node,
    move_value,
    prove,
    select,
    truth_beside,
    worthwhile,
)

LINE_LENGTH = 20  # plies of the expected line that a result shows
LOOK_AHEAD = 10  # number of own moves at the root that an iteration checks for wins
MAX_DESCENT = 2000  # maximum plies of a path, which may be endless if equal states share a node


@dataclass(frozen=True, slots=True)
class MctsSettings:
    """Parameters of the search."""

    c: float = 0.7  # weight of exploration, for rewards scaled to 0..1
    final: str = "visits"
    """How to choose the move in the end: by most `visits` or by the best mean `value`."""
    max_nodes: int = 100_000
    """Maximum number of nodes in the tree. After that the search continues without new nodes."""
    horizon: int = HORIZON  # maximum length of a playout, in plies


DEFAULTS = MctsSettings()


class MctsSearch:
    """A search with a tree. `step` grows the tree, and `advance` keeps it from move to move."""

    def __init__(
        self,
        machine: gdl.StateMachine,
        state: gdl.State,
        role: gdl.Role,
        rng: random.Random,
        settings: MctsSettings = DEFAULTS,
    ) -> None:
        require_moves(machine, state)
        self.machine = machine
        self.settings = settings
        self.rng = rng
        self.own = machine.roles.index(role)
        # In a game of one role, the best line to the end found so far. Otherwise None.
        self.best_line: CompleteLine | None = None
        self.num_states = 0  # states computed so far, which measure the cost of the search
        self._chance = random_index(machine)
        self._is_solo = is_deterministic_solo(machine.roles)
        # The node of each state in games of one role, where equal states share a node.
        self._known: dict[gdl.State, UctNode] = {}
        self.num_nodes = 0  # nodes in the tree
        self._num_looked_at = 0  # own moves at the root checked by `_look_ahead`
        self._num_rounds = 0
        self._num_playouts = 0
        self._deepest = 0
        self.root = self._node(state)

    @property
    def effort(self) -> Effort:
        """The work so far, and the number of nodes held."""
        return Effort(self._num_rounds, self._num_playouts, self.num_nodes, self._deepest)

    @property
    def state(self) -> gdl.State:
        """The state at the root."""
        return self.root.state

    @property
    def is_decided(self) -> bool:
        """Whether the move is final, because it is forced or proven best."""
        root = self.root
        if self.own not in root.deciders or root.is_closed:
            return True
        if root.lower[self.own] == root.upper[self.own]:
            return True
        is_alone = root.deciders == (self.own,) and bool(root.limits)
        return is_alone and len(worthwhile(root, self.own)) == 1

    def step(self, deadline: Deadline) -> bool:
        """Run one iteration. Return False if the deadline came first or the root is closed."""
        self._look_ahead(deadline)
        if self.root.is_closed or deadline.is_over():
            return False
        path, leaf = self._descend()
        goals = leaf.known
        if goals is None:
            after = self._play_on(path, leaf, deadline)
            if after is None:
                return False
            goals = after
            self._num_playouts += 1
        elif self._is_solo:
            self._note_line(path, (), leaf.lower[0])
        self._back_up(path, leaf, goals)
        self._num_rounds += 1
        self._deepest = max(self._deepest, len(path))
        return True

    def advance(self, moves: Joint, state: gdl.State) -> None:
        """Keep the subtree of the joint move with all its statistics, or start a new tree."""
        key = self.root.key(moves) if self.root.moves else None
        child = self.root.children.get(key) if key is not None else None
        if child is None or child.state != state:
            self._known.clear()
            child = self._node(state)
        self.root = child
        self._num_looked_at = 0
        self._deepest = max(0, self._deepest - 1)
        self.best_line = None
        self._keep_reachable()

    def result(self) -> SearchResult:
        """Return the best move so far, or the first legal one if nothing was searched yet."""
        root = self.root
        ranked = self._ranked()
        return SearchResult.ranked(ranked, root.visits, self._line(ranked[0].move))

    def _look_ahead(self, deadline: Deadline) -> None:
        """Check the states after the next `LOOK_AHEAD` own moves, to find a win in one move.

        Each iteration checks only a few moves, so that playouts do not have to wait until
        thousands of moves are checked.
        """
        root = self.root
        num_moves = len(root.moves[self.own]) if root.deciders == (self.own,) else 0
        first = self._num_looked_at
        for index in range(first, min(first + LOOK_AHEAD, num_moves)):
            if deadline.is_over() or root.lower[self.own] == BEST:
                return
            self._num_looked_at += 1
            if self._child(root, (index,)).is_closed:
                prove(root, self._chance)

    def _descend(self) -> tuple[list[tuple[UctNode, Key]], UctNode]:
        """Descend to a closed node, or to a new state, which is added to the tree if there is room.

        Return the path, as pairs of a node and the joint decision there, and the last node.
        """
        path: list[tuple[UctNode, Key]] = []
        node = self.root
        while not node.is_closed and len(path) < MAX_DESCENT:
            key = select(node, self.settings.c, self._chance, self.rng)
            path.append((node, key))
            child = node.children.get(key)
            if child is not None:
                node = child
            elif self.num_nodes < self.settings.max_nodes:
                return path, self._child(node, key)
            else:
                self.num_states += 1
                state = self.machine.next_state(node.state, node.joint(key))
                return path, make_node(self.machine, state)
        return path, node

    def _play_on(
        self, path: list[tuple[UctNode, Key]], leaf: UctNode, deadline: Deadline
    ) -> tuple[float, ...] | None:
        """Return the goals of all roles after a playout; None if the deadline comes first."""
        # The first ply is played here, because the leaf's legal moves are already known.
        first = tuple(self.rng.choice(moves) for moves in leaf.moves)
        state = self.machine.next_state(leaf.state, first)
        after = playout(self.machine, state, self.rng, deadline, self.settings.horizon)
        if after is None:
            return None
        self.num_states += 1 + len(after.moves)
        if self._is_solo and after.is_complete:
            self._note_line(path, (first, *after.moves), after.goals[0])
        return after.goals

    def _back_up(
        self, path: list[tuple[UctNode, Key]], leaf: UctNode, goals: tuple[float, ...]
    ) -> None:
        """Add the goals to the statistics of every decision on the path, and propagate proofs."""
        leaf.visits += 1
        child, is_news = leaf, leaf.is_closed
        for node, key in reversed(path):
            # Proofs override samples.
            if child.known is not None:
                goals = child.known
            elif child.limits:
                goals = tuple(map(min, map(max, goals, child.lower), child.upper))
            node.visits += 1
            for slot, role in enumerate(node.deciders):
                node.counts[slot][key[slot]] += 1
                node.totals[slot][key[slot]] += goals[role]
            goals = truth_beside(node, key, self.settings.c) or goals
            is_news = is_news and key in node.children and prove(node, self._chance)
            child = node

    def _child(self, node: UctNode, key: Key) -> UctNode:
        child = node.children.get(key)
        if child is None:
            self.num_states += 1
            child = self._node(self.machine.next_state(node.state, node.joint(key)))
            node.children[key] = child
        return child

    def _node(self, state: gdl.State) -> UctNode:
        if not self._is_solo:
            self.num_nodes += 1
            return make_node(self.machine, state)
        node = self._known.get(state)
        if node is None:
            self.num_nodes += 1
            node = self._known[state] = make_node(self.machine, state)
        return node

    def _note_line(
        self, path: list[tuple[UctNode, Key]], moves: tuple[Joint, ...], goal: float
    ) -> None:
        if self.best_line is None or goal > self.best_line.goal:
            down = tuple(node.joint(key) for node, key in path)
            self.best_line = CompleteLine(goal, down + moves)

    def _keep_reachable(self) -> None:
        reached = {id(self.root): self.root}
        stack = [self.root]
        while stack:
            for child in stack.pop().children.values():
                if id(child) not in reached:
                    reached[id(child)] = child
                    stack.append(child)
        self.num_nodes = len(reached)
        if self._is_solo:
            self._known = {node.state: node for node in reached.values()}

    def _ranked(self) -> list[MoveValue]:
        """Return the own moves, the best first, ranked as in `ggp.search.core.root`."""
        root = self.root
        if self.own not in root.deciders:
            move = root.moves[self.own][0]
            low, high = root.lower[self.own], root.upper[self.own]
            length = root.length if root.is_solved else None
            return [MoveValue(move, min(max(50.0, low), high), root.visits, low, high, length)]
        slot = root.deciders.index(self.own)
        limits = root.limits.get(self.own, [(WORST, BEST)] * len(root.moves[self.own]))
        floor, ceiling = floor_and_ceiling(limits_of(root, self.own) or limits)
        is_alone = len(root.deciders) == 1
        # If no move was made twice, the visits do not tell which move is best.
        final = "value" if max(root.counts[slot]) <= 1 else self.settings.final
        values = [
            MoveValue(
                move,
                move_value(root, slot, index),
                root.counts[slot][index],
                *limits[index],
                self._length(index),
                is_settled=is_alone and known_after(root, index) is not None,
            )
            for index, move in enumerate(root.moves[self.own])
        ]

        def rank_of(index: int) -> tuple[float, ...]:
            patience = self._patience(index)
            return rank(values[index], floor, ceiling, final=final, patience=patience)

        return [values[index] for index in sorted(range(len(values)), key=rank_of, reverse=True)]

    def _length(self, index: int) -> int | None:
        """Return the plies to the end after an own move at the root; None if that is not proven."""
        child = self.root.children.get((index,)) if self.root.deciders == (self.own,) else None
        return 1 + child.length if child is not None and child.is_solved else None

    def _patience(self, index: int) -> float:
        """Return the plies to the end after an own move if the root is lost, else 0.

        Return infinity if the end after the move is not proven yet. A lost role prefers the longest
        game, which gives the opponent most chances to err.
        """
        root = self.root
        if root.upper[self.own] > WORST or root.deciders != (self.own,):
            return 0
        child = root.children.get((index,))
        return child.length if child is not None and child.is_solved else math.inf

    def _line(self, move: gdl.Move) -> tuple[Joint, ...]:
        """Return the most visited line that starts with `move`, our move."""
        node, line = self.root, list[Joint]()
        answers = [item for item in node.children.items() if node.joint(item[0])[self.own] is move]
        while answers and len(line) < LINE_LENGTH:
            key, child = max(answers, key=lambda item: item[1].visits)
            line.append(node.joint(key))
            node, answers = child, list(child.children.items())
        return tuple(line)
