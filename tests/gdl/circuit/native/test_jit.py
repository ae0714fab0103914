"""Functions that only kernels call are compiled as parts of them."""

from __future__ import annotations

from typing import Any

import numba
import pytest
from numba import types

from gdl.circuit.native.jit import part_of_kernels

# As numba is untyped elsewhere.
config: Any = numba.config
njit: Any = numba.njit

pytestmark = [
    pytest.mark.skipif(bool(config.DISABLE_JIT), reason="nothing is compiled"),
    pytest.mark.usefixtures("kernels"),
]


def _double(number: int) -> int:
    return 2 * number


@pytest.mark.parametrize("is_optimised", [False, True])
def test_a_kernel_calls_a_part(is_optimised: bool) -> None:
    """What it does is the same as in Python, whether it was optimised before or not."""
    double = part_of_kernels(_double, {"forceinline": True}, is_optimised=is_optimised)

    @njit
    def outer(number: int) -> int:
        return int(double(number)) + 1

    assert [outer(number) for number in range(4)] == [1, 3, 5, 7]


def test_a_part_has_no_machine_code_of_its_own() -> None:
    """It takes as long to make as all else, and nobody would run it."""
    double = part_of_kernels(_double, {}, is_optimised=False)

    @njit
    def outer(number: int) -> int:
        return int(double(number))

    outer(1)

    assert not callable(double.overloads[types.int64,].entry_point)
