"""Two searches of the textbooks by themselves: breadth-first search and A*, on lanes.

plan = bfs(game, state, deadline)
plan.goal, plan.moves, plan.is_best, plan.is_shortest
"""

from __future__ import annotations

from dataclasses import dataclass

import gdl
from ggp.clock import Deadline
from ggp.search.arrays.single_agent.best_first import BestFirst
from ggp.search.arrays.single_agent.board import Board
from ggp.search.arrays.single_agent.breadth import Breadth
from ggp.search.arrays.single_agent.store import GOAL, NONE, SEEN, way_to
from ggp.search.choices import Joint

MEMORY = 1 << 30


@dataclass(frozen=True, slots=True)
class Plan:
    """A way to the end, and what is known of it."""

    goal: float
    moves: tuple[Joint, ...]
    is_best: bool
    """Whether no end is worth more."""
    is_shortest: bool
    """Whether no way to an end worth as much has fewer moves."""
    num_states: int
    """States made on the way, equal ones included."""


def bfs(game: gdl.Game, state: gdl.State, deadline: Deadline, memory: int = MEMORY) -> Plan | None:
    """The nearest of the best ends met by breadth-first search; None if no end was met.

    Equal states are looked at once. All that it says is exact: whatever goal it found, no way to it
    is shorter; and it is the best one if `is_best`.

    Args:
        game: Of a compiled game of one role, see `can_search` of the board.
        state: From where; it is not terminal, and tells who is in turn.
        deadline: When to stop.
        memory: Bytes that the states may take.
    """
    board = Board(game, seed=0)
    search = Breadth(board, board.pack(state), board.phases_of(state)[0], memory, board.whole)
    return _plan(board, search, deadline, is_shortest=True)


def astar(
    game: gdl.Game,
    state: gdl.State,
    deadline: Deadline,
    weight: int = 1,
    memory: int = MEMORY,
) -> Plan | None:
    """The first end with the best goal met by (weighted) A*, else the best met; None without any.

    The distance is the one of `ggp.search.arrays.single_agent.distance`. It may be too long, so the
    way found need not be the shortest, except with weight 0, where the distance does not count.
    That a goal is the best one is exact, if `is_best` says so.

    Args:
        game: Of a compiled game of one role, see `can_search` of the board.
        state: From where; it is not terminal, and tells who is in turn.
        deadline: When to stop.
        weight: Of the distance.
        memory: Bytes that the states may take.
    """
    board = Board(game, seed=0)
    phase = board.phases_of(state)[0]
    search = BestFirst(board, board.pack(state), phase, memory, board.whole, weight)
    return _plan(board, search, deadline, is_shortest=weight == 0)


def _plan(
    board: Board, search: Breadth | BestFirst, deadline: Deadline, *, is_shortest: bool
) -> Plan | None:
    for _ in search.batches:
        if deadline.is_over():
            break
    goal = int(search.ends.counters[GOAL])
    if goal == NONE:
        return None
    return Plan(
        goal=float(goal),
        moves=tuple((board.move(number),) for number in way_to(search.store, search.ends)),
        is_best=goal == board.best_goal or search.is_exhausted,
        is_shortest=is_shortest,
        num_states=int(search.store.counters[SEEN]),
    )
