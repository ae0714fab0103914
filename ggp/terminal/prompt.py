"""Lines that a person types: with completion at a terminal, plainly where there is none.

Both wait without holding up the event loop, so that opponents can think meanwhile. At the end of
the input, and after Ctrl-D, there is no line any more: None.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from ggp.term_text import plain
from ggp.terminal.typed_line import COMMANDS, matching

if TYPE_CHECKING:
    from prompt_toolkit.completion import CompleteEvent, Completion
    from prompt_toolkit.document import Document

CHUNK_BYTES = 1 << 16
TOOLBAR = " a number or a move (Tab completes) · hint · undo · analyze · help · quit "


class Lines(Protocol):
    """Source of lines."""

    async def read(self, prompt: str, moves: Sequence[str]) -> str | None:
        """The next line, without the blanks around it; None if there is none any more.

        Raises:
            KeyboardInterrupt: Ctrl-C was typed.
        """
        ...


def lines(write: Callable[[str], None]) -> Lines:
    """Lines of standard input.

    Args:
        write: Shows a text that ends without a line end, or with one of its own.
    """
    is_terminal = sys.stdin.isatty() and sys.stdout.isatty()
    if is_terminal and os.environ.get("TERM", "dumb") not in {"dumb", ""}:
        return TerminalLines()
    return PlainLines(sys.stdin.fileno(), write, is_echoing=not sys.stdin.isatty())


class PlainLines:
    """Lines of a file descriptor: a pipe, a file, or a terminal that can do nothing but lines."""

    def __init__(self, descriptor: int, write: Callable[[str], None], *, is_echoing: bool) -> None:
        """Read from a descriptor.

        Args:
            descriptor: Is read when lines are asked for, in pieces.
            write: Shows prompts.
            is_echoing: Whether lines are shown too, for a transcript that can be read.
        """
        self._descriptor = descriptor
        self._write = write
        self._is_echoing = is_echoing
        self._pending = b""
        self._is_over = False

    async def read(self, prompt: str, moves: Sequence[str]) -> str | None:
        """The next line; moves do not matter."""
        self._write(prompt)
        while b"\n" not in self._pending and not self._is_over:
            await self._until_readable()
            chunk = os.read(self._descriptor, CHUNK_BYTES)
            self._pending += chunk
            self._is_over = not chunk
        taken, _, self._pending = self._pending.partition(b"\n")
        line = taken.decode("utf-8", "replace").strip()
        is_last = self._is_over and not taken
        if self._is_echoing or is_last:
            self._write(f"{line}\n")
        return None if is_last else line

    async def _until_readable(self) -> None:
        loop = asyncio.get_running_loop()
        readable = asyncio.Event()
        try:
            loop.add_reader(self._descriptor, readable.set)
        except PermissionError:  # an ordinary file can always be read, and cannot be waited for
            return
        try:
            await readable.wait()
        finally:
            loop.remove_reader(self._descriptor)


class TerminalLines:
    """Lines of a terminal, edited and completed as they are typed."""

    def __init__(self) -> None:
        from prompt_toolkit import PromptSession
        from prompt_toolkit.history import InMemoryHistory
        from prompt_toolkit.shortcuts import CompleteStyle

        self._session: PromptSession[str] = PromptSession(
            history=InMemoryHistory(), complete_style=CompleteStyle.MULTI_COLUMN
        )

    async def read(self, prompt: str, moves: Sequence[str]) -> str | None:
        """The next line; moves and commands are offered while it is typed."""
        try:
            line = await self._session.prompt_async(
                prompt, completer=_completer(moves), bottom_toolbar=TOOLBAR
            )
        except EOFError:
            return None
        return line.strip()


def _completer(moves: Sequence[str]) -> Any:
    from prompt_toolkit.completion import Completer, Completion

    class MoveCompleter(Completer):
        """Offers the moves that have what was typed in them, then the commands that begin so."""

        def get_completions(
            self, document: Document, complete_event: CompleteEvent
        ) -> Iterable[Completion]:
            typed = document.text_before_cursor
            for text, meta in offers(typed, moves):
                yield Completion(text, start_position=-len(typed), display_meta=meta)

    return MoveCompleter()


def offers(typed: str, moves: Sequence[str]) -> list[tuple[str, str]]:
    """Possible completions of what was typed so far, and a word on each.

    >>> offers("n", ["(mark 1 1)", "noop"])
    [('noop', 'move 2')]
    >>> offers("q", ["(mark 1 1)", "noop"])
    [('quit', 'leave the match')]
    """
    found = range(len(moves)) if not typed.strip() else matching(typed, moves, is_typing=True)
    word = typed.lstrip("/").lower()
    commands = [(name, says) for name, says in COMMANDS.items() if name.startswith(word)]
    slash = "/" * typed.startswith("/")
    return [
        *((plain(moves[index]), f"move {index + 1}") for index in found if not slash),
        *((slash + name, says) for name, says in commands if word),
    ]
