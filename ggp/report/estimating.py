"""What the positions of a match are worth by Monte Carlo tree search, from the last one backwards.

One tree knows all positions: what was found of a later one counts in those before it. Where the
game is not compiled, or one role is alone, each position has a search of its own.
"""

from __future__ import annotations

from collections.abc import Callable

import gdl
from ggp.clock import Deadline
from ggp.players.mcts import MctsPlayer
from ggp.search.core import Search, SearchResult, repeat
from ggp.search.fast.tree.search import LaneSearch


class Estimator:
    """Searches positions of one game, one after the other."""

    def __init__(self, game: gdl.Game, seed: int) -> None:
        self._game = game
        self._seed = seed
        self._tree: LaneSearch | None = None

    def prepare(self, state: gdl.State, roles: tuple[gdl.Role, ...]) -> None:
        """Make the tree, if the game has one for all positions; that can take a second."""
        if not self._game.is_terminal(state):
            search = self._new_search(state, roles[0])
            self._tree = search if isinstance(search, LaneSearch) else None

    def look(
        self,
        state: gdl.State,
        roles: tuple[gdl.Role, ...],
        deadline: Deadline,
        is_needed: Callable[[], bool],
    ) -> dict[gdl.Role, SearchResult]:
        """What a search finds for each of these roles in a state that is not terminal.

        Args:
            state: Where to search.
            roles: For whom.
            deadline: When to stop.
            is_needed: Whether more of it is of use; asked between two steps.
        """
        if self._tree is not None:
            self._tree.go_to(state)
            tree = self._tree
            repeat(lambda deadline: is_needed() and tree.step(deadline), deadline)
            return {role: self._tree.result_of(role) for role in roles}
        found = {}
        share = deadline.remaining() / len(roles)
        for role in roles:
            search = self._new_search(state, role)
            repeat(search.step, Deadline.after(share))
            found[role] = search.result()
        return found

    def _new_search(self, state: gdl.State, role: gdl.Role) -> Search:
        return MctsPlayer(self._game, role, {"threads": "1"}, self._seed).new_search(state)
