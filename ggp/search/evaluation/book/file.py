"""The book file. It is written once, and verified whenever it is read.

    magic        "ggp book" and a newline, 9 bytes
    version      4 bytes, little-endian like all numbers
    sizes        2 x 8 bytes: of the head, and of the compressed body
    head         JSON: game, digest of the rules, roles, facts in the order of their bits,
                 number of states, type of the values, figures
    body         zlib: the columns of the table, and the openings as JSON
    digest       SHA-256 of everything before, 32 bytes

The table is stored by byte columns: column b has byte b of every row, as the difference from the
row above. The states are sorted, so most differences are 0 and compress well.
"""

from __future__ import annotations

import hashlib
import json
import struct
import zlib
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ggp.search.core.result import BEST, WORST
from ggp.search.evaluation.book.book import Book, BookError, OpeningBook, Tried
from ggp.search.evaluation.book.endgame import EndgameTable, StateCode
from ggp.search.evaluation.weights import Fields

MAGIC = b"ggp book\n"
VERSION = 1
MAX_BYTES = 1 << 30
MAX_HEAD = 64 << 20
MAX_FACTS = 1_000_000
MAX_BODY = 4 << 30
_KINDS = ("|u1", "<f4")
_SIZES = struct.Struct("<IQQ")
_DIGEST = 32


def write_book(book: Book, file: Path) -> int:
    """Write a book and return the size of the file in bytes.

    Raises:
        BookError: The file cannot be written.
    """
    table = book.endgame
    head: dict[str, Any] = {
        "game": book.game,
        "rules": book.rules,
        "roles": list(book.roles),
        "facts": list(table.code.facts),
        "ignores others": table.code.ignores_others,
        "states": table.num_states,
        "values": table.values.dtype.newbyteorder("<").str,
        "is complete": book.is_complete,
        "figures": dict(book.figures),
    }
    rows = np.empty(table.num_states, _row_type(table.code, head["values"], len(book.roles)))
    rows["key"], rows["values"], rows["length"] = table.keys, table.values, table.lengths
    openings = {
        key.hex(): {str(role): [list(tried) for tried in moves] for role, moves in entry.items()}
        for key, entry in book.opening.entries.items()
    }
    body = zlib.compress(_columns(rows) + json.dumps(openings).encode(), 6)
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
        BookError: The file cannot be read, is damaged, or is not a book of this version.
    """
    try:
        if file.stat().st_size > MAX_BYTES:
            raise BookError(f"{file}: expected a book of at most {MAX_BYTES >> 20} MB")
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
    is_whole = begin + head_size + body_size + _DIGEST == len(data) and head_size <= MAX_HEAD
    if not is_whole or hashlib.sha256(data[:-_DIGEST]).digest() != data[-_DIGEST:]:
        raise BookError(f"{where}: the file is damaged; build the book again with `ggp book build`")
    try:
        content: object = json.loads(data[begin : begin + head_size])
    except (ValueError, RecursionError) as error:
        raise BookError(f"{where}: head: expected JSON: {error}") from error
    fields = Fields(content, where, BookError)
    roles = fields.texts("roles", 1, 1000)
    facts = fields.texts("facts", 0, MAX_FACTS)
    code = StateCode(facts, ignores_others=fields.flag("ignores others"))
    kind, num_states = fields.text("values"), fields.count("states")
    if kind not in _KINDS:
        raise fields.error("values", " or ".join(_KINDS), kind)
    row = _row_type(code, kind, len(roles))
    num_bytes = num_states * row.itemsize
    if num_bytes > MAX_BODY:
        raise fields.error("states", f"at most {MAX_BODY >> 20} MB of them", num_states)
    body = _unpacked(data[begin + head_size : -_DIGEST], num_bytes, where)
    if body is None:
        raise BookError(
            f"{where}: the file is damaged: expected {num_states:,} states and their openings"
        )
    return Book(
        game=fields.text("game"),
        rules=fields.text("rules"),
        roles=roles,
        endgame=_table(code, body[:num_bytes], row),
        opening=openings_from(body[num_bytes:], code, where),
        is_complete=fields.flag("is complete"),
        figures=fields.figures(),
    )


def _unpacked(packed: bytes, num_bytes: int, where: str) -> bytes | None:
    """Return the unpacked body, or None if its size is wrong.

    Unpack at most `num_bytes`, so that a small file cannot fill the memory.
    """
    stream = zlib.decompressobj()
    try:
        body = stream.decompress(packed, num_bytes + MAX_HEAD)
    except zlib.error as error:
        raise BookError(f"{where}: the file is damaged: {error}") from error
    is_whole = stream.eof and not stream.unconsumed_tail and len(body) >= num_bytes
    return body if is_whole else None


def _row_type(code: StateCode, kind: str, num_roles: int) -> np.dtype[np.void]:
    """Return the numpy type of a row of the table. `kind` is the numpy type of a value."""
    key = f"S{8 * code.num_words}"
    return np.dtype([("key", key), ("values", kind, (num_roles,)), ("length", "<u2")])


def _columns(rows: NDArray[np.void]) -> bytes:
    columns = rows.view(np.uint8).reshape(len(rows), rows.itemsize)
    return np.diff(columns, axis=0, prepend=np.zeros((1, rows.itemsize), np.uint8)).T.tobytes()


def _table(code: StateCode, body: bytes, row: np.dtype[np.void]) -> EndgameTable:
    columns = np.frombuffer(body, np.uint8).reshape(row.itemsize, -1)
    rows = np.ascontiguousarray(np.cumsum(columns, axis=1, dtype=np.uint8).T).view(row)[:, 0]
    values = rows["values"]
    return EndgameTable(
        code=code,
        keys=np.ascontiguousarray(rows["key"]),
        values=np.ascontiguousarray(values, values.dtype.newbyteorder("=")),
        lengths=rows["length"].astype(np.uint16),
    )


def openings_from(text: bytes, code: StateCode, where: str) -> OpeningBook:
    """Parse the opening book at the end of a body. `where` is the name of the file, for messages.

    Raises:
        BookError: The text is not an opening book.
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
        raise ValueError(f"expected a value from {WORST} to {BEST}, got {value}")
    return Tried(str(move), float(value), int(visits))
