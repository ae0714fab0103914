"""Parse a line that a person types: a move (by number, term or name) or a command.

>>> from ggp.naming.move_names import MoveNames
>>> legal = ["(mark 1 1)", "(mark 1 2)", "(mark 2 1)", "noop"]
>>> names = MoveNames.of_states([["start"]], [])
>>> read_line("2", legal, (), names)
Understood(move='(mark 1 2)', name='mark 1 2', note='understood as: mark 1 2')
>>> read_line("hint 3", legal, (), names)
Command(name='hint', rest='3')

A legal move has precedence over a command with the same name. A leading slash selects the command.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, Protocol

from ggp.naming.move_names import MoveNames, NotUnderstood, Understood
from ggp.naming.reading import Reading
from ggp.naming.words import with_name
from ggp.term_text import plain, typed_words

if TYPE_CHECKING:
    from prompt_toolkit.completion import CompleteEvent, Completion
    from prompt_toolkit.document import Document


COMMANDS = {
    "hint": "[SECONDS]: the best move that the program finds for you",
    "analyze": "[SECONDS]: a table of all your moves, as in `ggp analyze`",
    "why": "FACT or MOVE [depth NUMBER]: why it holds or not, such as: why (goal white 100)",
    "undo": "take moves back, to your last decision",
    "board": "show the position again",
    "moves": "[PART]: show your moves, or those with PART in their text or name",
    "history": "show the moves made so far",
    "picture": "FILE: draw the position as an SVG file",
    "save": "FILE: save the record of the match so far",
    "help": "show this list",
    "quit": "leave the match",
}
OF_OPEN_GAMES = frozenset({"hint", "analyze", "why", "undo", "picture", "save"})
"""Commands that would reveal hidden information, so they exist only in games without it."""
ABBREVIATIONS = {"?": "help", "exit": "quit", "q": "quit", "h": "help"}
LIKENESS_OF_COMMANDS = 0.6  # minimum; high, because any word slightly resembles a short command


@dataclass(frozen=True, slots=True)
class Command:
    """A command and the text after it."""

    name: str
    rest: str


def read_line(
    line: str, legal: Sequence[str], facts: Sequence[str], names: MoveNames
) -> Command | Reading:
    """Return the command or the move in a line that is not blank, or why it was not understood.

    Args:
        legal: The moves, in the order in which they are numbered.
        facts: The facts of the position that the person may know.
    """
    reading = names.read(line, legal, facts, is_numbered=True)
    if isinstance(reading, Understood) and not reading.note:
        return reading
    return _command(line) or reading


def named_move(
    text: str, legal: Sequence[str], facts: Sequence[str], names: MoveNames
) -> str | None:
    """Return the move that a text names, even if it is illegal.

    Return None if the text names no move or several.
    """
    match names.read(text, legal, facts):
        case Understood(move):
            return move
        case NotUnderstood(_, meant):
            return meant
    return None


def nearest_command(line: str) -> str | None:
    """Return the command that a line resembles most, if any."""
    return next(iter(get_close_matches(line.lower(), COMMANDS, 1, LIKENESS_OF_COMMANDS)), None)


def matching(part: str, names: Mapping[str, str], *, is_typing: bool = False) -> list[str]:
    """Return the moves whose term or name contains `part`, ignoring parentheses and commas.

    Numbers match only as a whole: `1` does not match `(mark 10 2)`.

    Args:
        names: Name of each move.
        is_typing: Whether the person may type more, so that `1` may become `10`.
    """
    words = _words(part)
    if not words:
        return []
    is_whole = part[-1].isspace() or (words[-1].isdecimal() and not is_typing)
    wanted = " " * words[0].isdecimal() + " ".join(words) + " " * is_whole
    return [
        move
        for move, name in names.items()
        if any(wanted in f" {' '.join(_words(text))} " for text in (move, name))
    ]


def _command(line: str) -> Command | None:
    first, _, rest = line.removeprefix("/").partition(" ")
    name = ABBREVIATIONS.get(first.lower(), first.lower())
    return Command(name, rest.strip()) if name in COMMANDS else None


def _words(text: str) -> list[str]:
    return typed_words(text.lower())


CHUNK_BYTES = 1 << 16
TOOLBAR = " a number or a move (Tab completes) · hint · undo · analyze · help · quit "


class Lines(Protocol):
    """Source of the lines that a person types."""

    async def read(self, prompt: str, names: Mapping[str, str]) -> str | None:
        """Return the next line without surrounding whitespace, or None at the end of the input.

        Args:
            names: Name of each move that may be typed.

        Raises:
            KeyboardInterrupt: The person pressed Ctrl-C.
        """
        ...


def lines(write: Callable[[str], None]) -> Lines:
    """Return a reader of standard input.

    Args:
        write: Prints a text without a trailing newline.
    """
    is_terminal = sys.stdin.isatty() and sys.stdout.isatty()
    if is_terminal and os.environ.get("TERM", "dumb") not in {"dumb", ""}:
        return TerminalLines()
    return PlainLines(sys.stdin.fileno(), write, is_echoing=not sys.stdin.isatty())


class PlainLines:
    """Lines of a file descriptor: a pipe, a file, or a terminal without editing."""

    def __init__(self, descriptor: int, write: Callable[[str], None], *, is_echoing: bool) -> None:
        """Create a reader of a file descriptor.

        Args:
            descriptor: The file descriptor. It is read in pieces when a line is requested.
            is_echoing: Whether to print the lines as well, for a readable transcript.
        """
        self._descriptor = descriptor
        self._write = write
        self._is_echoing = is_echoing
        self._pending = b""
        self._is_over = False

    async def read(self, prompt: str, names: Mapping[str, str]) -> str | None:
        """Return the next line. `names` is ignored."""
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
        except PermissionError:  # a regular file is always readable, so it cannot be watched
            return
        try:
            await readable.wait()
        finally:
            loop.remove_reader(self._descriptor)


class TerminalLines:
    """Lines of a terminal with editing and completion."""

    def __init__(self) -> None:
        from prompt_toolkit import PromptSession
        from prompt_toolkit.history import InMemoryHistory
        from prompt_toolkit.shortcuts import CompleteStyle

        self._session: PromptSession[str] = PromptSession(
            history=InMemoryHistory(), complete_style=CompleteStyle.MULTI_COLUMN
        )

    async def read(self, prompt: str, names: Mapping[str, str]) -> str | None:
        """Return the next line. Offer moves and commands while the person types."""
        try:
            line = await self._session.prompt_async(
                prompt, completer=_completer(names), bottom_toolbar=TOOLBAR
            )
        except EOFError:
            return None
        return line.strip()


def _completer(names: Mapping[str, str]) -> Any:
    from prompt_toolkit.completion import Completer, Completion

    class MoveCompleter(Completer):
        def get_completions(
            self, document: Document, complete_event: CompleteEvent
        ) -> Iterable[Completion]:
            typed = document.text_before_cursor
            for text, meta in offers(typed, names):
                yield Completion(text, start_position=-len(typed), display_meta=meta)

    return MoveCompleter()


def offers(typed: str, names: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return the possible completions of `typed`, each with a short description.

    >>> offers("n", {"(mark 1 1)": "mark a1", "noop": "noop"})
    [('noop', 'move 2')]
    >>> offers("a1", {"(mark 1 1)": "mark a1", "noop": "noop"})
    [('mark 1 1', 'move 1: mark a1')]
    """
    found = matching(typed, names, is_typing=True) if typed.strip() else names
    numbers = {move: number for number, move in enumerate(names, start=1)}
    word = typed.lstrip("/").lower()
    commands = [(name, says) for name, says in COMMANDS.items() if name.startswith(word)]
    slash = "/" * typed.startswith("/")
    return [
        *(
            (plain(move), with_name(f"move {numbers[move]}", move, names[move]))
            for move in found
            if not slash
        ),
        *((slash + name, says) for name, says in commands if word),
    ]
