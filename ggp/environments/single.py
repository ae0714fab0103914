"""A Gymnasium environment. The caller plays one role against players, or plays all roles."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any, Final, NamedTuple, Unpack

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

import gdl
from ggp.clock import Deadline
from ggp.environments.episode import Episode, Turns
from ggp.environments.rendering import Rendering, available_modes
from ggp.environments.task import Rules, Task, TaskOptions, action_number
from ggp.players import Player, create
from ggp.players.registry import check

MAX_MOVES: Final = 1000
"""Maximum number of joint moves in one step in which the caller has no choice."""

RANDOM: Final = "random"
SELF: Final = "self"
"""Value of `opponents` with which the caller plays all roles."""
THINK_SECONDS: Final = 0.1

Spec = str | Mapping[str, str]
"""A player spec as on the command line, for all opponents, or a spec for each role by its name."""

Info = dict[str, Any]
Observed = NDArray[Any]


def engine_for(spec: Spec, engine: gdl.Engine) -> gdl.Engine:
    """Return the engine to load. If opponents may search, `auto` becomes `lanes`."""
    if not isinstance(spec, str | Mapping):
        raise TypeError(
            f"opponents: expected {RANDOM}, {SELF}, a player or a mapping of roles to players, got "
            f"{spec!r}"
        )
    is_simple = spec in (RANDOM, SELF)
    return engine if is_simple or engine != "auto" else "lanes"


class Call(NamedTuple):
    """A recorded call of a method of a role's player."""

    role: int
    method: str
    arguments: tuple[Any, ...]


class Opponents:
    """Players of the roles that the caller does not play. They are created anew for each game.

    If `spec` is a mapping, the roles that it omits play at random.
    """

    def __init__(
        self, game: gdl.Game, roles: Sequence[int], spec: Spec, think_seconds: float = THINK_SECONDS
    ) -> None:
        if not think_seconds > 0:
            raise ValueError(f"think_seconds: expected more than 0, got {think_seconds}")
        names = {str(game.roles[role]): role for role in roles}
        specs = dict.fromkeys(names, spec) if isinstance(spec, str) else dict(spec)
        strangers = [name for name in specs if name not in names]
        if strangers:
            expected = ", ".join(names) or "none, because the caller plays the only role"
            raise ValueError(
                f"opponents: expected names of roles that opponents play ({expected}), "
                f"got {strangers[0]!r}"
            )
        for one in [spec] if isinstance(spec, str) else specs.values():
            check(one)
        self._game = game
        self._roles = tuple(roles)
        self._specs = {names[name]: one for name, one in specs.items() if one != RANDOM}
        self._think_seconds = think_seconds
        self._seeds: dict[int, int] = {}
        self._made: dict[int, Player] | None = None
        self._calls: list[Call] = []
        self._rng = random.Random()

    def __getstate__(self) -> dict[str, Any]:
        # A player may be any object, even one that cannot be copied. So a copy creates its own
        # players when it first needs them.
        return vars(self) | {"_made": None}

    def begin(self, episode: Episode, seed: int) -> None:
        """Create the players of a new game, and let them prepare."""
        self._rng = random.Random(seed)
        self._seeds = {role: self._rng.getrandbits(31) for role in self._specs}
        self._made, self._calls = None, []
        for role in self._players if not episode.is_over else ():
            self._ask(role, "prepare", episode.state)

    def choose(self, episode: Episode) -> dict[int, int]:
        """Return an action for each opponent. Raise IllegalMoveError if a move is not legal."""
        return {role: self._action(episode, role) for role in self._roles}

    def advance(self, episode: Episode) -> None:
        """Tell the players the joint move that led to the episode's state."""
        for role, player in self._players.items():
            player.advance(episode.moves or (), episode.state)
            self._calls.append(Call(role, "advance", (episode.moves or (), episode.state)))

    @property
    def _players(self) -> dict[int, Player]:
        """The player of each role. Create players that are missing, and replay recorded calls."""
        if self._made is None:
            self._made = {
                role: create(spec, self._game, self._game.roles[role], {}, self._seeds[role])
                for role, spec in self._specs.items()
            }
            for role, method, arguments in self._calls:
                timed = () if method == "advance" else (Deadline.after(self._think_seconds),)
                getattr(self._made[role], method)(*arguments, *timed)
        return self._made

    def _ask(self, role: int, method: str, state: gdl.State) -> Any:
        """Call a player's method with a time limit, and return the result.

        Record the call if it ended in time.

        A copy of the environment replays recorded calls. A search that ends by itself gives the
        same result in the copy, but a search that the clock has stopped might not.
        """
        deadline = Deadline.after(self._think_seconds)
        answer = getattr(self._players[role], method)(state, deadline)
        if not deadline.is_over():
            self._calls.append(Call(role, method, (state,)))
        return answer

    def _action(self, episode: Episode, role: int) -> int:
        legal = episode.legal[role]
        if role not in self._specs or len(legal) == 1:
            return self._rng.choice(list(legal))
        move = self._ask(role, "choose", episode.state)
        for action, known in legal.items():
            if known == move:
                return action
        raise gdl.IllegalMoveError(
            f"player {self._specs[role]!r} as {self._game.roles[role]}: "
            f"expected a legal move, got {move}"
        )


