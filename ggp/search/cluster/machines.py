"""The other machines that search for a player, as the player sees them: nothing here ever waits."""

from __future__ import annotations

import threading
import time
import weakref
from collections.abc import Sequence

from ggp.search.cluster.helpers import Helpers, Wishes
from ggp.search.cluster.positions import Finding, Position, SearchOrder
from ggp.search.result import Effort

MOST_KEPT = 32
"""Positions before the present one that a machine may have missed and still follows."""


class Machines:
    """Other machines of the cluster, each with a tree of its own for the same position.

    They are connected to in the background; until then, and whenever they are gone, there are no
    findings. Nothing here waits, and nothing raises.
    """

    def __init__(
        self,
        order: SearchOrder,
        position: Position,
        num_machines: int,
        num_cpus: int,
        helpers: type[Helpers] = Helpers,
    ) -> None:
        """Begin to look for machines.

        Args:
            order: What they are to do.
            position: From where.
            num_machines: How many, beside this one.
            num_cpus: That each of them gives.
            helpers: Keeps them at work.
        """
        self._wishes = Wishes(order, num_machines, num_cpus, (position,))
        self._finalizer = weakref.finalize(self, _end, self._wishes)
        threading.Thread(target=helpers(self._wishes).run, name="machines", daemon=True).start()

    @property
    def position(self) -> Position:
        """The position that they are sent to."""
        return self._wishes.positions[-1]

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The newest finding of each machine about the present position."""
        number = self.position.number
        return tuple(each for each in self._wishes.findings if each.number == number)

    @property
    def efforts(self) -> tuple[Effort, ...]:
        """Work of each machine since it began."""
        return tuple(each.effort for each in self._wishes.findings)

    @property
    def lost(self) -> Effort:
        """Work of all machines that help no more."""
        return self._wishes.lost

    @property
    def problem(self) -> str:
        """Why there are fewer than wanted, if that is known."""
        return self._wishes.problem

    def go_on(self, deadline: float) -> None:
        """Say that the player searches now, and when it will choose."""
        self._wishes.deadline = deadline
        self._wishes.searched = time.monotonic()

    def move_to(self, position: Position) -> None:
        """Send them to another position."""
        self._wishes.positions = (*self._wishes.positions[-MOST_KEPT:], position)
        self._wishes.changed.set()

    def close(self) -> None:
        """Let them go."""
        self._finalizer()


def _end(wishes: Wishes) -> None:
    wishes.is_over = True
    wishes.changed.set()


def best_of(findings: Sequence[Finding]) -> Finding | None:
    """The finding that has decided, of several the one that looked most; None if none has."""
    decided = [each for each in findings if each.is_decided]
    return max(decided, key=lambda each: each.effort.num_iterations, default=None)
