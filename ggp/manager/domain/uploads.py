"""Uploaded files with players. They are stored under their hash, and each student has a limit."""

from __future__ import annotations

import asyncio
import re
import tempfile
from collections import Counter
from hashlib import sha256
from pathlib import Path
from typing import Final

from ggp.clock import milliseconds_since_1970
from ggp.manager.config import FileRefusedError
from ggp.manager.domain.rights import Caller
from ggp.manager.errors import BusyError, ConflictError, NotThereError, WrongRequestError
from ggp.manager.store import uploads
from ggp.manager.store.database import Database
from ggp.manager.store.location import PRIVATE
from ggp.manager.store.uploads import UploadRow
from ggp.submission.confinement import is_possible
from ggp.submission.process import Loaded, Submission, UnconfinedError, without_folders
from ggp.submission.starter import Starter, StarterError
from ggp.submission.trial import tried

MAX_BYTES: Final = 256 << 10
MAX_FILES: Final = 5000
"""Largest number of files of all people together."""
MAX_OF_STUDENT: Final = 20
TRIAL_SECONDS: Final = 10.0
"""Time limit for loading an uploaded file."""
MAX_TRIALS: Final = 20
"""Largest number of trials at the same time, running or waiting. Only one runs at a time."""
MAX_TRIALS_OF_STUDENT: Final = 3
"""Largest number of trials of one student at the same time."""
MAX_CLASS: Final = 100
"""Greatest length of a class name that may become part of a source."""
SHOWN_NAME: Final = "player.py"
"""The name that messages use for every file. On disk, a file is named after its hash."""
_SOURCE: Final = re.compile(r"submission-(?P<name>[0-9a-f]{64})(:(?P<class>[A-Za-z_]\w*))?")


