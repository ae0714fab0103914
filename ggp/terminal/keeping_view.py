"""Output of `ggp manager backup` and the other verbs that care for what a manager keeps."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ggp.terminal.console import megabytes

if TYPE_CHECKING:
    from ggp.manager.backup import Manifest

TOLD = ("matches", "turns", "players", "tournaments", "accounts")
"""Tables whose numbers of rows say what a backup has."""


def print_backup(file: Path, manifest: Manifest) -> None:
    """Tell what is in a backup that is whole."""
    rows = manifest.database.rows
    parts = [f"{rows[name]:,} {name}" for name in TOLD if name in rows]
    if manifest.submissions:
        parts.append(f"{len(manifest.submissions):,} uploads")
    print(f"{file}: {megabytes(file.stat().st_size)}, {manifest.made:%Y-%m-%d %H:%M:%S} UTC")
    print(f"{manifest.database.kind}, schema {manifest.database.revision}: {', '.join(parts)}")
