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
    machine: gdl.Game
    text: str = ""
    """The rules as they are written, in either notation."""
    bundled: str = ""
    """The bundled game that this is, if it is one."""

    @property
    def rules(self) -> str:
        """The rules as prefix KIF without comments, as START carries them."""
        return " ".join(map(str, self.rulesheet.forms))

    @property
    def epilog(self) -> str:
        """The rules in Epilog without comments.

        Raises:
            GdlError: They cannot be written so.
        """
        from ggp.protocol.rules import epilog_of

        return epilog_of(self.text, self.name)

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

    found = read_argument(name_or_file)
    rulesheet = gdl.read_rules(found.text, found.name)
    machine = gdl.load(rulesheet, "interpreter")
    return Game(Path(name_or_file).stem, rulesheet, machine, found.text, found.bundled)


def read_game(name_or_file: str) -> gdl.Rulesheet:
    """The rules that an argument names, in either notation.

    Raises:
        WrongUseError: There is neither such a bundled game nor such a file.
        GdlError: The rules cannot be read.
    """
    import gdl

    found = read_argument(name_or_file)
    return gdl.read_rules(found.text, found.name)
