"""Waiting for the compiled game in a thread of its own, while the interpreter can play already."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Final

import gdl
from ggp.clock import Deadline
from ggp.engine.worker.giving_way import has_one_core
from ggp.engine.worker.kernels import Kernels
from ggp.engine.worker.preparer import CompileOrder, NotCompiledError
from ggp.errors import GgpError

LOOK_SECONDS: Final = 0.02  # how often a waiting thread looks at a deadline that others may end


class Preparation:
    """Makes the fastest reasoner for a game. Whatever happens there, nothing is raised here.

    Attributes:
        reason: Why there is no compiled game, if there is none.
        is_failure: Whether that is a failure, and no property of the rules.
    """

    def __init__(self, load: Callable[[], gdl.Game], kernels: Kernels) -> None:
        """A preparation.

        Args:
            load: Compiles the game, or has it compiled.
            kernels: What it waits for before.
        """
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
        return not self.is_over and (self._kernels.are_being_compiled or has_one_core())

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
            if game.rulesheet is not None and ("sees", 2) in game.rulesheet.definitions:
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
