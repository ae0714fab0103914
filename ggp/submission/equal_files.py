"""Submissions whose files are the same, or differ in blanks only."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Final

MAX_BYTES: Final = 1 << 24
"""Of a file, at most, that are compared."""


def equal_files(files: Iterable[tuple[str, Path]]) -> list[list[str]]:
    """Names of files whose texts are equal but for blanks, those of each such text together."""
    names: dict[bytes, list[str]] = defaultdict(list)
    for name, file in files:
        if text := _text_of(file):
            names[sha256(b"".join(text.split())).digest()].append(name)
    return [group for group in names.values() if len(group) > 1]


def _text_of(file: Path) -> bytes:
    """Empty where it cannot be read, which is told where it is loaded or copied."""
    if file.is_symlink() or not file.is_file():
        return b""
    try:
        with file.open("rb") as stream:
            return stream.read(MAX_BYTES)
    except OSError:
        return b""


def equality_sentence(names: Sequence[str]) -> str:
    """A sentence on files that are equal."""
    return f"{', '.join(names)}: the same file, but for blanks and line breaks at most"
