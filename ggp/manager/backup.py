"""Backups: one file with all data of a manager, and with checksums.

A backup is a tar file compressed with gzip. It contains `manifest.json`, then the dump of the
database, then the uploaded players. The manifest has the size and the hash of each file.
"""

from __future__ import annotations

import asyncio
import io
import os
import re
import tarfile
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict
from datetime import UTC, datetime
from hashlib import file_digest, sha256
from pathlib import Path
from typing import IO, Final

from pydantic import BaseModel, Field, ValidationError

from ggp import __version__
from ggp.errors import GgpError, reason_of, reason_of_writing
from ggp.manager.store.dumps import DumpInfo, check_dump, dump
from ggp.manager.store.inspection import upload_sources
from ggp.manager.store.location import PRIVATE, DatabaseError
from ggp.manager.store.restoring import check_is_empty, load
from ggp.manager.store.schema import check_revision
from ggp.manager.store.tables import digest_of

FORMAT: Final = 1
"""Version of the archive format. Newer versions of the program may write a higher number."""
MANIFEST: Final = "manifest.json"
DATABASE: Final = "database"
SUBMISSIONS: Final = "submissions/"
MAX_MANIFEST_BYTES: Final = 4 << 20
PACKING: Final = 3
"""Compression level of gzip, from 1 (fast) to 9. Similar states need only a low level."""
BLOCK: Final = 1 << 20
BEGIN_OF_SQLITE: Final = b"SQLite format 3\0"
BEGIN_OF_GZIP: Final = b"\x1f\x8b"
_SUBMISSION: Final = re.compile(r"submissions/([\w-]+/)*[\w-]+\.py")


class BackupError(GgpError):
    """A backup that cannot be written, or a file that is not a valid backup."""


class FileInfo(BaseModel):
    """One file of a backup."""

    size: int = Field(ge=0)
    """Size in bytes."""
    sha256: str


class DatabaseInfo(BaseModel):
    """The database in a backup, with the fields of `DumpInfo`."""

    kind: str
    revision: str
    rows: dict[str, int]


class Manifest(BaseModel):
    """The manifest of a backup: what it contains."""

    format: int
    program: str
    """The version of the program that wrote the backup."""
    made: datetime
    database: DatabaseInfo
    files: dict[str, FileInfo]
    missing: int = Field(default=0, ge=0)
    """Number of registered players whose uploaded files are not in the backup."""

    @property
    def dump(self) -> DumpInfo:
        """The required content of the database in the backup."""
        return DumpInfo(self.database.kind, self.database.revision, self.database.rows)

    @property
    def submissions(self) -> list[str]:
        """Names of the uploaded players."""
        return [name for name in self.files if name != DATABASE]


async def write_backup(url: str, file: Path, submissions: Path | None) -> Manifest:
    """Write all data of a manager to a new file that only its owner may read.

    Raises:
        BackupError: The backup cannot be written.
        DatabaseError: The database does not exist, cannot be read, does not belong to a manager,
            or is of a newer version.
    """
    if file.exists():
        raise BackupError(f"{file}: this file already exists; give the name of a new file")
    try:
        with tempfile.TemporaryDirectory(prefix=f".{file.name}.", dir=file.parent) as folder:
            dumped = Path(folder) / DATABASE
            content = await dump(url, dumped)
            check_revision(content.revision)  # otherwise the backup could not be restored
            found = {DATABASE: dumped, **_uploaded(submissions)}
            missing = await _num_missing(url, content, found)
            new = Path(folder) / "new"
            manifest = await asyncio.to_thread(_pack, new, content, found, missing)
            (Path(folder) / "new").rename(file)
            return manifest
    except OSError as error:
        raise BackupError(f"{file}: {reason_of_writing(error, file)}") from error


def _uploaded(folder: Path | None) -> dict[str, Path]:
    if folder is None:
        return {}
    named = {f"{SUBMISSIONS}{one.relative_to(folder).as_posix()}": one for one in _sources(folder)}
    return {name: named[name] for name in sorted(named) if _SUBMISSION.fullmatch(name)}


async def _num_missing(url: str, content: DumpInfo, found: dict[str, Path]) -> int:
    sources = await upload_sources(url) if "players" in content.rows else []
    there = {one.stem for one in found.values()}
    return sum(digest_of(source) not in there for source in sources)


def _sources(folder: Path) -> list[Path]:
    return [one for one in folder.rglob("*.py") if one.is_file() and not one.is_symlink()]


def _pack(new: Path, content: DumpInfo, found: dict[str, Path], missing: int) -> Manifest:
    manifest = Manifest(
        format=FORMAT,
        program=__version__,
        made=datetime.now(UTC),
        database=DatabaseInfo(**asdict(content)),
        files={name: _info(one) for name, one in found.items()},
        missing=missing,
    )
    with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE), "wb") as stream:
        _add_all(stream, manifest, found)
        stream.flush()
        os.fsync(stream.fileno())
    return manifest


def _add_all(stream: IO[bytes], manifest: Manifest, found: dict[str, Path]) -> None:
    text = manifest.model_dump_json(indent=1).encode()
    with tarfile.open(fileobj=stream, mode="w:gz", compresslevel=PACKING) as archive:
        _add(archive, MANIFEST, len(text), io.BytesIO(text))
        for name, one in found.items():
            with one.open("rb") as source:
                _add(archive, name, manifest.files[name].size, source)


