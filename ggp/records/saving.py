"""Saving a file so that a reader sees the old content or the new one, never a part."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path


def save_text(path: Path, text: str) -> None:
    """Write a text to a file beside its place and rename it there.

    Raises:
        OSError: The folder does not exist or cannot be written.
    """
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        # mkstemp makes the file private; a record is as public as any file the user makes.
        Path(temporary).chmod(0o666 & ~_umask())
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def _umask() -> int:
    # There is no way to read the mask but to set it.
    mask = os.umask(0)
    os.umask(mask)
    return mask
