"""The bundled games: their names, their rulesheets and the catalogue that describes them.

    >>> from ggp import games
    >>> games.path("ticTacToe").name
    'ticTacToe.kif'
    >>> games.catalogue()["ticTacToe"].roles
    ('xplayer', 'oplayer')

Game `NAME` is the file `games/NAME.kif`. Some games exist in Epilog too, as
`games/epilog/NAME.epilog`.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from ggp.errors import GameNotFoundError

Notation = Literal["kif", "epilog"]

_PACKAGE = Path(__file__).resolve().parent
_INSTALLED = _PACKAGE / "_games"  # where the wheel puts the folder
_CHECKOUT = _PACKAGE.parent / "games"


@dataclass(frozen=True, slots=True)
class Game:
    """One game's entry in the catalogue."""

    name: str
    title: str
    roles: tuple[str, ...]
    rules: str
    """One or two sentences that explain the rules to people."""
    counts: tuple[int, ...]
    """How many sequences of 1, 2, ... joint moves the initial state allows."""


def folder() -> Path:
    """Return the folder that holds the bundled rulesheets and the catalogue."""
    return _INSTALLED if _INSTALLED.is_dir() else _CHECKOUT


def names(notation: Notation = "kif") -> tuple[str, ...]:
    """Return the names of the games in this notation, sorted case-insensitively."""
    found = (file.stem for file in _rulesheets(notation).glob(f"*.{notation}"))
    return tuple(sorted(found, key=str.casefold))


def path(name: str, notation: Notation = "kif") -> Path:
    """Return the file with a game's rules. Raise GameNotFoundError if the game is unknown."""
    known = names(notation)
    # Compare names, do not try paths: `name` may be untrusted and must not walk the file system.
    if name not in known:
        raise GameNotFoundError(name, known)
    return _rulesheets(notation) / f"{name}.{notation}"


def text(name: str, notation: Notation = "kif") -> str:
    """Return the rules of a game as written. Raise GameNotFoundError if the game is unknown."""
    return path(name, notation).read_text(encoding="utf-8")


@cache
def catalogue() -> dict[str, Game]:
    """Return the catalogue entries of the bundled games by name, in the catalogue's order."""
    with (folder() / "catalogue.toml").open("rb") as file:
        tables = tomllib.load(file)["games"]
    return {
        name: Game(
            name, table["title"], tuple(table["roles"]), table["rules"], tuple(table["counts"])
        )
        for name, table in tables.items()
    }


def _rulesheets(notation: Notation) -> Path:
    return folder() if notation == "kif" else folder() / notation
