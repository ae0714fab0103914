"""Collecting: the files of students' players, copied under the names of both."""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from ggp.errors import GgpError, reason_of
from ggp.manager.store import uploads
from ggp.manager.store.database import opened
from ggp.manager.store.dumps import check_is_current
from ggp.manager.store.inspection import digest_of

_STRANGE: Final = re.compile(r"[^\w.-]+|^[.-]+")
"""What is no part of the name of a file here, or would hide it or make it an option."""


class CollectingError(GgpError):
    """A file that cannot be collected."""


@dataclass(frozen=True, slots=True)
class Collected:
    """A file that was copied."""

    name: str
    student: str
    player: str
    class_name: str
    """Which of its players is meant, if that was said."""


async def collect(url: str, submissions: Path, folder: Path) -> list[Collected]:
    """Copy the file of each student's player that is not retired, and name them.

    Raises:
        CollectingError: A file is missing, or cannot be copied.
    """
    await check_is_current(url)
    async with opened(url) as database:
        rows = await database.read(uploads.players_of_students)
    collected: dict[str, Collected] = {}
    for student, player, source in rows:
        digest, class_name = digest_of(source), source.partition(":")[2]
        stem = "--".join(_STRANGE.sub("_", name) for name in (student, player))
        name, number = f"{stem}.py", 1
        while name.lower() in collected:  # names that differ in strange letters only
            number += 1
            name = f"{stem}.{number}.py"
        await asyncio.to_thread(_copy, submissions / f"{digest}.py", folder / name)
        collected[name.lower()] = Collected(name, student, player, class_name)
    return list(collected.values())


def _copy(file: Path, copy: Path) -> None:
    try:
        copy.write_bytes(file.read_bytes())
    except FileNotFoundError as error:
        raise CollectingError(f"--submissions: there is no file {error.filename}") from error
    except OSError as error:
        raise CollectingError(f"{error.filename}: {reason_of(error)}") from error
