"""A game as a learning task: its observations, actions and rewards."""

from __future__ import annotations

import operator
import os
import random
from collections.abc import Sequence
from typing import Any, Final, Literal, TypedDict

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

import gdl
from ggp.environments.encoding import make_encoding
from ggp.environments.episode import Episode
from ggp.environments.knowledge import Knowledge, KnowledgeLayout
from ggp.environments.observations import Kind, View, make_observation
from ggp.environments.rendering import Renderer, Rendering, RenderMode
from ggp.errors import UnknownNameError
from ggp.rulesheets import find_rules, is_rules_text
from ggp.search.hidden.solving.game_tree import hides_information

Rules = str | os.PathLike[str] | gdl.Rulesheet | gdl.Game
"""The name of a bundled game, a file, the text of rules, a rulesheet or a game."""
Reward = Literal["scaled", "raw"]
OnIllegal = Literal["error", "lose"]

REWARDS: Final[dict[str, float]] = {"scaled": 100.0, "raw": 1.0}
"""For each kind of reward, the goal whose reward is 1. Goals are divided by it, not multiplied by
its inverse, because `70 * 0.01` is not the float 0.7."""
HIDDEN: Final = "?"
"""Stands for a move that a role does not know, in infos and renderings."""
ON_ILLEGAL: Final[tuple[OnIllegal, ...]] = ("error", "lose")


class TaskOptions(TypedDict, total=False):
    """The keyword arguments of `Task`, which all environments take."""

    reward: Reward
    on_illegal: OnIllegal
    observation: Kind
    view: View
    engine: gdl.Engine
    render_mode: RenderMode | None


class Task:
    """A game as a learning task.

    Attributes:
        encoding: The facts and moves of the game as numbers.
        hides: Whether observations show only what a role can know, not the true state.
        players: The roles except `random`.
        reward_unit: The goal whose reward is 1.
        illegal_loses: Whether an illegal action ends the game. Otherwise it is an error.
        renderer: The renderer, or None if nothing is rendered.
    """

    def __init__(
        self,
        rules: Rules,
        *,
        reward: Reward = "scaled",
        on_illegal: OnIllegal = "error",
        observation: Kind = "facts",
        view: View = "fixed",
        engine: gdl.Engine = "auto",
        render_mode: RenderMode | None = None,
    ) -> None:
        """Create a task from the options that all environments take.

        Args:
            rules: The name of a bundled game, a file, the text of rules, a rulesheet or a game.
            reward: The scale of rewards: the goal from 0 to 1 (`scaled`) or from 0 to 100 (`raw`).
            on_illegal: The effect of an illegal action. It raises an error (`error`), or it ends
                the game with all rewards 0 (`lose`).
            observation: What an observation shows: the facts of a state (`facts`), the same facts
                as bits (`packed`), or its boards (`planes`). In a game with hidden information
                these are the facts that the role can be certain of, and `facts` adds its moves and
                percepts. `state` shows all facts of the true state, which no role could know.
            view: How `planes` are shown: the same for all roles (`fixed`), or from the point of
                view of the observing role (`mover`).
            engine: The reasoner, as in `gdl.load`. See `load_game`.
            render_mode: The result of `render`: text (`ansi`), a picture (`svg`) or its pixels
                (`rgb_array`).

        Raises:
            GroundingError: The rules cannot be grounded. With the engine `interpreter` they can
                usually be played, but slowly.
            GdlError: The rules cannot be read or played.
            WrongUseError: `rules` is a name, but there is no bundled game or file of this name.
            TypeError: `rules` has another type.
            ValueError: An option has an unknown value, or all moves are up to chance.
            ImportError: The render mode needs a package that is not installed.
        """
        if reward not in REWARDS:
            raise ValueError(f"reward: expected one of {', '.join(REWARDS)}, got {reward!r}")
        if on_illegal not in ON_ILLEGAL:
            expected = ", ".join(ON_ILLEGAL)
            raise ValueError(f"on_illegal: expected one of {expected}, got {on_illegal!r}")
        self.game = game = load_game(rules, engine)
        self.encoding = make_encoding(game)
        self.players = tuple(r for r, role in enumerate(game.roles) if not gdl.is_random(role))
        if not self.players:
            raise ValueError(f"expected a game with a role for a player, got {game!r}")
        self.observation = make_observation(game, self.encoding, observation, view)
        self.hides = hides_information(game) and observation != "state"
        self._layout: KnowledgeLayout | None = None
        if self.hides and observation == "facts":
            self._layout = KnowledgeLayout(game, self.encoding, self.players)
        self._knowledge: dict[int, Knowledge] = {}
        self.reward_unit = REWARDS[reward]
        self.illegal_loses = on_illegal == "lose"
        self.renderer = None if render_mode is None else Renderer(game, render_mode)

    def __getstate__(self) -> dict[str, Any]:
        # A copy computes again what roles know, because this follows from what they have seen.
        return vars(self) | {"_knowledge": {}}

    @property
    def roles(self) -> tuple[str, ...]:
        """The names of all roles, in the order of the rulesheet."""
        return tuple(map(str, self.game.roles))

    def role_number(self, name: str | None) -> int:
        """Return the number of the role `name`, or of the first player if `name` is None."""
        if name is None:
            return self.players[0]
        known = {self.roles[role]: role for role in self.players}
        if not isinstance(name, str):
            raise TypeError(f"role: expected a name ({', '.join(known)}), got {name!r}")
        if name not in known:
            raise UnknownNameError("role", name, known)
        return known[name]

    def begin(self, seed: int) -> Episode:
        """Start a new game, whose chance moves are determined by the seed."""
        return Episode(self.game, self.encoding, random.Random(seed))

    def num_actions(self, roles: Sequence[int]) -> int:
        """Return the number of actions of the role that has most of them; at least 1."""
        return max(1, *(self.encoding.num_actions[role] for role in roles))

    @property
    def observation_names(self) -> tuple[str, ...]:
        """The meaning of each element of an observation, or of each channel of planes."""
        return self.observation.names if self._layout is None else self._layout.names

    @property
    def observation_shape(self) -> tuple[int, ...]:
        """The shape of an observation."""
        return self.observation.shape if self._layout is None else self._layout.shape

    def observation_space(self) -> spaces.Box:
        """Return the space of all observations."""
        return self._space(self.observation_shape)

    def state_space(self) -> spaces.Box:
        """Return the space of the arrays that `state` returns."""
        return self._space(self.observation.shape)

    def _space(self, shape: tuple[int, ...]) -> spaces.Box:
        kind: Any = self.observation.dtype.type
        high = 1 if kind is np.uint8 else np.iinfo(kind).max
        return spaces.Box(0, high, shape, kind)

    def observe(self, episode: Episode, role: int) -> NDArray[Any]:
        """Return a role's observation: the state, or its knowledge if information is hidden."""
        if not self.hides:
            return self.observation.of(episode.state, role)
        known = self.game.state_of(self.certain(episode, role))
        if self._layout is None:
            return self.observation.of(known, role)
        return self._layout.write(self.encoding.facts(known), episode.seen[role], role)

    def state(self, episode: Episode) -> NDArray[Any]:
        """Return the true state, even if hidden, from the point of view of the first player."""
        return self.observation.of(episode.state, self.players[0])

    def certain(self, episode: Episode, role: int) -> tuple[gdl.Term, ...]:
        """Return the facts that a role can be certain of."""
        knowledge = self._knowledge.get(role)
        if knowledge is None:
            knowledge = self._knowledge[role] = Knowledge(self.game, role)
        return knowledge.follow(episode.seen[role], episode.is_over)

    def turn_info(self, episode: Episode, role: int, first: int) -> dict[str, Any]:
        """Return the infos `moves` and `percepts` of a role since turn `first`.

        There are no turns if the game hides nothing. The moves of other roles are HIDDEN.
        """
        turns = episode.seen[role][first:]
        moves = tuple(
            tuple(str(turn.move) if one == role else HIDDEN for one in range(len(self.roles)))
            for turn in turns
        )
        return {"moves": moves, "percepts": tuple(tuple(map(str, t.percepts)) for t in turns)}

    def is_lost(self, episode: Episode, role: int, action: int | None) -> bool:
        """Return whether an action is illegal and so loses the game.

        Raises:
            IllegalMoveError: The action is illegal, and `on_illegal` is `error`.
        """
        if action in episode.legal[role]:
            return False
        if not self.illegal_loses:
            episode.check(role, action)
        return True

    def render(self, episode: Episode, viewer: int) -> Rendering | None:
        """Render the state of a game. Return None if the task has no render mode.

        Args:
            viewer: The role whose knowledge is shown if information is hidden.
        """
        if self.renderer is None:
            return None
        if not self.hides:
            return self.renderer.render(episode.state, episode.moves)
        moves: list[object] | None = None
        if episode.moves is not None:
            moves = [move if role == viewer else HIDDEN for role, move in enumerate(episode.moves)]
        return self.renderer.render(self.game.state_of(self.certain(episode, viewer)), moves)

    def rewards(self, episode: Episode) -> NDArray[np.float64]:
        """Return the reward of each role, `[R]`. It is 0 until the game is over."""
        goals = [episode.goal(role) for role in range(len(self.game.roles))]
        return np.array(goals, np.float64) / self.reward_unit


