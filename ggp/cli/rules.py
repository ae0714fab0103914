"""Finding the rules that a command line names: a bundled game, or a file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ggp.errors import GgpError

if TYPE_CHECKING:
    import gdl

MAX_BYTES = 16_000_000


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


def find_game(name_or_file: str) -> Game:
    """The game that an argument names.

    Raises:
        GgpError: There is neither such a bundled game nor such a file.
        GdlError: The rules cannot be read or played.
    """
    import gdl

    rulesheet = read_game(name_or_file)
    return Game(Path(name_or_file).stem, rulesheet, gdl.load(rulesheet))


def read_game(name_or_file: str) -> gdl.Rulesheet:
    """The rules that an argument names, in either notation.

    Raises:
        GgpError: There is neither such a bundled game nor such a file.
        GdlError: The rules cannot be read.
    """
    import gdl
    from ggp.cli.rulesheets import read_argument

    found = read_argument(name_or_file)
    return gdl.read_rules(found.text, found.name)


def read_text(file: Path) -> str:
    """The text of a file.

    Raises:
        GgpError: It cannot be read, is too large to be rules, or is no text.
    """
    try:
        if file.stat().st_size > MAX_BYTES:
            raise GgpError(f"{file}: expected rules of at most {MAX_BYTES:,} bytes")
        return file.read_text(encoding="utf-8")
    except OSError as error:
        raise GgpError(f"{file}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        place = f"{error.reason}, at byte {error.start}"
        raise GgpError(f"{file}: expected UTF-8 text: {place}") from error
