"""The files that a player needs to run: the interpreter, what is installed, and this program."""

from __future__ import annotations

import site
import sys
import sysconfig
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import gdl
import ggp
from ggp import games

_SYSTEM: Final = (
    *("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/share/zoneinfo"),
    *("/etc/ld.so.cache", "/etc/localtime", "/dev/urandom", "/dev/random", "/dev/zero"),
    *("/proc/cpuinfo", "/proc/meminfo", "/sys/devices/system/cpu"),
)
_WRITABLE: Final = ("/dev/null",)


def readable() -> list[Path]:
    """What every submission may read."""
    paths = sysconfig.get_paths()
    folders = [paths[name] for name in ("stdlib", "platstdlib", "purelib", "platlib")]
    libraries = Path(sys.base_prefix) / "lib"
    # /usr/local/lib holds Python where it was built from source, and not much else.
    folders += [str(libraries), *site.getsitepackages()]
    if site.ENABLE_USER_SITE:
        folders.append(site.getusersitepackages())
    own = [str(Path(package.__file__ or "").parent) for package in (gdl, ggp)]
    found = [*_SYSTEM, *folders, *own, str(games.folder()), *_WRITABLE]
    return [Path(one) for one in dict.fromkeys(found) if Path(one).exists()]


def is_within(path: str, places: Sequence[Path]) -> bool:
    """Whether a path is one of these places, or stands in one that is a folder."""
    own = Path(path)
    return any(own == place or place in own.parents for place in places)


def writable() -> list[Path]:
    """What every submission may write."""
    return [Path(one) for one in _WRITABLE]
