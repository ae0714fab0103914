r"""What a line means that a person types: a move, by number or by text, or a command.

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

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from ggp.term_text import plain

COMMANDS = {
    "hint": "[SECONDS]: the best move that the program finds for you",
    "analyze": "[SECONDS]: a table of all your moves, as `ggp analyze` has it",
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
    """What a line means where these moves, in KIF, are legal; the line is not blank."""
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
        part: What to look for.
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
