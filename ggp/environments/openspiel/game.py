"""A game of OpenSpiel whose rules are GDL."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import pyspiel

from ggp.environments.observations import Observation
from ggp.environments.openspiel.observer import LARGEST_HISTORY, Observer, history_shape
from ggp.environments.openspiel.positions import Positions
from ggp.environments.openspiel.state import GdlState
from ggp.environments.openspiel.utilities import Utilities


@dataclass(frozen=True)
class Manner:
    """The manner in which players choose.

    Attributes:
        is_simultaneous: At the same time, in some states.
        is_in_turns: One after the other where the rules have them choose at the same time, without
            knowing of each other.
    """

    is_simultaneous: bool
    is_in_turns: bool


class GdlGame(pyspiel.Game):  # type: ignore[misc]  # it brings no types
    """A game whose rules are GDL; `load` makes it.

    Attributes:
        positions: How the game goes.
        utilities: What its ends are worth.
        manner: How players choose.
    """

    def __init__(
        self,
        name: str,
        positions: Positions,
        utilities: Utilities,
        manner: Manner,
        observation: Observation,
    ) -> None:
        """A game.

        Args:
            name: What OpenSpiel calls it.
            positions: How the game goes.
            utilities: What its ends are worth.
            manner: How players choose.
            observation: The numbers of a state, for games in which all is seen.
        """
        kind = _kind(name, positions, utilities, manner)
        super().__init__(kind, _info(positions, utilities, manner), {})
        self.positions, self.utilities, self.manner = positions, utilities, manner
        self._observation = observation
        self._has_history = bool(kind.provides_information_state_tensor)
        self._has_observation = bool(kind.provides_observation_tensor)

    def new_initial_state(self) -> GdlState:
        """The state in which the game starts."""
        return GdlState(self)

    def make_py_observer(
        self,
        iig_obs_type: pyspiel.IIGObservationType | None = None,
        params: Mapping[str, Any] | None = None,
    ) -> Observer:
        """An observer of states.

        Raises:
            ValueError: There are parameters, or it is to observe the secrets of all players.
        """
        if params:
            raise ValueError(f"expected no parameters of an observation, got {dict(params)}")
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        has_tensor = self._has_history if kind.perfect_recall else self._has_observation
        return Observer(self.positions, self._observation, kind, has_tensor)

    def __reduce__(self) -> tuple[Callable[[str], GdlGame], tuple[str]]:
        return pyspiel.load_game, (str(self.get_type().short_name),)

    def max_chance_nodes_in_history(self) -> int:
        """The most moves that `random` makes."""
        return self.positions.max_moves if self.max_chance_outcomes() else 0


def _kind(
    name: str, positions: Positions, utilities: Utilities, manner: Manner
) -> pyspiel.GameType:
    kind = pyspiel.GameType
    is_hidden = positions.has_percepts or manner.is_in_turns
    has_numbers = not positions.has_percepts or positions.percepts is not None
    rows, columns = history_shape(positions)
    if utilities.total is None:
        utility = kind.Utility.GENERAL_SUM
    else:
        utility = kind.Utility.CONSTANT_SUM if utilities.total else kind.Utility.ZERO_SUM
    return kind(
        short_name=name,
        long_name=name,
        dynamics=kind.Dynamics.SIMULTANEOUS if manner.is_simultaneous else kind.Dynamics.SEQUENTIAL,
        chance_mode=kind.ChanceMode.EXPLICIT_STOCHASTIC
        if _most_outcomes(positions)
        else kind.ChanceMode.DETERMINISTIC,
        information=kind.Information.IMPERFECT_INFORMATION
        if is_hidden
        else kind.Information.PERFECT_INFORMATION,
        utility=utility,
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=len(positions.players),
        min_num_players=len(positions.players),
        provides_information_state_string=True,
        provides_information_state_tensor=is_hidden
        and has_numbers
        and rows * columns <= LARGEST_HISTORY,
        provides_observation_string=True,
        provides_observation_tensor=has_numbers,
        parameter_specification={},
    )


def _info(positions: Positions, utilities: Utilities, manner: Manner) -> pyspiel.GameInfo:
    num_actions = positions.encoding.num_actions
    num_players = len(positions.players)
    return pyspiel.GameInfo(
        num_distinct_actions=max(num_actions[role] for role in positions.players),
        max_chance_outcomes=_most_outcomes(positions),
        num_players=num_players,
        min_utility=utilities.lowest,
        max_utility=utilities.highest,
        utility_sum=utilities.total,
        max_game_length=positions.max_moves * (num_players if manner.is_in_turns else 1),
    )


def _most_outcomes(positions: Positions) -> int:
    """Among how many moves `random` chooses at most; 0 if it never has a choice."""
    most = max((positions.encoding.num_actions[role] for role in positions.chance), default=0)
    return most if most > 1 else 0
