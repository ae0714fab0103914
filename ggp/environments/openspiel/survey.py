"""A survey of a game: all that can happen if it is small, else what random play has shown."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product

import gdl

MAX_TRANSITIONS = 2_000  # of a game that is looked at whole
MAX_PLAYOUTS, MAX_MOVES = 100, 1_000  # of random play, in all
GIVEN_UP = 1_000  # joint moves of one playout
SLOWER = 10  # an interpreted game; of it so many times less is looked at
LEAST_LENGTH = 1_000  # that a game may have which was not looked at whole
MARGIN = 10  # times the longest playout


@dataclass(frozen=True)
class Survey:
    """The facts about a game that a look at it has shown.

    Attributes:
        is_complete: Whether that is all there is.
        is_simultaneous: Whether several players had a choice in the same state.
        goals: What the players got, as often as was seen; each once.
        length: Joint moves that a game takes at most; an estimate unless the survey is complete.
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
    """Look at a game."""
    surveyor = _Surveyor(game)
    length = surveyor.look_at_all()
    is_complete = length is not None
    if length is None:
        length = max(LEAST_LENGTH, MARGIN * surveyor.play_at_random())
    return Survey(is_complete, surveyor.is_simultaneous, frozenset(surveyor.goals), length)


class _Surveyor:
    def __init__(self, game: gdl.Game) -> None:
        self._game = game
        self._effort = 1 if game.circuit is not None else 1 / SLOWER
        self._players = [role for role in game.roles if not gdl.is_random(role)]
        self.is_simultaneous = False
        self.goals: set[tuple[int, ...]] = set()

    def look_at_all(self) -> int | None:
        """Visit all states, as many moves from the first as can be; the longest game's moves.

        None if that takes too long.
        """
        states, length, made = {self._game.initial_state()}, 0, 0
        while True:
            following = set()
            for state in self._following(states):
                following.add(state)
                made += 1
                if made > MAX_TRANSITIONS * self._effort:
                    return None
            if not following:
                return length
            states, length = following, length + 1

    def play_at_random(self) -> int:
        """Play games at random; the moves of the longest that ended."""
        rng = random.Random(0)
        playouts, made, longest = 0, 0, 0
        while playouts < MAX_PLAYOUTS and made < MAX_MOVES * self._effort:
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
        """The moves of all roles; none if the game is over."""
        game = self._game
        if game.is_terminal(state):
            self.goals.add(tuple(game.goal(state, role) for role in self._players))
            return []
        legal = {role: game.legal_moves(state, role) for role in game.roles}
        if not all(legal.values()):
            return []
        self.is_simultaneous |= sum(len(legal[role]) > 1 for role in self._players) > 1
        return list(legal.values())