class Environment(gymnasium.Env[Observed, np.int64]):
    """A game in which the caller plays one role, or all of them with `opponents="self"`.

    A step takes the caller's action, then plays the moves of the other roles until the caller has a
    choice again or the game is over. The reward is the role's goal at the end, and 0 before. The
    game is truncated if the rules leave a role without a move.

    With `opponents="self"` the caller chooses for all roles, one after another, in the order of
    `Turns`. The reward is that of the role that has just chosen.

    Infos:
        action_mask: 1 for each legal action, `[A]` int8. All are 0 when the game is over. If the
            game is over before the role could choose, the first step, with any action, reports the
            end.
        role: The number of the role that chooses, in the order of the rulesheet.
        rewards: The rewards of all roles, `[R]`.
        moves: The joint moves since the last step, as text, each in role order.
        percepts: Only in games with hidden information: what the role saw in each of these turns.
            In such games `moves` has the turns since the role last chose, other roles' moves are
            `?`, and there are no `rewards`. With `observation="state"` the infos are the same as in
            other games.
        illegal_action: Only if an illegal action has lost the game.

    Attributes:
        role_names: The names of all roles, in the order of the rulesheet.
        observation_names: The meaning of each element of an observation, or each channel of planes.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 - Gymnasium declares it like this
        "render_modes": available_modes(),
        "render_fps": 2,
    }

    def __init__(
        self,
        rules: Rules,
        *,
        role: str | None = None,
        opponents: Spec = "random",
        think_seconds: float = THINK_SECONDS,
        **options: Unpack[TaskOptions],
    ) -> None:
        """Create an environment. For rules, options and other errors see `Task`.

        Args:
            role: The caller's role. By default it is the first role.
            opponents: The players of the other roles: `random`, a player spec as on the command
                line such as `mcts:iterations=100`, or a mapping from roles to specs. With `self`
                the caller plays all roles.
            think_seconds: Time limit of players for a move, and for preparing for a game.

        Raises:
            PlayerSpecError: There is no such opponent, or it has no such option or value.
        """
        options["engine"] = engine_for(opponents, options.get("engine", "auto"))
        self._task = task = Task(rules, **options)
        self.game, self.role_names = task.game, task.roles
        self.observation_names = task.observation_names
        self._opponents: Opponents | None = None
        if opponents == SELF:
            if role is not None:
                raise ValueError(
                    'role: expected none with opponents="self", because the caller plays all '
                    f"roles, got {role!r}"
                )
            own = task.players
        else:
            self._own_role = task.role_number(role)
            others = [one for one in task.players if one != self._own_role]
            self._opponents = Opponents(self.game, others, opponents, think_seconds)
            own = (self._own_role,)
        self._num_actions = task.num_actions(own)
        self.observation_space = task.observation_space()
        self.action_space = spaces.Discrete(self._num_actions)
        self.render_mode = options.get("render_mode")
        self._episode: Episode | None = None
        self._moves: list[tuple[str, ...]] = []
        self._told = [0] * len(task.roles)  # number of turns that each role has seen in the infos
        self._is_done = True
        self._last_info: Info = {}

    def __copy__(self) -> Environment:
        return deepcopy(self)  # a shallow copy would share the running game

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observed, Info]:
        """Start a new game, and play until the caller has a choice.

        The same seed leads to the same games.
        """
        super().reset(seed=seed)
        self._episode = episode = self._task.begin(self._new_seed())
        self._moves = []
        self._told = [0] * len(self.role_names)
        self._is_done = False
        if self._opponents is None:
            self._turns = Turns(episode, is_hiding=self._task.hides)
        else:
            self._opponents.begin(episode, self._new_seed())
            self._play_on(episode, self._opponents)
        self._last_info = self._info(episode)
        return self._observed(episode), self._last_info

    def step(self, action: Any) -> tuple[Observed, float, bool, bool, Info]:
        """Take an action and play on until the caller has a choice again.

        Raises:
            IllegalMoveError: The action is not legal, and `on_illegal` is `error`.
            TypeError: The action is not a number.
            ResetNeeded: No game is being played.
        """
        episode = self._begun()
        if self._is_done:
            raise gymnasium.error.ResetNeeded("the game is over: call reset()")
        number, role = action_number(action), self.role
        self._moves = []
        if not episode.is_over:
            if self._task.is_lost(episode, role, number):
                return self._lose(episode)
            self._play(episode, number)
        self._is_done = episode.is_over
        info = self._last_info = self._info(episode)
        reward = float(self._task.rewards(episode)[role])
        is_terminated = episode.is_over and not episode.is_stuck
        return self._observed(episode), reward, is_terminated, episode.is_stuck, info

    def render(self) -> Rendering | None:
        """Render the state of the game. Return None if the environment has no render mode.

        In a game with hidden information, show what the role that chooses can be certain of.
        """
        return self._task.render(self._begun(), self.role)

    @property
    def role(self) -> int:
        """The number of the role that chooses."""
        return self._own_role if self._opponents is not None else self._turns.role

    @property
    def last_info(self) -> Info:
        """The infos that the last `reset` or `step` returned."""
        self._begun()
        return self._last_info

    def action_names(self, role: int | None = None) -> tuple[str, ...]:
        """Return the name of each action of a role. The default is the role that chooses."""
        return self._task.encoding.action_names(self.role if role is None else role)

    def action_masks(self) -> NDArray[np.bool_]:
        """Return which actions are legal, `[A]`. Some libraries call a method of this name."""
        return self._begun().mask(self.role, self._num_actions).astype(np.bool_)

    def legal_actions(self) -> dict[int, str]:
        """Return the legal moves as text, by action number, in ascending order."""
        return self._begun().legal_actions(self.role)

    def _begun(self) -> Episode:
        if self._episode is None:
            raise gymnasium.error.ResetNeeded("no game is being played: call reset()")
        return self._episode

    def _play(self, episode: Episode, action: int) -> None:
        if self._opponents is None:
            if self._turns.play(action):
                self._moves.append(episode.moves_as_text)
            return
        self._make(episode, self._opponents, {self._own_role: action})
        self._play_on(episode, self._opponents)

    def _play_on(self, episode: Episode, opponents: Opponents) -> None:
        for _ in range(MAX_MOVES):
            if episode.is_over or len(episode.legal[self._own_role]) > 1:
                return
            self._make(episode, opponents, {})

    def _make(self, episode: Episode, opponents: Opponents, own: dict[int, int]) -> None:
        episode.step({**opponents.choose(episode), **own})
        opponents.advance(episode)
        self._moves.append(episode.moves_as_text)

    def _lose(self, episode: Episode) -> tuple[Observed, float, bool, bool, Info]:
        self._is_done = True
        info = self._last_info = self._info(episode)
        info["action_mask"][:] = 0
        info["illegal_action"] = True
        return self._observed(episode), 0.0, True, False, info

    def _observed(self, episode: Episode) -> Observed:
        return self._task.observe(episode, self.role)

    def _info(self, episode: Episode) -> Info:
        info: Info = {
            "action_mask": episode.mask(self.role, self._num_actions),
            "role": self.role,
        }
        if self._task.hides:
            first, self._told[self.role] = self._told[self.role], len(episode.seen[self.role])
            return info | self._task.turn_info(episode, self.role, first)
        rewards = self._task.rewards(episode)
        return info | {"rewards": rewards, "moves": tuple(self._moves)}

    def _new_seed(self) -> int:
        return int(self.np_random.integers(1 << 62))
