"""The part that PettingZoo's environments share: a game, its agents and what each is shown."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, Literal

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

import gdl
from ggp.environments.encoding import Encoding
from ggp.environments.episode import Episode
from ggp.environments.observation_kernels import Bytes, IntArray
from ggp.environments.observations import Kind, Observation, View
from ggp.environments.rendering import Rendering, RenderMode, available_modes
from ggp.environments.rules import Rules
from ggp.environments.task import OnIllegal, Reward, Task, legal_actions, make_task, moves_as_text

MaskIn = Literal["observation", "infos"]
MIN_FACTS: Final = 2
MASK_IN: Final[tuple[MaskIn, ...]] = ("observation", "infos")

Info = dict[str, Any]


class FilledObservation(Observation):
    """The facts of a state, and behind them elements that are always 1."""

    def __init__(self, encoding: Encoding, num_ones: int) -> None:
        super().__init__(encoding)
        self.shape = (encoding.num_facts + num_ones,)
        self.names = (*self.names, *["always"] * num_ones)

    def _write(self, facts: Bytes, roles: IntArray, out: NDArray[Any]) -> None:
        out[:, : facts.shape[1]] = facts
        out[:, facts.shape[1] :] = 1


class PettingZooGame:
    """A game whose players are agents: `player_0` is the first role that is not `random`.

    All agents have as many actions as the one that has most, so that their spaces are equal, which
    PettingZoo and many who build on it expect; what a role does not have is never legal.

    Infos of each agent:
        action_mask: `[A]` int8, which actions are legal; when the game is over all are let through.
        role: The number of its role, in the order of the rulesheet.
        moves: The joint move that led to the state, as text; nothing in the first state.
        illegal_action: Only of an agent who has ended the game by an illegal action.

    Attributes:
        game: The game.
        role_names: For each agent the name of its role.
        observation_names: What each element of an observation is, or each channel of planes.
        possible_agents: The names of the agents.
        agents: Of those for whom the game is not over.
    """

    def __init__(
        self,
        rules: Rules,
        *,
        reward: Reward = "scaled",
        on_illegal: OnIllegal = "error",
        observation: Kind = "facts",
        view: View = "fixed",
        mask_in: MaskIn = "observation",
        engine: gdl.Engine = "auto",
        render_mode: RenderMode | None = None,
    ) -> None:
        """An environment.

        Args:
            rules: The name of a bundled game, a file, the text of rules, a rulesheet or a game.
            reward: The goal from 0 to 1 (`scaled`) or from 0 to 100 (`raw`).
            on_illegal: What comes of an illegal action: an `error`, or all rewards are 0 and the
                game is over (`lose`).
            observation: What is seen of a state: its facts (`facts`), the same in bits (`packed`)
                or boards (`planes`).
            view: Of `planes`: the same for all roles (`fixed`) or from the point of view of the one
                that looks (`mover`).
            mask_in: Whether an observation is a dictionary with the mask in it (`observation`) or
                an array (`infos`: the mask is only there).
            engine: The reasoner, as `gdl.load` knows it.
            render_mode: What `render` returns: text (`ansi`), a picture (`svg`) or its pixels
                (`rgb_array`).

        Raises:
            GroundingError: The rules do not ground; the engine `interpreter` plays them, slowly.
            GdlError: The rules cannot be read or played.
            WrongUseError: There is neither such a bundled game nor such a file.
            ValueError: An option has no such value.
            ImportError: The render mode needs a package that is not installed.
        """
        if mask_in not in MASK_IN:
            raise ValueError(f"mask_in: expected one of {', '.join(MASK_IN)}, got {mask_in!r}")
        task = make_task(
            rules,
            engine=engine,
            observation=observation,
            view=view,
            reward=reward,
            on_illegal=on_illegal,
            render_mode=render_mode,
        )
        self._task = task = _filled(task) if observation == "facts" else task
        self._shows_mask = mask_in == "observation"
        self._num_actions = task.num_actions(task.players)
        names = [f"player_{number}" for number in range(len(task.players))]
        self._roles = dict(zip(names, task.players, strict=True))
        self._observation_spaces = {name: self._new_space() for name in names}
        self._action_spaces = {name: spaces.Discrete(self._num_actions) for name in names}
        self._rng = random.Random()
        self._begun: Episode | None = None
        self.game = task.game
        self.role_names = {name: task.roles[role] for name, role in self._roles.items()}
        self.observation_names = task.observation.names
        self.possible_agents = names
        self.agents: list[str] = []
        self.state_space = task.observation_space()
        self.render_mode = render_mode
        self.metadata: dict[str, Any] = {
            "name": Path(self.game.rulesheet.name).stem if self.game.rulesheet else "game",
            "render_modes": available_modes(),
            "render_fps": 2,
        }

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The space of all that an agent can be shown."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete[np.int64]:
        """The space of an agent's actions."""
        return self._action_spaces[agent]

    def action_names(self, agent: str) -> tuple[str, ...]:
        """The moves that an agent's actions stand for, of those that its role has."""
        return self._task.encoding.action_names(self._roles[agent])

    def legal_actions(self, agent: str) -> dict[int, str]:
        """The legal actions of an agent, ascending, and what they are."""
        return legal_actions(self._episode, self._roles[agent])

    def observe(self, agent: str) -> Any:
        """The observation of an agent: an array, or a dictionary with its mask beside."""
        observation = self._task.observation.of(self._episode.state, self._roles[agent])
        if not self._shows_mask:
            return observation
        return {"observation": observation, "action_mask": self._mask(agent)}

    def state(self) -> NDArray[Any]:
        """The state as it is seen from the point of view of the first role."""
        return self._task.observation.of(self._episode.state, self._task.players[0])

    def render(self) -> Rendering | None:
        """The state of the game in the render mode; None if there is none."""
        return self._task.render(self._episode)

    def close(self) -> None:
        """Nothing is held."""

    @property
    def _episode(self) -> Episode:
        if self._begun is None:
            raise ValueError("no game is being played: call reset()")
        return self._begun

    def _begin(self, seed: int | None) -> Episode:
        if seed is not None:
            self._rng.seed(seed)
        self._begun = self._task.begin(self._rng.getrandbits(62))
        self.agents = list(self.possible_agents)
        return self._begun

    def _infos(self) -> dict[str, Info]:
        moves = moves_as_text(self._episode)
        return {
            name: {"action_mask": self._mask(name), "role": self._roles[name], "moves": moves}
            for name in self.agents
        }

    def _rewards(self) -> dict[str, float]:
        """The rewards of the agents; 0 until the game is over."""
        rewards = self._task.rewards(self._episode)
        return {name: float(rewards[self._roles[name]]) for name in self.agents}

    def _mask(self, agent: str) -> NDArray[np.int8]:
        """The mask of the legal actions; when the game is over, all are let through.

        The only action is None then; but a policy that is asked all the same would have to choose
        among none.
        """
        episode = self._episode
        if episode.is_over:
            return np.ones(self._num_actions, np.int8)
        return self._task.mask(episode, self._roles[agent], self._num_actions)

    def _new_space(self) -> spaces.Space[Any]:
        observation = self._task.observation_space()
        if not self._shows_mask:
            return observation
        mask = spaces.Box(0, 1, (self._num_actions,), np.int8)
        return spaces.Dict({"observation": observation, "action_mask": mask})


def _filled(task: Task) -> Task:
    """The task with observations that are never nothing, to which PettingZoo's test objects.

    Where the first state has no fact, or the game fewer than two, elements are added.
    """
    encoding = task.encoding
    num_missing = max(0, MIN_FACTS - encoding.num_facts)
    if not encoding.facts(task.game.initial_state()).any():
        num_missing = max(1, num_missing)
    if not num_missing:
        return task
    return replace(task, observation=FilledObservation(encoding, num_missing))
