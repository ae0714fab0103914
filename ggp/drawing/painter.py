"""Draws the positions of a match of any game."""

from __future__ import annotations

from collections.abc import Sequence

from ggp.boards.orders import find_orders
from ggp.drawing.position_renderer import PositionRenderer
from ggp.match.rulebook import MachineRulebook, played, sample_positions
from ggp.rulesheets import NamedGame


class Painter:
    """Draws positions of one game; what it looks like is found out when it is first asked."""

    def __init__(self, game: NamedGame) -> None:
        self._game = game
        self._book = MachineRulebook(game.machine, has_percepts=game.has_percepts)
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
            self._seen = self._seen or await sample_positions(self._book)
            self._renderer = PositionRenderer(
                self._game.bundled,
                [*self._seen, *states],
                self._book.roles,
                find_orders(self._game.rules),
            )
        return self._renderer.svg(states[-1], before)


async def random_picture(game: NamedGame, turns: int) -> str:
    """The picture of a position after so many turns of a random match.

    Raises:
        GdlError: The rules cannot be evaluated.
    """
    facts, before = await played(MachineRulebook(game.machine), turns)
    return await Painter(game).svg([facts], before)
