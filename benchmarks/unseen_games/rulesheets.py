"""The rulesheets that are used: bundled games, and those of the public corpus.

A game of the corpus is named `corpus/NAME`. The corpus is outside the repository.
"""

from __future__ import annotations

import functools
import hashlib
import os
from dataclasses import dataclass
from pathlib import Path

import gdl
from ggp import games
from ggp.errors import GgpError

_REPOSITORY = Path(__file__).resolve().parents[2]
CORPUS_PREFIX = "corpus/"
NUM_ROLES = 2


class UnseenError(GgpError):
    """A rulesheet, its positions or a match cannot be used."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A rulesheet by name.

    Attributes:
        name: A bundled game, or `corpus/NAME`.
        text: The rules.
    """

    name: str
    text: str

    @property
    def is_bundled(self) -> bool:
        """Whether the project ships this game."""
        return not self.name.startswith(CORPUS_PREFIX)

    @property
    def digest(self) -> str:
        """Sixteen hexadecimal digits that change with the text."""
        return hashlib.sha256(self.text.encode()).hexdigest()[:16]


def corpus_folder() -> Path:
    """Return the folder of the corpus: `corpus/rules` in GGP_SHARED, or in `../shared`."""
    shared = Path(os.environ.get("GGP_SHARED", _REPOSITORY.parent / "shared"))
    return shared / "corpus" / "rules"


def find_sheet(name: str) -> Sheet:
    """Return the rulesheet of a game.

    Raises:
        GameNotFoundError: No bundled game has this name.
        UnseenError: The corpus has no such rulesheet.
    """
    if not name.startswith(CORPUS_PREFIX):
        return Sheet(name, games.text(name))
    file = corpus_folder() / f"{name.removeprefix(CORPUS_PREFIX)}.kif"
    try:
        return Sheet(name, file.read_text(encoding="utf-8"))
    except OSError as error:
        raise UnseenError(
            f"{name}: cannot read {file}. Set GGP_SHARED to the folder that has corpus/rules."
        ) from error


@functools.lru_cache(maxsize=1)
def load(sheet: Sheet) -> gdl.Game:
    """Return the compiled game. Only the last one is kept, because large games take memory."""
    return gdl.load(gdl.read_rules(sheet.text, sheet.name))


def require_two_roles(name: str) -> None:
    """Check that a game has two roles.

    Raises:
        UnseenError: It has not, or the corpus has no such rulesheet.
    """
    sheet = find_sheet(name)
    roles = gdl.load(gdl.read_rules(sheet.text, name), "interpreter").roles
    if len(roles) != NUM_ROLES:
        words = " ".join(map(str, roles))
        raise UnseenError(f"{name}: expected a game with two roles, found {len(roles)}: {words}")


def deciders(machine: gdl.StateMachine, state: gdl.State) -> list[int]:
    """Return the indices of the roles that choose from several moves."""
    counts = [len(machine.legal_moves(state, role)) for role in machine.roles]
    return [role for role, count in enumerate(counts) if count > 1]
