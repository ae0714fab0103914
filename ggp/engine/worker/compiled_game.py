"""Compile the game in a thread, while the interpreter already plays."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Final

import gdl
from ggp.clock import Deadline
from ggp.engine.worker.compiler_process import CompileOrder, NotCompiledError
from ggp.engine.worker.kernels import Kernels
from ggp.errors import GgpError
from ggp.processes.machine import num_cores

LOOK_SECONDS: Final = 0.02  # how often a thread checks a deadline that other threads may end


class GameCompilation:
    """A job that builds the fastest reasoner for a game. Its methods never raise.

    Attributes:
        reason: Why there is no compiled game, if there is none.
        is_failure: Whether `reason` is a failure, and not a property of the rules.
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
        """Start compiling in a thread."""
        threading.Thread(target=self._run, name="compilation", daemon=True).start()

    def wait(self, deadline: Deadline) -> None:
        """Wait until compiling is over or the deadline has passed.

        Another thread may bring the deadline forward. Do not wait if the kernels must be compiled
        first, because that takes a minute.
        """
        while not (deadline.is_over() or self._kernels.are_being_compiled):
            if self._is_over.wait(min(LOOK_SECONDS, deadline.remaining())):
                return

    def call_when_over(self, call: Callable[[], None] | None) -> None:
        """Let the compiling thread call `call` at its end. If it has already ended, call it now."""
        with self._lock:
            self._when_over = call
            if call is not None and self.is_over:
                call()

    @property
    def is_over(self) -> bool:
        """Whether compiling has ended, with or without a game."""
        return self._is_over.is_set()

    @property
    def needs_core(self) -> bool:
        """Whether a thinking player slows compiling: on a single core, or while kernels compile."""
        return not self.is_over and (self._kernels.are_being_compiled or num_cores() == 1)

    def take(self) -> gdl.Game | None:
        """Return the game once, or None if it is not ready or was already taken."""
        if not self.is_over:
            return None
        game, self._game = self._game, None
        return game

    def _run(self) -> None:
        self._kernels.wait()
        try:
            game = self._load()
            if game.rulesheet is not None and game.rulesheet.has_percepts:
                game.batch(1)  # a belief needs a batch, and the game caches the slow part
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
        NotCompiledError: The rules cannot be compiled within the budget. This is not a fault.
        gdl.GdlError: Compiling failed although it should not.
    """
    game = gdl.load(rules, order.engine, order.budget)
    if game.circuit is None:
        raise NotCompiledError(game.reason)
    return game
