"""Files that are written whole or not at all."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path


def replace_file(file: Path, data: bytes) -> None:
    """Write a file atomically, so that readers see either the old or the whole new content.

    If `file` is a link or a device, such as `/dev/stdout`, write to it instead. A new file would
    take its place.

    Raises:
        OSError: The file cannot be written.
    """
    if file.is_symlink() or (file.exists() and not file.is_file()):
        file.write_bytes(data)
        return
    part = part_of(file)
    try:
        with part.open("wb") as opened:
            opened.write(data)
            opened.flush()
            os.fsync(opened.fileno())
        part.replace(file)
    except BaseException:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        raise


def part_of(file: Path) -> Path:
    """Return the temporary path at which `replace_file` writes before it replaces `file`."""
    return file.with_name(f"{file.name}.part")
