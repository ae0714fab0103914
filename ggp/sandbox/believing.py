"""The belief of a role, followed through a match by what the role did and saw."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import gdl
from ggp.belief import Belief
from ggp.clock import Deadline
from ggp.errors import GgpError

SECONDS_OF_MATCH: Final = 15.0
"""For all turns that are new,"""
SECONDS_OF_TURN: Final = 2.0
"""and for each of them at most."""
DIGITS: Final = 4

SeenTurn = tuple[str, Sequence[str]]
"""The own move of a turn, and what was seen of it."""


class FollowedBelief:
    """The belief of one role; what it is asked about next nearly always goes on from there.

    The same turns are believed to have led to the same, whatever else is true.
    """

    def __init__(self, game: gdl.Game, role: str) -> None:
        """The belief of a role of a game.

        Raises:
            GgpError: It has no such role.
        """
        found = [one for one in game.roles if one.name == role]
        if not found:
            raise GgpError(f"expected a role of the game, got {role:.40}")
        self._game, self._role = game, found[0]
        self._belief = self._first()
        self._turns: list[tuple[str, tuple[str, ...]]] = []
        self._is_over = False

    def after(self, turns: Sequence[SeenTurn], *, is_over: bool) -> dict[str, Any]:
        """The belief after turns: how likely each fact is, and how many worlds there are.

        Args:
            turns: What the role did and saw, from the first turn on.
            is_over: Whether the game has ended then.
        """
        wanted = [(move, tuple(percepts)) for move, percepts in turns]
        if is_over or self._is_over or wanted[: len(self._turns)] != self._turns:
            self._belief, self._turns = self._first(), []
        left = wanted[len(self._turns) :]
        deadline = Deadline.after(SECONDS_OF_MATCH)
        for number, (move, percepts) in enumerate(left, start=1):
            ends = is_over and number == len(left)
            share = deadline.remaining() / (len(left) - number + 1)
            seen = frozenset(map(gdl.read_term, percepts))
            end = Deadline.after(min(share, SECONDS_OF_TURN))
            self._belief.advance(gdl.read_term(move), seen, end, is_over=ends)
        self._turns, self._is_over = wanted, is_over
        belief = self._belief
        likely = {str(fact): share for fact, share in belief.probabilities().items()}
        return {
            "likely": {fact: min(1.0, round(likely[fact], DIGITS)) for fact in sorted(likely)},
            "worlds": belief.worlds.num,
            "is_complete": belief.is_complete,
            "is_consistent": belief.is_consistent,
        }

    def _first(self) -> Belief:
        return Belief(self._game, self._role, seed=0)
