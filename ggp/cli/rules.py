"""Finding the rules that a command line names: a bundled game, or a file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ggp.cli.rulesheets import read_argument

if TYPE_CHECKING:
    import gdl


@dataclass(frozen=True, slots=True)
class Game:
    """Rules that are ready to be played."""

    name: str
    rulesheet: gdl.Rulesheet
    machine: gdl.StateMachine

    @property
    def rules(self) -> str:
        """The rules as prefix KIF without comments, as START carries them."""
        return " ".join(map(str, self.rulesheet.forms))

    @property
    def has_percepts(self) -> bool:
        """Whether roles see only what the rules let them see (GDL-II)."""
        return ("sees", 2) in self.rulesheet.definitions


def find_game(name_or_file: str) -> Game:
    """The game that an argument names.

    Raises:
        WrongUseError: There is neither such a bundled game nor such a file.
        GdlError: The rules cannot be read or played.
    """
    import gdl

    rulesheet = read_game(name_or_file)
    return Game(Path(name_or_file).stem, rulesheet, gdl.load(rulesheet, "interpreter"))


def read_game(name_or_file: str) -> gdl.Rulesheet:
    """The rules that an argument names, in either notation.

    Raises:
        WrongUseError: There is neither such a bundled game nor such a file.
        GdlError: The rules cannot be read.
    """
    import gdl

    found = read_argument(name_or_file)
    return gdl.read_rules(found.text, found.name)
