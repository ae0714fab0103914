"""Loading the kernels in a thread of its own, while the interpreter can play already."""

from __future__ import annotations

import gc
import os
import threading
from typing import TYPE_CHECKING, Final

from ggp.engine.wire import Warm, Warming
from ggp.engine.worker.channel import Channel

if TYPE_CHECKING:
    from ggp.engine.worker.preparer import Preparer

COLLECTOR_THRESHOLDS: Final = (50_000, 50, 1_000)
"""Objects between looks at the young ones, and how many such looks until older ones are seen."""


MESSAGE: Final = (
    "the fast reasoner and search are being compiled, once after an install, for about a minute "
    "(more on a busy machine); "
    "until then slower ones play"
)


class Kernels:
    """The machine code of reasoner and searches, on its way into memory.

    Attributes:
        are_being_compiled: Whether it is not even on the disk, and a process apart compiles it.
    """

    def __init__(self, channel: Channel, preparer: Preparer | None = None) -> None:
        """Kernels that are not here yet.

        Args:
            channel: Where it is told what becomes of them.
            preparer: Is to load them as well, when they are on the disk.
        """
        self.are_being_compiled = False
        self._channel = channel
        self._preparer = preparer
        self._are_here = threading.Event()

    def load(self) -> None:
        """Begin; returns at once. The server gets a report when they are here."""
        threading.Thread(target=self._run, name="kernels", daemon=True).start()

    def are_loaded(self) -> None:
        """Say that they are here: the process was forked from one that has loaded them."""
        self._are_here.set()
        self._channel.send(Warm(0, os.getpid()))

    def wait(self) -> None:
        """Return when they are here, or never will be."""
        self._are_here.wait()

    def _run(self) -> None:
        try:
            # Here, for numba takes longer to import than all the rest.
            from ggp.warming import kernels as warming

            if not warming.is_compiled():
                self.are_being_compiled = True
                self._channel.send(Warming(0, MESSAGE))
                warming.compile_apart()
            if self._preparer is not None:
                self._preparer.load_kernels()
            warming.warm_up()
        # Whatever is wrong with the compiler or its cache, the interpreter plays.
        except Exception as error:  # noqa: BLE001
            text = f"the compiled reasoner does not work here: {error!r:.300}"
            self._channel.send(Warming(0, text))
        # What is loaded by now stays: the collector need not look at it again. A search makes
        # millions of objects and hardly any cycle, and one look at a large tree takes longer than
        # our margin.
        gc.freeze()
        gc.set_threshold(*COLLECTOR_THRESHOLDS)
        self.are_loaded()
