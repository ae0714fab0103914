"""Monte Carlo tree search: select, expand, simulate, back up, until the time runs out.

One player, two or many: each role follows its own rewards. Simultaneous moves by decoupled UCT, the
`random` role by sampling. What is proven (`ggp.search.textbook.mcts.tree`) overrules what was
sampled: a proven win is played, a proven loss avoided or put off, and a branch searched to the end
is not played out again.

Following Browne et al., A Survey of Monte Carlo Tree Search Methods, 2012, algorithm 2.
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
LOOK_AHEAD = 10  # own moves at the root that each round looks at, until all were
MAX_DESCENT = 2000  # plies; where equal states are one node, a path may run in a circle


@dataclass(frozen=True, slots=True)
class MctsSettings:
    """Search parameters."""

    c: float = 0.7  # weight of exploration, for rewards scaled to 0..1
    final: str = "visits"
    """The final choice: the move with the most `visits` or the best mean `value`."""
    max_nodes: int = 100_000
    """The tree grows to this many nodes; after that it is still searched, but not enlarged."""
    horizon: int = HORIZON  # longest playout, in plies


DEFAULTS = MctsSettings()


class MctsSearch:
    """A tree that grows by `step` and is kept from move to move by `advance`."""

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
        # In a game of one role, the best way to the end met so far
        self.best_line: CompleteLine | None = None
        self.num_states = 0  # states computed so far: the price of the search
        self._chance = random_index(machine)
        self._is_solo = is_deterministic_solo(machine.roles)
        self._known: dict[gdl.State, UctNode] = {}  # of one role only: equal states are one node
        self.num_nodes = 0  # nodes in the tree
        self._num_looked_at = 0  # own moves at the root, by `_look_ahead`
        self._num_rounds = 0
        self._num_playouts = 0
        self._deepest = 0
        self.root = self._node(state)

    @property
    def effort(self) -> Effort:
        """Work done so far, and memory held."""
        return Effort(self._num_rounds, self._num_playouts, self.num_nodes, self._deepest)

    @property
    def state(self) -> gdl.State:
        """The state from which it searches."""
        return self.root.state

    @property
    def is_decided(self) -> bool:
        """Whether more search cannot change the move: it is forced, or proven to be the best."""
        root = self.root
        if self.own not in root.deciders or root.is_closed:
            return True
        if root.lower[self.own] == root.upper[self.own]:
            return True
        is_alone = root.deciders == (self.own,) and bool(root.limits)
        return is_alone and len(worthwhile(root, self.own)) == 1

    def step(self, deadline: Deadline) -> bool:
        """One round; False if the time ended before it was done, or nothing is left to learn."""
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
        """Keep the subtree of the joint move made, with all its figures."""
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
        """The best move so far; the first legal one if nothing was looked at yet."""
        root = self.root
        ranked = self._ranked()
        return SearchResult.ranked(ranked, root.visits, self._line(ranked[0].move))

    def _look_ahead(self, deadline: Deadline) -> None:
        """Look at the states after the next few own moves, so that no win in one is missed.

        A few at a time: where there are thousands of moves, playouts must not wait for all.
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
        """Select down to a state not in the tree yet and add it; or to one that is closed."""
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
        """The goals after a playout from the leaf; None if the time is over before it ends."""
        # The leaf's legal moves are known already, so its own ply is played here.
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
        """Add the goals to the figures of every decision on the path, and carry proofs upward."""
        leaf.visits += 1
        child, is_news = leaf, leaf.is_closed
        for node, key in reversed(path):
            # What is known overrules what was sampled.
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
        """The own moves, the best first: proven best, then by the final rule; ties by the other."""
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
        # Where nothing was tried twice, having been tried is no merit.
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
        """Plies to the end after an own move at the root; None unless all that is proven."""
        child = self.root.children.get((index,)) if self.root.deciders == (self.own,) else None
        return 1 + child.length if child is not None and child.is_solved else None

    def _patience(self, index: int) -> float:
        """Plies to the end after an own move at the root where all is lost; else 0.

        Who lasts longer leaves the opponent more to get wrong.
        """
        root = self.root
        if root.upper[self.own] > WORST or root.deciders != (self.own,):
            return 0
        child = root.children.get((index,))
        return child.length if child is not None and child.is_solved else math.inf

    def _line(self, move: gdl.Move) -> tuple[Joint, ...]:
        """The joint moves looked at most, the first of them with the chosen move."""
        node, line = self.root, list[Joint]()
        answers = [item for item in node.children.items() if node.joint(item[0])[self.own] is move]
        while answers and len(line) < LINE_LENGTH:
            key, child = max(answers, key=lambda item: item[1].visits)
            line.append(node.joint(key))
            node, answers = child, list(child.children.items())
        return tuple(line)
