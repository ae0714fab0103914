"""Pure Monte Carlo search: play random games after each legal move, and choose the best move.

The lecture "Game Playing" describes the method: for each legal move simulate k games in which all
roles move at random, and select the move that won most. The search remembers only a mean for each
move. As a variant, it distributes the playouts by UCB1 like a bandit, so that good moves get more:

    >>> round(ucb1(mean=10, visits=2, parent_visits=3, c=2), 2)
    11.48
    >>> round(ucb1(mean=10, visits=1, parent_visits=3, c=2), 2)
    12.1

These are the two values of the fourth iteration in the walk-through of Monte Carlo tree search that
comes with the lectures. Both moves have the same mean, so the move with fewer visits is next.
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
    """Return the upper confidence bound of a choice: mean + c * sqrt(ln(parent_visits) / visits).

    Args:
        mean: Mean reward of the choice, on any scale.
        visits: How often the choice was made. If it is 0, the bound is infinite.
        parent_visits: How often any choice was made here.
        c: Weight of exploration, on the scale of `mean`; sqrt(2) suits rewards from 0 to 1.

    See Auer, Cesa-Bianchi and Fischer, Finite-time Analysis of the Multiarmed Bandit Problem, 2002.
    """
    if visits == 0:
        return math.inf
    return mean + c * math.sqrt(math.log(max(1, parent_visits)) / visits)


def best_arm(totals: Sequence[float], visits: Sequence[int], c: float) -> int:
    """Return the index of the first choice with the highest upper confidence bound.

    `totals` are the sums of the rewards of each choice.
    """
    pulls = sum(visits)

    def bound(arm: int) -> float:
        return ucb1(totals[arm] / max(1, visits[arm]), visits[arm], pulls, c)

    return max(range(len(visits)), key=bound)


class DepthCharge:
    """A player of random games. It runs on the compiled game if there is one."""

    def __init__(self, game: gdl.Game, role: gdl.Role, rng: random.Random, horizon: int) -> None:
        """Prepare playouts for a role. A playout of more than `horizon` plies counts as 50."""
        self._machine = game.machine
        self._own = game.roles.index(role)
        self._rng = rng
        self._horizon = horizon
        self._playing = game.scalar

    def __call__(self, state: gdl.State, deadline: Deadline) -> float | None:
        """Return the goal of the role after a random game; None if the deadline comes first."""
        if self._playing is None:
            played = playout(self._machine, state, self._rng, deadline, self._horizon)
            return None if played is None else played.goals[self._own]
        if deadline.is_over():
            return None
        # A compiled game takes microseconds, so the deadline is not checked during the game.
        seed = self._rng.getrandbits(62)
        found = self._playing.random_playouts(1, seed=seed, state=state, depth=self._horizon)
        return UNDECIDED if found.cut else float(found.goal_totals[self._own])


SHARES = ("equal", "ucb1")


@dataclass(frozen=True, slots=True)
class MonteCarloSettings:
    """Parameters of the sampling."""

    k: int = 0  # playouts for each legal move, on average; 0: as many as the clock allows
    share: str = "equal"
    """`equal`: every move gets k playouts. `ucb1`: UCB1 distributes the same total."""
    c: float = math.sqrt(2)  # weight of exploration in UCB1, for rewards from 0 to 1
    horizon: int = HORIZON  # maximum length of a playout in plies; a longer one counts as undecided


DEFAULTS = MonteCarloSettings()


class MonteCarloSearch:
    """A search that makes one playout with each `step`, and starts again after each move."""

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
        self.state = state  # the state at the root
        self._moves = self.machine.legal_moves(state, self.role)
        self.counts = [0] * len(self._moves)  # playouts of each legal move
        self.totals = [0.0] * len(self._moves)  # sums of the playouts' goals
        self._num_left = self.settings.k * len(self._moves) if self.settings.k else None

    @property
    def is_decided(self) -> bool:
        """Whether there is no choice. Otherwise no move is final, because samples prove nothing."""
        return len(self._moves) < 2

    @property
    def effort(self) -> Effort:
        """The work so far. The search holds one state."""
        return Effort(self._num_playouts, self._num_playouts, 1, 1)

    def step(self, deadline: Deadline) -> bool:
        """Play one random game after one of the moves.

        Return False if no playout is left to do, or the deadline comes first.
        """
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
        """Start again, because the samples say nothing about the next state."""
        self._begin(state)

    def result(self) -> SearchResult:
        """Return the moves, sorted by mean value, or by number of playouts if UCB1 is used."""
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
