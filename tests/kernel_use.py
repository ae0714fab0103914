"""Whether tests may call compiled kernels: only those may that ask for the fixture `kernels`.

So the others can run while the kernels are compiled, and none compiles them a second time.
"""

from __future__ import annotations

from typing import Any

import pytest
from numba.core import dispatcher

Dispatcher: Any = dispatcher.Dispatcher
_compile = Dispatcher.compile


def forbid(patch: pytest.MonkeyPatch) -> None:
    """Have every test fail that calls a kernel, until `allow`."""
    patch.setattr(Dispatcher, "compile", _refuse)


def allow() -> None:
    """Let kernels be called."""
    Dispatcher.compile = _compile


def require_kernels(what: str) -> None:
    """Fail the test that needs kernels for `what` if it has not asked for them."""
    if Dispatcher.compile is _refuse:
        pytest.fail(f"this test needs kernels for {what}: use the fixture `kernels`")


def _refuse(kernel: Any, _: object) -> None:
    require_kernels(kernel.__name__)
