"""Kernels: compiled functions of reasoner and searches, and their machine code on the disk."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from gdl.circuit.lanes.expander import Simulator
    from gdl.circuit.scalar.game import ScalarKernels

# numba is imported inside the functions: whoever only reads or checks rules does not wait for it.

Function = TypeVar("Function", bound=Callable[..., object])

_are_loaded = threading.Event()  # the kernels, in this process


def kernel(function: Function) -> Function:
    """Compile a function of a search, as the kernels of the circuit are; a decorator.

    It may call other kernels whose source stands in the same folder, or in gdl: the machine code
    is kept on the disk for as long as no source there changes.
    """
    from gdl.circuit.native.jit import kernel_elsewhere

    return kernel_elsewhere(function)


def is_warm() -> bool:
    """Whether `warm_up` would find all machine code on the disk."""
    from gdl.circuit.native.kernel_cache import is_complete, kernel_folder

    return is_complete(kernel_folder())


def compile_ahead(
    module: str,
    parts: Sequence[str],
    packages: Sequence[Path],
    announce: Callable[[], None] = lambda: None,
) -> None:
    """Have the kernels of a search compiled by several processes, unless they lie on the disk.

    A process that needs them at the same time waits for the first one.

    Args:
        module: `python -m MODULE PART` calls all the kernels of a part, which compiles them.
        parts: All parts; together they call every kernel.
        packages: The folders of their sources: when one changes, they are compiled anew.
        announce: Is called if they are compiled, before that.
    """
    from gdl.circuit.native.kernel_cache import compile_once, folder_of_packages

    compile_once(folder_of_packages(tuple(packages), module), module, parts, announce)


def is_compiled_ahead(module: str, packages: Sequence[Path]) -> bool:
    """Whether the kernels of a search lie on the disk, and those of the reasoner."""
    from gdl.circuit.native.kernel_cache import folder_of_packages, is_complete

    return is_warm() and is_complete(folder_of_packages(tuple(packages), module))


def compile_apart(module: str, packages: Sequence[Path]) -> None:
    """Have the kernels of reasoner and search compiled by a process that outlives this one.

    It is `python -m MODULE`, which calls `warm_up` and `compile_ahead`. Returns when they are on
    the disk; without a disk to keep them on, nothing is done.
    """
    from gdl.circuit.native import kernel_cache
    from gdl.circuit.native.kernel_cache import folder_of_packages

    folder = folder_of_packages(tuple(packages), module)
    kernel_cache.compile_apart(folder, module, lambda: is_compiled_ahead(module, packages))


def collect_garbage_once() -> None:
    """Let this process, which compiles kernels, look at each object for garbage only once."""
    from gdl.circuit.native import kernel_cache

    kernel_cache.collect_garbage_once()


def warm_up(progress: Callable[[str], None] | None = None) -> None:
    """Load the machine code that all games have in common, so that `load` need not.

    After an install it is compiled first, which takes about half a minute; before what takes long,
    `progress` is called with words for it. A second call does nothing.
    """
    from gdl.circuit import warming

    if not _are_loaded.is_set():
        warming.warm_up(progress)
        _are_loaded.set()


def warm_up_decisive(simulator: Simulator) -> None:
    """Load the kernels that make `Game.decisive`, also if what they make of it is on the disk."""
    from gdl.structure.decisive import make_decisive

    make_decisive(simulator.circuit)


def scalar_kernels() -> ScalarKernels:
    """Kernels that walk in the arrays of a `scalar_game`; those of a search may call them."""
    from gdl.circuit.scalar.game import scalar_kernels

    return scalar_kernels()
