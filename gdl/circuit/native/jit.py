"""The one place that holds numba's options, so that all kernels are compiled alike."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from numba.core.dispatcher import Dispatcher

from gdl.circuit.native.kernel_cache import folder_of_package, kernel_folder
from gdl.circuit.native.locator import numba_caches_here
from gdl.circuit.native.parts import part_of_kernels

Function = TypeVar("Function", bound=Callable[..., object])

_INLINED: dict[str, Any] = {"forceinline": True, "_nrt": False}
# What Python calls is compiled once: not a second time in what Python calls it by, nor a third time
# in what C would.
_WHOLE: dict[str, Any] = {"forceinline": False, "no_cfunc_wrapper": True}


def kernel(function: Function) -> Function:
    """The function, compiled at its first call; plain Python under `NUMBA_DISABLE_JIT=1`.

    nogil: kernels touch arrays only, so several threads may play at once. cache: a process that
    starts finds the machine code on disk. error_model: an index is never divided by zero, so the
    check that Python wants would only cost.
    """
    return _compiled(function, {}, kernel_folder())


def lane_kernel(function: Function) -> Function:
    """As `kernel`, for functions that create no array: numba does not count references in them.

    Counting costs more than a small circuit's gates, for each of the arrays in a tuple of tables.
    The option has an underscore, but numba's guide to extensions shows it. They become part of the
    kernel that calls them: a call hands over all arrays of all tables, one by one. What they do
    has few branches, and it is enough to optimise it there.
    """
    return _compiled(function, _INLINED, kernel_folder(), is_optimised=False)


def scalar_kernel(function: Function) -> Function:
    """As `lane_kernel`, for functions with many branches: each is optimised before its callers are.

    A search of which they are part without that runs up to a fifth slower.
    """
    return _compiled(function, _INLINED, kernel_folder())


def kernel_elsewhere(function: Function) -> Function:
    """As `scalar_kernel`, for functions outside of this package.

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
) -> Function:
    options = {"nogil": True, "error_model": "numpy", **options}
    with numba_caches_here(folder) as is_cached:
        compiled = numba.njit(cache=is_cached, **options | _WHOLE)(function)
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
