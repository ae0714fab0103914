"""A game that is to be measured: its rules, and the reasoner that plays them."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import gdl
from ggp.rulesheets import RulesheetText, find_text

Say = Callable[[str], None]
"""Is given what is being done now, for whoever waits."""


@dataclass(frozen=True, slots=True)
class Case:
    """A game that is to be measured, not yet parsed.

    Attributes:
        name: Of the game.
        sheet: Its rules.
        argument: What named it.
    """

    name: str
    sheet: RulesheetText
    argument: str

    @classmethod
    def of(cls, argument: str) -> Case:
        """Case that an argument names.

        Raises:
            WrongUseError: There is neither such a bundled game nor such a file.
        """
        found = find_text(argument)
        return cls(found.path.stem if found.path else found.name, found, argument)

    def ready(self, engine: gdl.Engine, say: Say) -> gdl.Game:
        """The game, ready to be played.

        Raises:
            GdlError: The rules cannot be read or played, or not by this engine.
        """
        say("getting ready")
        start = time.perf_counter()
        rulesheet = gdl.read_rules(self.sheet.text, self.sheet.name)
        reading = time.perf_counter() - start
        loaded = gdl.load(rulesheet, engine)
        loaded.timings["parse"] += reading
        return loaded
