"""Tables and progress lines, shown as HTML in a notebook and as text in a terminal."""

from __future__ import annotations

import asyncio
import contextlib
import io
import sys
from collections.abc import Callable, Coroutine, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from html import escape
from importlib import import_module
from typing import Any, Final, TypeVar

from ggp.drawing.sheet import plain_name
from ggp.drawing.svg import clipped
from ggp.terminal.console import PLAIN_WIDTH, table

MAX_LETTERS, MAX_ROWS = 200, 1000
"""Maximum number of characters of a text in a table, and of rows. The rest is not shown."""
MAX_LINE = 2000
_STYLE: Final = (
    "<style>.ggp-table.ggp-table{border-collapse:collapse;margin:.3rem 0}"
    # Repeat the class for precedence over the notebooks' style sheets, which align tables right.
    ".ggp-table.ggp-table :is(th,td){border-bottom:1px solid #8886;text-align:left;"
    "padding:.15rem .9rem .15rem 0}"
    ".ggp-table.ggp-table .n{text-align:right;font-variant-numeric:tabular-nums}</style>"
)


class Table:
    """A table of texts, with lines of text below it."""

    def __init__(
        self,
        headings: Sequence[str],
        rows: Sequence[Sequence[str]],
        numbers: str = "",
        lines: Sequence[str] = (),
    ) -> None:
        """Create a table. `numbers` is a comma-separated list of right-aligned columns."""
        self.headings = tuple(headings)
        self.rows = tuple(tuple(row) for row in rows)
        self.lines = tuple(lines)
        self._numbers = numbers

    def __repr__(self) -> str:
        from rich.console import Console

        written = io.StringIO()
        console = Console(
            file=written, width=PLAIN_WIDTH, highlight=False, markup=False, force_jupyter=False
        )
        console.print(table(self.headings, self._shown(), self._numbers))
        for line in self._below():
            console.print(line, soft_wrap=True)
        return written.getvalue().rstrip("\n")

    def _repr_html_(self) -> str:
        right = {name.strip() for name in self._numbers.split(",")}
        kinds = [' class="n"' if one in right else "" for one in self.headings]
        heads = "".join(
            f'<th scope="col"{kind}>{escape(one)}</th>'
            for one, kind in zip(self.headings, kinds, strict=True)
        )
        rows = "".join(
            "<tr>"
            + "".join(
                f"<td{kind}>{html_text(text)}</td>" for text, kind in zip(row, kinds, strict=True)
            )
            + "</tr>"
            for row in self._shown()
        )
        below = "\n".join(html_text(line, MAX_LINE) for line in self._below())
        lines = f'<div style="white-space:pre-line">{below}</div>' if below else ""
        return (
            f'{_STYLE}<table class="ggp-table"><thead><tr>{heads}</tr></thead>'
            f"<tbody>{rows}</tbody></table>{lines}"
        )

    def _shown(self) -> Sequence[Sequence[str]]:
        return [[clipped(text, MAX_LETTERS) for text in row] for row in self.rows[:MAX_ROWS]]

    def _below(self) -> list[str]:
        num_more = len(self.rows) - MAX_ROWS
        more = [f"and {num_more:,} rows more"] if num_more > 0 else []
        return [*more, *self.lines]


def html_text(text: str, most: int = MAX_LETTERS) -> str:
    """Return a text as HTML: escaped, and truncated to `most` characters."""
    return escape(plain_name(clipped(text, most)))


class ProgressLine:
    """A line of text below a cell. Threads may set `text`; the cell's thread calls `show`."""

    def __init__(self, handle: Any) -> None:
        self.text = ""
        self._shown = ""
        self._handle = handle

    def report(self, text: str) -> None:
        """Show a text immediately."""
        self.text = text
        self.show()

    def announce(self, text: str) -> None:
        """Announce work that takes a minute or more. Outside notebooks, use standard error."""
        if self._handle is None:
            sys.stderr.write(f"{text}\n")
        self.report(text)

    def show(self) -> None:
        """Show the text if it has changed."""
        if self._handle is not None and self.text != self._shown:
            self._shown = self.text
            self._handle.update(_line(self.text), raw=True)


@contextmanager
def progress_line() -> Iterator[ProgressLine]:
    """In a notebook, show a line below the running cell, and clear it at the end."""
    handle = _handle()
    line = ProgressLine(handle)
    try:
        yield line
    finally:
        line.report("")


def _handle() -> Any:
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
    """Run a coroutine in a thread and return its result, even if an event loop is running.

    If the caller is interrupted, cancel the coroutine and wait for it to end. `meanwhile` is called
    regularly in the caller's thread.
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
            with contextlib.suppress(RuntimeError):  # the coroutine has just ended by itself
                loop.call_soon_threadsafe(task.cancel)
            raise
        return done.result()
