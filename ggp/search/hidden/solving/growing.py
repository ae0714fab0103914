"""Grow the tree of a game, turn by turn, until it is complete or too large.

>>> rules = '''(role one) (role two) (init (at start)) (side heads) (side tails)
... (<= (legal ?r ?s) (role ?r) (side ?s) (true (at start)))
... (<= (next (same)) (does one ?s) (does two ?s)) (<= (next (over)) (true (at start)))
... (<= terminal (true (over))) (<= (goal one 100) (true (same))) (<= (goal two 0) (true (same)))
... (<= (goal one 0) (not (true (same)))) (<= (goal two 100) (not (true (same))))'''
>>> grow(gdl.load(rules, "interpreter"))
GameTree(7 nodes, 2 information sets)
"""

from __future__ import annotations

import random
from collections import defaultdict
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

import gdl
from ggp.clock import Deadline
from ggp.errors import GgpError
from ggp.search.core.choices import Choices, Joint, StuckError
from ggp.search.hidden.solving.game_tree import (
    CHANCE,
    END,
    NO_KNOWLEDGE,
    GameTree,
    KnowledgeTree,
    Tree,
    as_ints,
    percepts_of_all,
)
from ggp.search.kernels.arrays import NONE

MAX_NODES: Final = 1 << 20
MAX_TURNS: Final = 1_000
"""Maximum number of turns of a game, because an endless game would fill the memory."""

FAR_TOO_LARGE: Final = 100
"""If the estimated size of a tree exceeds the limit by more than this factor, do not grow it."""
SECONDS_TO_ESTIMATE: Final = 0.2

_ENDS: Final = -1  # place of ended games in the order of play, before all roles


class UnsolvableError(GgpError):
    """The game cannot be solved. The message says why."""


class UnknowableError(UnsolvableError):
    """The rules are faulty: a role cannot know its legal moves."""


def grow(game: gdl.Game, max_nodes: int = MAX_NODES, deadline: Deadline | None = None) -> GameTree:
    """Grow the complete tree of a game.

    Args:
        game: The game. If it is not compiled, growing the tree takes long.
        max_nodes: Maximum number of nodes.
        deadline: When the tree must be complete; None for no limit.

    Raises:
        UnsolvableError: The tree is too large, or is not complete in time.
        UnknowableError: A role cannot know its legal moves.
        StuckError: The rules leave a role without a move.
    """
    deadline = deadline or Deadline.never()
    nodes = estimated_nodes(game, 0, Deadline.after(SECONDS_TO_ESTIMATE))
    if nodes > FAR_TOO_LARGE * max_nodes:
        raise UnsolvableError(
            f"the game is too large to be solved: its tree has about {nodes:.0e} nodes"
        )
    return _Grower(game, max_nodes, deadline).grown()


class _Waiting(NamedTuple):
    """A history that will become a node of the tree."""

    state: gdl.State
    known: tuple[int, ...]  # the number for what each player knows, see `KnowledgeTree`
    chosen: tuple[gdl.Move, ...]  # the moves that roles have already chosen in this turn
    edge: int  # the edge that leads to the node, or NONE
    last_slots: tuple[int, ...]  # the last slot that each player chose, or NONE


@dataclass(frozen=True, slots=True)
class _Position:
    legal: Choices
    deciders: tuple[int, ...]


