"""One game that is played by whoever calls: the part that all environments of one state share."""

from __future__ import annotations

import random
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

import gdl
from ggp.environments.encoding import Encoding, Facts

Mask = NDArray[np.int8]


class Episode:
    """A game from its first state to its end. Roles are numbers, in the order of the rulesheet.

    The role `random` is played by the episode itself.

    Attributes:
        players: The roles, but for `random`.
        state: In which the game is.
        legal: For each role its legal actions, ascending, and their moves.
        is_over: Whether the game has ended.
        is_stuck: Whether it has ended because a role has no legal move, as faulty rules allow.
        moves: The joint move that led here; None in the first state.
        num_steps: Joint moves so far.
    """

    def __init__(self, game: gdl.Game, encoding: Encoding, rng: random.Random) -> None:
        self.game, self.encoding, self._rng = game, encoding, rng
        self.players = tuple(r for r, role in enumerate(game.roles) if not gdl.is_random(role))
        self.num_steps = 0
        self.moves: tuple[gdl.Move, ...] | None = None
        self._enter(game.initial_state())

    @property
    def deciding(self) -> tuple[int, ...]:
        """The players who have more than one legal move."""
        return tuple(role for role in self.players if len(self.legal[role]) > 1)

    def observation(self) -> Facts:
        """The facts of the state, as 0 and 1."""
        return self.encoding.facts(self.state)

    def mask(self, role: int) -> Mask:
        """`[M]` which actions of a role are legal, as 0 and 1; none when the game is over."""
        mask = np.zeros(self.encoding.num_actions[role], np.int8)
        if not self.is_over:
            mask[list(self.legal[role])] = 1
        return mask

    def goal(self, role: int) -> int:
        """The goal of a role, 0 to 100; 0 unless the game is over."""
        if not self.is_over or self.is_stuck:
            return 0
        return self.game.goal(self.state, self.game.roles[role])

    def step(self, actions: Mapping[int, int]) -> None:
        """Make the actions of some roles; the others make their only move, and `random` any.

        Raises:
            IllegalMoveError: An action is not legal, or one is missing of a role that has a choice.
            ValueError: The game is over.
        """
        if self.is_over:
            raise ValueError("the game is over: call reset()")
        joint = tuple(self._move(role, actions.get(role)) for role in range(len(self.legal)))
        self.moves = joint
        self.num_steps += 1
        self._enter(self.game.next_state(self.state, joint))

    def check(self, role: int, action: int | None) -> None:
        """Raise IllegalMoveError unless an action of a role is legal."""
        legal = self.legal[role]
        if action not in legal:
            known = ", ".join(f"{number} {move}" for number, move in list(legal.items())[:10])
            dots = ", ..." if len(legal) > 10 else ""
            got = "none" if action is None else action
            raise gdl.IllegalMoveError(
                f"action of role {self.game.roles[role]}: expected a legal one ({known}{dots}), "
                f"got {got}"
            )

    def _move(self, role: int, action: int | None) -> gdl.Move:
        legal = self.legal[role]
        if action is None and role not in self.players:
            return self._rng.choice(list(legal.values()))
        if action is None and len(legal) == 1:
            return next(iter(legal.values()))
        self.check(role, action)
        assert action is not None
        return legal[action]

    def _enter(self, state: gdl.State) -> None:
        self.state = state
        self.is_over = self.game.is_terminal(state)
        self.legal = [
            {} if self.is_over else self.encoding.legal(state, role)
            for role in range(len(self.game.roles))
        ]
        self.is_stuck = not self.is_over and not all(self.legal)
        self.is_over = self.is_over or self.is_stuck
