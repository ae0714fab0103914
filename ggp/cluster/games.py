"""A game on its way to other machines."""

from __future__ import annotations

from collections.abc import Callable

import gdl


class SentGame:
    """A game that is sent as its rules, and loaded where it arrives.

    Attributes:
        game: The game, here as there.
    """

    def __init__(self, game: gdl.Game) -> None:
        self.game = game

    def __reduce__(self) -> tuple[Callable[..., SentGame], tuple[gdl.Rulesheet, gdl.Engine]]:
        assert self.game.rulesheet is not None, "a part of another game has no rules"
        return _loaded, (self.game.rulesheet, self.game.engine)


def _loaded(rulesheet: gdl.Rulesheet, engine: gdl.Engine) -> SentGame:
    return SentGame(gdl.load(rulesheet, engine))