class _Grower:
    def __init__(self, game: gdl.Game, max_nodes: int, deadline: Deadline) -> None:
        self._game, self._max_nodes, self._deadline = game, max_nodes, deadline
        roles = range(len(game.roles))
        self._seats = tuple(role for role in roles if not gdl.is_random(game.roles[role]))
        self._player_of = {seat: player for player, seat in enumerate(self._seats)}
        self._knowledge = tuple(KnowledgeTree() for _ in self._seats)
        self._legal_when: dict[tuple[int, int], tuple[gdl.Move, ...]] = {}
        self._positions: dict[gdl.State, _Position | None] = {}
        self._turns: dict[tuple[gdl.State, Joint], tuple[gdl.State, list[frozenset[gdl.Term]]]] = {}
        # The keys are pairs of a turn and a position in the order of play.
        self._waiting: dict[tuple[int, int], list[_Waiting]] = defaultdict(list)
        self._actors: list[int] = []
        self._sets: list[int] = []
        self._first_edges: list[int] = [0]
        self._children: list[int] = []
        self._goals: list[tuple[int, ...]] = []
        self._set_actors: list[int] = []
        self._set_starts: list[int] = []
        self._set_ends: list[int] = []
        self._first_slots: list[int] = [0]
        self._parent_slots: list[int] = []
        self._moves: list[gdl.Move] = []
        self._known: list[int] = []
        self._num_pending = 0

    def grown(self) -> GameTree:
        nobody = (NO_KNOWLEDGE,) * len(self._seats)
        none = (NONE,) * len(self._seats)
        first = _Waiting(self._game.initial_state(), nobody, (), NONE, none)
        self._settle(first, turn=0)
        while self._waiting:
            turn, order = min(self._waiting)
            nodes = self._waiting.pop((turn, order))
            self._num_pending -= len(nodes)
            if order == _ENDS:
                for node in nodes:
                    self._make(node, END, NONE, 0)
            elif order == len(self._seats):
                for node in nodes:
                    self._branch(node, turn, CHANCE, NONE)
            else:
                self._gather(nodes, turn, order)
        return self._tree()

    def _gather(self, nodes: list[_Waiting], turn: int, player: int) -> None:
        nodes.sort(key=lambda node: node.known[player])
        last_known = None
        for node in nodes:
            if node.known[player] != last_known:
                last_known = node.known[player]
                self._open_set(node, player)
            self._branch(node, turn, player, len(self._known) - 1)
            self._set_ends[-1] = len(self._actors)

    def _open_set(self, node: _Waiting, player: int) -> None:
        position = self._position(node.state)
        assert position is not None
        self._set_actors.append(player)
        self._set_starts.append(len(self._actors))
        self._set_ends.append(len(self._actors))
        self._parent_slots.append(node.last_slots[player])
        self._known.append(node.known[player])
        self._moves += position.legal[self._seats[player]]
        self._first_slots.append(len(self._moves))

    def _branch(self, node: _Waiting, turn: int, player: int, number: int) -> None:
        position = self._position(node.state)
        assert position is not None
        place = len(node.chosen)
        if player == CHANCE:
            options = position.legal[position.deciders[place]]
        else:  # use the same order in every node of the set
            options = tuple(self._moves[self._first_slots[number] :])
        first = self._make(node, player, number, len(options))
        is_last = place + 1 == len(position.deciders)
        for index, move in enumerate(options):
            slots = node.last_slots
            if player != CHANCE:
                slot = self._first_slots[number] + index
                slots = (*slots[:player], slot, *slots[player + 1 :])
            chosen = (*node.chosen, move)
            child = _Waiting(node.state, node.known, chosen, first + index, slots)
            if is_last:
                self._settle(self._moved(child, position), turn + 1)
            else:
                self._wait(child, turn, self._order_of(position.deciders[place + 1]))

    def _make(self, node: _Waiting, actor: int, number: int, num_edges: int) -> int:
        if node.edge != NONE:
            self._children[node.edge] = len(self._actors)
        self._actors.append(actor)
        self._sets.append(number)
        first = len(self._children)
        self._children += [NONE] * num_edges
        self._first_edges.append(len(self._children))
        roles = () if num_edges else [self._game.roles[seat] for seat in self._seats]
        goals = tuple(self._game.goal(node.state, role) for role in roles)
        self._goals.append(goals or (0,) * len(self._seats))
        if len(self._actors) + self._num_pending > self._max_nodes:
            raise UnsolvableError(
                f"the game is too large to be solved: its tree has more than {self._max_nodes:,} "
                "nodes"
            )
        if self._deadline.is_over():
            raise UnsolvableError(
                f"the game is too large to be solved in this time: its tree has more than "
                f"{len(self._actors) + self._num_pending:,} nodes"
            )
        return first

    def _settle(self, node: _Waiting, turn: int) -> None:
        while True:
            position = self._position(node.state)
            if position is None:
                self._wait(node, turn, _ENDS)
                return
            self._check_known(node, position)
            if position.deciders:
                self._wait(node, turn, self._order_of(position.deciders[0]))
                return
            node, turn = self._moved(node, position), turn + 1
            if turn > MAX_TURNS:
                raise UnsolvableError(
                    f"the game is too large to be solved: it may last more than {MAX_TURNS} turns"
                )

    def _wait(self, node: _Waiting, turn: int, order: int) -> None:
        self._waiting[turn, order].append(node)
        self._num_pending += 1

    def _order_of(self, seat: int) -> int:
        """Return a role's position in the order of play: players as in the rules, then `random`."""
        return self._player_of.get(seat, len(self._seats))

    def _moved(self, node: _Waiting, position: _Position) -> _Waiting:
        chosen = dict(zip(position.deciders, node.chosen, strict=True))
        joint = tuple(
            chosen[role] if role in chosen else moves[0]
            for role, moves in enumerate(position.legal)
        )
        key = node.state, joint
        if key not in self._turns:
            self._turns[key] = (
                self._game.next_state(node.state, joint),
                percepts_of_all(self._game, node.state, joint),
            )
        state, percepts = self._turns[key]
        known = tuple(
            self._knowledge[player].after(node.known[player], joint[seat], percepts[seat])
            for player, seat in enumerate(self._seats)
        )
        return node._replace(state=state, known=known, chosen=())

    def _position(self, state: gdl.State) -> _Position | None:
        if state not in self._positions:
            self._positions[state] = self._looked_at(state)
        return self._positions[state]

    def _looked_at(self, state: gdl.State) -> _Position | None:
        game = self._game
        if game.is_terminal(state):
            return None
        legal = tuple(game.legal_moves(state, role) for role in game.roles)
        for role, moves in zip(game.roles, legal, strict=True):
            if not moves:
                raise StuckError(
                    f"the rules give role {role} no legal move, and the state is not terminal"
                )
        able = [role for role, moves in enumerate(legal) if len(moves) > 1]
        able.sort(key=self._order_of)
        return _Position(legal, tuple(able))

    def _check_known(self, node: _Waiting, position: _Position) -> None:
        for player, seat in enumerate(self._seats):
            moves = position.legal[seat]
            before = self._legal_when.setdefault((player, node.known[player]), moves)
            if before is not moves and set(before) != set(moves):
                raise UnknowableError(
                    f"role {self._game.roles[seat]} cannot know its legal moves: with the same "
                    f"percepts they are {_listed(before)} or {_listed(moves)}"
                )

    def _tree(self) -> GameTree:
        sets = {
            (player, known): number
            for number, (player, known) in enumerate(
                zip(self._set_actors, self._known, strict=True)
            )
        }
        arrays = Tree(
            np.array(self._actors, np.int8),
            as_ints(self._sets),
            as_ints(self._first_edges),
            as_ints(self._children),
            np.array(self._goals, np.float64).reshape(len(self._actors), len(self._seats)),
            np.array(self._set_actors, np.int8),
            as_ints(self._set_starts),
            as_ints(self._set_ends),
            as_ints(self._first_slots),
            as_ints(self._parent_slots),
        )
        players = tuple(self._game.roles[seat] for seat in self._seats)
        return GameTree(
            self._game,
            players,
            arrays,
            tuple(self._moves),
            self._knowledge,
            as_ints(self._known),
            sets,
        )


