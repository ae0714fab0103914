"""A game of OpenSpiel whose rules are GDL, and its states."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import pyspiel

from ggp.environments.observations import Observation
from ggp.environments.openspiel.observer import LARGEST_HISTORY, Observer, history_shape
from ggp.environments.openspiel.positions import Positions, SpielPosition, TurnOrder
from ggp.environments.openspiel.utilities import Utilities

CHANCE: Final = int(pyspiel.PlayerId.CHANCE)
SIMULTANEOUS: Final = int(pyspiel.PlayerId.SIMULTANEOUS)
TERMINAL: Final = int(pyspiel.PlayerId.TERMINAL)


class GdlGame(pyspiel.Game):  # type: ignore[misc]  # it brings no types
    """A game whose rules are GDL; `load` makes it."""

    def __init__(
        self, name: str, positions: Positions, utilities: Utilities, observation: Observation
    ) -> None:
        """A game; its observation is that of states, for games in which all is seen."""
        kind = _kind(name, positions, utilities)
        super().__init__(kind, _info(positions, utilities), {})
        self.positions, self.utilities = positions, utilities
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


def _kind(name: str, positions: Positions, utilities: Utilities) -> pyspiel.GameType:
    kind = pyspiel.GameType
    is_simultaneous = positions.order is TurnOrder.SIMULTANEOUS
    is_hidden = positions.has_percepts or positions.order is TurnOrder.SERIALIZED
    has_numbers = not positions.has_percepts or positions.percepts is not None
    rows, columns = history_shape(positions)
    if utilities.total is None:
        utility = kind.Utility.GENERAL_SUM
    else:
        utility = kind.Utility.CONSTANT_SUM if utilities.total else kind.Utility.ZERO_SUM
    return kind(
        short_name=name,
        long_name=name,
        dynamics=kind.Dynamics.SIMULTANEOUS if is_simultaneous else kind.Dynamics.SEQUENTIAL,
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


def _info(positions: Positions, utilities: Utilities) -> pyspiel.GameInfo:
    num_actions = positions.encoding.num_actions
    num_players = len(positions.players)
    num_turns = num_players if positions.order is TurnOrder.SERIALIZED else 1
    return pyspiel.GameInfo(
        num_distinct_actions=max(num_actions[role] for role in positions.players),
        max_chance_outcomes=_most_outcomes(positions),
        num_players=num_players,
        min_utility=utilities.lowest,
        max_utility=utilities.highest,
        utility_sum=utilities.total,
        max_game_length=positions.max_moves * num_turns,
    )


def _most_outcomes(positions: Positions) -> int:
    """The largest number of moves that `random` has; 0 if it never has a choice."""
    most = max((positions.encoding.num_actions[role] for role in positions.chance), default=0)
    return most if most > 1 else 0


class GdlState(pyspiel.State):  # type: ignore[misc]  # it brings no types
    """A state of a game whose rules are GDL.

    OpenSpiel copies and stores what is in `__dict__`; that is the position, which never changes.
    """

    __slots__ = ("__dict__", "_game")

    position: SpielPosition

    def __init__(self, game: GdlGame) -> None:
        """The first state; others come of actions."""
        super().__init__(game)
        self._game = game
        self.position = game.positions.first

    def current_player(self) -> int:
        """The player who chooses next, or OpenSpiel's number for chance, several or none."""
        waiting = self.position.waiting
        if not waiting:
            return TERMINAL
        positions = self._game.positions
        if waiting[0] in positions.chance:
            return CHANCE
        are_several = len(waiting) > 1 and waiting[1] in positions.players
        if are_several and positions.order is TurnOrder.SIMULTANEOUS:
            return SIMULTANEOUS
        return positions.players.index(waiting[0])

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.position.is_over

    def returns(self) -> list[float]:
        """The utilities of the players; nothing before the game is over."""
        position, game = self.position, self._game
        if not position.is_over:
            return [0.0] * len(game.positions.players)
        if position.is_undecided:
            return game.utilities.undecided()
        return game.utilities.of(game.positions.goals(position))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The moves of `random`, each as likely as the others."""
        legal = self.position.legal[self.position.waiting[0]]
        return [(action, 1 / len(legal)) for action in legal]

    def _legal_actions(self, player: int) -> list[int]:
        return list(self.position.legal[self._game.positions.players[player]])

    def _apply_action(self, action: int) -> None:
        position = self.position
        self.position = self._game.positions.after(position, {position.waiting[0]: action})

    def _apply_actions(self, actions: list[int]) -> None:
        chosen = dict(zip(self._game.positions.players, actions, strict=True))
        self.position = self._game.positions.after(self.position, chosen)

    def _action_to_string(self, player: int, action: int) -> str:
        positions, legal = self._game.positions, self.position.legal
        role = positions.chance[0] if player == CHANCE else positions.players[player]
        if legal and action in legal[role]:
            return str(legal[role][action])
        names = positions.encoding.action_names(role)
        if not 0 <= action < len(names):
            raise ValueError(
                f"action of role {positions.game.roles[role]}: expected 0 to {len(names) - 1}, "
                f"got {action}"
            )
        return names[action]

    def __deepcopy__(self, memo: object) -> GdlState:
        return self.clone()  # type: ignore[no-any-return]

    def __reduce__(self) -> tuple[Callable[[str], GdlState], tuple[str]]:
        return _stored_state, (pyspiel.serialize_game_and_state(self._game, self),)

    def __str__(self) -> str:
        position, game = self.position, self._game.positions.game
        chosen = [
            f"{game.roles[role]}: {position.legal[role][action]}"
            for role, action in position.chosen.items()
        ]
        undecided = ["undecided"] if position.is_undecided else []
        return " ".join([*map(str, game.facts(position.state)), *chosen, *undecided])


def _stored_state(text: str) -> GdlState:
    state = pyspiel.deserialize_game_and_state(text)[1]
    assert isinstance(state, GdlState)
    return state
