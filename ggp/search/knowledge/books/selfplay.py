"""Self-play: games by which a book learns what states are worth a page.

In the first plies every state gets a long search, and what it preferred is kept; the game goes on
with one of the moves that are nearly as good as the best, so that the next game sees others. After
that the players think briefly: their games only have to reach ends that sensible players reach.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING

import gdl
from ggp.clock import Deadline
from ggp.search.choices import Joint, TurnUnknownError, choices_in
from ggp.search.knowledge.books.exploring import Progress
from ggp.search.knowledge.books.opening import Tried, kept
from ggp.search.knowledge.books.worlds import Place
from ggp.search.result import SearchResult
from ggp.search.search import repeat
from ggp.search.textbook.mcts.search import MctsSearch

if TYPE_CHECKING:
    from ggp.search.arrays.tree.search import LaneSearch

LONGEST = 1000  # plies of a game
MEMORY = 256 << 20  # bytes of a long search


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
    """Rounds of the searches instead of a time, for plays that are the same each time."""
    margin: float = 10.0
    """Moves that are worth so much less than the best are still played, points of 100."""
    seed: int = 0


class SelfPlay:
    """Plays games, one after the other.

    Attributes:
        entries: What was preferred in states of the first plies, by the role's index.
        trails: The states of each game that are not terminal, in order.
    """

    def __init__(self, game: gdl.Game, settings: SelfPlaySettings) -> None:
        self.entries: dict[gdl.State, dict[int, tuple[Tried, ...]]] = {}
        self.trails: list[list[Place]] = []
        self._game, self._settings = game, settings
        self._rng = random.Random(settings.seed)

    def play(self, games: int, deadline: Deadline, progress: Progress) -> None:
        """Play so many games, or as many as there is time for."""
        for number in range(games):
            if deadline.is_over():
                return
            self._play_one(deadline)
            progress(f"game {number + 1}, {len(self.entries):,} opening states")

    def _play_one(self, deadline: Deadline) -> None:
        game, state = self._game, self._game.initial_state()
        trail: list[Place] = []
        while not game.is_terminal(state) and len(trail) < LONGEST:
            if deadline.is_over() or not choices_in(game, state):
                return
            trail.append((state, len(trail)))
            state = game.next_state(state, self._joint(state, len(trail) - 1, deadline))
        if game.is_terminal(state):
            self.trails.append(trail)

    def _joint(self, state: gdl.State, ply: int, deadline: Deadline) -> Joint:
        game = self._game
        moves = []
        for index, role in enumerate(game.roles):
            legal = game.legal_moves(state, role)
            if len(legal) == 1 or gdl.is_random(role):
                moves.append(self._rng.choice(legal))
            elif ply < self._settings.plies:
                moves.append(self._opening_move(state, index, deadline))
            else:
                seconds = self._settings.seconds_after
                moves.append(self._search_briefly(state, role, deadline, seconds).move)
        return tuple(moves)

    def _opening_move(self, state: gdl.State, index: int, deadline: Deadline) -> gdl.Move:
        role = self._game.roles[index]
        entry = self.entries.setdefault(state, {})
        if index not in entry:
            entry[index] = kept(self._search(state, role, deadline))
        tried = entry[index]
        good = [each for each in tried if each.value >= tried[0].value - self._settings.margin]
        chosen = self._rng.choice(good)
        legal = self._game.legal_moves(state, role)
        return next(move for move in legal if str(move) == chosen.move)

    def _search(self, state: gdl.State, role: gdl.Role, deadline: Deadline) -> SearchResult:
        """Search a state by Monte Carlo tree search, on lanes where that is possible."""
        lanes = self._lanes(state, role) if self._settings.rounds is None else None
        if lanes is None:
            return self._search_briefly(state, role, deadline, self._settings.seconds)
        repeat(lanes.step, _sooner(self._settings.seconds, deadline))
        return lanes.result()

    def _lanes(self, state: gdl.State, role: gdl.Role) -> LaneSearch | None:
        # Here, so that whoever only looks into a book does not wait for numba.
        from ggp.search.arrays.tree.search import LaneSearch, can_search
        from ggp.search.arrays.tree.settings import LaneSettings

        if not can_search(self._game):
            return None
        seed, settings = self._rng.randrange(1 << 31), LaneSettings(memory=MEMORY)
        try:
            return LaneSearch(self._game, state, role, seed, settings)
        except TurnUnknownError:
            return None

    def _search_briefly(
        self, state: gdl.State, role: gdl.Role, deadline: Deadline, seconds: float
    ) -> SearchResult:
        """Search a state by the tree in Python, which is there at once."""
        tree = MctsSearch(self._game, state, role, self._rng)
        rounds = self._settings.rounds
        repeat(tree.step, deadline if rounds else _sooner(seconds, deadline), rounds)
        return tree.result()


def _sooner(seconds: float, deadline: Deadline) -> Deadline:
    return Deadline.after(min(seconds, deadline.remaining()))
