"""A game as an environment of PettingZoo in which one agent acts after another (AEC)."""

from __future__ import annotations

from typing import Any

from pettingzoo import AECEnv

from ggp.environments.pettingzoo_game import PettingZooGame
from ggp.environments.task import action_number
from ggp.environments.turns import Turns


class AecEnvironment(PettingZooGame, AECEnv):  # type: ignore[misc] # it has no types
    """A game whose agents act one after another; `random` is played by the environment.

    In each state the agents act that have more than one legal move, in the order of the rulesheet;
    what several choose at the same time the others do not see before all have chosen. If nobody has
    a choice, the one to move makes its only move.
    """

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new game; with the same seed, the same games follow."""
        self._turns = Turns(self._begin(seed))
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = self._infos()
        self.agent_selection = self._acting()
        self._skip_agent_selection = None

    def step(self, action: Any) -> None:
        """Let the agent whose turn it is act; None is the action of one for whom the game is over.

        Raises:
            IllegalMoveError: The action is not legal, and `on_illegal` is `error`.
            TypeError: It is no number.
            ValueError: The game is over, and the action is not None.
        """
        episode, agent = self._episode, self.agent_selection
        if not self.agents:
            raise ValueError("the game is over: call reset()")
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        number, was_over = action_number(action), episode.is_over
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

    def _acting(self) -> str:
        return self.possible_agents[self._task.players.index(self._turns.role)]
