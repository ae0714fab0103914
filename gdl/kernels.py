"""Kernels: compiled functions of reasoner and searches, and their machine code on disk."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from gdl.circuit.lanes.expander.expander import Simulator
    from gdl.circuit.scalar.game import ScalarKernels

# numba is imported inside the functions, so that reading and checking rules do not wait for it.

Function = TypeVar("Function", bound=Callable[..., object])

_are_loaded = threading.Event()  # whether this process has loaded the kernels


def kernel(function: Function) -> Function:
    """Compile a function of a search like the kernels of the circuit. Use it as a decorator.

    The function may call other kernels whose source is in the same folder, or in gdl. The machine
    code stays on disk until a source there changes.
    """
    from gdl.circuit.native.jit import kernel_elsewhere

    return kernel_elsewhere(function)


def is_warm() -> bool:
    """Return whether `warm_up` would find all machine code on disk."""
    from gdl.circuit.native.kernel_cache import is_complete, kernel_folder

    return is_complete(kernel_folder())


def compile_ahead(
    module: str,
    parts: Sequence[str],
    packages: Sequence[Path],
    announce: Callable[[], None] = lambda: None,
) -> None:
    """Compile the kernels of a search in several processes, unless they are on disk.

    Another process that needs them at the same time waits for the first one.

    Args:
        module: `python -m MODULE PART` calls all kernels of a part, which compiles them.
        parts: All parts. Together they call every kernel.
        packages: The folders of their sources. If one changes, the kernels are compiled anew.
        announce: Called before the kernels are compiled, but not if they are on disk.
    """
    from gdl.circuit.native.kernel_cache import compile_once, folder_of_packages

    compile_once(folder_of_packages(tuple(packages), module), module, parts, announce)


def is_compiled_ahead(module: str, packages: Sequence[Path]) -> bool:
    """Return whether the kernels of a search and of the reasoner are on disk."""
    from gdl.circuit.native.kernel_cache import folder_of_packages, is_complete

    return is_warm() and is_complete(folder_of_packages(tuple(packages), module))


def compile_apart(module: str, packages: Sequence[Path]) -> None:
    """Compile the kernels of reasoner and search in a process that outlives this one.

    The process runs `python -m MODULE`, which calls `warm_up` and `compile_ahead`. Return once the
    kernels are on disk. Do nothing if there is no disk to keep them on.
    """
    from gdl.circuit.native import kernel_cache
    from gdl.circuit.native.kernel_cache import folder_of_packages

    folder = folder_of_packages(tuple(packages), module)
    kernel_cache.compile_apart(folder, module, lambda: is_compiled_ahead(module, packages))


def collect_garbage_once() -> None:
    """Limit garbage collection to one look at each object, in a process that compiles kernels."""
    from gdl.circuit.native import kernel_cache

    kernel_cache.collect_garbage_once()


def warm_up(progress: Callable[[str], None] | None = None) -> None:
    """Load the machine code that all games share, so that `load` need not.

    After an install it is compiled first, which takes about half a minute. `progress` is called
    with a description before each long step. A second call does nothing.
    """
    from gdl.circuit import warming

    if not _are_loaded.is_set():
        warming.warm_up(progress)
        _are_loaded.set()


def warm_up_decisive(simulator: Simulator) -> None:
    """Load the kernels that make `Game.decisive`, even if their result is on disk."""
    from gdl.structure.decisive import make_decisive

    make_decisive(simulator.circuit)


def scalar_kernels() -> ScalarKernels:
    """Return kernels that work on the arrays of a `scalar_game`, for kernels of a search."""
    from gdl.circuit.scalar.game import scalar_kernels

    return scalar_kernels()
