"""Makes a book of what a file contains, and says where that is not possible."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ggp.search.knowledge.books.book import BookError, Figure
from ggp.search.knowledge.books.codes import StateCode
from ggp.search.knowledge.books.endgame import EndgameTable
from ggp.search.knowledge.books.graph import WORD_BITS
from ggp.search.knowledge.books.opening import OpeningBook, Tried
from ggp.search.result import BEST, WORST

MOST_FACTS = 1_000_000
MOST_BODY = 4 << 30
_KINDS = ("|u1", "<f4")


@dataclass(frozen=True, slots=True)
class Head:
    """The head of a book file, in which it describes itself."""

    game: str
    rules: str
    roles: tuple[str, ...]
    facts: tuple[str, ...]
    ignores_others: bool
    num_states: int
    kind: str
    """Of a value: a type of numpy."""
    is_complete: bool
    figures: Mapping[str, Figure]

    @classmethod
    def read(cls, text: bytes, where: str) -> Head:
        """The head, all fields checked.

        Raises:
            BookError: It is none.
        """
        try:
            content: object = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise BookError(f"{where}: head: expected JSON: {error}") from error
        fields = _Fields(content, where)
        head = cls(
            game=fields.text("game"),
            rules=fields.text("rules"),
            roles=fields.texts("roles", 1, 1000),
            facts=fields.texts("facts", 0, MOST_FACTS),
            ignores_others=fields.flag("ignores others"),
            num_states=fields.count("states"),
            kind=fields.text("values"),
            is_complete=fields.flag("is complete"),
            figures=fields.figures(),
        )
        if head.kind not in _KINDS:
            raise fields.error("values", " or ".join(_KINDS), head.kind)
        if head.num_bytes > MOST_BODY:
            raise fields.error("states", f"at most {MOST_BODY >> 20} MB of them", head.num_states)
        return head

    @property
    def num_words(self) -> int:
        """Of a packed state."""
        return max(1, -(-len(self.facts) // WORD_BITS))

    @property
    def widths(self) -> tuple[int, int, int]:
        """Bytes of a state's key, values and length."""
        return 8 * self.num_words, np.dtype(self.kind).itemsize * len(self.roles), 2

    @property
    def num_bytes(self) -> int:
        """Of the table."""
        return self.num_states * sum(self.widths)


def table_from(body: bytes, head: Head) -> EndgameTable:
    """The endgame table at the beginning of a body."""
    parts, first = [], 0
    for width in head.widths:
        columns = np.frombuffer(body, np.uint8, head.num_states * width, first)
        first += columns.size
        parts.append(_rows(columns.reshape(width, head.num_states)))
    keys, values, lengths = parts
    code = StateCode(head.facts, ignores_others=head.ignores_others)
    kind = np.dtype(head.kind)
    return EndgameTable(
        code=code,
        keys=keys.view(f"S{8 * head.num_words}").reshape(-1),
        values=values.view(kind).reshape(-1, len(head.roles)).astype(kind.newbyteorder("=")),
        lengths=lengths.view("<u2").reshape(-1).astype(np.uint16),
    )


def _rows(columns: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """`[N, width]` from the differences of each column."""
    return np.ascontiguousarray(np.cumsum(columns, axis=1, dtype=np.uint8).T)


def openings_from(text: bytes, code: StateCode, where: str) -> OpeningBook:
    """The opening book at the end of a body.

    Raises:
        BookError: It is none.
    """
    try:
        content: dict[str, dict[str, list[list[Any]]]] = json.loads(text)
        entries = {
            bytes.fromhex(key): {
                int(role): tuple(_tried(*move) for move in moves) for role, moves in entry.items()
            }
            for key, entry in content.items()
        }
    except (ValueError, TypeError, AttributeError, RecursionError) as error:
        raise BookError(f"{where}: openings: expected moves by state: {error}") from error
    return OpeningBook(code, entries)


def _tried(move: str, value: float, visits: int) -> Tried:
    if not WORST <= value <= BEST:
        raise ValueError(f"a value of {value}")
    return Tried(str(move), float(value), int(visits))


class _Fields:
    """The fields of a head."""

    def __init__(self, content: object, where: str) -> None:
        self._content = content if isinstance(content, dict) else {}
        self._where = where

    def text(self, key: str) -> str:
        """A text."""
        found = self._content.get(key)
        if not isinstance(found, str):
            raise self.error(key, "a text", found)
        return found

    def texts(self, key: str, fewest: int, most: int) -> tuple[str, ...]:
        """Some texts, each once."""
        found = self._content.get(key)
        is_list = isinstance(found, list) and all(isinstance(each, str) for each in found)
        if not isinstance(found, list) or not is_list or not fewest <= len(found) <= most:
            raise self.error(key, f"{fewest} to {most:,} texts", found)
        return tuple(found)

    def count(self, key: str) -> int:
        """A number of things."""
        found = self._content.get(key)
        if type(found) is not int or found < 0:
            raise self.error(key, "a whole number", found)
        return found

    def flag(self, key: str) -> bool:
        """Yes or no."""
        found = self._content.get(key)
        if not isinstance(found, bool):
            raise self.error(key, "true or false", found)
        return found

    def figures(self) -> dict[str, Figure]:
        """Figures of what building it cost."""
        found = self._content.get("figures")
        if not isinstance(found, dict):
            raise self.error("figures", "an object", found)
        return {
            name: value for name, value in found.items() if isinstance(value, str | int | float)
        }

    def error(self, key: str, expected: str, found: object) -> BookError:
        """The error for a field that is wrong."""
        return BookError(f"{self._where}: {key}: expected {expected}, got {found!r:.60}")
