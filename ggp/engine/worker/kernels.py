"""Load the kernels in a thread, while the interpreter already plays."""

from __future__ import annotations

import gc
import os
import threading

from ggp.engine.wire import Warm, Warming
from ggp.engine.worker.channel import Channel
from ggp.engine.worker.compiler_process import CompilerProcess
from ggp.engine.worker.memory import COLLECTOR_THRESHOLDS
from ggp.warming import SLOWER_MESSAGE


class Kernels:
    """The machine code of the reasoner and the searches, while it is being loaded.

    Attributes:
        are_being_compiled: Whether the kernels have to be compiled first, in a separate process.
    """

    def __init__(self, channel: Channel, compiler_process: CompilerProcess | None = None) -> None:
        """Prepare to load the kernels.

        Args:
            channel: Reports on the loading are sent over it.
            compiler_process: Another process that has to load the kernels. It can do so as soon as
                they are compiled and on the disk.
        """
        self.are_being_compiled = False
        self._channel = channel
        self._compiler_process = compiler_process
        self._are_here = threading.Event()

    def load(self) -> None:
        """Start loading in a thread. When it is done, report that to the server."""
        threading.Thread(target=self._run, name="kernels", daemon=True).start()

    def request_warm_up(self) -> None:
        """Report that the kernels are loaded, or that this process was forked with them."""
        self._are_here.set()
        self._channel.send(Warm(0, os.getpid()))

    def wait(self) -> None:
        """Wait until the kernels have loaded or failed to load."""
        self._are_here.wait()

    def _run(self) -> None:
        try:
            # Import late, because numba takes longer to import than everything else.
            from ggp.warming import kernels as warming

            if not warming.is_compiled():
                self.are_being_compiled = True
                self._channel.send(Warming(0, SLOWER_MESSAGE))
                warming.compile_apart()
            if self._compiler_process is not None:
                self._compiler_process.load_kernels()
            warming.warm_up()
        # If anything is wrong with the compiler or its cache, the interpreter plays.
        except Exception as error:  # noqa: BLE001
            text = f"the compiled reasoner does not work here: {error!r:.300}"
            self._channel.send(Warming(0, text))
        # Everything loaded so far stays, so the collector need not look at it again. A search makes
        # millions of objects and hardly any cycles, and one collection of a large tree takes longer
        # than our margin.
        gc.freeze()
        gc.set_threshold(*COLLECTOR_THRESHOLDS)
        self.request_warm_up()
