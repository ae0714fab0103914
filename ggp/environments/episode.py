"""An episode: a game from the initial state to its end, and the order in which its roles choose."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

import gdl
from ggp.environments.encoding import Encoding
from ggp.environments.knowledge import SeenTurn
from ggp.search.hidden.solving.game_tree import hides_information

MAX_FORCED: Final = 1000
"""Maximum number of joint moves without a choice that are made in a row without asking a player."""


class Episode:
    """A game from the initial state to its end. The episode itself plays the role `random`.

    Roles are numbers in the order of the rulesheet.

    Attributes:
        players: The roles except `random`.
        legal: For each role, its legal moves by action number, in ascending order.
        is_stuck: Whether the game has ended because faulty rules leave a role without a legal move.
        moves: The joint move that led to the current state, or None in the initial state.
        seen: For each role, its own move and its percepts in each turn. The lists stay empty if the
            game hides nothing.
    """

    def __init__(self, game: gdl.Game, encoding: Encoding, rng: random.Random) -> None:
        self.game, self.encoding, self._rng = game, encoding, rng
        self.seen: list[list[SeenTurn]] = [[] for _ in game.roles]
        self.players = tuple(r for r, role in enumerate(game.roles) if not gdl.is_random(role))
        self.moves: tuple[gdl.Move, ...] | None = None
        self._enter(game.initial_state())

    @property
    def deciding(self) -> tuple[int, ...]:
        """The players that have more than one legal move."""
        return tuple(role for role in self.players if len(self.legal[role]) > 1)

    @property
    def moves_as_text(self) -> tuple[str, ...]:
        """The joint move that led to the current state. Empty in the initial state."""
        return tuple(map(str, self.moves or ()))

    def legal_actions(self, role: int) -> dict[int, str]:
        """Return a role's legal moves as text, by action number, in ascending order."""
        return {action: str(move) for action, move in self.legal[role].items()}

    def mask(self, role: int, length: int) -> NDArray[np.int8]:
        """Return 1 for each legal action of a role, and 0 for all others, `[length]`.

        All are 0 when the game is over.
        """
        mask = np.zeros(length, np.int8)
        if not self.is_over:
            mask[list(self.legal[role])] = 1
        return mask

    def goal(self, role: int) -> int:
        """Return the goal of a role, 0 to 100. It is 0 until the game is over."""
        if not self.is_over or self.is_stuck:
            return 0
        return self.game.goal(self.state, self.game.roles[role])

    def step(self, actions: Mapping[int, int]) -> None:
        """Make a joint move. `actions` has the actions of some roles, by role number.

        Each other role makes its only move, and `random` makes a random move.

        Raises:
            IllegalMoveError: An action is illegal, or a role with a choice has no action.
            ValueError: The game is over.
        """
        if self.is_over:
            raise ValueError("the game is over: call reset()")
        joint = tuple(self._move(role, actions.get(role)) for role in range(len(self.legal)))
        self.moves = joint
        if hides_information(self.game):
            for role, seen in enumerate(self.seen):
                percepts = self.game.percepts(self.state, joint, self.game.roles[role])
                seen.append(SeenTurn(joint[role], tuple(percepts)))
        self._enter(self.game.next_state(self.state, joint))

    def check(self, role: int, action: int | None) -> None:
        """Raise IllegalMoveError if an action of a role is not legal."""
        if action not in self.legal[role]:
            raise illegal_action(self.game.roles[role], self.legal[role], action)

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


class Turns:
    """The order in which roles choose in an episode.

    In each state the roles with more than one legal move choose, in the order of the rulesheet,
    even if the rules let them choose at the same time. After the last choice, the joint move is
    made. If no role has a choice, the role in control is asked for its only move. But with
    `is_hiding`, such moves are made without asking, because the question could reveal hidden
    information.

    Attributes:
        role: The role that chooses next. When the game is over, the role that chose last.
    """

    def __init__(self, episode: Episode, *, is_hiding: bool = False) -> None:
        self._episode = episode
        self._is_hiding = is_hiding
        self.role = episode.players[0]
        self._enter()

    def play(self, action: int) -> bool:
        """Take an action of the role that chooses next. Return whether a joint move was made."""
        episode = self._episode
        episode.check(self.role, action)
        self._chosen[self.role] = action
        if len(self._chosen) < len(self._choosing):
            self.role = self._choosing[len(self._chosen)]
            return False
        episode.step(self._chosen)
        self._enter()
        return True

    def _enter(self) -> None:
        episode = self._episode
        self._chosen: dict[int, int] = {}
        for _ in range(MAX_FORCED if self._is_hiding else 0):
            if episode.is_over or episode.deciding:
                break
            episode.step({})
        if episode.is_over:
            return
        self._choosing = episode.deciding or (self._waiting_role(),)
        self.role = self._choosing[0]

    def _waiting_role(self) -> int:
        game, players = self._episode.game, self._episode.players
        control = game.control(self._episode.state)
        own = [role for role in players if game.roles[role] is control]
        return (own or players)[0]


def illegal_action(
    role: gdl.Role, legal: Mapping[int, gdl.Move], action: int | None
) -> gdl.IllegalMoveError:
    """Return the error for an action that is not legal."""
    known = ", ".join(f"{number} {move}" for number, move in list(legal.items())[:10])
    dots = ", ..." if len(legal) > 10 else ""
    got = "none" if action is None else action
    return gdl.IllegalMoveError(
        f"action of role {role}: expected a legal one ({known}{dots}), got {got}"
    )
