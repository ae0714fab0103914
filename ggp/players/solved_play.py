"""Play by the solution of a small game of hidden information, if it is found in the startclock."""

from __future__ import annotations

import math
import random
from typing import Final

import gdl
from ggp.belief import Belief
from ggp.clock import Deadline
from ggp.players.thoughts import thoughts_on
from ggp.search.core.choices import StuckError
from ggp.search.core.result import MoveValue, SearchResult
from ggp.search.hidden.solving.best_response import move_values
from ggp.search.hidden.solving.growing import UnsolvableError, grow
from ggp.search.hidden.solving.solution import Solution, solve

TIME_TO_GROW: Final = 0.6
"""The part of the startclock in which the tree must be grown; else there is none."""
TIME_TO_SOLVE: Final = 0.9
"""The part of it that is over when the solution must be good enough."""
TARGET: Final = 0.01  # goal points that a best response may still win
WORST_USED: Final = 1.0
"""A solution that can be exploited by more goal points is not used."""


class SolvedPlay:
    """Draws the moves of a role as often as the solution says."""

    def __init__(self, solution: Solution, role: gdl.Role, rng: random.Random) -> None:
        self.solution, self._rng = solution, rng
        self._player = solution.tree.player(role)

    def choose(
        self, belief: Belief, moves: tuple[gdl.Move, ...]
    ) -> tuple[gdl.Move, dict[str, object]] | None:
        """A move for what the role knows, and the thoughts; None if the solution has none.

        Args:
            belief: It has followed from the first state on.
            moves: The legal moves.
        """
        tree, solution = self.solution.tree, self.solution
        number = tree.find_set(self._player, belief.turns)
        if number is None:
            return None
        mixture = tree.mixture(number, solution.shares)
        if set(mixture) != set(moves):
            return None
        chosen = self._rng.choices([*mixture], [*mixture.values()])[0]
        worths = move_values(tree, number, solution.shares)
        slots = {tree.moves[slot]: k for k, slot in enumerate(tree.slots(number))}
        usual = solution.values[self._player]
        values = [
            MoveValue(
                move, usual if worths is None else float(worths[slots[move]]), visits=0, share=share
            )
            for move, share in mixture.items()
        ]
        value = next(each.value for each in values if each.move == chosen)
        result = SearchResult(chosen, value, visits=0, moves=tuple(values))
        thoughts = thoughts_on(result) | {
            "shares": {str(move): round(share, 4) for move, share in mixture.items()},
            "exploitability": round(solution.exploitability, 4),
            "worlds": belief.worlds.num,
            "complete": belief.is_complete,
        }
        return chosen, thoughts


def solved_play(
    game: gdl.Game, role: gdl.Role, rng: random.Random, deadline: Deadline
) -> SolvedPlay | None:
    """Play by the solution of a game; None if it cannot be solved by the deadline.

    Of a game that seems too large that is known at once.
    """
    left = deadline.remaining()
    saved = 0.0 if math.isinf(left) else left
    try:
        tree = grow(game, deadline=deadline.earlier((1 - TIME_TO_GROW) * saved))
        solution = solve(tree, TARGET, deadline.earlier((1 - TIME_TO_SOLVE) * saved))
    except (UnsolvableError, StuckError):
        return None
    if solution.exploitability > WORST_USED:
        return None
    return SolvedPlay(solution, role, rng)
