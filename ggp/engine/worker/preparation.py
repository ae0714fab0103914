"""Waiting for the compiled game in a thread of its own, while the interpreter can play already."""

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
                self._channel.send(Warming(0, SLOWER_MESSAGE))
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


LOOK_SECONDS: Final = 0.02  # how often a waiting thread looks at a deadline that others may end


class Preparation:
    """Makes the fastest reasoner for a game. Whatever happens there, nothing is raised here.

    Attributes:
        reason: Why there is no compiled game, if there is none.
        is_failure: Whether that is a failure, and no property of the rules.
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
        """Begin; returns at once."""
        threading.Thread(target=self._run, name="preparation", daemon=True).start()

    def wait(self, deadline: Deadline) -> None:
        """Return when it is over, or the deadline is, which another thread may end.

        It is not waited for if the kernels have to be compiled first: that takes a minute.
        """
        while not (deadline.is_over() or self._kernels.are_being_compiled):
            if self._is_over.wait(min(LOOK_SECONDS, deadline.remaining())):
                return

    def call_when_over(self, call: Callable[[], None] | None) -> None:
        """Have something called when it is over, from another thread; at once if it is already."""
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
        """Whether it is held up by a player that computes: on one core, or beside the compiler."""
        return not self.is_over and (self._kernels.are_being_compiled or num_cores() == 1)

    def take(self) -> gdl.Game | None:
        """The game; None if there is none (yet) or it was taken before."""
        if not self.is_over:
            return None
        game, self._game = self._game, None
        return game

    def _run(self) -> None:
        self._kernels.wait()
        try:
            game = self._load()
            if game.rulesheet is not None and game.rulesheet.has_percepts:
                game.batch(1)  # which a belief needs; what takes long is kept by the game
            self._game = game
        except NotCompiledError as error:
            self.reason = str(error)
        except (gdl.GdlError, GgpError) as error:
            self.reason, self.is_failure = str(error), True
        # A fault of ours must not cost a match that the interpreter can play.
        except Exception as error:  # noqa: BLE001
            self.reason = f"the game could not be compiled: {error!r:.300}"
            self.is_failure = True
        with self._lock:
            self._is_over.set()
            if self._when_over is not None:
                self._when_over()


def load_here(order: CompileOrder, rules: gdl.Rulesheet) -> gdl.Game:
    """The game, compiled in this process.

    Raises:
        NotCompiledError: The rules cannot be compiled within the budget, and need not be.
        gdl.GdlError: They cannot, and should.
    """
    game = gdl.load(rules, order.engine, order.budget)
    if game.circuit is None:
        raise NotCompiledError(game.reason)
    return game


REST: Final = 2.0
"""Seconds of rest for each second of work: two thirds of a core are left to what else computes."""
SHORTEST_REST: Final = 0.01
NAP_SECONDS: Final = 0.02
"""So long may it take to see that the deadline was brought forward."""


class GivingWay(Deadline):
    """A deadline that is looked at often: whoever looks may be kept waiting.

    The interpreter's search is worth little beside the compiled game, so it gives way to what
    compiles that. A priority that is lowered could not be raised again without privileges.
    """

    __slots__ = ("_awake_since", "_is_rest_due")

    def __init__(self, moment: float, is_rest_due: Callable[[], bool]) -> None:
        super().__init__(moment)
        self._is_rest_due = is_rest_due
        self._awake_since = clock.now()

    def is_over(self) -> bool:
        """Whether the moment has come; returns after a rest if one is due."""
        now = clock.now()
        end = now + REST * (now - self._awake_since)
        if end - now < SHORTEST_REST:
            return super().is_over()
        while self._is_rest_due() and not super().is_over() and clock.now() < end:
            time.sleep(min(NAP_SECONDS, self.remaining()))
        self._awake_since = clock.now()
        return super().is_over()
