"""The texts that `ggp check` and `ggp format` are given: files, bundled games, standard input."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

from ggp import games
from ggp.cli.failures import WrongUseError, reason_of
from ggp.errors import GameNotFoundError

MAX_BYTES = 16_000_000


@dataclass(frozen=True, slots=True)
class RulesheetText:
    """A rulesheet as it is written.

    Attributes:
        name: What it is called in messages.
        text: The rules.
        path: Its file; None for standard input.
    """

    name: str
    text: str
    path: Path | None

    @property
    def bundled(self) -> str:
        """The bundled game that this is; empty for all else, also for a file of the same name."""
        is_bundled = self.path is not None and self.path.parent == games.folder()
        return self.path.stem if self.path is not None and is_bundled else ""


def read_argument(argument: str) -> RulesheetText:
    """The rulesheet that a command-line argument names, not yet parsed.

    Args:
        argument: A file, the name of a bundled game, or `-` for standard input.

    Raises:
        WrongUseError: There is no such file or game, or it is no text.
    """
    if argument == "-":
        return RulesheetText("<stdin>", _read_input(), None)
    path = Path(argument)
    # A name has no folder and no ending; it means the bundled game even if a file is called so.
    is_name = path.name == argument and not path.suffix
    if is_name and (argument in games.names() or not path.is_file()):
        path = _bundled(argument)
    return RulesheetText(str(path), read_text(path), path)


def _bundled(name: str) -> Path:
    try:
        return games.path(name)
    except GameNotFoundError as error:
        near = f"did you mean {' or '.join(error.suggestions)}?" if error.suggestions else ""
        hint = f"; {near or 'ggp games lists the bundled ones'}"
        raise WrongUseError(f"{name}: no such file and no bundled game{hint}") from error


def read_text(file: Path) -> str:
    """The text of a file.

    Raises:
        WrongUseError: It cannot be read, is too large to be rules, or is no text.
    """
    try:
        if file.stat().st_size > MAX_BYTES:
            raise WrongUseError(f"{file}: expected rules of at most {MAX_BYTES:,} bytes")
        return _decoded(file.read_bytes(), str(file))
    except OSError as error:
        raise WrongUseError(f"{file}: {reason_of(error)}") from error


def _read_input() -> str:
    return _decoded(sys.stdin.buffer.read(MAX_BYTES), "<stdin>")


def _decoded(data: bytes, name: str) -> str:
    """UTF-8, or the Latin-1 of old rulesheets with an author's name in a comment."""
    if b"\0" in data:
        raise WrongUseError(f"{name}: expected text, got a binary file")
    try:
        return data.decode("utf-8").replace("\r\n", "\n")
    except UnicodeDecodeError:
        return data.decode("latin-1").replace("\r\n", "\n")
