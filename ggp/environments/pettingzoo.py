"""PettingZoo environments, whose agents act one after another or all at once."""

from __future__ import annotations

import random
from collections.abc import Mapping
from copy import deepcopy
from pathlib import Path
from typing import Any, Final, Literal, Self, Unpack

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv, ParallelEnv

from ggp.environments.encoding import Encoding
from ggp.environments.episode import Episode, Turns
from ggp.environments.observations import Bytes, IntArray, Observation
from ggp.environments.rendering import Rendering, available_modes
from ggp.environments.task import Rules, Task, TaskOptions, action_number

MaskIn = Literal["observation", "infos"]
MIN_FACTS: Final = 2
MASK_IN: Final[tuple[MaskIn, ...]] = ("observation", "infos")

Info = dict[str, Any]
Observations = dict[str, Any]
Flags = dict[str, bool]


class FilledObservation(Observation):
    """The facts of a state, followed by elements that are always 1."""

    def __init__(self, encoding: Encoding, num_ones: int) -> None:
        super().__init__(encoding)
        self.shape = (encoding.num_facts + num_ones,)
        self.names = (*self.names, *["always"] * num_ones)

    def _write(self, facts: Bytes, roles: IntArray, out: NDArray[Any]) -> None:
        out[:, : facts.shape[1]] = facts
        out[:, facts.shape[1] :] = 1


class PettingZooGame:
    """A game whose players are agents. `player_0` is the first role that is not `random`.

    All action spaces are equal, as large as that of the agent with most actions. PettingZoo and
    many libraries that use it expect this. Actions that a role lacks are never legal.

    Infos of each agent:
        action_mask: 1 for each legal action, `[A]` int8. When the game is over, all are 1. Then the
            only valid action is None, but policies that are called anyway fail if no action is 1.
        role: The number of the agent's role, in the order of the rulesheet.
        moves: The joint move that led to the state, as text. Empty in the initial state. If the
            game hides information, these are the joint moves since the agent last acted, with `?`
            for the moves of other roles, unless `observation="state"`.
        percepts: Only in games with hidden information: what the agent's role saw in each of these
            turns.
        illegal_action: Only for an agent that has ended the game by an illegal action.

    Attributes:
        role_names: For each agent, the name of its role.
        observation_names: The meaning of each element of an observation, or each channel of planes.
        agents: The names of the agents for which the game is not over.
    """

    def __init__(
        self, rules: Rules, *, mask_in: MaskIn = "observation", **options: Unpack[TaskOptions]
    ) -> None:
        """Create an environment. For rules, options and errors see `Task`.

        Args:
            mask_in: Where to put the mask: in the observation, which is then a dictionary
                (`observation`), or only in the infos (`infos`).
        """
        if mask_in not in MASK_IN:
            raise ValueError(f"mask_in: expected one of {', '.join(MASK_IN)}, got {mask_in!r}")
        self._task = task = Task(rules, **options)
        if type(task.observation) is Observation and not task.hides:
            task.observation = _never_nothing(task)
        self._shows_mask = mask_in == "observation"
        self._num_actions = task.num_actions(task.players)
        names = [f"player_{number}" for number in range(len(task.players))]
        self._roles = dict(zip(names, task.players, strict=True))
        self._observation_spaces = {name: self._new_space() for name in names}
        self._action_spaces = {name: spaces.Discrete(self._num_actions) for name in names}
        self._rng = random.Random()
        self._begun: Episode | None = None
        self._told: dict[int, int] = {}  # number of turns before the last action of each role
        self.game = task.game
        self.role_names = {name: task.roles[role] for name, role in self._roles.items()}
        self.observation_names = task.observation_names
        self.possible_agents = names
        self.agents: list[str] = []
        self.state_space = task.state_space()
        self.render_mode = options.get("render_mode")
        self.metadata: dict[str, Any] = {
            "name": Path(self.game.rulesheet.name).stem if self.game.rulesheet else "game",
            "render_modes": available_modes(),
            "render_fps": 2,
        }

    def __copy__(self) -> Self:
        return deepcopy(self)  # a shallow copy would share the running game

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of an agent's observations."""
        self._role(agent)
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete[np.int64]:
        """Return the space of an agent's actions."""
        self._role(agent)
        return self._action_spaces[agent]

    def action_names(self, agent: str) -> tuple[str, ...]:
        """Return the name of each action of an agent. There are as many as its role has moves."""
        return self._task.encoding.action_names(self._role(agent))

    def legal_actions(self, agent: str) -> dict[int, str]:
        """Return an agent's legal moves as text, by action number, in ascending order."""
        return self._episode.legal_actions(self._role(agent))

    def observe(self, agent: str) -> Any:
        """Return the observation of an agent: an array, or a dictionary with the mask."""
        observation = self._task.observe(self._episode, self._role(agent))
        if not self._shows_mask:
            return observation
        return {"observation": observation, "action_mask": self._mask(agent)}

    def state(self) -> NDArray[Any]:
        """Return the true state, even if hidden, from the point of view of the first agent."""
        return self._task.state(self._episode)

    def render(self) -> Rendering | None:
        """Render the state of the game. Return None if the environment has no render mode.

        In a game with hidden information, show what the acting agent can be certain of, or, if all
        agents act at once, what `render_agent` can be certain of.
        """
        return self._task.render(self._episode, self._viewer())

    def _viewer(self) -> int:
        return self._task.players[0]

    def close(self) -> None:
        """Do nothing, because no resources are held."""

    @property
    def _episode(self) -> Episode:
        if self._begun is None:
            raise ValueError("no game is being played: call reset()")
        return self._begun

    def _role(self, agent: str) -> int:
        if agent not in self._roles:
            known = ", ".join(self._roles)
            raise ValueError(f"agent: expected one of {known}, got {agent!r}")
        return self._roles[agent]

    def _begin(self, seed: int | None) -> Episode:
        if seed is not None:
            self._rng.seed(seed)
        self._begun = self._task.begin(self._rng.getrandbits(62))
        self._told = {}
        self.agents = list(self.possible_agents)
        return self._begun

    def _infos(self) -> dict[str, Info]:
        roles = {name: self._roles[name] for name in self.agents}
        if self._task.hides:
            seen = {name: self._turns_seen(role) for name, role in roles.items()}
        else:
            moves = self._episode.moves_as_text  # moves of the last turn, the same for all agents
            seen = {name: {"moves": moves} for name in roles}
        return {
            name: {"action_mask": self._mask(name), "role": role, **seen[name]}
            for name, role in roles.items()
        }

    def _turns_seen(self, role: int) -> Info:
        """Return a role's moves and percepts in the turns since it last acted."""
        return self._task.turn_info(self._episode, role, self._told.get(role, 0))

    def _rewards(self) -> dict[str, float]:
        rewards = self._task.rewards(self._episode)
        return {name: float(rewards[self._roles[name]]) for name in self.agents}

    def _mask(self, agent: str) -> NDArray[np.int8]:
        episode = self._episode
        if episode.is_over:
            return np.ones(self._num_actions, np.int8)
        return episode.mask(self._roles[agent], self._num_actions)

    def _new_space(self) -> spaces.Space[Any]:
        observation = self._task.observation_space()
        if not self._shows_mask:
            return observation
        mask = spaces.Box(0, 1, (self._num_actions,), np.int8)
        return spaces.Dict({"observation": observation, "action_mask": mask})