def _listed(moves: tuple[gdl.Move, ...]) -> str:
    return ", ".join(map(str, moves[:4])) + ", ..." * (len(moves) > 4)


MAX_WALKS: Final = 100
_LONGEST: Final = 1_000  # maximum number of turns of a walk


def estimated_nodes(game: gdl.Game, seed: int, deadline: Deadline) -> float:
    """Estimate the number of nodes of a game's tree from random games.

    The estimate may be far too low if most nodes are in a few large parts of the tree.

    If a random walk has $b_1, b_2, ...$ possible moves at its steps, the mean of
    $1 + b_1 + b_1 b_2 + ...$ over all walks is the number of nodes. See D. E. Knuth, Estimating the
    Efficiency of Backtrack Programs, 1975.
    """
    rng, total = random.Random(seed), 0.0
    for number in range(1, MAX_WALKS + 1):
        total += _walked(game, rng)
        if deadline.is_over():
            return total / number
    return total / MAX_WALKS


def _walked(game: gdl.Game, rng: random.Random) -> float:
    state, width, nodes = game.initial_state(), 1.0, 1.0
    for _ in range(_LONGEST):
        if game.is_terminal(state):
            break
        legal = [game.legal_moves(state, role) for role in game.roles]
        if not all(legal):
            break
        for moves in legal:
            if len(moves) > 1:
                width *= len(moves)
                nodes += width
        state = game.next_state(state, [rng.choice(moves) for moves in legal])
    return nodes
