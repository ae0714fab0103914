"""Observations of a player of OpenSpiel: a state as text and as numbers."""

from __future__ import annotations

import numpy as np
import pyspiel
from numpy.typing import NDArray

from ggp.environments.observations import Observation
from ggp.environments.openspiel.positions import Positions, SpielPosition, Step

Floats = NDArray[np.float32]

LARGEST_HISTORY = 100_000  # numbers


class Observer:
    """Observes a `GdlState` from the point of view of a player.

    With perfect recall that is all the player has known: in GDL-II its own moves and percepts, else
    all moves. Without, it is the state alone: in GDL-II the last move and its percepts, else the
    facts. What others choose at the same time is never shown.

    Attributes:
        tensor: The last observation that was set, flat; None if there are no numbers.
        dict: The parts of it, by name.
    """

    def __init__(
        self,
        positions: Positions,
        observation: Observation,
        kind: pyspiel.IIGObservationType,
        has_tensor: bool,
    ) -> None:
        """An observer of some kind, with a tensor or without.

        The observation is that of states, for games in which all is seen.
        """
        if kind.private_info == pyspiel.PrivateInfoType.ALL_PLAYERS:
            raise ValueError("private_info: expected NONE or SINGLE_PLAYER, got ALL_PLAYERS")
        self._positions, self._observation = positions, observation
        self._has_recall = bool(kind.perfect_recall)
        self._is_private = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        # In GDL-II nothing is known to be known to all.
        self._knows = self._is_private if positions.has_percepts else bool(kind.public_info)
        self.tensor: Floats | None = None
        self.dict: dict[str, Floats] = {}
        if has_tensor and self._knows:
            shapes = self._shapes()
            self.tensor = np.zeros(sum(map(_size, shapes.values())), np.float32)
            start = 0
            for name, shape in shapes.items():
                self.dict[name] = self.tensor[start : start + _size(shape)].reshape(shape)
                start += _size(shape)

    def set_from(self, state: pyspiel.State, player: int) -> None:
        """Write the observation of a player to the tensor."""
        if self.tensor is None:
            return
        position, role = state.position, self._positions.players[player]
        self.tensor.fill(0)
        if "player" in self.dict:
            self.dict["player"][player] = 1
        if "state" in self.dict:
            self.dict["state"][:] = self._observation.of(position.state, role)
        if "history" in self.dict:
            for row, step in zip(self.dict["history"], position.steps, strict=False):
                self._write(row, step, role)
        if "last" in self.dict and position.steps:
            self._write(self.dict["last"], position.steps[-1], role)

    def string_from(self, state: pyspiel.State, player: int) -> str:
        """The observation of a player, as text."""
        if not self._knows:
            return ""
        position, role = state.position, self._positions.players[player]
        parts = self._known(position, role)
        if self._is_private and role in position.chosen:
            parts.append(f"chosen {position.legal[role][position.chosen[role]]}")
        return f"{self._positions.game.roles[role]}: " + "; ".join(parts)

    def _known(self, position: SpielPosition, role: int) -> list[str]:
        if self._has_recall:
            return [self._seen(step, role) for step in position.steps]
        if self._positions.has_percepts:
            return [self._seen(step, role) for step in position.steps[-1:]]
        return [" ".join(map(str, self._positions.game.facts(position.state)))]

    def _seen(self, step: Step, role: int) -> str:
        if self._positions.has_percepts:
            return " ".join([step.moves[role], *step.percepts[role]])
        return " ".join(step.moves)

    def _shapes(self) -> dict[str, tuple[int, ...]]:
        positions = self._positions
        if not self._has_recall and not positions.has_percepts:
            return {"state": self._observation.shape}
        shapes: dict[str, tuple[int, ...]] = {}
        if len(positions.players) > 1:
            shapes["player"] = (len(positions.players),)
        if self._has_recall:
            shapes["history"] = history_shape(positions)
        else:
            shapes["last"] = history_shape(positions)[1:]
        return shapes

    def _write(self, row: Floats, step: Step, role: int) -> None:
        """A joint move in numbers: in GDL-II the role's own move and percepts, else all moves."""
        if not self._positions.has_percepts:
            starts = np.cumsum([0, *self._positions.encoding.num_actions[:-1]])
            row[starts + step.actions] = 1
            return
        assert self._positions.percepts is not None
        row[step.actions[role]] = 1
        numbers, start = self._positions.percepts[role], _most_actions(self._positions)
        row[[start + numbers[percept] for percept in step.percepts[role]]] = 1


def history_shape(positions: Positions) -> tuple[int, int]:
    """The shape of all that a player has known: a row for each joint move."""
    if not positions.has_percepts:
        return positions.max_moves, sum(positions.encoding.num_actions)
    most = max(map(len, positions.percepts or ({},)))
    return positions.max_moves, _most_actions(positions) + most


def _most_actions(positions: Positions) -> int:
    return max(positions.encoding.num_actions[role] for role in positions.players)


def _size(shape: tuple[int, ...]) -> int:
    return int(np.prod(shape))
