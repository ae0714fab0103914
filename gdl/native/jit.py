"""The decorators for kernels. All numba options are in this file, so that all kernels use the same.

numba names the cache folder of a function after the path of its source. A clone and the package
installed from it, or two environments, have the same kernels under different paths. Each of them
would compile the kernels again. The folders here are already named after the sources and everything
else that shapes a kernel (see `kernel_cache`). So `ContentLocator` names the folders inside them
only after the module of the kernel.

numba's class `CacheImpl` asks each class in a list for a locator, and uses the first one that it
gets. That list is not public, but no other way works in all versions of numba.
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

from gdl.native.compiler import KernelCompiler, RolledKernelCompiler, part_of_kernels
from gdl.native.kernel_cache import folder_of_package, kernel_folder

_current: ContextVar[Path | None] = ContextVar("folder", default=None)


@contextlib.contextmanager
def numba_caches_here(folder: Path | None) -> Iterator[bool]:
    """Use `folder` as the cache of functions that are decorated inside the block.

    Yield whether there is a folder.
    """
    before = _current.set(folder)
    try:
        yield folder is not None
    finally:
        _current.reset(before)


class ContentLocator:
    """The place in the cache for the machine code of one function, for use by numba."""

    def __init__(self, function: Callable[..., object], path: str, folder: Path) -> None:
        self._py_file = path  # numba reports it if it cannot cache a function
        self._path = folder / function.__module__
        self._line = function.__code__.co_firstlineno
        self._stamp = folder.name

    @classmethod
    def from_function(cls, function: Callable[..., object], path: str) -> ContentLocator | None:
        """Return the locator of a function that is being decorated.

        Return None if the function is not one of our kernels.
        """
        folder = _current.get()
        return None if folder is None else cls(function, path, folder)

    def ensure_cache_path(self) -> None:
        """Create the folder of the machine code."""
        self._path.mkdir(mode=0o700, parents=True, exist_ok=True)

    def get_cache_path(self) -> str:
        """Return the folder of the machine code."""
        return str(self._path)

    def get_source_stamp(self) -> str:
        """Return the folder's name, which identifies the sources of the machine code."""
        return self._stamp

    def get_disambiguator(self) -> str:
        """Return the function's line number, which distinguishes equal names in a module."""
        return str(self._line)


_locators: Any = caching.CacheImpl._locator_classes  # noqa: SLF001 - see above
_locators.insert(0, ContentLocator)


Function = TypeVar("Function", bound=Callable[..., object])

_UNCOUNTED: dict[str, Any] = {"_nrt": False}  # do not count references to arrays
_INLINED: dict[str, Any] = {"forceinline": True, **_UNCOUNTED}
# A function that Python calls is compiled only once: it is not inlined into the wrapper through
# which Python calls it, and it has no wrapper for C.
_WHOLE: dict[str, Any] = {"forceinline": False, "no_cfunc_wrapper": True}


def kernel(function: Function) -> Function:
    """Compile the function at its first call. Under `NUMBA_DISABLE_JIT=1` it stays plain Python.

    The function must not create arrays. The options mean:

    - `nogil`: Kernels access only arrays, so several threads may play at once.
    - `cache`: A new process loads the machine code from the disk.
    - `error_model`: Kernels never divide by zero, so Python's check for it would only cost time.
    """
    return _compiled(function, _UNCOUNTED, kernel_folder(), unrolls=False)


def array_kernel(function: Function) -> Function:
    """Compile a kernel that creates arrays, in which numba counts references to arrays.

    Only Python and other array kernels may call it.
    """
    return _compiled(function, {}, kernel_folder(), unrolls=False)


def lane_kernel(function: Function) -> Function:
    """Compile a kernel that creates no arrays, so that numba need not count references.

    Counting them for each of the arrays in a tuple of tables costs more than the gates of a small
    circuit. The option's name starts with an underscore, but numba's guide to extensions shows it.
    Lane kernels are inlined into the kernel that calls them, because a call would pass all arrays
    of all tables one by one. They have few branches, so it is enough to optimise them there.
    """
    return _compiled(function, _INLINED, kernel_folder(), is_optimised=False)


def scalar_kernel(function: Function) -> Function:
    """Compile a lane kernel with many branches, which is optimised before its callers are.

    Otherwise, a search that contains such kernels runs up to a fifth slower.
    """
    return _compiled(function, _INLINED, kernel_folder())


def kernel_elsewhere(function: Function) -> Function:
    """Compile a scalar kernel that is defined outside of this package.

    The kernels of a package are cached in one folder, because they call each other. If a source in
    the package changes, all of them are compiled again.
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
    if isinstance(compiled, Dispatcher):  # otherwise it is still plain Python
        part = part_of_kernels(function, options, is_optimised=is_optimised)
        _compile_apart_for_kernels(compiled, part)
    # numba has no type hints. Its result is called in the same way as the given function.
    return cast(Function, compiled)


def _compile_apart_for_kernels(compiled: Any, part: Any) -> None:
    """Give kernels that call this kernel a form of it that Python cannot call.

    numba takes longer to compile the code through which Python calls a function than to compile
    most of our functions. Hardly any function is called both by Python and by kernels. The form for
    kernels is not cached on disk, because it becomes part of other kernels, which are cached.
    """
    compiled.get_call_template = part.get_call_template
    compiled.get_overload = part.get_overload
