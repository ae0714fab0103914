"""Acting: whose actions a vector environment takes, and the joint moves that they become."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Protocol

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

import gdl
from ggp.environments.acting_kernels import NONE, find_choosing, join, take_masks

Array = NDArray[Any]
BoolArray = NDArray[np.bool_]
Masks = Array | tuple[Array, ...]

SAMPLED_GAMES, SAMPLED_STEPS = 512, 64
NO_SUCH: Final = -2
"""A number that is no action of a batch, as any below 0 is none of an environment."""
SEVERAL: Final = -1
"""The number of the role that chooses where several do."""


class Acting(Protocol):
    """Turns the caller's actions into joint moves of a batch of `N` states.

    Attributes:
        space: Of the actions in one game.
        roles: `[N]` the numbers of the roles that choose, or SEVERAL.
    """

    space: spaces.Space[Any]
    roles: Array

    def look(self) -> None:
        """Take note of the states as they are now."""
        ...

    def joint(self, actions: Array, drawn: Array) -> Array:
        """`[N, R]` the actions of all roles.

        Args:
            actions: Of the caller.
            drawn: `[N, R]` random legal actions, for the others.

        Raises:
            ValueError: The actions have another shape or type.
        """
        ...

    def waiting(self) -> BoolArray | None:
        """`[N]` in which games the caller has no choice, and the others play on; None: in none."""
        ...

    def masks(self) -> Masks:
        """The masks of the legal actions, in arrays that may be written to."""
        ...


class OneRole:
    """The caller plays one role, the others play at random; see `Acting`."""

    def __init__(self, batch: gdl.StateBatch, role: int) -> None:
        self._batch, self._role = batch, role
        self.space: spaces.Space[Any] = spaces.Discrete(max(1, len(batch.moves[role])))
        self.roles: Array = np.full(batch.num, role)

    def look(self) -> None:
        """Nothing changes: it is always the one role."""

    def joint(self, actions: Array, drawn: Array) -> Array:
        """`[N, R]` the actions of all roles; see `Acting`."""
        drawn[:, self._role] = _checked(actions, (self._batch.num,))
        return drawn

    def waiting(self) -> BoolArray:
        """`[N]` in which games the role has no choice."""
        few: BoolArray = self._batch.num_legal[:, self._role] <= 1
        return few

    def masks(self) -> Array:
        """`[N, M]` which of its actions are legal."""
        return self._batch.masks[self._role].view(np.int8)


class InTurn:
    """The caller plays all roles, of which at most one has a choice at a time; see `Acting`."""

    def __init__(self, batch: gdl.StateBatch, players: Sequence[int]) -> None:
        self._batch, self._players = batch, players
        sizes = [len(batch.moves[role]) for role in players]
        self.space: spaces.Space[Any] = spaces.Discrete(max([1, *sizes]))
        self.roles: Array = np.zeros(batch.num, np.int64)
        self._masks = np.zeros((batch.num, max([1, *sizes])), np.uint8)
        facts = [str(fact) for fact in batch.facts]
        controls = [f"(control {batch.roles[role]})" for role in players]
        numbers = [facts.index(text) if text in facts else NONE for text in controls]
        self._player_array = np.array(players, np.int32)
        self._controls = np.array(numbers, np.int32)

    def joint(self, actions: Array, drawn: Array) -> Array:
        """`[N, R]` the actions of all roles; see `Acting`."""
        actions = _checked(actions, (self._batch.num,))
        join(actions, self.roles, drawn)
        return drawn

    def waiting(self) -> None:
        """Nowhere: a role without a choice makes its only move."""

    def look(self) -> None:
        """Find the roles that choose; where none does, the one in control.

        Raises:
            RulesheetError: Several choose in a game.
        """
        batch, players = self._batch, self._player_array
        arrays = batch.num_legal, batch.observations
        if find_choosing(*arrays, players, self._controls, self.roles):
            several = (batch.num_legal[:, players] > 1).sum(axis=1) > 1
            several &= ~batch.is_terminal
            if several.any():
                raise gdl.RulesheetError(
                    f"several roles have a choice in game {int(np.argmax(several))}, which random "
                    'play did not show: expected one role, as in role="..."'
                )

    def masks(self) -> Array:
        """`[N, A]` which actions are legal for the role that chooses."""
        for role in self._players:
            take_masks(self._batch.masks[role], role, self.roles, self._masks)
        return self._masks.view(np.int8)


class AtOnce:
    """The caller plays all roles, each of which makes an action in each step; see `Acting`."""

    def __init__(self, batch: gdl.StateBatch, players: Sequence[int]) -> None:
        self._batch, self._players = batch, list(players)
        self.space: spaces.Space[Any] = spaces.MultiDiscrete(
            [max(1, len(batch.moves[role])) for role in players]
        )
        self.roles: Array = np.full(batch.num, SEVERAL)

    def look(self) -> None:
        """Nothing changes: it is always all roles."""

    def joint(self, actions: Array, drawn: Array) -> Array:
        """`[N, R]` the actions of all roles; see `Acting`."""
        drawn[:, self._players] = _checked(actions, (self._batch.num, len(self._players)))
        return drawn

    def waiting(self) -> None:
        """Nowhere: a role without a choice makes its only move."""

    def masks(self) -> tuple[Array, ...]:
        """For each role `[N, M]` which of its actions are legal."""
        return tuple(self._batch.masks[role].view(np.int8) for role in self._players)


def choose_in_turn(game: gdl.Game, players: Sequence[int]) -> bool:
    """Whether random play comes by no state in which several players have a choice."""
    batch, rng = game.batch(SAMPLED_GAMES), np.random.default_rng(0)
    for _ in range(SAMPLED_STEPS):
        num_choosing = sum((batch.num_legal[:, role] > 1).astype(np.int8) for role in players)
        if np.any((num_choosing > 1) & ~batch.is_terminal):
            return False
        batch.step(batch.draw(rng))
    return True


def _checked(actions: Array, shape: tuple[int, ...]) -> Array:
    actions = np.asarray(actions)
    if actions.shape != shape or actions.dtype.kind not in "iu":
        expected = " x ".join(map(str, shape))
        raise ValueError(
            f"actions: expected {expected} integers, got {actions.dtype} of shape {actions.shape}"
        )
    return np.where(actions < 0, NO_SUCH, actions) if (actions < 0).any() else actions
