"""The roles for which a vector environment takes actions, and the resulting joint moves."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

import gdl

Array = NDArray[Any]
BoolArray = NDArray[np.bool_]
IntArray = NDArray[np.int32]
Masks = Array | tuple[Array, ...]

SAMPLED_GAMES, SAMPLED_STEPS = 512, 64
NO_SUCH: Final = -2
"""A number that stands for no action of a batch. For environments, every negative number does."""
SEVERAL: Final = -1
"""Stands for the number of the choosing role if several roles choose."""
NONE: Final = -1
"""Stands for no fact."""


class Acting(ABC):
    """A way to turn the caller's actions into joint moves of a batch of `N` states.

    Attributes:
        space: Space of the actions in one game.
        roles: `[N]` numbers of the roles that choose, or SEVERAL.
    """

    space: spaces.Space[Any]
    roles: Array

    def look(self) -> None:  # noqa: B027 - most subclasses have nothing to note
        """Note the current states."""

    @abstractmethod
    def joint(self, actions: Array, sampled: Array) -> Array:
        """Return `[N, R]` the actions of all roles: the caller's, and sampled ones for the others.

        Raises:
            ValueError: The actions have another shape or type.
        """

    def waiting(self) -> BoolArray | None:
        """Return `[N]` the games in which the caller has no choice. None means in no game."""
        return None

    @abstractmethod
    def masks(self) -> Masks:
        """Return the masks of the legal actions, in arrays that may be written to."""


class OneRole(Acting):
    """The caller plays one role, and the others play at random."""

    def __init__(self, batch: gdl.StateBatch, role: int) -> None:
        self._batch, self._role = batch, role
        self.space = spaces.Discrete(max(1, len(batch.moves[role])))
        self.roles = np.full(batch.num, role)

    def joint(self, actions: Array, sampled: Array) -> Array:
        """Return `[N, R]` the actions of all roles."""
        sampled[:, self._role] = _checked(actions, (self._batch.num,))
        return sampled

    def waiting(self) -> BoolArray:
        """Return `[N]` the games in which the role has no choice."""
        few: BoolArray = self._batch.num_legal[:, self._role] <= 1
        return few

    def masks(self) -> Array:
        """Return `[N, M]` which of its actions are legal."""
        return self._batch.masks[self._role].view(np.int8)


class InTurn(Acting):
    """The caller plays all roles, of which at most one has a choice at a time."""

    def __init__(self, batch: gdl.StateBatch, players: Sequence[int]) -> None:
        self._batch, self._players = batch, players
        sizes = [len(batch.moves[role]) for role in players]
        self.space = spaces.Discrete(max([1, *sizes]))
        self.roles = np.zeros(batch.num, np.int64)
        self._masks = np.zeros((batch.num, max([1, *sizes])), np.uint8)
        facts = [str(fact) for fact in batch.facts]
        controls = [f"(control {batch.roles[role]})" for role in players]
        numbers = [facts.index(text) if text in facts else NONE for text in controls]
        self._player_array = np.array(players, np.int32)
        self._controls = np.array(numbers, np.int32)

    def joint(self, actions: Array, sampled: Array) -> Array:
        """Return `[N, R]` the actions of all roles."""
        actions = _checked(actions, (self._batch.num,))
        join(actions, self.roles, sampled)
        return sampled

    def look(self) -> None:
        """Find the roles that choose, or else the ones in control.

        Raises:
            RulesheetError: Several roles choose in a game.
        """
        batch, players = self._batch, self._player_array
        arrays = batch.num_legal, batch.observations
        if find_choosing(*arrays, players, self._controls, self.roles):
            several = (batch.num_legal[:, players] > 1).sum(axis=1) > 1
            several &= ~batch.is_terminal
            if several.any():
                raise gdl.RulesheetError(
                    f"several roles have a choice in game {int(np.argmax(several))}, which random "
                    'play did not show; choose one role, as in role="..."'
                )

    def masks(self) -> Array:
        """Return `[N, A]` which actions are legal for the role that chooses."""
        for role in self._players:
            take_masks(self._batch.masks[role], role, self.roles, self._masks)
        return self._masks.view(np.int8)


class AtOnce(Acting):
    """The caller plays all roles, and each makes an action in each step."""

    def __init__(self, batch: gdl.StateBatch, players: Sequence[int]) -> None:
        self._batch, self._players = batch, list(players)
        self.space = spaces.MultiDiscrete([max(1, len(batch.moves[role])) for role in players])
        self.roles = np.full(batch.num, SEVERAL)

    def joint(self, actions: Array, sampled: Array) -> Array:
        """Return `[N, R]` the actions of all roles."""
        sampled[:, self._players] = _checked(actions, (self._batch.num, len(self._players)))
        return sampled

    def masks(self) -> tuple[Array, ...]:
        """Return `[N, M]` for each role: which of its actions are legal."""
        return tuple(self._batch.masks[role].view(np.int8) for role in self._players)


def make_acting(
    batch: gdl.StateBatch, game: gdl.Game, players: Sequence[int], role: int | None
) -> Acting:
    """Return the acting of a caller that plays one role, or all players if `role` is None."""
    if role is not None:
        return OneRole(batch, role)
    return InTurn(batch, players) if _choose_in_turn(game, players) else AtOnce(batch, players)


def _choose_in_turn(game: gdl.Game, players: Sequence[int]) -> bool:
    """Return whether no state of random play gives several players a choice."""
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


@gdl.kernel
def find_choosing(
    num_legal: Array, facts: Array, players: IntArray, controls: IntArray, roles: Array
) -> int:
    """Write the role that chooses in each game, or else the one in control.

    Args:
        players: `[P]` roles that may choose.
        controls: `[P]` facts that say that they are in control, or NONE.
        roles: `[N]` is written.

    Returns:
        The number of games in which several roles choose. The last of these roles is written.
    """
    contested = 0
    for row in range(len(roles)):
        num_choosing, role = 0, players[0]
        for index in range(len(players)):
            if num_legal[row, players[index]] > 1:
                num_choosing += 1
                role = players[index]
        if num_choosing > 1:
            contested += 1
        elif num_choosing == 0:
            role = in_control(facts, row, players, controls)
        roles[row] = role
    return contested


@gdl.kernel
def in_control(facts: Array, row: int, players: IntArray, controls: IntArray) -> int:
    """Return the last player that is in control by a game's facts, or else the first player."""
    role = int(players[0])
    for index in range(len(players)):
        if controls[index] != NONE and facts[row, controls[index]]:
            role = int(players[index])
    return role


@gdl.kernel
def join(actions: Array, roles: Array, joint: Array) -> None:
    """Write the action of each game, `[N]`, to the column of its role, `[N]`, in `[N, R]`."""
    for row in range(len(roles)):
        joint[row, roles[row]] = actions[row]


@gdl.kernel
def take_masks(masks: Array, role: int, roles: Array, out: Array) -> None:
    """Copy one role's masks, `[N, M]`, to `[N, A]` in games where it chooses, with 0 beyond M."""
    num_actions = masks.shape[1]
    for row in range(len(roles)):
        if roles[row] == role:
            for action in range(num_actions):
                out[row, action] = masks[row, action]
            for action in range(num_actions, out.shape[1]):
                out[row, action] = 0


@gdl.kernel
def count_stuck(num_legal: Array, is_terminal: Array) -> int:
    """Count the roles without a legal move, `[N, R]`, in games that are not over, `[N]`."""
    found = 0
    for row in range(len(is_terminal)):
        for role in range(num_legal.shape[1]):
            found += num_legal[row, role] == 0 and not is_terminal[row]
    return found
