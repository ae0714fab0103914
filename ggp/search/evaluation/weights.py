"""The weights file: a learned evaluation, and the game it is for.

A JSON object: `format`, `version`, the `game`'s name and the digest of its `rules`, the `roles`,
the `method` and its `figures`, and for each role a `bias` and for each feature a weight. A feature
is a pattern of facts in KIF, such as `(cell ? ? white)`, or the name of an evaluation.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import gdl
from ggp.errors import GgpError

FORMAT = "ggp weights"
VERSION = 1
MOST_BYTES = 16 << 20
MOST_FEATURES = 200_000

Row = tuple[float, ...]
Figure = str | int | float


class WeightsError(GgpError):
    """A weights file cannot be used: the message says which, where and why."""


@dataclass(frozen=True, slots=True)
class Weights:
    """A linear evaluation of one game."""

    game: str  # name of the game, for people
    rules: str  # digest of its rules, see `digest`; empty if they are not known
    roles: tuple[str, ...]  # its roles, in order; every `Row` has a number for each of them
    bias: Row  # what each role's sum begins with
    features: Mapping[str, Row]  # the weights of each feature, by its text
    method: str = ""  # how they were learned
    figures: Mapping[str, Figure] = field(default_factory=dict)
    """What was measured meanwhile: games, seconds, win rate..."""

    def check(self, game: gdl.Game, where: str = "weights") -> None:
        """Refuse weights of another game.

        Raises:
            WeightsError: The roles or the rules are not those of the game.
        """
        roles = tuple(str(role) for role in game.roles)
        if roles != self.roles:
            raise WeightsError(
                f"{where}: expected weights for the roles {' '.join(roles)}, "
                f"got those of {self.game} for {' '.join(self.roles)}"
            )
        rules = digest(game)
        if rules and self.rules and rules != self.rules:
            raise WeightsError(
                f"{where}: expected weights for these rules, got those of {self.game}, "
                "whose rules differ; learn them again with `ggp learn`"
            )


def digest(game: gdl.Game) -> str:
    """The digest of a game's rules; empty if it is a part of another one."""
    return game.rulesheet.digest if game.rulesheet else ""


def write_weights(weights: Weights, file: Path) -> None:
    """Write a weights file.

    Raises:
        WeightsError: The file cannot be written.
    """
    named = {
        "format": FORMAT,
        "version": VERSION,
        "game": weights.game,
        "rules": weights.rules,
        "roles": list(weights.roles),
        "method": weights.method,
        "figures": dict(weights.figures),
        "bias": list(weights.bias),
        "features": {name: list(row) for name, row in weights.features.items()},
    }
    lines = [f"{json.dumps(key)}: {_laid_out(value)}" for key, value in named.items()]
    try:
        file.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    except OSError as error:
        raise WeightsError(f"{file}: cannot be written: {error.strerror}") from error


def read_weights(file: Path) -> Weights:
    """Read a weights file.

    Raises:
        WeightsError: It cannot be read, or it is no weights file of this version.
    """
    try:
        if file.stat().st_size > MOST_BYTES:
            raise WeightsError(f"{file}: expected at most {MOST_BYTES >> 20} MB of weights")
        content: object = json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise WeightsError(f"{file}: cannot be read: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise WeightsError(f"{file}: expected a weights file in JSON: {error}") from error
    return _Reader(file, content).weights()


class _Reader:
    def __init__(self, file: Path, content: object) -> None:
        self._file = file
        self._content = content if isinstance(content, dict) else {}
        found = self._content.get("format")
        if found != FORMAT:
            raise self._error("format", f'"{FORMAT}"', found)
        version = self._content.get("version")
        if version != VERSION:
            raise self._error("version", f"{VERSION}", version)

    def weights(self) -> Weights:
        """The weights, all fields checked."""
        roles = self._content.get("roles")
        if not isinstance(roles, list) or not roles or not all(isinstance(r, str) for r in roles):
            raise self._error("roles", "a list of names", roles)
        size = len(roles)
        features = self._table("features")
        if len(features) > MOST_FEATURES:
            raise self._error("features", f"at most {MOST_FEATURES:,}", len(features))
        rows = {name: self._row(f"features.{name}", row, size) for name, row in features.items()}
        return Weights(
            game=self._text("game"),
            rules=self._text("rules"),
            roles=tuple(roles),
            bias=self._row("bias", self._content.get("bias"), size),
            features=rows,
            method=self._text("method"),
            figures={
                name: value
                for name, value in self._table("figures").items()
                if isinstance(value, str | int | float)
            },
        )

    def _text(self, key: str) -> str:
        found = self._content.get(key)
        if not isinstance(found, str):
            raise self._error(key, "a text", found)
        return found

    def _table(self, key: str) -> dict[str, object]:
        found = self._content.get(key)
        if not isinstance(found, dict):
            raise self._error(key, "an object", found)
        return found

    def _row(self, key: str, found: object, size: int) -> Row:
        numbers = [n for n in found if _is_number(n)] if isinstance(found, list) else []
        if not isinstance(found, list) or not len(numbers) == len(found) == size:
            raise self._error(key, f"{size} numbers, one per role", found)
        return tuple(float(number) for number in numbers)

    def _error(self, key: str, expected: str, found: object) -> WeightsError:
        return WeightsError(f"{self._file}: {key}: expected {expected}, got {found!r:.60}")


def _is_number(value: object) -> bool:
    return type(value) in {int, float} and -math.inf < float(str(value)) < math.inf


def _laid_out(value: object) -> str:
    if not isinstance(value, dict) or not value:
        return json.dumps(value)
    lines = [f"  {json.dumps(key)}: {json.dumps(each)}" for key, each in value.items()]
    return "{\n" + ",\n".join(lines) + "\n}"
