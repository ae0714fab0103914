"""The one place that holds numba's options, so that all kernels are compiled alike."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba

from gdl.circuit.native.kernel_cache import folder_of_package, kernel_folder
from gdl.circuit.native.locator import numba_caches_here

Function = TypeVar("Function", bound=Callable[..., object])

_INLINED: dict[str, Any] = {"forceinline": True, "_nrt": False}


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
    kernel that calls them: a call hands over all arrays of all tables, one by one.
    """
    return _compiled(function, _INLINED, kernel_folder())


def kernel_elsewhere(function: Function) -> Function:
    """As `kernel`, for functions outside of this package.

    Those that call each other stand in one folder: when a source there changes, all are compiled
    anew.
    """
    package = function.__module__.rpartition(".")[0]
    folder = folder_of_package(Path(function.__code__.co_filename).parent, package)
    return _compiled(function, _INLINED, folder)


def _compiled(function: Function, options: dict[str, Any], folder: Path | None) -> Function:
    with numba_caches_here(folder) as is_cached:
        decorate = numba.njit(nogil=True, cache=is_cached, error_model="numpy", **options)
        # numba has no types of its own; what it returns is called exactly as what it was given.
        return cast(Function, decorate(function))
