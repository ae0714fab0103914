"""Kernels: compiled functions of the reasoner and the searches, and their machine code on disk."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from gdl.circuit.lanes.expander.expander import Simulator
    from gdl.circuit.scalar.game import ScalarKernels

# numba is imported inside the functions, because reading and checking rules do not need it.

Function = TypeVar("Function", bound=Callable[..., object])

_are_loaded = threading.Event()  # whether this process has loaded the kernels


def kernel(function: Function) -> Function:
    """Compile a function of a search in the same way as the circuit's kernels. Use as a decorator.

    The function may call other kernels if their source code is in the same folder or in gdl. The
    machine code is cached on disk until a source file there changes.
    """
    from gdl.native.jit import kernel_elsewhere

    return kernel_elsewhere(function)


def is_warm() -> bool:
    """Return whether all machine code that `warm_up` loads is on disk."""
    from gdl.native.kernel_cache import is_complete, kernel_folder

    return is_complete(kernel_folder())


def compile_ahead(
    module: str,
    parts: Sequence[str],
    packages: Sequence[Path],
    announce: Callable[[], None] = lambda: None,
) -> None:
    """Compile the kernels of a search in several processes, unless they are cached on disk.

    If another process is already compiling them, wait for it.

    Args:
        module: Module to run as `python -m MODULE PART`. It calls all kernels of a part, so that
            they are compiled.
        parts: Values of PART. Together they cover every kernel.
        packages: The folders of the source files. If one changes, the kernels are compiled again.
        announce: Called before the kernels are compiled, but not if they are on disk.
    """
    from gdl.native.kernel_cache import compile_once, folder_of_packages

    compile_once(folder_of_packages(tuple(packages), module), module, parts, announce)


def is_compiled_ahead(module: str, packages: Sequence[Path]) -> bool:
    """Return whether the machine code of the search and of the reasoner is cached on disk."""
    from gdl.native.kernel_cache import folder_of_packages, is_complete

    return is_warm() and is_complete(folder_of_packages(tuple(packages), module))


def compile_apart(module: str, packages: Sequence[Path]) -> None:
    """Compile the kernels of the reasoner and the search in a process that may outlive this one.

    The process runs `python -m MODULE`, which calls `warm_up` and `compile_ahead`. Return once the
    kernels are on disk. Do nothing if there is no disk cache.
    """
    from gdl.native import kernel_cache
    from gdl.native.kernel_cache import folder_of_packages

    folder = folder_of_packages(tuple(packages), module)
    kernel_cache.compile_apart(folder, module, lambda: is_compiled_ahead(module, packages))


def collect_garbage_once() -> None:
    """Let the garbage collector examine each object only once in this compiler process."""
    from gdl.native import kernel_cache

    kernel_cache.collect_garbage_once()


def warm_up(progress: Callable[[str], None] | None = None) -> None:
    """Load the machine code that all games share, so that `load` does not have to.

    After an installation, the machine code is compiled first, which takes about half a minute. Call
    `progress` with a description before each long step. A second call does nothing.
    """
    from gdl.circuit import warming

    if not _are_loaded.is_set():
        warming.warm_up(progress)
        _are_loaded.set()


def warm_up_decisive(simulator: Simulator) -> None:
    """Load the kernels that compute `Game.decisive`, even if its result is cached on disk."""
    from gdl.structure.decisive import make_decisive

    make_decisive(simulator.circuit)


def scalar_kernels() -> ScalarKernels:
    """Return the kernels for a `ScalarGame`, which the kernels of a search can call."""
    from gdl.circuit.scalar.game import scalar_kernels

    return scalar_kernels()