def _info(file: Path) -> FileInfo:
    with file.open("rb") as source:
        return FileInfo(size=file.stat().st_size, sha256=file_digest(source, "sha256").hexdigest())


def _add(archive: tarfile.TarFile, name: str, size: int, source: IO[bytes]) -> None:
    member = tarfile.TarInfo(name)
    member.size, member.mode = size, PRIVATE
    archive.addfile(member, source)


async def check_backup(file: Path) -> Manifest:
    """Read and check a whole backup.

    Raises:
        BackupError: The file is not a backup, is damaged, or is of a newer version.
    """
    with tempfile.TemporaryDirectory() as folder:
        return await _unpacked(file, Path(folder))


async def restore_backup(file: Path, url: str, submissions: Path | None) -> Manifest:
    """Restore a manager's database, and write the uploaded players to their folder.

    Raises:
        BackupError: The file is not a backup, is damaged, or is of a newer version.
        DatabaseError: The database is not empty, or cannot be written.
    """
    await check_is_empty(url)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        manifest = await _unpacked(file, folder)
        if manifest.submissions and submissions is None:
            raise BackupError(
                f"{file}: this backup contains {len(manifest.submissions):,} uploaded "
                "players; give a folder for them with --submissions FOLDER"
            )
        if submissions is not None:
            _place(manifest.submissions, folder, submissions)
        await load(url, folder / DATABASE, manifest.dump)
        return manifest


async def _unpacked(file: Path, folder: Path) -> Manifest:
    with _naming(file):
        manifest = await asyncio.to_thread(_unpack, file, folder)
        await check_dump(folder / DATABASE, manifest.dump)
        return manifest


@contextmanager
def _naming(file: Path) -> Iterator[None]:
    try:
        yield
    except (tarfile.TarError, EOFError, zlib.error) as error:
        raise BackupError(f"{file}: expected a backup, but {_kind_of(file)}") from error
    except DatabaseError as error:
        raise BackupError(f"{file}: {error}") from error
    except OSError as error:
        raise BackupError(f"{file}: {reason_of(error)}") from error


def _kind_of(file: Path) -> str:
    """Describe a file that cannot be unpacked, judging by its first bytes."""
    begin = b""
    with suppress(OSError), file.open("rb") as source:
        begin = source.read(len(BEGIN_OF_SQLITE))
    if begin == BEGIN_OF_SQLITE:
        return "this file is a database, which `ggp manager --db` opens"
    if begin.startswith(BEGIN_OF_GZIP):
        return "this file is damaged or incomplete"
    return "this file is something else"


def _unpack(file: Path, folder: Path) -> Manifest:
    """Write the files of a backup to a folder and compare them with the manifest."""
    with tarfile.open(file, "r:gz") as archive:
        manifest = _manifest(file, archive)
        for name, info in manifest.files.items():
            member = archive.next()
            if member is None or member.name != name or not member.isreg():
                got = "nothing" if member is None else member.name
                raise BackupError(f"{file}: expected {name}, got {got}; the backup is damaged")
            place = folder / name
            place.parent.mkdir(parents=True, exist_ok=True)
            source = archive.extractfile(member)
            if source is None or member.size != info.size or _copy(source, place) != info.sha256:
                raise BackupError(
                    f"{file}: {name} differs from what was written; the backup is damaged"
                )
        return manifest


def _manifest(file: Path, archive: tarfile.TarFile) -> Manifest:
    member = archive.next()
    source = archive.extractfile(member) if member is not None and member.isreg() else None
    if member is None or source is None or member.name != MANIFEST:
        raise BackupError(f"{file}: expected a backup, but this file contains no {MANIFEST}")
    try:
        manifest = Manifest.model_validate_json(source.read(MAX_MANIFEST_BYTES))
    except ValidationError as error:
        place = ".".join(map(str, error.errors()[0]["loc"]))
        raise BackupError(f"{file}: {MANIFEST}: {place}: {error.errors()[0]['msg']}") from None
    if manifest.format > FORMAT:
        raise BackupError(
            f"{file}: expected format {FORMAT} at most, got {manifest.format}; "
            f"restore it with version {manifest.program}, which wrote it, or a newer one"
        )
    strange = [name for name in manifest.submissions if not _SUBMISSION.fullmatch(name)]
    if strange or DATABASE not in manifest.files:
        got = strange[0] if strange else f"no {DATABASE}"
        raise BackupError(
            f"{file}: {MANIFEST}: files: expected {DATABASE} and files of players, got {got}"
        )
    return manifest


def _copy(source: IO[bytes], place: Path) -> str:
    """Copy a file and return its hash."""
    digest = sha256()
    with place.open("xb") as target:
        while block := source.read(BLOCK):
            digest.update(block)
            target.write(block)
    return digest.hexdigest()


def _place(names: list[str], unpacked: Path, submissions: Path) -> None:
    for name in names:
        place = submissions / name.removeprefix(SUBMISSIONS)
        place.parent.mkdir(0o700, parents=True, exist_ok=True)
        new = place.with_suffix(".new")
        new.touch(PRIVATE)
        new.write_bytes((unpacked / name).read_bytes())
        new.rename(place)
