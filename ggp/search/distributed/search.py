"""Search on several machines: one tree on this machine, and one on each of the others.

The tree on this machine never waits for the other trees. When the move is chosen, their latest
findings are merged with those of this machine. Without other machines this is an ordinary search.
"""

from __future__ import annotations

import random
import threading
import time
import weakref
from collections.abc import Sequence
from dataclasses import replace

import gdl
from ggp.clock import Deadline
from ggp.search.core.choices import Joint
from ggp.search.core.result import Effort, SearchResult, total
from ggp.search.core.root import is_decided
from ggp.search.core.search import Search
from ggp.search.distributed.helpers import Helpers, Wishes
from ggp.search.distributed.tree_keeper import Finding, Position, SearchOrder
from ggp.search.fast.tree.parallel import merged

MAX_KEPT = 32
"""Number of earlier positions to keep for machines that have missed some of them."""


class Machines:
    """Other machines of the cluster, each with its own tree for the same position.

    A background thread connects to the machines. As long as no machine is connected, there are no
    findings. The methods neither wait nor raise exceptions.
    """

    def __init__(
        self,
        order: SearchOrder,
        position: Position,
        num_machines: int,
        num_cpus: int,
        helpers: type[Helpers] = Helpers,
    ) -> None:
        """Start to look for `num_machines` other machines, each with at least `num_cpus` cores."""
        self._wishes = Wishes(order, num_machines, num_cpus, (position,))
        self._finalizer = weakref.finalize(self, _end, self._wishes)
        threading.Thread(target=helpers(self._wishes).run, name="machines", daemon=True).start()

    @property
    def position(self) -> Position:
        """The position that was last sent to the machines."""
        return self._wishes.positions[-1]

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The newest finding of each machine about the current position."""
        number = self.position.number
        return tuple(each for each in self._wishes.findings if each.number == number)

    @property
    def efforts(self) -> tuple[Effort, ...]:
        """Work of each machine since it started."""
        return tuple(each.effort for each in self._wishes.findings)

    @property
    def lost(self) -> Effort:
        """Work of all machines that have left the search."""
        return self._wishes.lost

    def go_on(self, deadline: float) -> None:
        """Keep the machines searching. `deadline` is when the player chooses, in monotonic time."""
        self._wishes.deadline = deadline
        self._wishes.searched = time.monotonic()

    def move_to(self, position: Position) -> None:
        """Let the machines search another position."""
        self._wishes.positions = (*self._wishes.positions[-MAX_KEPT:], position)
        self._wishes.changed.set()

    def close(self) -> None:
        """Release all machines, and stop the thread that talks to them."""
        self._finalizer()


def _end(wishes: Wishes) -> None:
    wishes.is_over = True
    wishes.changed.set()


def best_of(findings: Sequence[Finding]) -> Finding | None:
    """Return the decided finding with the most iterations, or None if no finding is decided."""
    decided = [each for each in findings if each.is_decided]
    return max(decided, key=lambda each: each.effort.num_iterations, default=None)


class ClusterSearch:
    """A search on this machine, combined with other machines' findings about the same position."""

    def __init__(self, own: Search, game: gdl.Game, machines: Machines, seed: int) -> None:
        """Combine the search `own` of this machine with machines that search the same position."""
        self._own = own
        self._game = game
        self._machines = machines
        self._rng = random.Random(seed)
        self._sample = self._rng.random()
        self._is_decided = False

    @property
    def state(self) -> gdl.State:
        """The state at the root."""
        return self._own.state

    @property
    def is_decided(self) -> bool:
        """Whether the proofs of all trees show that a longer search cannot change the move."""
        return (
            self._is_decided or self._own.is_decided or best_of(self._machines.findings) is not None
        )

    @property
    def effort(self) -> Effort:
        """The work and the memory of all trees, and the work of lost machines."""
        own, others = self._own.effort, self._machines.efforts
        rounds = tuple(each.num_iterations for each in (own, *others))
        return replace(total([own, *others, self._machines.lost]), machines=rounds)

    def step(self, deadline: Deadline) -> bool:
        """Take one step on this machine. Return False if another step would not help."""
        self._machines.go_on(deadline.moment)
        return self._own.step(deadline)

    def advance(self, moves: Joint, state: gdl.State) -> None:
        """Move the root of each tree to `state`, after the joint move. Keep what is below it."""
        self._own.advance(moves, state)
        self._sample = self._rng.random()
        self._is_decided = False
        if self._game.is_terminal(state):
            return
        number = self._machines.position.number + 1
        self._machines.move_to(Position(number, self._game.facts(state), moves))

    def result(self) -> SearchResult:
        """Return the best move so far, according to all trees together."""
        own, findings = self._own.result(), self._machines.findings
        if not findings or self._own.is_decided:
            return own
        leader = best_of(findings)
        if leader is not None:
            return leader.result
        result = merged([own, *(each.result for each in findings)], sample=self._sample)
        self._is_decided = is_decided(move.limits for move in result.moves)
        return result
