"""A Gymnasium vector environment that plays thousands of games at once, on lanes."""

from __future__ import annotations

from functools import partial
from typing import Any, Final, NoReturn, Unpack

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

import gdl
from ggp.environments.acting import count_stuck, make_acting
from ggp.environments.observations import Observation, PackedObservation
from ggp.environments.rendering import Rendering, available_modes
from ggp.environments.serial_environment import SerialEnvironment
from ggp.environments.single import (
    MAX_MOVES,
    RANDOM,
    SELF,
    THINK_SECONDS,
    Environment,
    Spec,
    engine_for,
)
from ggp.environments.task import Rules, Task, TaskOptions, load_game
from ggp.search.hidden.solving.game_tree import hides_information

Array = NDArray[Any]
BoolArray = NDArray[np.bool_]
Info = dict[str, Any]
Result = tuple[Array, Array, BoolArray, BoolArray, Info]

MAX_ENVIRONMENTS: Final = 1 << 22
ANY: Final = -1
"""An action of a batch that means the first legal action."""
Facts = tuple[Array, Array]
"""Rows of a batch, and the facts of the last states of their games."""


class Ends:
    """The games that end in one step, of `N` games with `R` roles. At first there are none.

    If a game is over before the caller could choose, its end is called *late* here, because only
    the next step reports it.

    Attributes:
        rewards: Rewards in the games that have ended, and 0 in others, `[N, R]`.
        terminated: Whether each game has ended by its rules or by an illegal action, `[N]`.
        truncated: Whether each game has ended because a role has no legal move, `[N]`.
        finals: The last states of these games, only with `same_step`.
        late: Whether the next step has to report an end of each game, `[N]`.
        late_finals: The last states of games with late ends, only with `same_step`.
    """

    def __init__(self, batch: gdl.StateBatch, reward_unit: float, fresh: BoolArray) -> None:
        self._batch, self._reward_unit, self._fresh = batch, reward_unit, fresh.copy()
        self._begin_at_once = batch.autoreset == "same_step"
        self.rewards = np.zeros(batch.goals.shape)
        self.terminated = np.zeros(batch.num, np.bool_)
        self.truncated = np.zeros(batch.num, np.bool_)
        self.finals: list[Facts] = []
        self.late = np.zeros(batch.num, np.bool_)
        self.late_finals: list[Facts] = []
        self._late_rewards = np.zeros(batch.goals.shape)
        self._late_truncated = np.zeros(batch.num, np.bool_)

    @property
    def over(self) -> BoolArray:
        """For each game, whether the next action has no effect because the game is over, `[N]`."""
        return self.late if self._begin_at_once else self._batch.is_terminal

    def report_late(self, before: Ends) -> None:
        """Report the ends that the last step, `before`, left to this step.

        Those games were over before the caller could choose.
        """
        late = before.late
        if late.any():
            self.rewards[late] = before._late_rewards[late]
            self.truncated |= late & before._late_truncated
            self.terminated |= late & ~before._late_truncated
            self.finals += before.late_finals
            if self._begin_at_once:
                self._fresh |= late

    def keep_late(self, before: Ends, which: BoolArray) -> None:
        """Leave the unreported ends of the last step in the games `which` to the next step."""
        kept = before.late & which
        self.late |= kept
        self._late_rewards[kept] = before._late_rewards[kept]
        self._late_truncated |= before._late_truncated & kept
        self.late_finals += [
            (rows[kept[rows]], facts[kept[rows]]) for rows, facts in before.late_finals
        ]

    def add_ended(self) -> None:
        """Add the games that have ended in the batch, and end those in which a role has no move."""
        batch = self._batch
        known = self.late if self._begin_at_once else self.terminated | self.truncated | self.late
        over = batch.is_terminal & ~known
        if over.any():
            self._add(over, False)
        if count_stuck(batch.num_legal, batch.is_terminal):
            stuck = (batch.num_legal == 0).any(axis=1) & ~batch.is_terminal
            batch.end(stuck)
            self._add(stuck, True)

    def end(self, which: BoolArray) -> None:
        """End the games `which`, because an illegal action has lost them."""
        if which.any():
            self._batch.end(which)
            self._add(which, False)

    def _add(self, over: BoolArray, is_truncated: bool) -> None:
        now, late = over & ~self._fresh, over & self._fresh
        self.rewards[now] = self._batch.goals[now] / self._reward_unit
        self._late_rewards[late] = self._batch.goals[late] / self._reward_unit
        if is_truncated:
            self.truncated |= now
            self._late_truncated |= late
        else:
            self.terminated |= now
        self.late |= late
        if self._begin_at_once:
            self._fresh |= now
            for which, kept in ((now, self.finals), (late, self.late_finals)):
                rows = np.flatnonzero(which)
                if len(rows):
                    kept.append((rows, self._batch.finals[rows]))


