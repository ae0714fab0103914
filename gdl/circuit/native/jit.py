"""The one place that holds numba's options, so that all kernels are compiled alike.

The locator: numba names the folder of a function after the path of its source. A clone and the
package that was installed from it, or two environments, hold the same kernels under different
paths. Each of them would compile the kernels again. The folders here are already named after the
sources and everything else that shapes a kernel (see `kernel_cache`). So inside them it is enough
to use the name of the kernel's module.

`CacheImpl` asks each class in its list for a locator and takes the first one that it gets. That
list is not public, but no other way works in all versions of numba.
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
    """Use `folder` to cache functions that are decorated inside the block.

    Yield whether there is a folder.
    """
    before = _current.set(folder)
    try:
        yield folder is not None
    finally:
        _current.reset(before)


class ContentLocator:
    """Answers to what numba asks about the cache of one function."""

    def __init__(self, function: Callable[..., object], path: str, folder: Path) -> None:
        self._py_file = path  # numba names it if it cannot cache a function
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
        """Return the name of the folder, which says what the machine code belongs to."""
        return self._stamp

    def get_disambiguator(self) -> str:
        """Return the line of the function, which tells apart equal names in a module."""
        return str(self._line)


_locators: Any = caching.CacheImpl._locator_classes  # noqa: SLF001 - see above
_locators.insert(0, ContentLocator)


Function = TypeVar("Function", bound=Callable[..., object])

_UNCOUNTED: dict[str, Any] = {"_nrt": False}  # no references to arrays are counted
_INLINED: dict[str, Any] = {"forceinline": True, **_UNCOUNTED}
# A function that Python calls is compiled once. It is not compiled again as part of the wrapper by
# which Python calls it, or of a wrapper for C.
_WHOLE: dict[str, Any] = {"forceinline": False, "no_cfunc_wrapper": True}


def kernel(function: Function) -> Function:
    """Compile the function at its first call. Under `NUMBA_DISABLE_JIT=1` it stays plain Python.

    The function may create no array. The options mean:

    - `nogil`: Kernels touch only arrays, so several threads may play at once.
    - `cache`: A process that starts finds the machine code on the disk.
    - `error_model`: An index is never divided by zero, so the check that Python wants would only
      cost time.
    """
    return _compiled(function, _UNCOUNTED, kernel_folder(), unrolls=False)


def array_kernel(function: Function) -> Function:
    """Compile a kernel that creates arrays. numba counts the references to each array in it.

    Only Python, or another array kernel, may call it.
    """
    return _compiled(function, {}, kernel_folder(), unrolls=False)


def lane_kernel(function: Function) -> Function:
    """Compile a kernel that creates no array. numba does not count references in it.

    Counting costs more than a small circuit's gates, for each of the arrays in a tuple of tables.
    The option starts with an underscore, but numba's guide to extensions shows it. Lane kernels
    become part of the kernel that calls them, because a call would hand over all arrays of all
    tables, one by one. They have few branches, so it is enough to optimise them there.
    """
    return _compiled(function, _INLINED, kernel_folder(), is_optimised=False)


def scalar_kernel(function: Function) -> Function:
    """Compile a lane kernel with many branches, which is optimised before its callers are.

    Without this, a search that contains such kernels runs up to a fifth slower.
    """
    return _compiled(function, _INLINED, kernel_folder())


def kernel_elsewhere(function: Function) -> Function:
    """Compile a scalar kernel outside of this package.

    Kernels that call each other are in one folder. If a source in it changes, all of them are
    compiled again.
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
    # numba has no type hints. What it returns is called exactly like the given function.
    return cast(Function, compiled)


def _compile_apart_for_kernels(compiled: Any, part: Any) -> None:
    """Give kernels that call this kernel a form of it that Python cannot call.

    What Python needs to call a function takes numba longer to compile than most of our functions.
    Hardly any function is called both by Python and by kernels. That form is not kept on the disk,
    because it is part of the kernels that are.
    """
    compiled.get_call_template = part.get_call_template
    compiled.get_overload = part.get_overload
