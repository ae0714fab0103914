"""A game as a task for learners: what is observed, which actions there are, what is rewarded."""

from __future__ import annotations

import operator
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

import gdl
from ggp.environments.encoding import Encoding, make_encoding
from ggp.environments.episode import Episode
from ggp.environments.observations import Kind, Observation, View, make_observation
from ggp.environments.rendering import Renderer, Rendering, RenderMode
from ggp.environments.rules import Rules, load_game
from ggp.errors import UnknownNameError

Reward = Literal["scaled", "raw"]
OnIllegal = Literal["error", "lose"]

REWARDS: Final[dict[str, float]] = {"scaled": 0.01, "raw": 1.0}
"""The worth of a goal of 1."""
ON_ILLEGAL: Final[tuple[OnIllegal, ...]] = ("error", "lose")


@dataclass(frozen=True, eq=False)
class Task:
    """A game as a task for learners.

    Attributes:
        game: The game.
        encoding: Its facts and moves as numbers.
        observation: What is seen of a state.
        players: The numbers of the roles, but for `random`.
        worth: Of a goal of 1.
        illegal_loses: Whether an illegal action ends the game; else it is an error.
        renderer: None if nothing is rendered.
    """

    game: gdl.Game
    encoding: Encoding
    observation: Observation
    players: tuple[int, ...]
    worth: float
    illegal_loses: bool
    renderer: Renderer | None

    @property
    def roles(self) -> tuple[str, ...]:
        """The names of all roles, in the order of the rulesheet."""
        return tuple(map(str, self.game.roles))

    def role_number(self, name: str | None) -> int:
        """The number of a player's role; None means the first.

        Raises:
            UnknownNameError: No player has a role of this name.
            TypeError: It is no name.
        """
        if name is None:
            return self.players[0]
        known = {self.roles[role]: role for role in self.players}
        if not isinstance(name, str):
            raise TypeError(f"role: expected a name ({', '.join(known)}), got {name!r}")
        if name not in known:
            raise UnknownNameError("role", name, known)
        return known[name]

    def begin(self, seed: int) -> Episode:
        """A new game, whose chance moves follow from the seed."""
        return Episode(self.game, self.encoding, random.Random(seed))

    def num_actions(self, roles: Sequence[int]) -> int:
        """The number of actions of that of the roles which has most, at least 1."""
        return max(1, *(self.encoding.num_actions[role] for role in roles))

    def observation_space(self) -> spaces.Box:
        """All that can be observed."""
        kind: Any = self.observation.dtype.type
        high = 1 if kind is np.uint8 else np.iinfo(kind).max
        return spaces.Box(0, high, self.observation.shape, kind)

    def mask(self, episode: Episode, role: int, length: int) -> NDArray[np.int8]:
        """`[length]` which actions of a role are legal, as 0 and 1; beyond its own none are."""
        mask = np.zeros(length, np.int8)
        own = episode.mask(role)
        mask[: len(own)] = own
        return mask

    def is_lost(self, episode: Episode, role: int, action: int | None) -> bool:
        """Whether an action loses the game because it is illegal.

        Raises:
            IllegalMoveError: It is illegal, and that is an error.
        """
        if action in episode.legal[role]:
            return False
        if not self.illegal_loses:
            episode.check(role, action)
        return True

    def render(self, episode: Episode) -> Rendering | None:
        """The state of a game in the render mode; None if there is none."""
        if self.renderer is None:
            return None
        return self.renderer.render(episode.state, episode.moves)

    def rewards(self, episode: Episode) -> NDArray[np.float64]:
        """`[R]` what each role has got; 0 until the game is over."""
        goals = [episode.goal(role) for role in range(len(self.game.roles))]
        return np.array(goals, np.float64) * self.worth


def make_task(
    rules: Rules,
    *,
    engine: gdl.Engine,
    observation: Kind,
    view: View,
    reward: Reward,
    on_illegal: OnIllegal,
    render_mode: RenderMode | None = None,
) -> Task:
    """The task of an environment.

    Raises:
        ValueError: An option has no such value, or all moves are up to chance.
        ImportError: The render mode needs a package that is not installed.
    """
    if reward not in REWARDS:
        raise ValueError(f"reward: expected one of {', '.join(REWARDS)}, got {reward!r}")
    if on_illegal not in ON_ILLEGAL:
        raise ValueError(f"on_illegal: expected one of {', '.join(ON_ILLEGAL)}, got {on_illegal!r}")
    game = load_game(rules, engine)
    encoding = make_encoding(game)
    players = tuple(role for role, name in enumerate(game.roles) if not gdl.is_random(name))
    if not players:
        raise ValueError(f"expected a game with a role for a player, got {game!r}")
    return Task(
        game,
        encoding,
        make_observation(game, encoding, observation, view),
        players,
        REWARDS[reward],
        on_illegal == "lose",
        None if render_mode is None else Renderer(game, render_mode),
    )


def action_number(action: object) -> int:
    """The number that an action is: an int, or an integer of numpy.

    Raises:
        TypeError: It is none.
    """
    try:
        return operator.index(action)  # type: ignore[arg-type]
    except TypeError:
        raise TypeError(f"action: expected a whole number, got {action!r}") from None


def legal_actions(episode: Episode, role: int) -> dict[int, str]:
    """The legal actions of a role, ascending, and what they are."""
    return {action: str(move) for action, move in episode.legal[role].items()}


def moves_as_text(episode: Episode) -> tuple[str, ...]:
    """The joint move that led to the state of an episode; nothing in the first state."""
    return tuple(map(str, episode.moves or ()))