def load_game(rules: Rules, engine: gdl.Engine = "auto") -> gdl.Game:
    """Return the game of an environment. For its errors see `Task`.

    The engine `auto` means `scalar`, a compiled game with numbers for facts and moves. `lanes` is
    useful only for players that search, because batches create their own lanes. `interpreter`
    supports all rules, but is thousands of times slower, and facts are hashed.
    """
    if engine not in gdl.ENGINES:
        raise ValueError(f"engine: expected one of {', '.join(gdl.ENGINES)}, got {engine!r}")
    if isinstance(rules, gdl.Game):
        return rules
    if not isinstance(rules, str | os.PathLike | gdl.Rulesheet):
        raise TypeError(
            "rules: expected the name of a bundled game, a file, the text of rules, a rulesheet or "
            f"a game, got {rules!r}"
        )
    if isinstance(rules, gdl.Rulesheet):
        rulesheet = rules
    elif isinstance(rules, str) and is_rules_text(rules):
        rulesheet = gdl.read_rules(rules)
    else:
        rulesheet = find_rules(os.fspath(rules))
    try:
        return gdl.load(rulesheet, "scalar" if engine == "auto" else engine)
    except gdl.GroundingError as error:
        _try(rulesheet)
        if not error.is_playable:
            raise
        raise gdl.GroundingError(
            error.reason,
            f'{error}; use engine="interpreter", which is slower, but plays such rules too',
        ) from error


def _try(rulesheet: gdl.Rulesheet) -> None:
    # Raise the interpreter's error if the rules are wrong. It says where.
    game = gdl.load(rulesheet, "interpreter")
    state = game.initial_state()
    game.is_terminal(state)
    for role in game.roles:
        game.legal_moves(state, role)


def action_number(action: object) -> int:
    """Return an action as an int. Raise TypeError if it is not an integer of Python or numpy."""
    try:
        return operator.index(action)  # type: ignore[arg-type]
    except TypeError:
        raise TypeError(f"action: expected a whole number, got {action!r}") from None
