"""Duels: short matches between searches, for example with different networks or variants.

Both sides have the same time per move, and search only in their own turns. The matches come in
rounds. All matches of a round begin with the same random opening, and in each match the tested side
takes another seat. So in the points of a round, the advantage of a seat cancels out.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import gdl
from ggp.clock import Deadline
from ggp.search.core import Search, repeat
from ggp.search.evaluation import Evaluation
from ggp.search.evaluation.network.network import NetworkValues, ValueNetwork
from ggp.search.fast.alphabeta.search import make_search
from ggp.search.fast.alphabeta.transpositions import BYTES_PER_ENTRY
from ggp.search.fast.lanes import DEFAULTS, NETWORK_C, LaneSettings
from ggp.search.fast.lanes import PLAIN as LANES_PLAIN
from ggp.search.fast.tree.search import LaneSearch
from ggp.search.textbook.adversarial.depth_searches import ArrayToDepth
from ggp.search.textbook.deepening import DeepeningSearch

MEMORY = 256 << 20  # bytes of a tree
MAX_PLIES = 600  # a longer match counts as a draw
SEED_RANGE = 1 << 31
EVEN = 0.5


class Side(Protocol):
    """One side of a duel."""

    def search(self, game: gdl.Game, state: gdl.State, role: gdl.Role, seed: int) -> Search:
        """Return a new search."""


@dataclass(frozen=True, slots=True)
class Searcher:
    """A side with a search on lanes, and its settings."""

    network: ValueNetwork | None = None  # None for random playouts
    share: float = 1.0  # the network's share of a leaf's value
    variant: str = LANES_PLAIN  # variant of the playouts, without a network
    memory: int = MEMORY  # bytes of a tree

    def search(self, game: gdl.Game, state: gdl.State, role: gdl.Role, seed: int) -> LaneSearch:
        """Return a search with an empty tree."""
        if self.network is None:
            settings = LaneSettings(c=DEFAULTS.c, memory=self.memory, variant=self.variant)
            return LaneSearch(game, state, role, seed, settings)
        settings = LaneSettings(c=NETWORK_C, memory=self.memory, child_values=True)
        values = NetworkValues(self.network, game, self.share)
        return LaneSearch(game, state, role, seed, settings, values)


PLAIN = Searcher()


@dataclass(frozen=True, slots=True)
class DeepeningSearcher:
    """A side with alpha-beta in arrays."""

    evaluation: Evaluation
    memory: int = MEMORY  # bytes of the table

    def search(self, game: gdl.Game, state: gdl.State, role: gdl.Role, seed: int) -> Search:
        """Return a search with an empty table. The game must have arrays for the evaluation."""
        look = make_search(game, role, self.evaluation, self.memory // BYTES_PER_ENTRY)
        assert look is not None
        return DeepeningSearch(game, state, role, ArrayToDepth(look))


@dataclass(frozen=True, slots=True)
class DuelTerms:
    """The settings of a duel."""

    seconds: float = 0.2  # per move, for both sides
    opening_plies: int = 4  # random plies at the start, the same in all matches of a round
    seed: int = 1
    is_over: Callable[[], bool] = bool  # returns whether to abort; by default never


class BrokenOffError(Exception):
    """The time for all matches ran out during a match."""


def play_round(
    game: gdl.Game,
    own: Side,
    other: Side,
    terms: DuelTerms,
    number: int,
) -> float:
    """Play a round, and return the mean points of `own`, from 0 to 1.

    In each match, `own` takes another seat, and `other` takes the remaining ones.

    Args:
        game: A compiled game in which one role moves at a time.
        number: Number of the round. Each round has an opening of its own.

    Raises:
        BrokenOffError: `terms.is_over` has returned True.
    """
    seats = range(len(game.roles))
    points = (_points(game, (own, other), terms, (number, seat)) for seat in seats)
    return sum(points) / len(seats)


def _points(
    game: gdl.Game,
    sides: tuple[Side, Side],
    terms: DuelTerms,
    match: tuple[int, int],
) -> float:
    (own, other), (number, seat) = sides, match
    opening = random.Random(f"{terms.seed} opening {number}")
    rng = random.Random(f"{terms.seed} {number} {seat}")
    state = game.initial_state()
    searches: list[Search | None] = [None] * len(game.roles)
    for ply in range(MAX_PLIES):
        if game.is_terminal(state):
            break
        joint = []
        for index, role in enumerate(game.roles):
            moves = game.legal_moves(state, role)
            if not moves:
                return EVEN
            if ply < terms.opening_plies or len(moves) == 1:
                joint.append(opening.choice(moves) if len(moves) > 1 else moves[0])
                continue
            search = searches[index]
            if search is None:
                side = own if index == seat else other
                search = side.search(game, state, role, rng.randrange(SEED_RANGE))
                searches[index] = search
            if terms.is_over():
                raise BrokenOffError
            joint.append(_move(search, terms.seconds))
        state = game.next_state(state, joint)
        for search in searches:
            if search is not None:
                search.advance(tuple(joint), state)
    else:
        return EVEN
    goals = [game.goal(state, role) or 0 for role in game.roles]
    others = [goal for index, goal in enumerate(goals) if index != seat]
    mine = goals[seat]
    return sum(1.0 if mine > goal else EVEN if mine == goal else 0.0 for goal in others) / len(
        others
    )


def _move(search: Search, seconds: float) -> gdl.Move:
    repeat(
        lambda deadline: not search.is_decided and search.step(deadline), Deadline.after(seconds)
    )
    return search.result().move
