"""The one place that holds numba's options, so that all kernels are compiled alike.

Locator: numba names the folder of a function after the path of its source. A clone and the package
that was installed from it, or two environments, hold the same kernels under different paths; each
would compile them anew. The folders that are handed over here are already named after the sources
and all else that shapes a kernel (see `kernel_cache`), so in them the name of its module will do.
`CacheImpl` asks each class of its list for a locator, the first that has one is taken. That list is
not public; there is no other way to it that all versions of numba have.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from numba.core import caching
from numba.core.dispatcher import Dispatcher

from gdl.circuit.native.compiler import KernelCompiler, RolledKernelCompiler, part_of_kernels
from gdl.circuit.native.kernel_cache import folder_of_package, kernel_folder

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


Function = TypeVar("Function", bound=Callable[..., object])

_UNCOUNTED: dict[str, Any] = {"_nrt": False}  # no references to arrays are counted
_INLINED: dict[str, Any] = {"forceinline": True, **_UNCOUNTED}
# What Python calls is compiled once: not a second time in what Python calls it by, nor a third time
# in what C would.
_WHOLE: dict[str, Any] = {"forceinline": False, "no_cfunc_wrapper": True}


def kernel(function: Function) -> Function:
    """The function, compiled at its first call; plain Python under `NUMBA_DISABLE_JIT=1`.

    It may create no array.

    nogil: kernels touch arrays only, so several threads may play at once. cache: a process that
    starts finds the machine code on disk. error_model: an index is never divided by zero, so the
    check that Python wants would only cost.
    """
    return _compiled(function, _UNCOUNTED, kernel_folder(), unrolls=False)


def array_kernel(function: Function) -> Function:
    """A kernel that creates arrays: numba counts the references to each array in it.

    Only Python, or another such kernel, may call it.
    """
    return _compiled(function, {}, kernel_folder(), unrolls=False)


def lane_kernel(function: Function) -> Function:
    """A kernel that creates no array: numba does not count references in it.

    Counting costs more than a small circuit's gates, for each of the arrays in a tuple of tables.
    The option has an underscore, but numba's guide to extensions shows it. They become part of the
    kernel that calls them: a call hands over all arrays of all tables, one by one. What they do
    has few branches, and it is enough to optimise it there.
    """
    return _compiled(function, _INLINED, kernel_folder(), is_optimised=False)


def scalar_kernel(function: Function) -> Function:
    """A lane kernel with many branches: it is optimised before its callers are.

    A search of which they are part without that runs up to a fifth slower.
    """
    return _compiled(function, _INLINED, kernel_folder())


def kernel_elsewhere(function: Function) -> Function:
    """A scalar kernel outside of this package.

    Those that call each other stand in one folder: when a source there changes, all are compiled
    anew.
    """
    package = function.__module__.rpartition(".")[0]
    folder = folder_of_package(Path(function.__code__.co_filename).parent, package)
    return _compiled(function, _INLINED, folder)


def _compiled(
    function: Function,
    options: dict[str, Any],
    folder: Path | None,
    *,
    is_optimised: bool = True,
    unrolls: bool = True,
) -> Function:
    options = {"nogil": True, "error_model": "numpy", **options}
    with numba_caches_here(folder) as is_cached:
        compiled = numba.njit(
            cache=is_cached,
            pipeline_class=(KernelCompiler if unrolls else RolledKernelCompiler),
            **options | _WHOLE,
        )(function)
    if isinstance(compiled, Dispatcher):  # else it stays plain Python
        part = part_of_kernels(function, options, is_optimised=is_optimised)
        _compile_apart_for_kernels(compiled, part)
    # numba has no types of its own; what it returns is called exactly as what it was given.
    return cast(Function, compiled)


def _compile_apart_for_kernels(compiled: Any, part: Any) -> None:
    """Let kernels that call a kernel be given a form of it that Python cannot call.

    What Python needs to call a function takes numba longer to compile than most of our functions,
    and hardly any is called both by Python and by kernels. That form is not kept on the disk: it
    is part of those that are.
    """
    compiled.get_call_template = part.get_call_template
    compiled.get_overload = part.get_overload
