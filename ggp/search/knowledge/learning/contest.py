"""Two evaluations against each other: random openings, each played from both sides."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

import gdl
from ggp.search.knowledge.evaluation.evaluation import EVEN, Evaluation
from ggp.search.knowledge.learning.selfplay import SelfPlaySeat, play


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


def contest(
    machine: gdl.StateMachine,
    own: Evaluation,
    other: Evaluation,
    conditions: ContestConditions,
    progress: Callable[[ContestScore], None] = lambda score: None,
) -> ContestScore:
    """The score of `own` against `other`, who takes all seats but one.

    A game is won by a goal above 50 and drawn by 50. In games of one or of more than two roles
    the numbers compare nothing but what `own` achieves.
    """
    seats = [index for index, role in enumerate(machine.roles) if not gdl.is_random(role)]
    counts = [0, 0, 0]
    for number in range(conditions.games):
        round_number, turn = divmod(number, len(seats))
        players = [SelfPlaySeat(other, conditions.depth) for _ in machine.roles]
        players[seats[turn]] = SelfPlaySeat(own, conditions.depth)
        game = play(
            machine,
            players,
            random.Random(f"{conditions.seed} {number}"),
            opening=random.Random(f"{conditions.seed} opening {round_number}"),
            opening_plies=conditions.opening_plies,
        )
        goal = game.goals[seats[turn]]
        counts[0 if goal > EVEN else 1 if goal == EVEN else 2] += 1
        progress(ContestScore(*counts))
    return ContestScore(*counts)
