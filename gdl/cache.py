"""Disk cache for results that later processes can reuse.

A value is a `bytes` object. Its key is computed from everything that the value depends on, so a
stored value never becomes out of date. Each value is a file with a checksum, which is written
atomically. So several processes may read and write at the same time. If the files exceed the size
limit, the least recently used ones are removed.

The cache contains machine code, and loading it means running it. So folders that other users own or
may write to are not used. If a disk operation fails, nothing is cached, but no error is raised.

Environment: GGP_CACHE_DIR names the folder, by default the user's cache folder of the system.
GGP_CACHE_MEGABYTES limits the size of all values, 512 by default. With 0, nothing is cached.
"""

from __future__ import annotations

import contextlib
import grp
import hashlib
import logging
import os
import pwd
import stat
import tempfile
from functools import cache
from pathlib import Path

import platformdirs

MEGABYTES = 512

_VALUES = "games"
_DIGEST_BYTES = hashlib.sha256().digest_size

_log = logging.getLogger(__name__)


def read(key: str) -> bytes | None:
    """Return the value for a key, or None if it is not cached."""
    path = _path(key)
    if path is None:
        return None
    try:
        data = path.read_bytes()
        if hashlib.sha256(data[_DIGEST_BYTES:]).digest() == data[:_DIGEST_BYTES]:
            os.utime(path)  # mark the file as recently used
            return data[_DIGEST_BYTES:]
        _log.debug("%s: damaged, removed", path)
        path.unlink()
    except FileNotFoundError:
        pass
    except OSError as error:
        _log.debug("cannot read from the cache: %s", error)
    return None


def write(key: str, value: bytes) -> None:
    """Store a value. If there is no room, remove the least recently used values."""
    path = _path(key)
    limit = _limit()
    if path is None or len(value) + _DIGEST_BYTES > limit:
        return
    try:
        _write_whole(path, hashlib.sha256(value).digest() + value)
        remove_oldest(path.parent, limit)
    except OSError as error:
        _log.debug("cannot write to the cache: %s", error)


def _path(key: str) -> Path | None:
    if not _limit():
        return None
    values = folder(_VALUES)
    return None if values is None else values / key


def _limit() -> int:
    text = os.environ.get("GGP_CACHE_MEGABYTES", "")
    return (int(text) if text.isdecimal() and len(text) < 10 else MEGABYTES) << 20


def _write_whole(path: Path, data: bytes) -> None:
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix="new-")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def remove_oldest(folder: Path, limit: int) -> None:
    """Remove the oldest files of a folder until the others fit into `limit` bytes.

    Temporary files that crashed processes left behind count too.

    Args:
        limit: Maximum size of all files in bytes.

    Raises:
        OSError: The folder cannot be read, or a file cannot be removed.
    """
    files = []
    for path in folder.iterdir():
        with contextlib.suppress(FileNotFoundError):  # another process may have removed the file
            status = path.stat()
            files.append((status.st_mtime_ns, status.st_size, path))
    excess = sum(size for _, size, _ in files) - limit
    for _, size, path in sorted(files):
        if excess <= 0:
            break
        path.unlink(missing_ok=True)
        excess -= size


def folder(*parts: str, root: Path | None = None) -> Path | None:
    """Return the folder `parts` in `root`, by default in the cache. Create it if necessary.

    Return None if the folder cannot be created or is not safe to use.
    """
    root = root or _root()
    try:
        root.mkdir(mode=0o700, parents=True, exist_ok=True)
        root = root.resolve()  # use the checked folder even if a link changes later
        if not _is_private(root):
            _log.warning(
                "%s: other users may write to this folder, so nothing is cached there", root
            )
            return None
        found = root.joinpath(*parts)
        found.mkdir(mode=0o700, parents=True, exist_ok=True)
        return found
    except (OSError, RuntimeError) as error:  # RuntimeError: the user has no home folder
        _log.debug("no cache: %s", error)
        return None


def _root() -> Path:
    named = os.environ.get("GGP_CACHE_DIR")
    return Path(named or platformdirs.user_cache_dir("ggp-agent", appauthor=False))


def _is_private(path: Path) -> bool:
    status = path.stat()
    if status.st_uid != os.getuid() or status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        return False
    return not any(_is_open_to_others(parent.stat()) for parent in path.parents)


def _is_open_to_others(status: os.stat_result) -> bool:
    """Return whether users other than root and the current user may rename entries of a folder."""
    if status.st_uid not in (0, os.getuid()):
        return True
    if status.st_mode & stat.S_ISVTX:  # sticky bit: only owners may rename
        return False
    is_shared = status.st_mode & stat.S_IWGRP and not _is_own_group(status.st_gid)
    return bool(status.st_mode & stat.S_IWOTH or is_shared)


def _is_own_group(gid: int) -> bool:
    """Return whether a group is the current user's private group, which has the user's name."""
    try:
        user, group = pwd.getpwuid(os.getuid()), grp.getgrgid(gid)
    except KeyError:
        return False
    return gid == user.pw_gid and group.gr_name == user.pw_name and not group.gr_mem


def key(kind: str, *parts: str | bytes) -> str:
    """Return the cache key for a value of this kind that is computed from `parts`."""
    found = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
        found.update(len(data).to_bytes(8, "little"))
        found.update(data)
    return f"{found.hexdigest()[:40]}.{kind}"


@cache
def stamp(*packages: str) -> str:
    """Return a digest of the source files of the given packages inside `gdl`, such as "circuit"."""
    here = Path(__file__).parent
    paths = sorted(path for package in packages for path in (here / package).rglob("*.py"))
    texts = [part for path in paths for part in (path.name.encode(), path.read_bytes())]
    return key("stamp", *texts).partition(".")[0]
