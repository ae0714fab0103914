"""Functions that only kernels call are compiled as parts of them."""

from __future__ import annotations

from typing import Any

import numba
import pytest
from numba import types

from gdl.native.compiler import _Flags, part_of_kernels
from gdl.native.jit import kernel

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


def test_equal_settings_are_one_key() -> None:
    """Settings of numba's are compared by those that are set, each with its value."""
    plain, copied, other = (_Flags() for _ in range(3))
    plain.nrt = copied.nrt = True
    other.nrt = False

    assert plain == copied
    assert hash(plain) == hash(copied)
    assert plain != other


def test_an_operation_has_its_type_in_each_function() -> None:
    """A type that is remembered from one function holds in the next for the same operands only."""

    @kernel
    def first(left: Any, right: Any) -> Any:
        return left + right

    @kernel
    def second(left: Any, right: Any) -> Any:
        return left + right

    assert first(1, 2) == second(1, 2) == 3
    assert isinstance(second(1, 2), int)
    assert second(1.5, 2) == 3.5
    assert second(True, True) == 2