class VectorEnvironment(VectorEnv[Array, Array, Array]):
    """Many games at once. The caller plays a role in each, or all roles with `opponents="self"`.

    A step takes an action in each game, and plays on until the caller has a choice again or the
    game is over. If the game is over before the caller could choose, the first step, with any
    action, reports the end. A game is truncated if the rules leave a role without a move. There are
    `N` games, `R` roles, `A` actions.

    With `opponents="self"` a step is one joint move. If the roles choose in turn, the action is
    that of the role that chooses. Otherwise there is one action for each role.

    Infos are those of `Environment` for `N` games, without moves:
        action_mask: `[N, A]` int8. All actions are legal in games that are over, because the next
            action does not count. If all roles act at once, the mask is a tuple with `[N, M]` for
            each role.
        role: `[N]`, with -1 if all act at once.
        rewards: `[N, R]`.
        illegal_action: `[N]`.
        final_obs, final_info: The last states of games that have just ended, with `SAME_STEP`.

    Attributes:
        batch: The states of the games.
        role_names: The names of all roles, in the order of the rulesheet.
        observation_names: The meaning of each element of an observation, or each channel.
    """

    def __init__(
        self,
        task: Task,
        num_envs: int,
        autoreset_mode: AutoresetMode = AutoresetMode.NEXT_STEP,
        *,
        role: int | None = None,
        threads: int = 1,
        copy: bool = True,
    ) -> None:
        """Create the environments. The function `vector` calls this, and explains the arguments.

        If `role` is None, the caller plays all roles.
        """
        name: Any = autoreset_mode.name.lower()
        self.batch = batch = task.game.batch(num_envs, name, threads)
        self.metadata = {"autoreset_mode": autoreset_mode, "render_modes": available_modes()}
        self.render_mode = None if task.renderer is None else task.renderer.mode
        self.game, self.num_envs = task.game, num_envs
        self.role_names, self.observation_names = task.roles, task.observation.names
        self._task, self._copy, self._mode = task, copy, autoreset_mode
        self._acting = make_acting(batch, task.game, task.players, role)
        self._nowhere = np.zeros(num_envs, np.bool_)
        self._ends: Ends | None = None
        self._draws = role is not None or len(task.players) < len(task.roles)
        known: dict[type, Array] = {Observation: batch.observations}
        known[PackedObservation] = batch.packed
        self._are_written = type(task.observation) in known  # the batch writes them
        self._observations = known.get(type(task.observation), task.observation.empty(num_envs))
        self.single_observation_space = task.observation_space()
        self.single_action_space = self._acting.space
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Array, Info]:
        """Start new games. The same seed leads to the same games."""
        super().reset(seed=seed)
        for name in options or ():
            if name != "reset_mask":
                raise ValueError(f"options: expected no other option than reset_mask, got {name!r}")
        batch, which = self.batch, (options or {}).get("reset_mask")
        batch.reset(which)
        fresh = np.ones(self.num_envs, np.bool_) if which is None else np.asarray(which)
        ends = Ends(batch, self._task.reward_unit, fresh)
        if which is not None:
            ends.keep_late(self._begun(), ~fresh)
        ends.add_ended()
        self._play_on(ends)
        return self._observed(), self._info(ends)

    def step(self, actions: Array) -> Result:
        """Take an action in each game, and play on until the caller has a choice again.

        Raises:
            IllegalMoveError: An action is illegal and `on_illegal` is `error`. No game has changed.
            ValueError: The actions have another shape or type.
            ResetNeeded: No games are being played, or one is over and the mode is `DISABLED`.
        """
        batch, before = self.batch, self._begun()
        late = before.late
        self._check_over(late)
        joint = self._acting.joint(actions, self._others())
        restarted = batch.is_terminal & ~late if self._mode is AutoresetMode.NEXT_STEP else late
        lost = self._illegal(joint) & ~late if self._task.illegal_loses else self._nowhere
        joint[lost] = ANY
        own = np.maximum(self._acting.roles, 0)
        batch.step(joint, ~(lost | late) if late.any() or lost.any() else None)
        ends = Ends(batch, self._task.reward_unit, restarted)
        ends.report_late(before)
        ends.add_ended()
        ends.end(lost)
        self._play_on(ends)
        rewards: Array = ends.rewards[np.arange(self.num_envs), own]
        info = self._info(ends)
        if lost.any():
            info["illegal_action"] = lost
        return self._observed(), rewards, ends.terminated, ends.truncated, info

    def __reduce__(self) -> NoReturn:
        raise TypeError(
            "a vector environment cannot be copied or pickled: create another one with "
            "environments.vector(...) and the same arguments, or copy environments.make(...)"
        )

    def action_names(self, role: int) -> tuple[str, ...]:
        """Return the name of each action of a role."""
        return self._task.encoding.action_names(role)

    def render(self) -> tuple[Rendering, ...] | None:
        """Render the state of each game. Return None if there is no render mode."""
        numbering, renderer = self.game.numbering, self._task.renderer
        if numbering is None or renderer is None:
            return None
        return tuple(renderer.render(numbering.state(row)) for row in self.batch.observations)

    def close_extras(self, **kwargs: Any) -> None:
        """End the threads."""
        self.batch.close()

    def _play_on(self, ends: Ends) -> None:
        batch = self.batch
        for _ in range(MAX_MOVES):
            waiting = self._acting.waiting()
            if waiting is None:
                break
            waiting &= ~ends.over
            if not waiting.any():
                break
            batch.step(batch.draw(self.np_random), waiting)
            ends.add_ended()
        self._ends = ends
        for rows, facts in ends.late_finals:
            batch.show(rows, facts)
        self._acting.look()

    def _others(self) -> Array:
        """Return an action of each role, `[N, R]`: random, or ANY if the caller plays all roles."""
        if self._draws:
            return self.batch.draw(self.np_random)
        return np.full((len(self.role_names), self.num_envs), ANY, np.int32).T

    def _begun(self) -> Ends:
        if self._ends is None or self.closed:
            raise gymnasium.error.ResetNeeded("no games are being played: call reset()")
        return self._ends

    def _check_over(self, late: BoolArray) -> None:
        over = self.batch.is_terminal & ~late
        if self._mode is AutoresetMode.DISABLED and over.any():
            raise gymnasium.error.ResetNeeded(
                f"game {int(np.argmax(over))} is over; call "
                'reset(options={"reset_mask": terminations | truncations}) before the next step'
            )

    def _illegal(self, joint: Array) -> BoolArray:
        """Return in which unfinished games an action is illegal, `[N]`."""
        batch = self.batch
        found = np.zeros(self.num_envs, np.bool_)
        for role, mask in enumerate(batch.masks):
            actions = joint[:, role]
            is_known = (actions >= 0) & (actions < mask.shape[1])
            legal = mask[np.arange(self.num_envs), np.where(is_known, actions, 0)] == 1
            found |= ~(legal & is_known) & (actions != ANY)
        if self._mode is not AutoresetMode.SAME_STEP:
            found &= ~batch.is_terminal
        return found

    def _observed(self) -> Array:
        if not self._are_written:
            roles = np.maximum(self._acting.roles, 0)
            self._task.observation.write(self.batch.observations, roles, self._observations)
        return self._observations.copy() if self._copy else self._observations

    def _info(self, ends: Ends) -> Info:
        masks = self._acting.masks()
        for mask in masks if isinstance(masks, tuple) else (masks,):
            mask[ends.over] = 1
        if self._copy:
            masks = tuple(m.copy() for m in masks) if isinstance(masks, tuple) else masks.copy()
        info = {"action_mask": masks, "role": self._acting.roles.copy(), "rewards": ends.rewards}
        if self._mode is AutoresetMode.SAME_STEP and ends.finals:
            info |= self._final_info(ends)
        return info

    def _final_info(self, ends: Ends) -> Info:
        found = np.full(self.num_envs, None, object)
        for rows, facts in ends.finals:
            seen = np.zeros((len(rows), *self._task.observation.shape), self._observations.dtype)
            self._task.observation.write(facts, np.maximum(self._acting.roles[rows], 0), seen)
            for row, one in zip(rows.tolist(), seen, strict=True):
                found[row] = one
        over = ends.terminated | ends.truncated
        final_info = {"rewards": ends.rewards, "_rewards": over}
        return {
            "final_obs": found,
            "_final_obs": over,
            "final_info": final_info,
            "_final_info": over,
        }


