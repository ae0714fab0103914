"""Utilities of goals, from a survey: all states of a small game, else random play."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import gdl

MAX_TRANSITIONS = 2_000  # of a game that is looked at whole
MAX_PLAYOUTS, MAX_MOVES = 100, 1_000  # of random play, in all
GIVEN_UP = 1_000  # joint moves of one playout
SLOWER = 10  # an interpreted game; of it so many times less is looked at
LEAST_LENGTH = 1_000  # that a game may have which was not looked at whole
MARGIN = 10  # times the longest playout

Utility = tuple[float, float] | Callable[[int], float]
"""The utilities of goals 0 and 100, with those of others between them; or that of each goal."""

_NEAR = 1e-9


@dataclass(frozen=True)
class Survey:
    """Facts about a game from some of its states.

    Attributes:
        is_simultaneous: Whether several players had a choice in the same state.
        goals: The different goals that the players got.
        length: The most joint moves of a game; an estimate unless the survey is complete.
    """

    is_complete: bool
    is_simultaneous: bool
    goals: frozenset[tuple[int, ...]]
    length: int

    @property
    def total(self) -> int | None:
        """The sum of the players' goals, if it was always the same."""
        totals = {sum(goals) for goals in self.goals}
        return totals.pop() if len(totals) == 1 else None

    @property
    def is_conclusive(self) -> bool:
        """Whether the goals that were seen say something about those that were not.

        Those of random play do if they differ, or if two players share out the 100 points.
        """
        is_usual = self.total == 100 and all(len(goals) == 2 for goals in self.goals)
        return self.is_complete or len(self.goals) > 1 or is_usual


def survey(game: gdl.Game) -> Survey:
    """The survey of a game."""
    surveyor = _Surveyor(game)
    length = surveyor.look_at_all()
    is_complete = length is not None
    if length is None:
        length = max(LEAST_LENGTH, MARGIN * surveyor.play_at_random())
    return Survey(is_complete, surveyor.is_simultaneous, frozenset(surveyor.goals), length)


class _Surveyor:
    def __init__(self, game: gdl.Game) -> None:
        self._game = game
        self._share = 1 if game.circuit is not None else 1 / SLOWER
        self._players = [role for role in game.roles if not gdl.is_random(role)]
        self.is_simultaneous = False
        self.goals: set[tuple[int, ...]] = set()

    def look_at_all(self) -> int | None:
        """Visit all states; the moves of the longest game, or None if that takes too long."""
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
        """Play games at random; the moves of the longest that ended."""
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
    """Utilities of the players' goals.

    Attributes:
        total: The sum of the players' utilities, if it is always the same; else None.
    """

    def __init__(
        self,
        seen: Survey,
        num_players: int,
        goals: Sequence[int],
        utility: Utility | None = None,
        zero_sum: bool | None = None,
    ) -> None:
        """Utilities of all `goals` that a player may get.

        Args:
            utility: Of each goal. None: between two players whose goals always have the same sum,
                the difference of both, -1 to 1; else a hundredth, 0 to 1.
            zero_sum: Whether the sum of the utilities is always the same; None: as was seen.
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
        """The utilities of the players' goals; ValueError if their sum is not that of others."""
        utilities = list(map(self._of, goals))
        if self.total is not None and abs(sum(utilities) - self.total) > _NEAR:
            raise ValueError(
                f"goals {', '.join(map(str, goals))}: their sum is not what it was in random play; "
                "load the game with zero_sum=False"
            )
        return utilities

    def undecided(self) -> list[float]:
        """The utilities of a game that has not come to its end."""
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
