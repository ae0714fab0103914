"""Whether tests may call compiled kernels: only those may that ask for the fixture `kernels`.

So the others can run while the kernels are compiled, and none compiles them a second time. With
`--cpu-limits`, as in `.ci/run`, a test fails that calls kernels without asking. Otherwise it waits
for them: a slow machine may need them where a fast one does not.
"""

from __future__ import annotations

from typing import Any

import pytest
from numba.core import dispatcher

Dispatcher: Any = dispatcher.Dispatcher
_compile = Dispatcher.compile


def forbid(patch: pytest.MonkeyPatch, *, is_strict: bool) -> None:
    """Have tests that call a kernel wait until all are compiled, or fail if `is_strict`."""
    patch.setattr(Dispatcher, "compile", _refuse if is_strict else _wait)


def load() -> None:
    """Let kernels be called, and load them all; wait if they are being compiled."""
    from ggp.warming.kernels import warm_up

    Dispatcher.compile = _compile
    warm_up()


def require_kernels(what: str) -> None:
    """Fail or wait if the test that needs kernels for `what` has not asked for them."""
    if Dispatcher.compile is _refuse:
        pytest.fail(f"this test needs kernels for {what}: use the fixture `kernels`")
    if Dispatcher.compile is _wait:
        load()


def _refuse(kernel: Any, _: object) -> None:
    require_kernels(kernel.__name__)


def _wait(kernel: Any, signature: object) -> Any:
    load()
    return kernel.compile(signature)
