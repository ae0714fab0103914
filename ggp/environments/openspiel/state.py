"""A state of a game of OpenSpiel."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

import pyspiel

from ggp.environments.openspiel.positions import SpielPosition

if TYPE_CHECKING:
    from ggp.environments.openspiel.game import GdlGame

CHANCE: Final = int(pyspiel.PlayerId.CHANCE)
SIMULTANEOUS: Final = int(pyspiel.PlayerId.SIMULTANEOUS)
TERMINAL: Final = int(pyspiel.PlayerId.TERMINAL)


class GdlState(pyspiel.State):  # type: ignore[misc]  # it brings no types
    """A state of a game whose rules are GDL.

    Attributes:
        position: Where the game stands. OpenSpiel copies and stores what is in `__dict__`; that is
            this one value, which never changes.
    """

    __slots__ = ("__dict__", "_game")

    position: SpielPosition

    def __init__(self, game: GdlGame) -> None:
        """The first state; others come of actions."""
        super().__init__(game)
        self._game = game
        self.position = game.positions.first

    def current_player(self) -> int:
        """The player who chooses next, or what OpenSpiel writes instead of one."""
        waiting = self.position.waiting
        if not waiting:
            return TERMINAL
        positions = self._game.positions
        if waiting[0] in positions.chance:
            return CHANCE
        if (
            self._game.manner.is_simultaneous
            and len(waiting) > 1
            and waiting[1] in positions.players
        ):
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
