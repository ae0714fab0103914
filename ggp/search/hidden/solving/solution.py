"""Solutions of small games: strategies for all roles, and their distance from an equilibrium.

>>> rules = '''(role one) (role two) (init (at start)) (side heads) (side tails)
... (<= (legal ?r ?s) (role ?r) (side ?s) (true (at start)))
... (<= (next (same)) (does one ?s) (does two ?s)) (<= (next (over)) (true (at start)))
... (<= terminal (true (over))) (<= (goal one 100) (true (same))) (<= (goal two 0) (true (same)))
... (<= (goal one 0) (not (true (same)))) (<= (goal two 100) (not (true (same))))'''
>>> game = gdl.load(rules, "interpreter")
>>> solution = solve(grow(game))
>>> strategy = SolvedStrategy(solution, game.roles[0])
>>> [(str(move), round(share, 2)) for move, share in strategy.distribution([]).items()]
[('heads', 0.5), ('tails', 0.5)]
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import gdl
from ggp.belief import TurnPercepts
from ggp.clock import Deadline
from ggp.search.hidden.solving.best_response import best_response, expected_goals, exploitability
from ggp.search.hidden.solving.full_width import FullWidth
from ggp.search.hidden.solving.game_tree import GameTree
from ggp.search.hidden.solving.growing import MAX_NODES, UnsolvableError, grow
from ggp.search.kernels.arrays import FloatArray

TARGET: Final = 0.01
"""A solution is good enough if best responses gain at most this many goal points on average."""
_SLICE: Final = 0.1  # seconds between two checks of the clock


@dataclass(frozen=True, eq=False)
class Solution:
    """Strategies for all players of a tree."""

    tree: GameTree
    shares: FloatArray  # `[L]` the probability of each move
    values: tuple[float, ...]  # the expected goal of each player
    exploitability: float  # goal points that best responses gain on average, see `exploitability`
    num_steps: int  # steps of learning
    seconds: float  # time that solving took


class SolvedStrategy:
    """The strategy of one role in the solution of a game."""

    def __init__(self, solution: Solution, role: gdl.Role) -> None:
        self.solution, self.role = solution, role
        self._player = solution.tree.player(role)

    def distribution(self, turns: Sequence[TurnPercepts]) -> dict[gdl.Move, float] | None:
        """Return the probability of each legal move after the role's turns, the most likely first.

        Return None if the role has no choice there, or if these turns cannot occur.
        """
        number = self.solution.tree.find_set(self._player, turns)
        if number is None:
            return None
        return self.solution.tree.mixture(number, self.solution.shares)


def solve_game(
    game: gdl.Game,
    target: float = TARGET,
    deadline: Deadline | None = None,
    max_nodes: int = MAX_NODES,
) -> Solution:
    """Grow the tree of a game and solve it, see `grow` and `solve`."""
    return solve(grow(game, max_nodes, deadline), target, deadline)


def solve(
    tree: GameTree,
    target: float = TARGET,
    deadline: Deadline | None = None,
    report: Callable[[float, int, float], None] = lambda seconds, steps, exploitability: None,
) -> Solution:
    """Solve a game, given its tree.

    Args:
        target: Stop when best responses gain at most this many goal points on average.
        deadline: When to stop even if the target is not reached; None for no limit.
        report: Called regularly with the seconds and steps so far, and the exploitability.

    Raises:
        UnsolvableError: This method cannot solve games of this kind.
    """
    check_solvable(tree)
    start = time.perf_counter()
    if len(tree.choosing) < 2:
        shares = tree.uniform()
        for player in tree.choosing:
            shares = best_response(tree, player, shares)[1]
        return _solution(tree, shares, 0, time.perf_counter() - start)
    deadline = deadline or Deadline.never()
    learner, num = FullWidth(tree), 1
    while True:
        before = time.perf_counter()
        learner.run(num)
        took = time.perf_counter() - before
        shares = learner.average()
        missing = exploitability(tree, shares)
        report(time.perf_counter() - start, learner.num_steps, missing)
        if missing <= target or deadline.is_over():
            break
        num = max(1, min(2 * num, int(num * _SLICE / max(took, 1e-6))))
    return _solution(tree, shares, learner.num_steps, time.perf_counter() - start)


def check_solvable(tree: GameTree) -> None:
    """Check that at most two roles have choices, and that the goals of both have a fixed sum.

    Raises:
        UnsolvableError: More than two roles have choices, or the sum is not fixed.
    """
    names = " and ".join(str(tree.players[player]) for player in tree.choosing)
    if len(tree.choosing) > 2:
        raise UnsolvableError(
            f"the game is not solved: expected at most two roles with a choice, got {names}"
        )
    if len(tree.choosing) == 2 and tree.total is None:
        raise UnsolvableError(
            f"the game is not solved: the goals of {names} do not always have the same sum"
        )


def _solution(tree: GameTree, shares: FloatArray, num_steps: int, seconds: float) -> Solution:
    values = tuple(expected_goals(tree, shares).tolist())
    return Solution(tree, shares, values, exploitability(tree, shares), num_steps, seconds)
