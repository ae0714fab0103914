"""A match's position as one role knows it: the state, or a state that fits the percepts."""

from __future__ import annotations

from collections.abc import Sequence

import gdl
from ggp.belief import Belief
from ggp.clock import Deadline
from ggp.search.core.choices import Joint


class KnownPosition:
    """The position in one match, tracked for one role.

    Attributes:
        state: The state, or with hidden information, one of the states that are possible for the
            role.
        belief: All possible states, or None if nothing is hidden.
    """

    def __init__(self, game: gdl.Game, role: gdl.Role, seed: int) -> None:
        rules = game.rulesheet
        is_hidden = rules is not None and rules.has_percepts
        self.belief = Belief(game, role, seed) if is_hidden else None
        self.state = game.initial_state()
        self._game, self._role = game, role

    def make(self, moves: Sequence[str]) -> Joint:
        """Make a joint move, given as texts, and return it."""
        game = self._game
        joint = tuple(
            _named(game.legal_moves(self.state, role), text)
            for role, text in zip(game.roles, moves, strict=True)
        )
        self.state = game.next_state(self.state, joint)
        return joint

    def perceive(self, own_move: str, percepts: Sequence[str], deadline: Deadline) -> Joint | None:
        """Update the belief with the role's own move and its percepts of a turn.

        Args:
            deadline: When the belief must be up to date.

        Returns:
            A joint move that may have been made, or None if none is known.
        """
        belief = self.belief
        assert belief is not None, "everything is seen"
        own = _named(self._game.legal_moves(self.state, self._role), own_move)
        belief.advance(own, frozenset(map(gdl.read_term, percepts)), deadline)
        world = belief.sample()
        self.state = world.state
        return world.joint_move

    def go_on(self) -> None:
        """Rule out states in which the game is over, because the role is asked for a move."""
        if self.belief is not None:
            self.belief.assume(is_over=False)
            if self._game.is_terminal(self.state):
                self.state = self.belief.sample().state


def _named(moves: Sequence[gdl.Move], text: str) -> gdl.Move:
    return next((move for move in moves if str(move) == text), None) or gdl.read_term(text)
