"""The book file: written once, checked whenever it is read.

    "ggp book", newline: 9 bytes
    version      4 bytes, little-endian as all numbers
    sizes        2 x 8 bytes: of the head, and of the body as it is stored
    head         JSON: game, digest of the rules, roles, the facts in the order of their bits, how
                 many states there are, how they are stored, figures
    body         zlib: the table's columns, and the openings as JSON
    digest       SHA-256 of all that, 32 bytes

The table stands byte by byte: column b has byte b of every row, each as the difference from the row
above. Its states are sorted, so that most of these are 0, and zlib makes little of them.
"""

from __future__ import annotations

import hashlib
import json
import struct
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ggp.search.core.result import BEST, WORST
from ggp.search.evaluation.book.book import Book, BookError, Figure, OpeningBook, Tried
from ggp.search.evaluation.book.endgame import EndgameTable, StateCode
from ggp.search.evaluation.book.retrograde import WORD_BITS
from ggp.search.evaluation.weights import Fields

MAGIC = b"ggp book\n"
VERSION = 1
MOST_BYTES = 1 << 30
MOST_HEAD = 64 << 20
_SIZES = struct.Struct("<IQQ")
_DIGEST = 32


def write_book(book: Book, file: Path) -> int:
    """Write a book; the bytes that it takes.

    Raises:
        BookError: The file cannot be written.
    """
    table = book.endgame
    head = {
        "game": book.game,
        "rules": book.rules,
        "roles": list(book.roles),
        "facts": list(table.code.facts),
        "ignores others": table.code.ignores_others,
        "states": table.num_states,
        "values": table.values.dtype.str,
        "is complete": book.is_complete,
        "figures": dict(book.figures),
    }
    columns = [
        _columns(_bytes_of(table.keys)),
        _columns(_bytes_of(table.values)),
        _columns(_bytes_of(table.lengths)),
    ]
    openings = {
        key.hex(): {str(role): [list(tried) for tried in moves] for role, moves in entry.items()}
        for key, entry in book.opening.entries.items()
    }
    body = zlib.compress(b"".join(columns) + json.dumps(openings).encode(), 6)
    text = json.dumps(head, ensure_ascii=False).encode()
    data = MAGIC + _SIZES.pack(VERSION, len(text), len(body)) + text + body
    try:
        file.write_bytes(data + hashlib.sha256(data).digest())
    except OSError as error:
        raise BookError(f"{file}: cannot be written: {error.strerror}") from error
    return len(data) + _DIGEST


def read_book(file: Path) -> Book:
    """Read a book.

    Raises:
        BookError: It cannot be read, is damaged, or is no book of this version.
    """
    try:
        if file.stat().st_size > MOST_BYTES:
            raise BookError(f"{file}: expected a book of at most {MOST_BYTES >> 20} MB")
        data = file.read_bytes()
    except OSError as error:
        raise BookError(f"{file}: cannot be read: {error.strerror}") from error
    return _read(data, str(file))


def _read(data: bytes, where: str) -> Book:
    begin = len(MAGIC) + _SIZES.size
    if not data.startswith(MAGIC) or len(data) < begin + _DIGEST:
        raise BookError(f"{where}: expected a file that `ggp book build` wrote")
    version, head_size, body_size = _SIZES.unpack_from(data, len(MAGIC))
    if version != VERSION:
        raise BookError(f"{where}: expected a book of version {VERSION}, got version {version}")
    is_whole = begin + head_size + body_size + _DIGEST == len(data) and head_size <= MOST_HEAD
    if not is_whole or hashlib.sha256(data[:-_DIGEST]).digest() != data[-_DIGEST:]:
        raise BookError(f"{where}: the file is damaged; build the book again with `ggp book build`")
    head = Head.read(data[begin : begin + head_size], where)
    body = _unpacked(data[begin + head_size : -_DIGEST], head, where)
    table = table_from(body, head)
    return Book(
        game=head.game,
        rules=head.rules,
        roles=head.roles,
        endgame=table,
        opening=openings_from(body[head.num_bytes :], table.code, where),
        is_complete=head.is_complete,
        figures=head.figures,
    )


def _unpacked(packed: bytes, head: Head, where: str) -> bytes:
    """The body; no more than may be, so that a small file cannot fill the memory."""
    stream = zlib.decompressobj()
    try:
        body = stream.decompress(packed, head.num_bytes + MOST_HEAD)
    except zlib.error as error:
        raise BookError(f"{where}: the file is damaged: {error}") from error
    if stream.unconsumed_tail or not stream.eof or len(body) < head.num_bytes:
        raise BookError(f"{where}: expected {head.num_states:,} states and their openings")
    return body


def _bytes_of(rows: NDArray[np.generic]) -> NDArray[np.uint8]:
    """`[N, bytes of a row]`, little-endian."""
    ordered = np.ascontiguousarray(rows, rows.dtype.newbyteorder("<"))
    return ordered.view(np.uint8).reshape(len(rows), -1) if len(rows) else np.empty((0, 1), "u1")


def _columns(rows: NDArray[np.uint8]) -> bytes:
    return np.diff(rows, axis=0, prepend=np.zeros((1, rows.shape[1]), np.uint8)).T.tobytes()


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
    kind: str  # of a value: a type of numpy
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
        fields = Fields(content, where, BookError)
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
