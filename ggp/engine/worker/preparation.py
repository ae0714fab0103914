"""Compiling the game in a thread of its own, while the interpreter can play already."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Final

import gdl
from ggp.clock import Deadline
from ggp.engine.worker.kernels import Kernels

LOOK_SECONDS: Final = 0.02  # how often a waiting thread looks at a deadline that others may end


class Preparation:
    """Makes the fastest reasoner for a game. Whatever happens there, nothing is raised here.

    Attributes:
        failure: What went wrong, if something did that is no property of the rules.
    """

    def __init__(
        self,
        rules: gdl.Rulesheet,
        engine: gdl.Engine,
        budget: gdl.Budget,
        kernels: Kernels,
    ) -> None:
        self.failure = ""
        self._kernels = kernels
        self._rules = rules
        self._engine = engine
        self._budget = budget
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

    def take(self) -> gdl.Game | None:
        """The game; None if there is none (yet) or it was taken before."""
        if not self.is_over:
            return None
        game, self._game = self._game, None
        return game

    def _run(self) -> None:
        self._kernels.wait()
        try:
            game = gdl.load(self._rules, self._engine, self._budget)
            if game.circuit is not None and ("sees", 2) in self._rules.definitions:
                game.batch(1)  # which a belief needs; what takes long is kept by the game
            self._game = game
        except gdl.GdlError as error:
            self.failure = str(error)
        # A fault of ours in the compiler must not cost a match that the interpreter can play.
        except Exception as error:  # noqa: BLE001
            self.failure = f"the game could not be compiled: {error!r:.300}"
        with self._lock:
            self._is_over.set()
            if self._when_over is not None:
                self._when_over()
