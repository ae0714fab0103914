"""Find submissions whose files are the same or differ only in blanks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Final

MAX_BYTES: Final = 1 << 24
"""Maximum number of bytes of each file to compare."""


def equal_files(files: Iterable[tuple[str, Path]]) -> list[list[str]]:
    """Return groups of names whose files are equal except for blanks."""
    names: dict[bytes, list[str]] = defaultdict(list)
    for name, file in files:
        if text := _text_of(file):
            names[sha256(b"".join(text.split())).digest()].append(name)
    return [group for group in names.values() if len(group) > 1]


def _text_of(file: Path) -> bytes:
    """Return the content of a file, or b"" if it cannot be read. Loading the file reports why."""
    if file.is_symlink() or not file.is_file():
        return b""
    try:
        with file.open("rb") as stream:
            return stream.read(MAX_BYTES)
    except OSError:
        return b""


def equality_sentence(names: Sequence[str]) -> str:
    """Return a sentence that says that the files with these names are equal."""
    return f"{', '.join(names)}: the same file, except perhaps for blanks and line breaks"
