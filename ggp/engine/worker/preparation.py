"""Waiting for the compiled game in a thread, while the interpreter already plays."""

from __future__ import annotations

import gc
import os
import threading
import time
from collections.abc import Callable
from typing import Final

import gdl
from ggp import clock
from ggp.clock import Deadline
from ggp.engine.wire import Warm, Warming
from ggp.engine.worker.channel import Channel
from ggp.engine.worker.memory import COLLECTOR_THRESHOLDS
from ggp.engine.worker.preparer import CompileOrder, NotCompiledError, Preparer
from ggp.errors import GgpError
from ggp.processes.machine import num_cores
from ggp.warming import SLOWER_MESSAGE


class Kernels:
    """The machine code of reasoner and searches, while it is being loaded.

    Attributes:
        are_being_compiled: Whether a separate process has to compile it first.
    """

    def __init__(self, channel: Channel, preparer: Preparer | None = None) -> None:
        """Prepare to load the kernels.

        Args:
            channel: Receives reports about the loading.
            preparer: Also has to load them once they are on the disk.
        """
        self.are_being_compiled = False
        self._channel = channel
        self._preparer = preparer
        self._are_here = threading.Event()

    def load(self) -> None:
        """Start loading in a thread. The server gets a report when it is done."""
        threading.Thread(target=self._run, name="kernels", daemon=True).start()

    def are_loaded(self) -> None:
        """Report that the kernels are loaded: this process was forked from one that has them."""
        self._are_here.set()
        self._channel.send(Warm(0, os.getpid()))

    def wait(self) -> None:
        """Wait until the kernels are loaded, or cannot be."""
        self._are_here.wait()

    def _run(self) -> None:
        try:
            # Import late, because numba takes longer to import than everything else.
            from ggp.warming import kernels as warming

            if not warming.is_compiled():
                self.are_being_compiled = True
                self._channel.send(Warming(0, SLOWER_MESSAGE))
                warming.compile_apart()
            if self._preparer is not None:
                self._preparer.load_kernels()
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
        self.are_loaded()


LOOK_SECONDS: Final = 0.02  # how often a thread checks a deadline that others may end


class Preparation:
    """The making of the fastest reasoner for a game. Its methods never raise.

    Attributes:
        reason: Why there is no compiled game, if there is none.
        is_failure: Whether that is a failure, not a property of the rules.
    """

    def __init__(self, load: Callable[[], gdl.Game], kernels: Kernels) -> None:
        self.reason = ""
        self.is_failure = False
        self._kernels = kernels
        self._load = load
        self._game: gdl.Game | None = None
        self._is_over = threading.Event()
        self._lock = threading.Lock()
        self._when_over: Callable[[], None] | None = None

    def start(self) -> None:
        """Start in a thread."""
        threading.Thread(target=self._run, name="preparation", daemon=True).start()

    def wait(self, deadline: Deadline) -> None:
        """Wait until it is done or the deadline is over, which another thread may end.

        Do not wait if the kernels must be compiled first, because that takes a minute.
        """
        while not (deadline.is_over() or self._kernels.are_being_compiled):
            if self._is_over.wait(min(LOOK_SECONDS, deadline.remaining())):
                return

    def call_when_over(self, call: Callable[[], None] | None) -> None:
        """Call a function from another thread when it is done, or at once if it is already."""
        with self._lock:
            self._when_over = call
            if call is not None and self.is_over:
                call()

    @property
    def is_over(self) -> bool:
        """Whether there is a result to take."""
        return self._is_over.is_set()

    @property
    def needs_core(self) -> bool:
        """Whether a thinking player slows it down: on a single core, or while kernels compile."""
        return not self.is_over and (self._kernels.are_being_compiled or num_cores() == 1)

    def take(self) -> gdl.Game | None:
        """Return the game once, or None if there is none yet or it was already taken."""
        if not self.is_over:
            return None
        game, self._game = self._game, None
        return game

    def _run(self) -> None:
        self._kernels.wait()
        try:
            game = self._load()
            if game.rulesheet is not None and game.rulesheet.has_percepts:
                game.batch(1)  # a belief needs it; the game keeps the slow part
            self._game = game
        except NotCompiledError as error:
            self.reason = str(error)
        except (gdl.GdlError, GgpError) as error:
            self.reason, self.is_failure = str(error), True
        # An internal error must not cost a match that the interpreter can play.
        except Exception as error:  # noqa: BLE001
            self.reason = f"the game could not be compiled: {error!r:.300}"
            self.is_failure = True
        with self._lock:
            self._is_over.set()
            if self._when_over is not None:
                self._when_over()


def load_here(order: CompileOrder, rules: gdl.Rulesheet) -> gdl.Game:
    """Compile the game in this process.

    Raises:
        NotCompiledError: The rules cannot be compiled within the budget, which is acceptable.
        gdl.GdlError: Compiling failed although it should not.
    """
    game = gdl.load(rules, order.engine, order.budget)
    if game.circuit is None:
        raise NotCompiledError(game.reason)
    return game


REST: Final = 2.0
"""Seconds of rest per second of work, which leaves two thirds of a core to other work."""
SHORTEST_REST: Final = 0.01
NAP_SECONDS: Final = 0.02
"""Longest time until a deadline that was brought forward is noticed."""


class GivingWay(Deadline):
    """A deadline that is checked often and may pause its caller at each check.

    The interpreter's search is worth little compared with the compiled game, so it gives way to
    the compiler. A lowered priority could not be raised again without privileges.
    """

    __slots__ = ("_awake_since", "_is_rest_due")

    def __init__(self, moment: float, is_rest_due: Callable[[], bool]) -> None:
        super().__init__(moment)
        self._is_rest_due = is_rest_due
        self._awake_since = clock.now()

    def is_over(self) -> bool:
        """Return whether the moment has come, after a rest if one is due."""
        now = clock.now()
        end = now + REST * (now - self._awake_since)
        if end - now < SHORTEST_REST:
            return super().is_over()
        while self._is_rest_due() and not super().is_over() and clock.now() < end:
            time.sleep(min(NAP_SECONDS, self.remaining()))
        self._awake_since = clock.now()
        return super().is_over()
