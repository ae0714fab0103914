"""A game as an environment of PettingZoo in which all agents act at once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pettingzoo import ParallelEnv

from ggp.environments.episode import Episode
from ggp.environments.pettingzoo_game import Info, PettingZooGame
from ggp.environments.task import action_number

Observations = dict[str, Any]
Flags = dict[str, bool]


class ParallelEnvironment(PettingZooGame, ParallelEnv):  # type: ignore[misc] # it has no types
    """A game whose agents all act in each step, which is one joint move.

    One without a choice makes its only move; its action may be left out. `random` is played by the
    environment.
    """

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, dict[str, Info]]:
        """Begin a new game; with the same seed, the same games follow."""
        self._begin(seed)
        return self._observations(), self._infos()

    def step(
        self, actions: Mapping[str, Any]
    ) -> tuple[Observations, dict[str, float], Flags, Flags, dict[str, Info]]:
        """Make the actions of the agents; when the game is over, nobody acts and all is empty.

        Raises:
            IllegalMoveError: An action is not legal, or is missing where there is a choice, and
                `on_illegal` is `error`.
            TypeError: One is no number.
            ValueError: There is no such agent, or no game was begun.
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
            known = ", ".join(self.agents) or "none, for the game is over"
            raise ValueError(f"actions: expected agents of {known}, got {strangers[0]!r}")
        return {agent: action_number(action) for agent, action in actions.items()}

    def _play(self, episode: Episode, numbers: dict[str, int]) -> list[str]:
        """Make the joint move unless an action is illegal; tells whose is."""
        if episode.is_over or not self.agents:
            return []
        losers = [
            agent
            for agent, role in self._roles.items()
            if (agent in numbers or len(episode.legal[role]) > 1)
            and self._task.is_lost(episode, role, numbers.get(agent))
        ]
        if not losers:
            episode.step({self._roles[agent]: number for agent, number in numbers.items()})
        return losers

    def _observations(self) -> Observations:
        return {agent: self.observe(agent) for agent in self.agents}
