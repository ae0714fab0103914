"""Games and contests between evaluations, each looking a few plies ahead with alpha-beta.

A contest has random openings. In each opening, the sides exchange their seats.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import gdl
from ggp.clock import Deadline
from ggp.cluster.tasks import SentGame, crew, done
from ggp.search.core.choices import choices_in, goals_in, random_index, require_moves
from ggp.search.core.playout import HORIZON
from ggp.search.evaluation import Weights, named
from ggp.search.evaluation.evaluation import EVEN, Evaluation
from ggp.search.evaluation.naming import LINEAR
from ggp.search.textbook.adversarial import alphabeta, minimax

Backed = tuple[float | None, ...]


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game that was played: its `T` states in order, without the final one, and their values."""

    states: tuple[gdl.State, ...]
    backed: tuple[Backed, ...]
    """For each state and role, the value that the role's search found, 0..100, or None if it did
    not search."""
    goals: tuple[float, ...]  # the goal of each role at the end, 0..100


@dataclass(frozen=True, slots=True)
class SelfPlaySeat:
    """A role's player: its evaluation, its search depth, and its share of random moves."""

    evaluate: Evaluation
    depth: int
    exploration: float = 0.0

    def choose(
        self, machine: gdl.StateMachine, state: gdl.State, role: gdl.Role, rng: random.Random
    ) -> tuple[gdl.Move, float | None]:
        """Choose a move. Return the move and its value, which is None if the move was random.

        Ties are broken at random.
        """
        moves = machine.legal_moves(state, role)
        if rng.random() < self.exploration:
            return rng.choice(moves), None
        # If there are several opponents, each follows its own goal. Alpha-beta would assume that
        # all play against us.
        search = minimax.search if len(machine.roles) > 2 else alphabeta.search
        found = search(
            machine,
            state,
            role,
            depth=self.depth,
            evaluate=self.evaluate,
            deadline=Deadline.never(),
            first=rng.choice(moves),
        )
        return found.result.move, found.value


def play(
    machine: gdl.StateMachine,
    seats: Sequence[SelfPlaySeat],
    rng: random.Random,
    opening: random.Random | None = None,
    opening_plies: int = 0,
) -> PlayedGame:
    """Play one game. A game of more than `HORIZON` plies counts as undecided.

    Args:
        seats: The player of each role. The player of `random` is not used.
        rng: Makes all random choices, except those of the opening.
        opening: Makes the moves of the opening. None means `rng`.
        opening_plies: Number of plies of the opening, in which all roles move at random.

    Raises:
        StuckError: The rules leave a role without a move.
    """
    state = machine.initial_state()
    states: list[gdl.State] = []
    backed: list[Backed] = []
    chance = random_index(machine)
    while not machine.is_terminal(state):
        choices = choices_in(machine, state)
        if not choices:
            require_moves(machine, state, f"on turn {len(states) + 1}")
        if len(states) == HORIZON:
            return PlayedGame(tuple(states), tuple(backed), (EVEN,) * len(machine.roles))
        states.append(state)
        joint: list[gdl.Move] = []
        values: list[float | None] = []
        for index, (role, moves) in enumerate(zip(machine.roles, choices, strict=True)):
            move: gdl.Move
            value: float | None = None
            if len(states) <= opening_plies:
                move = (opening or rng).choice(moves)
            elif len(moves) == 1 or index == chance:
                move = rng.choice(moves)
            else:
                move, value = seats[index].choose(machine, state, role, rng)
            joint.append(move)
            values.append(value)
        backed.append(tuple(values))
        state = machine.next_state(state, joint)
    return PlayedGame(tuple(states), tuple(backed), goals_in(machine, state))


def random_game(machine: gdl.StateMachine, rng: random.Random) -> PlayedGame:
    """Play a game in which all roles move at random."""
    return play(machine, (), rng, opening_plies=HORIZON)


@dataclass(frozen=True, slots=True)
class ContestScore:
    """The numbers of games that one side won, drew and lost."""

    won: int = 0
    drawn: int = 0
    lost: int = 0

    @property
    def games(self) -> int:
        """Total number of games."""
        return self.won + self.drawn + self.lost

    @property
    def rate(self) -> float:
        """Share of points, from 0 to 1. A draw is half a win."""
        return (self.won + self.drawn / 2) / max(1, self.games)

    def __str__(self) -> str:
        return f"{self.won} won, {self.drawn} drawn, {self.lost} lost"


@dataclass(frozen=True, slots=True)
class ContestConditions:
    """The conditions of a contest."""

    games: int  # a multiple of the number of players, so that each opening is played from each seat
    depth: int = 2  # plies that both sides look ahead
    opening_plies: int = 4  # random plies at the start of each game
    seed: int = 1


class Contest:
    """A contest between two linear evaluations. It can be sent to another process as a pickle.

    A goal above 50 is a win, and 50 is a draw. In games with one role or more than two roles, a win
    of `own` does not mean that `other` lost.
    """

    def __init__(
        self, game: SentGame, own: Weights, other: Weights | None, conditions: ContestConditions
    ) -> None:
        """Create a contest.

        Args:
            own: The side whose score is counted. It takes one seat.
            other: The side that takes all other seats. None means the untrained evaluation.
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
        """Play game `number`, and return the goal of `own`. The same number gives the same game."""
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
        """Play all games, and return the score.

        Args:
            progress: Called after each game with the score so far.
            is_on_cluster: Whether to play on the cluster that this process is connected to.
        """
        counts = [0, 0, 0]
        with crew(Contest.goal, self, is_on_cluster=is_on_cluster) as workers:
            for _, goal in done(workers, range(self.conditions.games)):
                counts[0 if goal > EVEN else 1 if goal == EVEN else 2] += 1
                progress(ContestScore(*counts))
        return ContestScore(*counts)
