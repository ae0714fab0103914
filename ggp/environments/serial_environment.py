"""Environments that play one game after the other: a vector environment of Gymnasium."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
from gymnasium.vector import SyncVectorEnv

from ggp.environments.single import Environment


class SerialEnvironment(SyncVectorEnv):
    """Gymnasium's `SyncVectorEnv`, whose `reset` describes all games, also those that go on."""

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin new games; with `reset_mask` only some, and the infos of the others stay.

        Raises:
            ResetNeeded: A game that shall go on has not begun.
        """
        given = dict(options or {})  # Gymnasium takes the mask out of it
        mask = given.get("reset_mask")
        others: list[int] = []
        # Gymnasium refuses what is no such array.
        if isinstance(mask, np.ndarray) and (mask.shape, mask.dtype) == ((self.num_envs,), bool):
            others = np.flatnonzero(~mask).tolist()
        kept = {row: cast(Environment, self.envs[row].unwrapped).last_info for row in others}
        observations, infos = super().reset(seed=seed, options=None if options is None else given)
        for row, info in kept.items():
            infos = self._add_info(infos, info, row)
        return observations, infos
