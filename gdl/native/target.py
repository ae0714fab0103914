"""The target: the vector instructions of this processor, and memory for machine code."""

from __future__ import annotations

import ctypes
import logging
import mmap
import os
import platform
import sys
from enum import Enum
from functools import cache
from typing import Any

import numba
import numpy as np
from llvmlite import binding
from numpy.typing import NDArray

_log = logging.getLogger(__name__)

_RETURN = np.array([0xC3], np.uint8)


class CodePages:
    """Machine code in executable memory, which is freed together with this object.

    Attributes:
        address: The address of the code's first byte.
    """

    def __init__(self, code: NDArray[np.uint8]) -> None:
        """Copy code into new pages.

        Raises:
            OSError: The system does not let a process execute memory that it has written.
        """
        size = max(1, len(code))
        self._pages = mmap.mmap(-1, size, prot=mmap.PROT_READ | mmap.PROT_WRITE)
        self._pages[: len(code)] = code.tobytes()
        self._view = (ctypes.c_char * size).from_buffer(self._pages)
        self.address = ctypes.addressof(self._view)
        libc = ctypes.CDLL(None, use_errno=True)
        start = ctypes.c_void_p(self.address)
        if libc.mprotect(start, ctypes.c_size_t(size), mmap.PROT_READ | mmap.PROT_EXEC):
            number = ctypes.get_errno()
            raise OSError(number, os.strerror(number))


@cache
def can_execute() -> bool:
    """Return whether the system lets this process execute memory that it has written."""
    try:
        CodePages(_RETURN)
    except (OSError, ValueError, AttributeError) as error:
        _log.warning(
            "machine code of games cannot run on this machine, so slower tables are used: %s", error
        )
        return False
    return True


_config: Any = numba.config


class Target(Enum):
    """A set of vector instructions for which there is an assembler.

    Values: number of registers, bytes of a register.
    """

    AVX512 = (32, 64)
    AVX2 = (16, 32)
    SSE2 = (16, 16)
    NEON = (24, 16)

    @property
    def num_registers(self) -> int:
        """Number of vector registers."""
        return self.value[0]

    @property
    def num_bytes(self) -> int:
        """Number of bytes of a vector register."""
        return self.value[1]

    @property
    def has_ternary(self) -> bool:
        """Whether there is an instruction for any function of three vectors."""
        return self is Target.AVX512


def target() -> Target | None:
    """Return the target to use here, or None if games are not compiled to machine code."""
    return targets()[0] if targets() and can_execute() and not _config.DISABLE_JIT else None


@cache
def targets() -> tuple[Target, ...]:
    """Return the targets that this processor supports, the widest first. There may be none."""
    if sys.platform == "win32" or sys.maxsize < 1 << 32:
        return ()
    if platform.machine() == "aarch64" and sys.platform == "linux":
        return (Target.NEON,)
    if platform.machine() not in {"x86_64", "AMD64"}:
        return ()
    features = binding.get_host_cpu_features()  # only those that the operating system supports, too
    wanted = {Target.AVX512: "avx512f", Target.AVX2: "avx2", Target.SSE2: "sse2"}
    return tuple(target for target, feature in wanted.items() if features.get(feature, False))
