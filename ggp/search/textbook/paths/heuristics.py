"""Heuristics from the rules alone: how far a state seems to be from the best goal."""

from __future__ import annotations

import gdl
from ggp.search.result import BEST
from ggp.search.textbook.paths.frontier import Heuristic
from ggp.search.textbook.paths.problem import PathProblem


def nothing(state: gdl.State) -> float:
    """Says nothing of any state: A* becomes uniform-cost search, and its first way the shortest."""
    return 0.0


def goal_missing(problem: PathProblem) -> Heuristic:
    """The goal value that a state lacks to 100: for rules that give goals on the way."""

    def missing(state: gdl.State) -> float:
        return BEST - problem.goal(state)

    return missing


def facts_missing(game: gdl.Game) -> Heuristic | None:
    """Number of facts that must change until the best goal holds, by the circuit of the goal.

    It may say too much, so a way found by it need not be the shortest; see
    `ggp.search.arrays.single_agent.distance`. None if the game is not compiled, has several roles,
    or a goal that is too large.
    """
    if game.simulator is None or len(game.roles) != 1:
        return None
    # Here, so that whoever searches blindly does not wait for numba.
    from ggp.search.arrays.single_agent.measuring import Measure

    missing = Measure(game)
    return missing if missing.can_measure else None
