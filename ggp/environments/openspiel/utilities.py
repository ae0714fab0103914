"""The utilities that OpenSpiel gives to goals, and a survey of the game to choose them by."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import gdl

MAX_TRANSITIONS = 2_000  # maximum number of joint moves in a visit of all states
MAX_PLAYOUTS, MAX_MOVES = 100, 1_000  # number of playouts, and of joint moves in all of them
GIVEN_UP = 1_000  # joint moves after which a playout is abandoned
SLOWER = 10  # the survey of an interpreted game visits this many times fewer states
MIN_LENGTH = 1_000  # minimum length to assume for a game that was not visited completely
MARGIN = 10  # such a game is assumed to be this many times longer than the longest playout

Utility = tuple[float, float] | Callable[[int], float]
"""The utilities of goals 0 and 100, between which others are interpolated, or a function of the
goal."""

_NEAR = 1e-9


@dataclass(frozen=True)
class Survey:
    """Facts about a game, collected from some or all of its states.

    Attributes:
        is_complete: Whether all states were visited.
        is_simultaneous: Whether several players had a choice in the same state.
        goals: The goals of all players at the end of games, without duplicates.
        length: Maximum number of joint moves in a game. An estimate unless the survey is complete.
    """

    is_complete: bool
    is_simultaneous: bool
    goals: frozenset[tuple[int, ...]]
    length: int

    @property
    def total(self) -> int | None:
        """The sum of the players' goals, or None if it varies."""
        totals = {sum(goals) for goals in self.goals}
        return totals.pop() if len(totals) == 1 else None

    @property
    def is_conclusive(self) -> bool:
        """Whether other games probably end with goals like those in the survey.

        If random play found only one result, this is true only for two players whose goals add up
        to 100.
        """
        is_usual = self.total == 100 and all(len(goals) == 2 for goals in self.goals)
        return self.is_complete or len(self.goals) > 1 or is_usual


def survey(game: gdl.Game) -> Survey:
    """Visit all states of a game, or play at random if there are too many states."""
    surveyor = _Surveyor(game)
    length = surveyor.look_at_all()
    is_complete = length is not None
    if length is None:
        length = max(MIN_LENGTH, MARGIN * surveyor.play_at_random())
    return Survey(is_complete, surveyor.is_simultaneous, frozenset(surveyor.goals), length)


class _Surveyor:
    def __init__(self, game: gdl.Game) -> None:
        self._game = game
        self._share = 1 if game.circuit is not None else 1 / SLOWER
        self._players = [role for role in game.roles if not gdl.is_random(role)]
        self.is_simultaneous = False
        self.goals: set[tuple[int, ...]] = set()

    def look_at_all(self) -> int | None:
        """Visit all states.

        Return the length of the longest game, or None if there are too many states.
        """
        states, length, made = {self._game.initial_state()}, 0, 0
        while True:
            following = set()
            for state in self._following(states):
                following.add(state)
                made += 1
                if made > MAX_TRANSITIONS * self._share:
                    return None
            if not following:
                return length
            states, length = following, length + 1

    def play_at_random(self) -> int:
        """Play games at random. Return the length of the longest game that ended."""
        rng = random.Random(0)
        playouts, made, longest = 0, 0, 0
        while playouts < MAX_PLAYOUTS and made < MAX_MOVES * self._share:
            state, length = self._game.initial_state(), 0
            while length < GIVEN_UP and (legal := self._legal(state)):
                state = self._game.next_state(state, [rng.choice(moves) for moves in legal])
                length += 1
            if length < GIVEN_UP:
                longest = max(longest, length)
            playouts, made = playouts + 1, made + length
        return longest

    def _following(self, states: Iterable[gdl.State]) -> Iterator[gdl.State]:
        for state in states:
            legal = self._legal(state)
            for moves in product(*legal) if legal else ():
                yield self._game.next_state(state, moves)

    def _legal(self, state: gdl.State) -> list[tuple[gdl.Move, ...]]:
        game = self._game
        if game.is_terminal(state):
            self.goals.add(tuple(game.goal(state, role) for role in self._players))
            return []
        legal = {role: game.legal_moves(state, role) for role in game.roles}
        if not all(legal.values()):
            return []
        self.is_simultaneous |= sum(len(legal[role]) > 1 for role in self._players) > 1
        return list(legal.values())


class Utilities:
    """A function from goals to utilities, for all players.

    Attributes:
        total: The sum of the players' utilities, or None if it varies.
    """

    def __init__(
        self,
        seen: Survey,
        num_players: int,
        goals: Sequence[int],
        utility: Utility | None = None,
        zero_sum: bool | None = None,
    ) -> None:
        """Create the utilities of all `goals` that a player may get.

        Args:
            seen: The survey of the game.
            utility: The utilities of goals. None means a hundredth of the goal, from 0 to 1. But in
                a fixed-sum game of two players, None means a hundredth of the difference between
                the player's goal and the other's, from -1 to 1.
            zero_sum: Whether the sum of the utilities is always the same. None lets the survey
                decide.
        """
        as_seen = num_players > 1 and seen.is_conclusive
        is_fixed = as_seen if zero_sum is None else zero_sum
        self._num_players = num_players
        self._of = _function(utility, seen.total if is_fixed and num_players == 2 else None)
        totals = [sum(map(self._of, goals)) for goals in seen.goals]
        is_same = bool(totals) and max(totals) - min(totals) < _NEAR
        if zero_sum and not is_same:
            raise ValueError("zero_sum: the players' utilities do not always have the same sum")
        self.total = totals[0] if is_fixed and is_same else None
        if self.total is not None and abs(self.total) < _NEAR:
            self.total = 0.0
        values = [*map(self._of, {0, *goals}), self.undecided()[0]]
        self.lowest = min(values)
        self.highest = max(values) if max(values) > self.lowest else self.lowest + 1

    def of(self, goals: Sequence[int]) -> list[float]:
        """Return the utility of each goal. Raise ValueError if their sum is not `total`."""
        utilities = list(map(self._of, goals))
        if self.total is not None and abs(sum(utilities) - self.total) > _NEAR:
            raise ValueError(
                f"the goals {', '.join(map(str, goals))} have another sum than those in "
                "random play; load the game with zero_sum=False"
            )
        return utilities

    def undecided(self) -> list[float]:
        """Return the utilities of a game that ended undecided, see `SpielPosition.is_undecided`."""
        each = self._of(0) if self.total is None else self.total / self._num_players
        return [each] * self._num_players


def _function(utility: Utility | None, total: int | None) -> Callable[[int], float]:
    if callable(utility):
        return utility
    if utility is not None:
        low, high = utility
        return lambda goal: (low * (100 - goal) + high * goal) / 100
    if total is not None:
        return lambda goal: (2 * goal - total) / 100
    return lambda goal: goal / 100
