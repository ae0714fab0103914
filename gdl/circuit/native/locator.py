"""Locator of kernels' machine code for numba: by what a source says, not by where it lies.

numba names the folder of a function after the path of its source. A clone and the package that was
installed from it, or two environments, hold the same kernels under different paths; each would
compile them anew. The folders that are handed over here are already named after the sources and
all else that shapes a kernel (see `kernel_cache`), so in them the name of its module will do.

`CacheImpl` asks each class of its list for a locator, the first that has one is taken. That list is
not public; there is no other way to it that all versions of numba have.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from pathlib import Path
from typing import Any

from numba.core import caching

_current: ContextVar[Path | None] = ContextVar("folder", default=None)


@contextlib.contextmanager
def numba_caches_here(folder: Path | None) -> Iterator[bool]:
    """Functions decorated inside are cached in a folder; yields whether there is one."""
    before = _current.set(folder)
    try:
        yield folder is not None
    finally:
        _current.reset(before)


class ContentLocator:
    """Answers what numba asks about the cache of one function."""

    def __init__(self, function: Callable[..., object], path: str, folder: Path) -> None:
        self._py_file = path  # numba names it when it cannot cache a function
        self._path = folder / function.__module__
        self._line = function.__code__.co_firstlineno
        self._stamp = folder.name

    @classmethod
    def from_function(cls, function: Callable[..., object], path: str) -> ContentLocator | None:
        """The locator of a function that is being decorated; None if it is none of ours."""
        folder = _current.get()
        return None if folder is None else cls(function, path, folder)

    def ensure_cache_path(self) -> None:
        """Make the folder."""
        self._path.mkdir(mode=0o700, parents=True, exist_ok=True)

    def get_cache_path(self) -> str:
        """Folder of the machine code."""
        return str(self._path)

    def get_source_stamp(self) -> str:
        """Name of the folder, which says what the machine code belongs to."""
        return self._stamp

    def get_disambiguator(self) -> str:
        """Line of the function, which distinguishes those of the same name in a module."""
        return str(self._line)


_locators: Any = caching.CacheImpl._locator_classes  # noqa: SLF001 - see above
_locators.insert(0, ContentLocator)
