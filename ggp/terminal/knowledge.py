"""Knowledge of a person in a match of hidden information: own moves, percepts and the belief."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import gdl
from ggp.analysis.role_view import RoleView
from ggp.belief import Belief, TurnPercepts
from ggp.clock import Deadline
from ggp.terminal.history import History

SECONDS: Final = 2.0
"""Time to follow all turns that are new."""


class Knowledge:
    """Follows a match as one role knows it, and draws no more from its history than that.

    Attributes:
        is_consistent: Whether what the role saw agrees with the facts of the newest view; else they
            are made up.
    """

    def __init__(self, name: str, role: gdl.Role, load: Callable[[], gdl.Game]) -> None:
        """Know nothing yet.

        Args:
            name: Of the game.
            role: Whose knowledge it is.
            load: The game, when it is needed first.
        """
        self.is_consistent = True
        self._name = name
        self._role = role
        self._load = load
        self._belief: Belief | None = None

    def view(self, history: History) -> RoleView:
        """What the role knows where the match stands; takes time for turns that are new."""
        game = self._load()
        if self._belief is None or len(self._belief.turns) > len(history.moves):
            self._belief = Belief(game, self._role, seed=0)
        belief, seat = self._belief, game.roles.index(self._role)
        new = range(len(belief.turns), len(history.moves))
        for turn in new:
            moves = history.moves[turn]
            seen = history.machine.percepts(history.states[turn], moves, self._role)
            deadline = Deadline.after(SECONDS / len(new))
            belief.advance(moves[seat], frozenset(seen), deadline, is_over=False)
        self.is_consistent = belief.is_consistent
        return RoleView(
            self._name,
            game,
            self._role,
            tuple(TurnPercepts(turn.own_move, turn.percepts) for turn in belief.turns),
            belief.worlds.num,
            belief.is_complete,
            belief.probabilities(),
        )
