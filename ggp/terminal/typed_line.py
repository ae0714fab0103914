"""What a line means that a person types: a move, by number or by text, or a command.

>>> moves = ["(mark 1 1)", "(mark 1 2)", "(mark 2 1)", "noop"]
>>> read_line("2", moves)
Chosen(index=1)
>>> read_line("1 2", moves)
Chosen(index=1)
>>> read_line("mark 1", moves)
Several(indices=(0, 1))
>>> read_line("hint 3", moves)
Command(name='hint', rest='3')

A legal move comes before a command of the same name; a slash before a command makes it one.
"""

from __future__ import annotations

import asyncio
import os
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, Protocol

from ggp.term_text import plain

if TYPE_CHECKING:
    from prompt_toolkit.completion import CompleteEvent, Completion
    from prompt_toolkit.document import Document


COMMANDS = {
    "hint": "[SECONDS]: the best move that the program finds for you",
    "analyze": "[SECONDS]: a table of all your moves, as `ggp analyze` has it",
    "why": "FACT or MOVE: why it holds or not, such as: why (goal white 100)",
    "undo": "take moves back, to your last decision",
    "board": "show the position again",
    "moves": "[PART]: show your moves, or those with a part of their text",
    "history": "the moves made so far",
    "picture": "FILE: draw the position into a file, as SVG",
    "save": "FILE: save the record of the match so far",
    "help": "this",
    "quit": "leave the match",
}
ABBREVIATIONS = {"?": "help", "exit": "quit", "q": "quit", "h": "help"}
MAX_NEAREST = 5
LIKENESS = 0.5  # of difflib: how much of two texts is the same, at least
LIKENESS_OF_COMMANDS = 0.6  # they are short, and any word is a little like one of them

_TOKEN = re.compile(r"[^\s(),]+")


@dataclass(frozen=True, slots=True)
class Chosen:
    """A move, by its place in the list."""

    index: int


@dataclass(frozen=True, slots=True)
class Several:
    """Part of the text of some moves, by their places in the list."""

    indices: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Command:
    """A command, and what stands after it."""

    name: str
    rest: str


@dataclass(frozen=True, slots=True)
class Unknown:
    """Nothing that is understood.

    Attributes:
        nearest: Moves, then commands, whose text is most like it.
        largest: The largest number that names a move, if a number was typed; else None.
    """

    nearest: tuple[str, ...]
    largest: int | None


TypedLine = Chosen | Several | Command | Unknown


def read_line(line: str, moves: Sequence[str]) -> TypedLine:
    """The meaning of a line where these moves, in KIF, are legal; the line is not blank."""
    words = _words(line)
    if not line.startswith("/"):
        whole = [index for index, move in enumerate(moves) if words and _words(move) == words]
        if len(whole) == 1:
            return Chosen(whole[0])
    command = _command(line)
    if command is not None:
        return command
    if line.isdecimal() and 1 <= int(line) <= len(moves):
        return Chosen(int(line) - 1)
    found = _beginning(words, moves)
    if len(found) == 1:
        return Chosen(found[0])
    found = found or matching(line, moves)
    if found:
        return Several(tuple(found))
    return Unknown(_nearest(line, moves), len(moves) if line.isdecimal() else None)


def matching(part: str, moves: Sequence[str], *, is_typing: bool = False) -> list[int]:
    """Which moves have a part in their text; parentheses and commas do not count.

    Numbers count as a whole: `1` is no part of `(mark 10 2)`.

    Args:
        moves: The moves, in KIF.
        is_typing: Whether more may follow: then `1` may become `10`.
    """
    words = _words(part)
    if not words:
        return []
    is_whole = part[-1].isspace() or (words[-1].isdecimal() and not is_typing)
    wanted = " " * words[0].isdecimal() + " ".join(words) + " " * is_whole
    return [index for index, move in enumerate(moves) if wanted in f" {_text(move)} "]


def _command(line: str) -> Command | None:
    first, _, rest = line.removeprefix("/").partition(" ")
    name = ABBREVIATIONS.get(first.lower(), first.lower())
    return Command(name, rest.strip()) if name in COMMANDS else None


def _beginning(words: list[str], moves: Sequence[str]) -> list[int]:
    """The moves that begin with these words, the last perhaps cut, or whose arguments are these."""
    if not words:
        return []
    split = [_words(move) for move in moves]
    arguments = [index for index, move in enumerate(split) if move[1:] == words]
    whole, cut = words[:-1], words[-1]
    # `mark 1` is no beginning of (mark 10 2), but `dr` is one of (drop 3).
    is_number = cut.isdecimal()
    begun = [
        index
        for index, move in enumerate(split)
        if len(move) >= len(words)
        and move[: len(whole)] == whole
        and (move[len(whole)] == cut if is_number else move[len(whole)].startswith(cut))
    ]
    return arguments or begun


def _nearest(line: str, moves: Iterable[str]) -> tuple[str, ...]:
    by_arguments = {" ".join(_words(move)[1:]): plain(move) for move in moves}
    by_text = {_text(move): plain(move) for move in moves}
    texts, typed = by_arguments | by_text, " ".join(_words(line))
    found = [texts[one] for one in get_close_matches(typed, texts, MAX_NEAREST, LIKENESS)]
    found += get_close_matches(typed, COMMANDS, MAX_NEAREST, LIKENESS_OF_COMMANDS)
    return tuple(dict.fromkeys(found))[:MAX_NEAREST]


def _text(move: str) -> str:
    return " ".join(_words(move))


def _words(text: str) -> list[str]:
    return _TOKEN.findall(text.lower())


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
