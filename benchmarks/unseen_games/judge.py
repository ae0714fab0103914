"""The exact value of each move of a position, by alpha-beta to the end of the game.

Alpha-beta assumes that the opponent lowers our goal. That is the opponent's own aim only if one
role gets more exactly when the other gets less, and if only one role chooses at a time. Games that
do not look like that in `sample_games` are excluded.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations

import gdl
from ggp.clock import Deadline
from ggp.search.core.result import OutOfTime
from ggp.search.evaluation import EvenEvaluation
from ggp.search.fast.alphabeta.search import ArraySearch, make_search
from unseen_games.cpu_clock import CpuDeadline
from unseen_games.rulesheets import UnseenError, deciders

SAMPLE_GAMES = 100
SAMPLE_SECONDS = 4.0
MAX_PLIES = 600
NUM_ROLES = 2
NODES_PER_POSITION = 50_000_000
SECONDS_PER_POSITION = 2.5
"""Of processor time."""

Goals = tuple[int, ...]


def are_opposed(goals: Iterable[Goals]) -> bool:
    """Return whether one role gets more exactly if the other gets less.

    >>> are_opposed([(100, 0), (50, 50), (0, 100)]), are_opposed([(100, 0), (0, 0)])
    (True, False)
    """
    pairs = combinations(set(goals), 2)
    return all((one[0] - other[0]) * (one[1] - other[1]) < 0 for one, other in pairs)


def reason_to_exclude(game: gdl.Game) -> str:
    """Return why moves of a game cannot be judged exactly; empty if they can."""
    if len(game.roles) != NUM_ROLES or any(map(gdl.is_random, game.roles)):
        return "not for two players without chance"
    if game.rulesheet is not None and ("sees", 2) in game.rulesheet.definitions:
        return "hidden information"
    if game.simulator is None:
        return f"not compiled: {game.reason}"
    return _reason_in_samples(game)


def _reason_in_samples(game: gdl.Game) -> str:
    rng, deadline = random.Random(1), CpuDeadline(SAMPLE_SECONDS)
    goals = set()
    for _ in range(SAMPLE_GAMES):
        state = game.initial_state()
        for _ in range(MAX_PLIES):
            if game.is_terminal(state):
                goals.add(tuple(game.goal(state, role) for role in game.roles))
                break
            if len(deciders(game, state)) > 1:
                return "roles choose at the same time"
            joint = [rng.choice(game.legal_moves(state, role)) for role in game.roles]
            state = game.next_state(state, joint)
        if deadline.is_over():
            break
    if not goals:
        return f"no random game ends within {MAX_PLIES} plies"
    if not are_opposed(goals):
        return f"the roles' goals are not opposed: {sorted(goals)[:4]}"
    return "" if len(goals) > 1 else "all games end alike"


@dataclass
class Judge:
    """The exact values of moves in one game.

    Attributes:
        nodes: States that may be visited for one position.
        seconds: Processor time that one position may take.
    """

    game: gdl.Game
    nodes: int = NODES_PER_POSITION
    seconds: float = SECONDS_PER_POSITION
    _searches: dict[int, ArraySearch] = field(default_factory=dict)

    def worths(self, state: gdl.State, role: int) -> dict[str, int] | None:
        """Return the goal that each move of `role` brings if both roles play perfectly.

        Return None if the position is too large.
        """
        game, search = self.game, self._search_for(role)
        deadline, last = CpuDeadline(self.seconds), search.nodes + self.nodes
        found = {}
        for move in game.legal_moves(state, game.roles[role]):
            following = game.next_state(state, self._joint(state, role, move))
            value = self._value(following, search, deadline, last)
            if value is None:
                return None
            found[str(move)] = value
        return found

    def is_won_at_once(self, state: gdl.State, role: int, best: int) -> bool:
        """Return whether a move ends the game at once, and with the goal `best`."""
        game, own = self.game, self.game.roles[role]
        ends = (
            game.next_state(state, self._joint(state, role, move))
            for move in game.legal_moves(state, own)
        )
        return any(game.is_terminal(end) and game.goal(end, own) == best for end in ends)

    def _search_for(self, role: int) -> ArraySearch:
        if role not in self._searches:
            search = make_search(self.game, self.game.roles[role], EvenEvaluation(self.game))
            if search is None:
                raise UnseenError("expected a game that alpha-beta can search in arrays")
            # To load the kernels is no part of the time for a position.
            search.look(self.game.initial_state(), depth=1, deadline=Deadline.never())
            self._searches[role] = search
        return self._searches[role]

    def _joint(self, state: gdl.State, role: int, move: gdl.Move) -> Sequence[gdl.Move]:
        joint = [self.game.legal_moves(state, other)[0] for other in self.game.roles]
        joint[role] = move
        return joint

    def _value(
        self, state: gdl.State, search: ArraySearch, deadline: CpuDeadline, last: int
    ) -> int | None:
        if self.game.is_terminal(state):
            return self.game.goal(state, self.game.roles[search.own])
        if search.nodes >= last:
            return None
        try:
            left = last - search.nodes
            found = search.look(state, depth=None, deadline=deadline, most_nodes=left)
        except OutOfTime:
            return None
        return round(found.value) if found.is_complete else None
