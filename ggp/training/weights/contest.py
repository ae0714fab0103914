"""Two evaluations against each other: random openings, each played from both sides."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

import gdl
from ggp.cluster.tasks import SentGame, crew, done
from ggp.search.evaluation import Weights, named
from ggp.search.evaluation.evaluation import EVEN
from ggp.search.evaluation.naming import LINEAR
from ggp.training.weights.selfplay import SelfPlaySeat, play


@dataclass(frozen=True, slots=True)
class ContestScore:
    """Number of games that one side won, drew and lost."""

    won: int = 0
    drawn: int = 0
    lost: int = 0

    @property
    def games(self) -> int:
        """All of them."""
        return self.won + self.drawn + self.lost

    @property
    def rate(self) -> float:
        """The share of points, from 0 to 1: a draw is half a win."""
        return (self.won + self.drawn / 2) / max(1, self.games)

    def __str__(self) -> str:
        return f"{self.won} won, {self.drawn} drawn, {self.lost} lost"


@dataclass(frozen=True, slots=True)
class ContestConditions:
    """Conditions under which a contest is held."""

    games: int
    """Even numbers let both sides play each opening from each seat."""
    depth: int = 2
    """Plies that both look ahead."""
    opening_plies: int = 4
    """Random plies that each pair of games begins with."""
    seed: int = 1


class Contest:
    """A contest between two linear evaluations; sent elsewhere, it is what both are made of there.

    A game is won by a goal above 50 and drawn by 50. In games of one or of more than two roles
    the numbers compare nothing but what `own` achieves.
    """

    def __init__(
        self, game: SentGame, own: Weights, other: Weights | None, conditions: ContestConditions
    ) -> None:
        """A contest.

        Args:
            own: Whose score is counted, in one seat.
            other: Who takes all seats but that; None for the untrained.
            conditions: Those of the contest.
        """
        self.conditions = conditions
        self._parts = (game, own, other, conditions)
        self._machine = game.game
        self._own = named(game.game, LINEAR, own)
        self._other = named(game.game, LINEAR, other)
        roles = game.game.roles
        self._seats = [index for index, role in enumerate(roles) if not gdl.is_random(role)]

    def __reduce__(self) -> tuple[type[Contest], tuple[object, ...]]:
        return Contest, self._parts

    def goal(self, number: int) -> float:
        """The points of `own` in a game, which depends on nothing but its number."""
        seed, depth = self.conditions.seed, self.conditions.depth
        round_number, turn = divmod(number, len(self._seats))
        players = [SelfPlaySeat(self._other, depth) for _ in self._machine.roles]
        players[self._seats[turn]] = SelfPlaySeat(self._own, depth)
        game = play(
            self._machine,
            players,
            random.Random(f"{seed} {number}"),
            opening=random.Random(f"{seed} opening {round_number}"),
            opening_plies=self.conditions.opening_plies,
        )
        return game.goals[self._seats[turn]]

    def held(
        self,
        progress: Callable[[ContestScore], None] = lambda score: None,
        is_on_cluster: bool = False,
    ) -> ContestScore:
        """The score, when all games have been played.

        Args:
            progress: Called after each game with the score so far.
            is_on_cluster: Whether the cluster plays to which this process is connected.
        """
        counts = [0, 0, 0]
        with crew(Contest.goal, self, is_on_cluster=is_on_cluster) as workers:
            for _, goal in done(workers, range(self.conditions.games)):
                counts[0 if goal > EVEN else 1 if goal == EVEN else 2] += 1
                progress(ContestScore(*counts))
        return ContestScore(*counts)