class Uploads:
    """The folder of uploaded files. Without a folder, the manager accepts no uploads."""

    def __init__(self, database: Database, folder: Path | None, starter: Starter) -> None:
        self._database = database
        self._folder = folder
        self._starter = starter
        self._trials: Counter[int | None] = Counter()  # by owner
        self._trial = asyncio.Lock()

    async def keep(self, text: str, caller: Caller) -> str:
        """Store a file. Return the source with which its player can be registered and seated.

        Raises:
            WrongRequestError: The file is too long, or has no player that can be loaded.
        """
        folder = self._allowed("text")
        try:
            data = text.encode()
        except UnicodeEncodeError:
            raise WrongRequestError(
                "text: expected valid Unicode, got half of a surrogate pair"
            ) from None
        if len(data) > MAX_BYTES:
            raise WrongRequestError(
                f"text: expected at most {MAX_BYTES:,} bytes, got {len(data):,}"
            )
        digest = sha256(data).hexdigest()
        with tempfile.TemporaryDirectory() as place:
            file = Path(place) / SHOWN_NAME
            file.write_bytes(data)
            await self._try(Submission(file.resolve()), "text", caller)
        async with self._database.writing() as session:
            own = await uploads.of_owners(session, _owners(caller))
            if digest not in {row.digest for row in own}:
                if caller.owner is not None and len(own) >= MAX_OF_STUDENT:
                    raise ConflictError(
                        f"text: you have {len(own)} files; delete one first, on the page of "
                        "your account (/me, My files) or with DELETE "
                        "/submissions/SOURCE"
                    )
                now = milliseconds_since_1970()
                session.add(
                    UploadRow(
                        digest=digest, owner_id=caller.owner, num_bytes=len(data), created=now
                    )
                )
            await asyncio.to_thread(_write, folder, digest, data)
        return f"submission-{digest}"

    async def checked_source(self, source: str, caller: Caller) -> str:
        """Check that the caller may register the player of a source and that it can be loaded.

        Students can only register their own files, because the hash of a file is not secret.

        Returns:
            The source with the class of the player.
        """
        self._allowed("source")
        file = self._file_of(source)
        is_own = caller.owner is None or await self._database.read(
            uploads.has, _digest_of(source), caller.owners
        )
        if file is None or not is_own:
            raise _strange(source, "source", await self.example(caller))
        found = await self._try(file, "source", caller, is_chosen=True)
        named = f"{source}:{found.player}"
        is_named = len(found.player) <= MAX_CLASS and _SOURCE.fullmatch(named) is not None
        return named if is_named else source  # `source` has a class, or the class name is unusable

    async def _try(
        self, file: Submission, where: str, caller: Caller, *, is_chosen: bool = False
    ) -> Loaded:
        """Load a file to check that it has a player. Files are tried one after the other.

        Args:
            is_chosen: Whether to refuse a file with several players if none is named.
        """
        owner = caller.owner
        if owner is not None and self._trials[owner] >= MAX_TRIALS_OF_STUDENT:
            raise BusyError(
                f"{self._trials[owner]} of your files are being checked or are waiting "
                "for it; try again later"
            )
        if self._trials.total() >= MAX_TRIALS:
            raise BusyError(
                f"{MAX_TRIALS} files are being checked or are waiting for it; try again later"
            )
        self._trials[owner] += 1
        try:
            async with self._trial:
                found = await tried(self._starter, file, TRIAL_SECONDS)
        except (StarterError, UnconfinedError) as error:
            raise FileRefusedError(f"{where}: the file cannot be checked: {error}") from error
        finally:
            self._trials[owner] -= 1
        if found.wrong and (is_chosen or not found.are_several):
            wrong = without_folders(found.wrong.replace(file.file.name, SHOWN_NAME))
            if found.are_several:
                several, _, named = wrong.partition(": name one as ")
                example = f"submission-{file.file.stem}:{named.rpartition(':')[2]}"
                raise WrongRequestError(
                    f"{where}: {several}; enter here which one is to play "
                    "(over HTTP: append :CLASS to the source)",
                    example if _SOURCE.fullmatch(example) else "",
                )
            raise WrongRequestError(
                f"{where}: no player can be loaded: {wrong}",
                "" if is_chosen else None,  # any example of a text is correct, but no other source
            )
        return found

    async def example(self, caller: Caller) -> str:
        """Return the source of a file that the caller may register, or an empty string."""
        return next((f"submission-{row.digest}" for row in await self.listed(caller)), "")

    async def listed(self, caller: Caller) -> list[UploadRow]:
        """Return a student's files or, for other callers, the shared files, newest first."""
        return await self._database.read(uploads.of_owners, _owners(caller))

    async def delete(self, source: str, caller: Caller) -> None:
        """Delete one of the caller's files that no player uses.

        Remove it from the disk if no other owner has it.
        """
        folder, digest = self._allowed("source"), _digest_of(source)
        async with self._database.writing() as session:
            own = await uploads.of_owners(session, _owners(caller))
            row = next((one for one in own if one.digest == digest), None)
            if row is None:
                raise NotThereError(f"you have no file {source:.100}")
            player = await uploads.player_of(session, f"submission-{digest}", _owners(caller))
            if player:
                raise ConflictError(
                    f"a version of player {player} uses this file; retire the player first"
                )
            await session.delete(row)
            await session.flush()
            is_used = await uploads.player_of(session, f"submission-{digest}", None)
            if not is_used and not await uploads.num_rows(session, digest):
                (folder / f"{digest}.py").unlink(missing_ok=True)

    def submission(self, source: str, where: str) -> Submission:
        """Return the file and the class that a source names."""
        self._allowed(where)
        file = self._file_of(source)
        if file is None:
            raise _strange(source, where)
        return file

    def _file_of(self, source: str) -> Submission | None:
        found = _SOURCE.fullmatch(source)
        file = self._folder / f"{found['name']}.py" if found and self._folder else None
        if found is None or file is None or file.is_symlink() or not file.is_file():
            return None
        return Submission(file.resolve(), found["class"] or "")

    def _allowed(self, where: str) -> Path:
        if self._folder is None:
            raise FileRefusedError(
                f"{where}: this manager accepts no files; start it with --submissions FOLDER"
            )
        if not is_possible():
            raise FileRefusedError(
                f"{where}: this manager accepts no files, because its machine cannot "
                "confine players"
            )
        return self._folder


def shown_source(source: str) -> str:
    """Return a source as shown on pages. For an uploaded player, show the class and a short hash.

    >>> shown_source(f"submission-{64 * 'a'}:First"), shown_source("mcts")
    ('First of submission-aaaaaaaa...', 'mcts')
    """
    found = _SOURCE.fullmatch(source)
    if found is None:
        return source
    of = f"{found['class']} of " if found["class"] else ""
    return f"{of}submission-{found['name'][:8]}..."


def _owners(caller: Caller) -> frozenset[int]:
    """Return the owners of the caller's files: empty for lecturers, whose files are shared."""
    return frozenset() if caller.owner is None else caller.owners


def _digest_of(source: str) -> str:
    found = _SOURCE.fullmatch(source)
    return found["name"] if found else ""


def _strange(source: str, where: str, example: str | None = None) -> WrongRequestError:
    return WrongRequestError(
        f"{where}: expected the source that POST /submissions returned, with or "
        f"without :CLASS, got {source!r:.100}",
        example,
    )


def _write(folder: Path, digest: str, data: bytes) -> None:
    file = folder / f"{digest}.py"
    if file.exists():
        return
    if sum(1 for _ in folder.glob("*.py")) >= MAX_FILES:
        raise FileRefusedError(
            f"text: this manager already has {MAX_FILES:,} files of players, the maximum"
        )
    new = file.with_suffix(".new")
    new.touch(PRIVATE)
    new.write_bytes(data)
    new.rename(file)
