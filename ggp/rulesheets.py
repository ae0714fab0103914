"""Rulesheets that users name: bundled games, files, standard input."""

from __future__ import annotations

import re
import shlex
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ggp import games
from ggp.errors import GameNotFoundError, WrongUseError, reason_of

if TYPE_CHECKING:  # reading a rules text needs no reasoner
    import gdl

MAX_BYTES = 16_000_000
_RULES_TEXT = re.compile(r"[\r\n]|^[\s\ufeff]*[(;]|\w\(.*\)\.?\s*$")  # not a game or file name


@dataclass(frozen=True, slots=True)
class RulesheetText:
    """The text of a rulesheet, its name in messages, and its file. From stdin, `path` is None."""

    name: str
    text: str
    path: Path | None

    @property
    def bundled(self) -> str:
        """Name of the bundled game; empty for any other file, even one with the same name."""
        is_bundled = self.path is not None and self.path.parent == games.folder()
        return self.path.stem if self.path is not None and is_bundled else ""


@dataclass(frozen=True, slots=True)
class NamedGame:
    """A game whose rules have been loaded.

    Attributes:
        machine: The interpreter, ready at once but slow.
        text: The rules as written, in either notation.
        bundled: Name of the game if it is bundled, else empty.
        path: The file with the rules. None if they came from standard input.
    """

    name: str
    rulesheet: gdl.Rulesheet
    machine: gdl.Game
    text: str = ""
    bundled: str = ""
    path: Path | None = None

    @property
    def rules(self) -> str:
        """The rules as prefix KIF without comments, in the form that START carries."""
        return " ".join(map(str, self.rulesheet.forms))

    @property
    def epilog(self) -> str:
        """The rules in Epilog without comments. Raises GdlError if Epilog cannot express them."""
        from ggp.protocol.rules import epilog_of

        return epilog_of(self.text, self.name)

    @property
    def has_percepts(self) -> bool:
        """Whether roles see only what the rules show them (GDL-II)."""
        return self.rulesheet.has_percepts


def find_game(name_or_file: str) -> NamedGame:
    """Load the bundled game of this name, or the game in this file, and return it.

    Raises:
        WrongUseError: No bundled game and no file has this name.
        GdlError: The rules cannot be read or played.
    """
    return written_game(find_text(name_or_file), Path(name_or_file).stem)


def written_game(found: RulesheetText, name: str) -> NamedGame:
    """Return the game with the rules `found`, under the name `name`.

    Raises:
        GdlError: The rules cannot be read or played.
    """
    import gdl

    rulesheet = gdl.read_rules(found.text, found.name)
    machine = gdl.load(rulesheet, "interpreter")
    return NamedGame(name, rulesheet, machine, found.text, found.bundled, found.path)


def pointer_to_check(name_or_file: str) -> str:
    """Return a hint to run `ggp check`, which reports more about faulty rules."""
    return f"ggp check {shlex.quote(name_or_file)} tells more about these rules"


def is_rules_text(rules: str) -> bool:
    """Return whether `rules` is a rules text in either notation, not the name of a game or file."""
    return bool(_RULES_TEXT.search(rules))


def find_rules(name_or_file: str) -> gdl.Rulesheet:
    """Parse the rules of this bundled game or file, in either notation.

    Raises:
        WrongUseError: No bundled game and no file has this name.
        GdlError: The rules cannot be read.
    """
    import gdl

    found = find_text(name_or_file)
    return gdl.read_rules(found.text, found.name)


def find_text(argument: str) -> RulesheetText:
    """Return the unparsed rulesheet of a file, a bundled game or, for `-`, standard input.

    Raises:
        WrongUseError: There is no such file or game, or it is not text.
    """
    if argument == "-":
        return RulesheetText("<stdin>", _read_input(), None)
    path = Path(argument)
    # A word without folder and suffix names the bundled game, even if a file has the same name.
    is_name = path.name == argument and not path.suffix
    if is_name and (argument in games.names() or not path.exists()):
        path = _bundled(argument)
    return RulesheetText(str(path), _read_file(path), path)


def _bundled(name: str) -> Path:
    try:
        return games.path(name)
    except GameNotFoundError as error:
        near = f"did you mean {' or '.join(error.suggestions)}?" if error.suggestions else ""
        hint = f"; {near or 'ggp games lists the bundled ones'}"
        raise WrongUseError(
            f"{name}: there is no file and no bundled game of this name{hint}"
        ) from error


def _read_file(file: Path) -> str:
    try:
        if file.stat().st_size > MAX_BYTES:
            raise WrongUseError(f"{file}: expected rules of at most {MAX_BYTES:,} bytes")
        return _decoded(file.read_bytes(), str(file))
    except OSError as error:
        raise WrongUseError(f"{file}: {reason_of(error)}") from error


def _read_input() -> str:
    return _decoded(sys.stdin.buffer.read(MAX_BYTES), "<stdin>")


def _decoded(data: bytes, name: str) -> str:
    """Return UTF-8 as text, or Latin-1, which old rulesheets use for names in comments."""
    if b"\0" in data:
        raise WrongUseError(f"{name}: expected text, got a binary file")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    return one_line_end(text)


def one_line_end(text: str) -> str:
    """Return `text` with all line ends turned into line feeds."""
    return text.replace("\r\n", "\n").replace("\r", "\n")
