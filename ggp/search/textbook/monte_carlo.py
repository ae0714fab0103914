"""Pure Monte Carlo search: random games after each legal move, and the move that did best in them.

The lecture "Game Playing": for each legal move simulate k games in which everybody moves at random,
and select the move that won most. Nothing is remembered but a mean for each move. As a bandit the
playouts are not shared equally but by UCB1, more of them where they go well:

    >>> round(ucb1(mean=10, visits=2, parent_visits=3, c=2), 2)
    11.48
    >>> round(ucb1(mean=10, visits=1, parent_visits=3, c=2), 2)
    12.1

These are the two values of the fourth iteration in the walk-through of Monte Carlo tree search that
comes with the lectures: what was tried less is tried next, though both have brought as much.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass

import gdl
from ggp.clock import Deadline
from ggp.search.core.choices import Joint, require_moves
from ggp.search.core.playout import HORIZON, UNDECIDED, playout
from ggp.search.core.result import BEST, Effort, MoveValue, SearchResult


def ucb1(mean: float, visits: int, parent_visits: int, c: float) -> float:
    """The upper confidence bound of a choice: mean + c * sqrt(ln(parent_visits) / visits).

    Args:
        mean: What it brought on average, on any scale.
        visits: How often it was made; one that never was is worth infinitely much.
        parent_visits: How often any choice was made here.
        c: Weight of exploration, on the scale of `mean`; sqrt(2) suits rewards from 0 to 1.

    See Auer, Cesa-Bianchi and Fischer, Finite-time Analysis of the Multiarmed Bandit Problem, 2002.
    """
    if visits == 0:
        return math.inf
    return mean + c * math.sqrt(math.log(max(1, parent_visits)) / visits)


def best_arm(totals: Sequence[float], visits: Sequence[int], c: float) -> int:
    """The choice with the highest upper confidence bound, by totals; of equal ones the first."""
    pulls = sum(visits)

    def bound(arm: int) -> float:
        return ucb1(totals[arm] / max(1, visits[arm]), visits[arm], pulls, c)

    return max(range(len(visits)), key=bound)


class DepthCharge:
    """Plays at random to the end of the game; the compiled machine does it alone."""

    def __init__(self, game: gdl.Game, role: gdl.Role, rng: random.Random, horizon: int) -> None:
        """Depth charges for a role; one of more than `horizon` plies counts as undecided, 50."""
        self._machine = game.machine
        self._own = game.roles.index(role)
        self._rng = rng
        self._horizon = horizon
        self._playing = game.scalar

    def __call__(self, state: gdl.State, deadline: Deadline) -> float | None:
        """The goal of the role after a random game; None if the time is over before its end."""
        if self._playing is None:
            played = playout(self._machine, state, self._rng, deadline, self._horizon)
            return None if played is None else played.goals[self._own]
        if deadline.is_over():
            return None
        # One game takes microseconds there, so the deadline is not looked at within it.
        seed = self._rng.getrandbits(62)
        found = self._playing.random_playouts(1, seed=seed, state=state, depth=self._horizon)
        return UNDECIDED if found.cut else float(found.goal_totals[self._own])


SHARES = ("equal", "ucb1")


@dataclass(frozen=True, slots=True)
class MonteCarloSettings:
    """Sampling parameters."""

    k: int = 0  # playouts for each legal move, on average; 0: as many as the clock allows
    share: str = "equal"
    """One of `SHARES`: every move gets k playouts, or UCB1 shares k times the number of moves."""
    c: float = math.sqrt(2)  # weight of exploration in UCB1, for rewards from 0 to 1
    horizon: int = HORIZON  # longest playout in plies; a longer one counts as undecided


DEFAULTS = MonteCarloSettings()


class MonteCarloSearch:
    """One playout with each `step`; begins anew where a move leads."""

    def __init__(
        self,
        game: gdl.Game,
        state: gdl.State,
        role: gdl.Role,
        rng: random.Random,
        settings: MonteCarloSettings = DEFAULTS,
    ) -> None:
        require_moves(game, state)
        self.machine = game.machine
        self.role = role
        self.settings = settings
        self._own = game.roles.index(role)
        self._rng = rng
        self._charge = DepthCharge(game, role, rng, settings.horizon)
        self._num_playouts = 0
        self._begin(state)

    def _begin(self, state: gdl.State) -> None:
        self.state = state  # from which it samples
        self._moves = self.machine.legal_moves(state, self.role)
        self.counts = [0] * len(self._moves)  # playouts of each legal move
        self.totals = [0.0] * len(self._moves)  # the sum of the goals that they brought
        self._num_left = self.settings.k * len(self._moves) if self.settings.k else None

    @property
    def is_decided(self) -> bool:
        """Whether there is no choice: samples prove nothing."""
        return len(self._moves) < 2

    @property
    def effort(self) -> Effort:
        """Work done so far; it holds one position."""
        return Effort(self._num_playouts, self._num_playouts, 1, 1)

    def step(self, deadline: Deadline) -> bool:
        """One playout after one move; False if there is nothing to do, or no time."""
        if self._num_left == 0 or not self._moves or self.machine.is_terminal(self.state):
            return False
        arm = self._next_arm()
        goal = self._charge(self._after(self._moves[arm]), deadline)
        if goal is None:
            return False
        self.counts[arm] += 1
        self.totals[arm] += goal
        self._num_playouts += 1
        if self._num_left is not None:
            self._num_left -= 1
        return True

    def advance(self, moves: Joint, state: gdl.State) -> None:
        """Begin anew: what was sampled says nothing of the state that follows."""
        self._begin(state)

    def result(self) -> SearchResult:
        """The moves, the best mean first; as a bandit, the one tried most first."""
        means = [t / n if n else UNDECIDED for t, n in zip(self.totals, self.counts, strict=True)]
        by_visits = self.settings.share == "ucb1"
        ranked = sorted(
            map(MoveValue, self._moves, means, self.counts),
            key=lambda each: (each.visits if by_visits else 0, each.value),
            reverse=True,
        )
        return SearchResult.ranked(ranked, sum(self.counts))

    def _next_arm(self) -> int:
        if self.settings.share == "ucb1":
            return best_arm(self.totals, self.counts, BEST * self.settings.c)
        return self.counts.index(min(self.counts))

    def _after(self, move: gdl.Move) -> gdl.State:
        joint = [
            move if index == self._own else self._any_of(self.machine.legal_moves(self.state, role))
            for index, role in enumerate(self.machine.roles)
        ]
        return self.machine.next_state(self.state, joint)

    def _any_of(self, moves: tuple[gdl.Move, ...]) -> gdl.Move:
        return moves[int(self._rng.random() * len(moves))]
