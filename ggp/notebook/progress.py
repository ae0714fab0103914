"""A line that tells how far something is, where a notebook can show one."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from ggp.notebook.table import html_text


class ProgressLine:
    """The line; what happens in other threads is shown when the cell's own thread looks.

    Attributes:
        text: What is to be shown.
    """

    def __init__(self, handle: Any) -> None:
        self.text = ""
        self._shown = ""
        self._handle = handle

    def tell(self, text: str) -> None:
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
        line.tell("")


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
