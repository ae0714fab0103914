"""Players that do not think, seated without a process: they look at the referee's own rulebook.

A match between them takes no core and next to no memory, so dozens can be played at once.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Final

from ggp.match.rulebook import FollowedRulebook
from ggp.match.seat import Answer, Invitation, TurnReport

SEED_BITS: Final = 64
Choose = Callable[[Sequence[str], int], str]
"""Chooses among legal moves, sorted, in a turn, counted from 0."""


class SimpleSeat:
    """Answers at once; the same seed and position give the same move, in whatever process."""

    def __init__(self, choose: Choose, book: FollowedRulebook, name: str) -> None:
        self.name = name
        self._choose = choose
        self._book = book
        self._role = ""

    async def start(self, invitation: Invitation) -> None:
        """Always ready."""
        self._role = invitation.role

    async def resume(self, invitation: Invitation, history: Sequence[TurnReport]) -> None:
        """Nothing need be remembered."""
        self._role = invitation.role

    async def play(self, report: TurnReport) -> Answer:
        """The move."""
        # In the order of their texts: the reasoner's own may depend on how it got there.
        return Answer(self._choose(sorted(self._book.legal(self._role)), report.turn))

    async def go_back(self, num_turns: int) -> None:
        """Nothing need be forgotten."""

    async def stop(self, report: TurnReport) -> None:
        """It does not care."""

    async def abort(self) -> None:
        """It does not care."""

    async def adjourn(self) -> None:
        """It does not care."""


def legal() -> Choose:
    """Makes the first legal move."""
    return lambda moves, _: moves[0]


def random_moves(seed: int | None) -> Choose:
    """Makes a random legal move: the same as `ggp.players.simple.Random` with this seed."""
    own = random.Random(seed).getrandbits(SEED_BITS)
    return lambda moves, turn: random.Random(f"{own}:{turn}").choice(moves)


PLAYERS: Final[dict[str, Callable[[int | None], Choose]]] = {
    "legal": lambda _: legal(),
    "random": random_moves,
}
"""By the specs of the players that they stand for."""
