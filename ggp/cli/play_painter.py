"""Draws the positions of a person's match."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ggp.match.rulebook import MachineRulebook

if TYPE_CHECKING:
    from ggp.cli.rules import Game
    from ggp.drawing import PositionRenderer


class Painter:
    """Draws positions of one game; what it looks like is found out when it is first asked."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._seen: list[Sequence[str]] = []
        self._renderer: PositionRenderer | None = None

    async def svg(
        self, states: Sequence[Sequence[str]], before: Sequence[str] | None = None
    ) -> str:
        """The picture of the last of these positions.

        Args:
            states: Facts of the positions of a match.
            before: Those of the position since which changes are to be marked.
        """
        if self._renderer is None or not self._renderer.knows(states[-1]):
            self._renderer = await self._new_renderer(states)
        return self._renderer.svg(states[-1], before)

    async def _new_renderer(self, states: Sequence[Sequence[str]]) -> PositionRenderer:
        from ggp.boards.orders import find_orders
        from ggp.drawing import PositionRenderer
        from ggp.match.sample_positions import sample_positions

        game = self._game
        book = MachineRulebook(game.machine, has_percepts=game.has_percepts)
        self._seen = self._seen or await sample_positions(book)
        return PositionRenderer(
            game.bundled, [*self._seen, *states], book.roles, find_orders(game.rules)
        )
