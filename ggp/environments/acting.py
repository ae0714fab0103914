"""Turn the actions that a vector environment gets, of one role or of all, into joint moves."""

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
"""A number that is not an action of a batch. It replaces all negative actions of the caller."""
SEVERAL: Final = -1
"""Stands for the number of the choosing role if several roles choose."""
NONE: Final = -1
"""Stands for the number of a fact if there is no such fact."""


class Acting(ABC):
    """A strategy that turns the caller's actions into joint moves of a batch of `N` states.

    There are `R` roles, and `M` actions of a role.

    Attributes:
        space: Space of the caller's actions in one game.
        roles: The number of the role that chooses in each game, `[N]`, or SEVERAL.
    """

    space: spaces.Space[Any]
    roles: Array

    def look(self) -> None:  # noqa: B027 - most subclasses have nothing to note
        """Update `roles` for the current states of the batch."""

    @abstractmethod
    def joint(self, actions: Array, sampled: Array) -> Array:
        """Return the actions of all roles, `[N, R]`.

        Args:
            actions: The caller's actions.
            sampled: Actions of all roles, `[N, R]`. The caller's actions replace those of its
                roles, in place.

        Raises:
            ValueError: The actions have another shape or type.
        """

    def waiting(self) -> BoolArray | None:
        """Return in which games the caller has no choice, so that other roles play on, `[N]`.

        Return None if there can be no such game.
        """
        return None

    @abstractmethod
    def masks(self) -> Masks:
        """Return the masks of the legal actions. The environment may write to these arrays."""


class OneRole(Acting):
    """The caller plays one role, and all other roles play at random."""

    def __init__(self, batch: gdl.StateBatch, role: int) -> None:
        self._batch, self._role = batch, role
        self.space = spaces.Discrete(max(1, len(batch.moves[role])))
        self.roles = np.full(batch.num, role)

    def joint(self, actions: Array, sampled: Array) -> Array:
        """Return the actions of all roles, `[N, R]`."""
        sampled[:, self._role] = _checked(actions, (self._batch.num,))
        return sampled

    def waiting(self) -> BoolArray:
        """Return in which games the role has no choice, `[N]`."""
        few: BoolArray = self._batch.num_legal[:, self._role] <= 1
        return few

    def masks(self) -> Array:
        """Return which of the role's actions are legal, `[N, M]`."""
        return self._batch.masks[self._role].view(np.int8)


class InTurn(Acting):
    """The caller plays all roles. At most one of them has a choice at a time."""

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
        """Return the actions of all roles, `[N, R]`."""
        actions = _checked(actions, (self._batch.num,))
        join(actions, self.roles, sampled)
        return sampled

    def look(self) -> None:
        """Find the role that chooses in each game; if no role has a choice, the role in control.

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
                    f"several roles have a choice in game {int(np.argmax(several))}, although "
                    "this did not happen in random play; choose one role, for example "
                    'role="..."'
                )

    def masks(self) -> Array:
        """Return which actions are legal for the role that chooses, `[N, A]`.

        `A` is the number of actions of the role that has most.
        """
        for role in self._players:
            take_masks(self._batch.masks[role], role, self.roles, self._masks)
        return self._masks.view(np.int8)


class AtOnce(Acting):
    """The caller plays all roles, and each of them takes an action in each step."""

    def __init__(self, batch: gdl.StateBatch, players: Sequence[int]) -> None:
        self._batch, self._players = batch, list(players)
        self.space = spaces.MultiDiscrete([max(1, len(batch.moves[role])) for role in players])
        self.roles = np.full(batch.num, SEVERAL)

    def joint(self, actions: Array, sampled: Array) -> Array:
        """Return the actions of all roles, `[N, R]`."""
        sampled[:, self._players] = _checked(actions, (self._batch.num, len(self._players)))
        return sampled

    def masks(self) -> tuple[Array, ...]:
        """Return, for each role of the caller, which of its actions are legal, `[N, M]`."""
        return tuple(self._batch.masks[role].view(np.int8) for role in self._players)


def make_acting(
    batch: gdl.StateBatch, game: gdl.Game, players: Sequence[int], role: int | None
) -> Acting:
    """Return the strategy for a caller that plays one role, or all players if `role` is None."""
    if role is not None:
        return OneRole(batch, role)
    return InTurn(batch, players) if _choose_in_turn(game, players) else AtOnce(batch, players)


def _choose_in_turn(game: gdl.Game, players: Sequence[int]) -> bool:
    """Return whether random play finds no state in which several players have a choice."""
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
    """Write to `roles` the role that chooses in each game, or the role in control if none chooses.

    Args:
        num_legal: Number of legal moves of each role, `[N, R]`.
        facts: The facts of each state as 0 and 1, `[N, B]`.
        players: Roles that may choose, `[P]`.
        controls: For each of these roles, the number of the fact that it is in control, `[P]`, or
            NONE if there is no such fact.
        roles: The output, `[N]`.

    Returns:
        The number of games in which several roles choose. For such a game, the last of them is
        written to `roles`.
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
    """Return the last player that a game's facts say is in control, or the first if none is."""
    role = int(players[0])
    for index in range(len(players)):
        if controls[index] != NONE and facts[row, controls[index]]:
            role = int(players[index])
    return role


@gdl.kernel
def join(actions: Array, roles: Array, joint: Array) -> None:
    """Write each action, `[N]`, to the column of `joint`, `[N, R]`, that `roles`, `[N]`, names."""
    for row in range(len(roles)):
        joint[row, roles[row]] = actions[row]


@gdl.kernel
def take_masks(masks: Array, role: int, roles: Array, out: Array) -> None:
    """Copy a role's masks, `[N, M]`, to `out`, `[N, A]`, in the games in which this role chooses.

    Write 0 for the actions from `M` on, which the role does not have.
    """
    num_actions = masks.shape[1]
    for row in range(len(roles)):
        if roles[row] == role:
            for action in range(num_actions):
                out[row, action] = masks[row, action]
            for action in range(num_actions, out.shape[1]):
                out[row, action] = 0


@gdl.kernel
def count_stuck(num_legal: Array, is_terminal: Array) -> int:
    """Return how often a role has no legal move in a game that is not over, in all games together.

    `num_legal` is `[N, R]`, and `is_terminal` is `[N]`.
    """
    found = 0
    for row in range(len(is_terminal)):
        for role in range(num_legal.shape[1]):
            found += num_legal[row, role] == 0 and not is_terminal[row]
    return found
