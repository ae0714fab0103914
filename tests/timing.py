"""Time that a call takes, whatever else this process does and has done."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable


def seconds_of(call: Callable[[], object]) -> float:
    """Processor seconds of this thread.

    The collector waits: it would look at all that other tests have left behind.
    """
    gc.disable()
    try:
        start = time.thread_time()
        call()
        return time.thread_time() - start
    finally:
        gc.enable()
