"""Long work from a cell: run in a thread, with a line that tells how far it is."""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from importlib import import_module
from typing import Any, Final, TypeVar

from ggp.notebook.table import html_text


class ProgressLine:
    """A line below a cell; a text set in another thread is shown when the cell's own looks."""

    def __init__(self, handle: Any) -> None:
        self.text = ""
        self._shown = ""
        self._handle = handle

    def report(self, text: str) -> None:
        """Show a text at once."""
        self.text = text
        self.show()

    def show(self) -> None:
        """Show the text, if it has changed."""
        if self._handle is not None and self.text != self._shown:
            self._shown = self.text
            self._handle.update(_line(self.text), raw=True)


@contextmanager
def progress_line() -> Iterator[ProgressLine]:
    """A line below the cell that runs, empty in the end; without a notebook nothing is shown."""
    handle = _handle()
    line = ProgressLine(handle)
    try:
        yield line
    finally:
        line.report("")


def _handle() -> Any:
    """IPython's handle of an output, if a kernel runs that has a page to show it."""
    ipython = sys.modules.get("IPython")
    shell = None if ipython is None else ipython.get_ipython()
    if shell is None or not hasattr(shell, "kernel"):
        return None
    display = import_module("IPython.display").display
    return display(_line(""), raw=True, display_id=True)


def _line(text: str) -> dict[str, str]:
    return {"text/html": html_text(text), "text/plain": text}


T = TypeVar("T")
PERIOD: Final = 0.1
"""Seconds between two calls of `meanwhile`."""


def run(work: Coroutine[Any, Any, T], meanwhile: Callable[[], None] = lambda: None) -> T:
    """The result of a coroutine, run in a thread, as a cell may be in a loop already.

    It is cancelled and waited for if the caller is interrupted. `meanwhile` is called now and then,
    in the thread of the caller.
    """
    begun: Future[tuple[asyncio.AbstractEventLoop, asyncio.Task[Any]]] = Future()

    async def begin() -> T:
        task = asyncio.current_task()
        assert task is not None
        begun.set_result((asyncio.get_running_loop(), task))
        return await work

    with ThreadPoolExecutor(1, "notebook") as pool:
        done = pool.submit(asyncio.run, begin())
        try:
            while not wait([done], PERIOD).done:
                meanwhile()
        except BaseException:
            loop, task = begun.result()
            with contextlib.suppress(RuntimeError):  # it has just ended by itself
                loop.call_soon_threadsafe(task.cancel)
            raise
        return done.result()
