"""Thinking in self-play: the long search for an entry, and the brief ones after the opening."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

import gdl
from ggp.clock import Deadline
from ggp.search.choices import TurnUnknownError, choices_in
from ggp.search.knowledge.books.opening import Tried, kept
from ggp.search.knowledge.books.worlds import Place
from ggp.search.search import repeat
from ggp.search.textbook.mcts.search import MctsSearch

if TYPE_CHECKING:
    from ggp.search.arrays.tree.search import LaneSearch

LONGEST = 1000  # plies of a game
MEMORY = 256 << 20  # bytes of a long search
FEWEST_ROUNDS = 10  # of a brief one, unless a long one has fewer


@dataclass(frozen=True, slots=True)
class SelfPlaySettings:
    """Parameters of self-play."""

    plies: int = 6
    """States after fewer plies get an entry in the opening book."""
    seconds: float = 1.0
    """Of the search for an entry."""
    seconds_after: float = 0.02
    """Of the search for a move after that."""
    rounds: int | None = None
    """Rounds of the search for an entry instead of a time, and of those after it in proportion:
    for plays that are the same each time."""
    margin: float = 10.0
    """Moves that are worth so much less than the best are still played, points of 100."""
    seed: int = 0

    @property
    def rounds_after(self) -> int | None:
        """Rounds of the search for a move after the opening."""
        if self.rounds is None:
            return None
        proportional = round(self.rounds * self.seconds_after / self.seconds)
        return min(self.rounds, max(FEWEST_ROUNDS, proportional))


def search(
    game: gdl.Game,
    settings: SelfPlaySettings,
    place: tuple[gdl.State, int],
    rng: random.Random,
    deadline: Deadline,
) -> tuple[Tried, ...]:
    """The moves of an entry, by Monte Carlo tree search, on lanes where that is possible.

    Args:
        game: The game.
        settings: How long to search.
        place: The state, and the index of the role that is to move.
        rng: Decides what is left to chance.
        deadline: When to stop.
    """
    state, role = place[0], game.roles[place[1]]
    lanes = _lanes(game, state, role, rng) if settings.rounds is None else None
    if lanes is not None:
        repeat(lanes.step, _sooner(settings.seconds, deadline))
        return kept(lanes.result())
    tree = MctsSearch(game, state, role, rng)
    until = deadline if settings.rounds else _sooner(settings.seconds, deadline)
    repeat(tree.step, until, settings.rounds)
    return kept(tree.result())


def play_on(
    game: gdl.Game,
    settings: SelfPlaySettings,
    place: Place,
    rng: random.Random,
    deadline: Deadline,
) -> NDArray[np.int32] | None:
    """`[T, R]` the indices of the moves by which a game goes on to its end; None if it does not."""
    state, ply = place
    joints: list[list[int]] = []
    while not game.is_terminal(state):
        choices = choices_in(game, state)
        if ply == LONGEST or deadline.is_over() or not choices:
            return None
        joints.append([])
        for role, legal in zip(game.roles, choices, strict=True):
            if len(legal) == 1 or gdl.is_random(role):
                joints[-1].append(rng.randrange(len(legal)))
                continue
            tree = MctsSearch(game, state, role, rng)
            until = deadline if settings.rounds else _sooner(settings.seconds_after, deadline)
            repeat(tree.step, until, settings.rounds_after)
            joints[-1].append(legal.index(tree.result().move))
        moves = [legal[index] for legal, index in zip(choices, joints[-1], strict=True)]
        state, ply = game.next_state(state, moves), ply + 1
    return np.array(joints, np.int32).reshape(-1, len(game.roles))


def _lanes(
    game: gdl.Game, state: gdl.State, role: gdl.Role, rng: random.Random
) -> LaneSearch | None:
    # Here, so that whoever only looks into a book does not wait for numba.
    from ggp.search.arrays.tree.search import LaneSearch, can_search
    from ggp.search.arrays.tree.settings import LaneSettings

    if not can_search(game):
        return None
    seed, settings = rng.randrange(1 << 31), LaneSettings(memory=MEMORY)
    try:
        return LaneSearch(game, state, role, seed, settings)
    except TurnUnknownError:
        return None


def _sooner(seconds: float, deadline: Deadline) -> Deadline:
    return Deadline.after(min(seconds, deadline.remaining()))
