"""A Gymnasium vector environment that steps its games one after the other."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
from gymnasium.vector import SyncVectorEnv

from ggp.environments.single import Environment


class SerialEnvironment(SyncVectorEnv):
    """Gymnasium's `SyncVectorEnv`, except that `reset` returns the infos of all games.

    Gymnasium's own class leaves out the infos of games that are not reset.
    """

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Start new games. With `reset_mask`, start only some, and keep the infos of the rest.

        Raises:
            ResetNeeded: A game outside the mask has never been started.
        """
        given = dict(options or {})  # Gymnasium removes the mask
        mask = given.get("reset_mask")
        others: list[int] = []
        # Gymnasium raises an error for any other mask.
        if isinstance(mask, np.ndarray) and (mask.shape, mask.dtype) == ((self.num_envs,), bool):
            others = np.flatnonzero(~mask).tolist()
        kept = {row: cast(Environment, self.envs[row].unwrapped).last_info for row in others}
        observations, infos = super().reset(seed=seed, options=None if options is None else given)
        for row, info in kept.items():
            infos = self._add_info(infos, info, row)
        return observations, infos
