"""The weights file, which holds a learned linear evaluation of one game.

It is a JSON object with `format`, `version`, the name of the `game`, the digest of its `rules`, the
`roles`, the `method` and its `figures`. For each role it has a `bias`, and for each feature a
weight. A feature is a pattern of facts in KIF, such as `(cell ? ? white)`, or the name of an
evaluation.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

import gdl
from ggp.errors import GgpError

FORMAT = "ggp weights"
VERSION = 1
MAX_BYTES = 16 << 20
MAX_FEATURES = 200_000

Row = tuple[float, ...]
Figure = str | int | float


class WeightsError(GgpError):
    """Weights are unusable. The message names the weights and their file, and says why."""


@dataclass(frozen=True, slots=True)
class OfGame:
    """Something learned about one game and valid only for it, such as weights or a book."""

    NOUN: ClassVar[tuple[str, str]]  # noun and pronoun for messages: "a book", "that"
    REMEDY: ClassVar[str]  # what users can do if the rules differ
    ERROR: ClassVar[type[GgpError]]

    game: str  # name of the game, for people
    rules: str  # digest of its rules, see `digest`; empty if unknown
    roles: tuple[str, ...]  # its roles, in order

    def check(self, game: gdl.Game, where: str = "") -> None:
        """Check that the object belongs to `game`. `where` is the name of its file, for messages.

        Raises:
            ERROR: The roles or the rules are not those of the game.
        """
        noun, pronoun = self.NOUN
        where = where or noun.removeprefix("a ")
        roles = tuple(str(role) for role in game.roles)
        if roles != self.roles:
            raise self.ERROR(
                f"{where}: expected {noun} for the roles {' '.join(roles)}, "
                f"got {pronoun} of {self.game} for {' '.join(self.roles)}"
            )
        rules = digest(game)
        if rules and self.rules and rules != self.rules:
            raise self.ERROR(
                f"{where}: expected {noun} for these rules, got {pronoun} of {self.game}, "
                f"whose rules differ; {self.REMEDY}"
            )


@dataclass(frozen=True, slots=True)
class Weights(OfGame):
    """A linear evaluation of one game. Each `Row` has one number for each role."""

    NOUN = ("weights", "those")
    REMEDY = "learn them again with `ggp learn`"
    ERROR = WeightsError

    bias: Row  # initial value of each role's sum
    features: Mapping[str, Row]  # the weights of each feature, by its text
    method: str = ""  # how they were learned
    figures: Mapping[str, Figure] = field(default_factory=dict)
    """What was measured during learning: games, seconds, win rate..."""


def digest(game: gdl.Game) -> str:
    """Return the digest of a game's rules.

    Return "" if the game has no rulesheet, for example because it is a part of another game.
    """
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
        WeightsError: The file cannot be read, or is not a weights file of this version.
    """
    try:
        if file.stat().st_size > MAX_BYTES:
            raise WeightsError(f"{file}: expected at most {MAX_BYTES >> 20} MB of weights")
        content: object = json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise WeightsError(f"{file}: cannot be read: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise WeightsError(f"{file}: expected a weights file in JSON: {error}") from error
    fields = Fields(content, str(file), WeightsError)
    for key, wanted in (("format", FORMAT), ("version", VERSION)):
        if fields.content.get(key) != wanted:
            raise fields.error(key, json.dumps(wanted), fields.content.get(key))
    roles = fields.texts("roles", 1, MAX_FEATURES, "a list of names")
    features = fields.table("features")
    if len(features) > MAX_FEATURES:
        raise fields.error("features", f"at most {MAX_FEATURES:,}", len(features))
    return Weights(
        game=fields.text("game"),
        rules=fields.text("rules"),
        roles=roles,
        bias=_row(fields, "bias", fields.content.get("bias"), len(roles)),
        features={
            name: _row(fields, f"features.{name}", row, len(roles))
            for name, row in features.items()
        },
        method=fields.text("method"),
        figures=fields.figures(),
    )


def _row(fields: Fields, key: str, found: object, size: int) -> Row:
    numbers = [n for n in found if _is_number(n)] if isinstance(found, list) else []
    if not isinstance(found, list) or not len(numbers) == len(found) == size:
        raise fields.error(key, f"{size} numbers, one per role", found)
    return tuple(float(number) for number in numbers)


class Fields:
    """The fields of a JSON object in a file. Each method checks the type of a field.

    If the type is wrong, the method raises an error that names the field.
    """

    def __init__(self, content: object, where: str, error: type[GgpError]) -> None:
        self.content = content if isinstance(content, dict) else {}
        self._where, self._error = where, error

    def text(self, key: str) -> str:
        """Return the text in the field `key`."""
        found = self.content.get(key)
        if not isinstance(found, str):
            raise self.error(key, "a text", found)
        return found

    def texts(self, key: str, fewest: int, most: int, wanted: str = "") -> tuple[str, ...]:
        """Return the list in the field `key`, which must have `fewest` to `most` texts."""
        found = self.content.get(key)
        is_list = isinstance(found, list) and all(isinstance(each, str) for each in found)
        if not isinstance(found, list) or not is_list or not fewest <= len(found) <= most:
            raise self.error(key, wanted or f"{fewest} to {most:,} texts", found)
        return tuple(found)

    def count(self, key: str) -> int:
        """Return the whole number of at least 0 in the field `key`."""
        found = self.content.get(key)
        if type(found) is not int or found < 0:
            raise self.error(key, "a whole number", found)
        return found

    def flag(self, key: str) -> bool:
        """Return the boolean in the field `key`."""
        found = self.content.get(key)
        if not isinstance(found, bool):
            raise self.error(key, "true or false", found)
        return found

    def table(self, key: str) -> dict[str, object]:
        """Return the object in the field `key`."""
        found = self.content.get(key)
        if not isinstance(found, dict):
            raise self.error(key, "an object", found)
        return found

    def figures(self) -> dict[str, Figure]:
        """Return the texts and numbers in the object `figures`."""
        found = self.table("figures")
        return {name: each for name, each in found.items() if isinstance(each, str | int | float)}

    def error(self, key: str, expected: str, found: object) -> GgpError:
        """Return the error that says that the field `key` has `found` instead of `expected`."""
        return self._error(f"{self._where}: {key}: expected {expected}, got {found!r:.60}")


def _is_number(value: object) -> bool:
    return type(value) in {int, float} and -math.inf < float(str(value)) < math.inf


def _laid_out(value: object) -> str:
    if not isinstance(value, dict) or not value:
        return json.dumps(value)
    lines = [f"  {json.dumps(key)}: {json.dumps(each)}" for key, each in value.items()]
    return "{\n" + ",\n".join(lines) + "\n}"
