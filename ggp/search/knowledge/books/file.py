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
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ggp.search.knowledge.books.book import Book, BookError
from ggp.search.knowledge.books.unpacking import Head, openings_from, table_from

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
