"""The texts that `ggp check` and `ggp format` are given: files, bundled games, standard input."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

from ggp import games
from ggp.cli.rules import read_text
from ggp.errors import GameNotFoundError, GgpError


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


def read_argument(argument: str) -> RulesheetText:
    """The rulesheet that a command-line argument names, not yet parsed.

    Args:
        argument: A file, the name of a bundled game, or `-` for standard input.

    Raises:
        GgpError: There is no such file or game, or it is no text in UTF-8.
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
        hint = f"; did you mean {' or '.join(error.suggestions)}?" if error.suggestions else ""
        raise GgpError(f"{name}: no such file and no bundled game{hint}") from error


def _read_input() -> str:
    try:
        return sys.stdin.buffer.read().decode("utf-8")
    except UnicodeDecodeError as error:
        raise GgpError(
            f"<stdin>: expected UTF-8 text: {error.reason}, at byte {error.start}"
        ) from (error)
