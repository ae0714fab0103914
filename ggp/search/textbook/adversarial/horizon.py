"""The horizon of a depth-limited search: where it stops, and the estimated value of a state there.

*The horizon effect* (lecture "Game Playing"): disaster may lurk just beyond the depth. *Quiescence
search* looks on while the evaluation swings, until the game quiets down.
"""

from __future__ import annotations

from dataclasses import dataclass

import gdl
from ggp.search.evaluation.evaluation import Evaluation


@dataclass(frozen=True, slots=True)
class Quiescence:
    """Rule for looking beyond the depth: as long as the last ply changed the evaluation a lot."""

    threshold: float = 10.0
    """A state is quiet if its evaluation differs from that of the state before by no more; points
    of the goal scale, 0..100."""
    plies: int = 4  # most plies beyond the depth


class Horizon:
    """Evaluates states from a depth on. Belongs to one search that goes depth first."""

    def __init__(
        self, evaluate: Evaluation, own: int, quiescence: Quiescence | None = None
    ) -> None:
        self._evaluate = evaluate
        self._own = own
        self._quiescence = quiescence
        # By depth: depth first, the state before is always the last one seen one depth higher.
        self._seen: dict[int, float] = {}

    def estimates(self, state: gdl.State, depth: int) -> tuple[float, ...] | None:
        """The estimated goals of all roles if the search stops here, else None.

        Args:
            state: A state that is not terminal.
            depth: Plies left; below 0 beyond the depth.
        """
        if self._quiescence is None:
            return self._evaluate(state) if depth <= 0 else None
        if depth > 1:
            return None
        estimates = self._evaluate(state)
        self._seen[depth] = estimates[self._own]
        return estimates if self._stops(self._quiescence, depth) else None

    def _stops(self, quiescence: Quiescence, depth: int) -> bool:
        if depth > 0:
            return False
        swing = abs(self._seen[depth] - self._seen.get(depth + 1, self._seen[depth]))
        return swing <= quiescence.threshold or depth <= -quiescence.plies