def vector(
    rules: Rules,
    num_envs: int = 1,
    *,
    role: str | None = None,
    opponents: Spec = RANDOM,
    autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
    think_seconds: float = THINK_SECONDS,
    threads: int = 1,
    copy: bool = True,
    **options: Unpack[TaskOptions],
) -> VectorEnv[Any, Any, Any]:
    """Return many environments of a game as one Gymnasium vector environment.

    Compiled games against random opponents, or without opponents, use a `VectorEnvironment`, which
    plays ten million steps a second and more on one core. Other opponents, interpreted games, and
    games with hidden information (unless `observation="state"` shows it) use a
    `SerialEnvironment`, which plays one game after the other.

    For other arguments and errors, see `Environment`.

    Args:
        num_envs: Number of environments. Up to some thousands, more environments take more steps
            per second.
        autoreset_mode: When a finished game restarts: with the next step, whose action does not
            count (`next_step`), in the same step (`same_step`), or when `reset` is called
            (`disabled`).
        threads: Number of threads that share the games.
        copy: Whether each observation and mask is a new array. Otherwise the next step overwrites
            them.
    """
    mode = _mode_of(autoreset_mode)
    if num_envs not in range(1, MAX_ENVIRONMENTS + 1):
        raise ValueError(f"num_envs: expected 1 to {MAX_ENVIRONMENTS:,}, got {num_envs!r}")
    if opponents == SELF and role is not None:
        raise ValueError(
            'role: expected none with opponents="self", because the caller plays all '
            f"roles, got {role!r}"
        )
    game = load_game(rules, engine_for(opponents, options.get("engine", "auto")))
    shows_state = options.get("observation") == "state" or not hides_information(game)
    if game.circuit is not None and opponents in (RANDOM, SELF) and shows_state:
        task = Task(game, **options)
        own = None if opponents == SELF else task.role_number(role)
        env = VectorEnvironment(task, num_envs, mode, role=own, threads=threads, copy=copy)
        if options.get("view") == "mover" and isinstance(
            env.single_action_space, spaces.MultiDiscrete
        ):
            raise ValueError('view: expected "fixed", because all roles act at once, got "mover"')
        return env
    make = partial(
        Environment, game, role=role, opponents=opponents, think_seconds=think_seconds, **options
    )
    return SerialEnvironment([make] * num_envs, copy=copy, autoreset_mode=mode)


def _mode_of(mode: AutoresetMode | str) -> AutoresetMode:
    if isinstance(mode, AutoresetMode):
        return mode
    known = {one.name.lower(): one for one in AutoresetMode}
    if mode not in known:
        raise ValueError(f"autoreset_mode: expected one of {', '.join(known)}, got {mode!r}")
    return known[mode]
