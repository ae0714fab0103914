"""The target: which vector instructions this processor has."""

from __future__ import annotations

import platform
import sys
from enum import Enum
from functools import cache
from typing import Any

import numba
from llvmlite import binding

from gdl.circuit.native.pages import can_execute

_config: Any = numba.config


class Target(Enum):
    """Vector instructions that the assembler writes. Values: registers, bytes of a register."""

    AVX512 = (32, 64)
    AVX2 = (16, 32)
    SSE2 = (16, 16)
    NEON = (24, 16)

    @property
    def num_registers(self) -> int:
        """The number of vector registers."""
        return self.value[0]

    @property
    def num_bytes(self) -> int:
        """Bytes of a vector register."""
        return self.value[1]

    @property
    def has_ternary(self) -> bool:
        """True if any function of three vectors is one instruction."""
        return self is Target.AVX512


def target() -> Target | None:
    """The instructions to use here; None where there is no machine code for games."""
    return targets()[0] if targets() and can_execute() and not _config.DISABLE_JIT else None


@cache
def targets() -> tuple[Target, ...]:
    """The targets that this processor runs, the widest first; none where it is of another kind."""
    if sys.platform == "win32" or sys.maxsize < 1 << 32:
        return ()
    if platform.machine() == "aarch64" and sys.platform == "linux":
        return (Target.NEON,)
    if platform.machine() not in {"x86_64", "AMD64"}:
        return ()
    features = binding.get_host_cpu_features()  # with those only that the system keeps, too
    wanted = {Target.AVX512: "avx512f", Target.AVX2: "avx2", Target.SSE2: "sse2"}
    return tuple(target for target, feature in wanted.items() if features.get(feature, False))