def _never_nothing(task: Task) -> Observation:
    """Return the observation of a task, extended so that PettingZoo's test accepts it.

    The test rejects an observation of fewer than two elements, and one that is all 0 at the start.
    """
    encoding = task.encoding
    num_missing = max(0, MIN_FACTS - encoding.num_facts)
    if not encoding.facts(task.game.initial_state()).any():
        num_missing = max(1, num_missing)
    return FilledObservation(encoding, num_missing) if num_missing else task.observation


class AecEnvironment(PettingZooGame, AECEnv):  # type: ignore[misc] # it has no types
    """A game whose agents act one after another, in the order of `Turns`.

    The environment plays `random`. If several agents choose at the same time, they see the other
    choices only after all have chosen.
    """

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a new game. The same seed leads to the same games."""
        self._turns = Turns(self._begin(seed), is_hiding=self._task.hides)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = self._infos()
        self.agent_selection = self._acting()
        self._skip_agent_selection = None

    def step(self, action: Any) -> None:
        """Take the action of the agent that is to act. After the end of the game it must be None.

        Raises:
            IllegalMoveError: The action is not legal, and `on_illegal` is `error`.
        """
        episode, agent = self._episode, self.agent_selection
        if not self.agents:
            raise ValueError("the game is over: call reset()")
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        number, was_over = action_number(action), episode.is_over
        self._told[self._roles[agent]] = len(episode.seen[self._roles[agent]])
        is_lost = not was_over and self._task.is_lost(episode, self._roles[agent], number)
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        if is_lost:
            self.infos[agent]["illegal_action"] = True
        elif not was_over and self._turns.play(number):
            self.infos = self._infos()
        if is_lost or episode.is_over:
            self._end(is_lost)
        else:
            self.agent_selection = self._acting()

    def _end(self, is_lost: bool) -> None:
        is_stuck = self._episode.is_stuck and not is_lost
        self.terminations = dict.fromkeys(self.agents, not is_stuck)
        self.truncations = dict.fromkeys(self.agents, is_stuck)
        if not is_lost:
            self.rewards = self._rewards()
        self._accumulate_rewards()

    def _viewer(self) -> int:
        return self._roles[self.agent_selection]

    def _acting(self) -> str:
        return self.possible_agents[self._task.players.index(self._turns.role)]


class ParallelEnvironment(PettingZooGame, ParallelEnv):  # type: ignore[misc] # it has no types
    """A game whose agents all act in each step, which is one joint move.

    An agent without a choice makes its only move, so its action may be omitted. The environment
    plays `random`.

    Attributes:
        render_agent: The agent whose knowledge is rendered in a game with hidden information.
    """

    def __init__(
        self,
        rules: Rules,
        *,
        mask_in: MaskIn = "observation",
        render_agent: str | None = None,
        **options: Unpack[TaskOptions],
    ) -> None:
        """Create an environment. For other options and errors see `PettingZooGame` and `Task`.

        Args:
            render_agent: The agent whose knowledge is rendered in a game with hidden information.
        """
        super().__init__(rules, mask_in=mask_in, **options)
        if render_agent is not None and render_agent not in self._roles:
            known = ", ".join(self._roles)
            raise ValueError(f"render_agent: expected one of {known}, got {render_agent!r}")
        if self.render_mode and self._task.hides and render_agent is None:
            # There is no default, because even facts that all agents know would tell an agent what
            # the others know.
            raise ValueError(
                "render_agent: this game hides information, so name the agent whose view "
                f'is rendered, one of {", ".join(self._roles)}, or use observation="state"'
            )
        self.render_agent = render_agent

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, dict[str, Info]]:
        """Start a new game. The same seed leads to the same games."""
        self._begin(seed)
        return self._observations(), self._infos()

    def step(
        self, actions: Mapping[str, Any]
    ) -> tuple[Observations, dict[str, float], Flags, Flags, dict[str, Info]]:
        """Make a joint move of the agents' actions. After the end, return empty results.

        Raises:
            IllegalMoveError: An action is illegal, or is missing although the agent has a choice,
                and `on_illegal` is `error`.
        """
        episode = self._episode
        losers = self._play(episode, self._numbers(actions))
        is_stuck = episode.is_stuck and not losers
        is_over = episode.is_over or bool(losers)
        rewards = dict.fromkeys(self.agents, 0.0) if losers else self._rewards()
        infos = self._infos()
        for agent in losers:
            infos[agent]["illegal_action"] = True
        terminations = dict.fromkeys(self.agents, is_over and not is_stuck)
        truncations = dict.fromkeys(self.agents, is_stuck)
        observations = self._observations()
        if is_over:
            self.agents = []
        return observations, rewards, terminations, truncations, infos

    def _numbers(self, actions: Mapping[str, Any]) -> dict[str, int]:
        strangers = [agent for agent in actions if agent not in self.agents]
        if strangers:
            known = ", ".join(self.agents) or "none, because the game is over"
            raise ValueError(
                f"actions: expected actions of the agents {known}, got {strangers[0]!r}"
            )
        return {agent: action_number(action) for agent, action in actions.items()}

    def _play(self, episode: Episode, numbers: dict[str, int]) -> list[str]:
        """Make the joint move unless an action is illegal.

        Return the agents with illegal actions.
        """
        if episode.is_over or not self.agents:
            return []
        losers = [
            agent
            for agent, role in self._roles.items()
            if (agent in numbers or len(episode.legal[role]) > 1)
            and self._task.is_lost(episode, role, numbers.get(agent))
        ]
        if not losers:
            self._told = {role: len(episode.seen[role]) for role in self._roles.values()}
            episode.step({self._roles[agent]: number for agent, number in numbers.items()})
        return losers

    def _viewer(self) -> int:
        return super()._viewer() if self.render_agent is None else self._role(self.render_agent)

    def _observations(self) -> Observations:
        return {agent: self.observe(agent) for agent in self.agents}
