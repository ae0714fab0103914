"""Collecting the files of students' players: each copy is named after its student and player."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from ggp.csv_text import csv_lines
from ggp.errors import GgpError, reason_of
from ggp.manager.store import uploads
from ggp.manager.store.database import opened
from ggp.manager.store.dumps import check_is_current
from ggp.manager.store.players import PlayerHistory
from ggp.manager.store.tables import PlayerRow, digest_of, is_upload
from ggp.plurals import counted
from ggp.submission.equal_files import equal_files

LIST: Final = "players.txt"
"""Name of the list of the copies, in the same folder."""
OWNERS: Final = "players.csv"
"""Name of the table that gives the exact names of student and player for each copy."""
_STRANGE: Final = re.compile(r"[^\w.-]+|^[.-]+")
"""Characters that must not appear in file names, or that would make a hidden file or an option."""


class CollectingError(GgpError):
    """A file that cannot be collected."""


@dataclass(frozen=True, slots=True)
class Collected:
    """A file that was copied."""

    name: str
    student: str
    player: str
    class_name: str
    """The class of the player in the file. Empty if none was named."""
    swap: str
    """A sentence about matches that another file played as this player. Empty if there are none."""


@dataclass(frozen=True, slots=True)
class Collection:
    """The result of collecting.

    Attributes:
        left_out: A sentence about each student's player that was not copied.
        strange: Names of other Python files in the folder, which `ggp grade` might read.
        equal: Groups of identical files from different students, as lists of the copies' names.
    """

    files: list[Collected]
    left_out: list[str]
    strange: list[str]
    equal: list[list[str]]


async def collect(url: str, submissions: Path, folder: Path) -> Collection:
    """Copy the files of all students' active players, and write lists of the copies and owners.

    Raises:
        CollectingError: A file is missing, or cannot be copied.
    """
    await check_is_current(url)
    async with opened(url) as database:
        owned = await database.read(uploads.players_of_students)
    names = _names_of(owned)
    files, left_out = [], []
    for student, history in owned:
        player, num_matches = history.player, history.matches
        if reason := _why_left_out(player):
            matches = counted(num_matches, "match", "matches")
            left_out.append(f"{player.name} of {student}: {reason}, {matches} played")
            continue
        digest, class_name = digest_of(player.source), player.source.partition(":")[2]
        name = names[player.id]
        await asyncio.to_thread(_copy, submissions / f"{digest}.py", folder / name)
        files.append(Collected(name, student, player.name, class_name, history.swap))
    await asyncio.to_thread(_write_lists, folder, files)
    there = await asyncio.to_thread(lambda: {file.name for file in folder.glob("*.py")})
    strange = sorted(there.difference(one.name for one in files))
    copies = [(one.name, folder / one.name) for one in files]
    students = {one.name: one.student for one in files}
    equal = [
        same
        for same in await asyncio.to_thread(equal_files, copies)
        if len({students[name] for name in same}) > 1
    ]
    return Collection(files, left_out, strange, equal)


def _names_of(owned: Sequence[tuple[str, PlayerHistory]]) -> dict[int, str]:
    """Map the number of each player to the name of its copy.

    If names differ only in case or in replaced characters, number them in the order in which the
    players were first registered. Count players without a copy too, so that names never change.
    """
    names: dict[int, str] = {}
    taken: set[str] = set()
    for student, history in sorted(owned, key=lambda one: one[1].player.id):
        player = history.player
        stem = "--".join(_STRANGE.sub("_", name) for name in (student, player.name))
        name, number = f"{stem}.py", 1
        while name.lower() in taken:
            number += 1
            name = f"{stem}.{number}.py"
        taken.add(name.lower())
        names[player.id] = name
    return names


def _why_left_out(player: PlayerRow) -> str:
    """Return why a player's file is not copied, or an empty string if it is copied."""
    if player.is_retired:
        return "retired"
    return "" if is_upload(player.source) else "no file was uploaded"


def _write_lists(folder: Path, files: Sequence[Collected]) -> None:
    """Write the list of copies and classes for `ggp grade`, and the list of their owners."""
    classes = ((one.name, f":{one.class_name}" if one.class_name else "") for one in files)
    try:
        (folder / LIST).write_text("".join(f"{folder / name}{of}\n" for name, of in classes))
        owners = [("file", "student", "player"), *((f.name, f.student, f.player) for f in files)]
        (folder / OWNERS).write_text(csv_lines(owners), encoding="utf-8")
    except OSError as error:
        raise CollectingError(f"{error.filename}: {reason_of(error)}") from error


def _copy(file: Path, copy: Path) -> None:
    try:
        copy.write_bytes(file.read_bytes())
    except FileNotFoundError as error:
        raise CollectingError(f"--submissions: there is no file {error.filename}") from error
    except OSError as error:
        raise CollectingError(f"{error.filename}: {reason_of(error)}") from error
