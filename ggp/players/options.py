"""Options of players: a name, a type, a default and a sentence, each in one place.

>>> EXPLORATION = Option("c", number(minimum=0), 0.7, "weight of exploration")
>>> EXPLORATION.read({"c": "0.4"}), EXPLORATION.read({})
(0.4, 0.7)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from ggp.errors import GgpError, UnknownNameError

T = TypeVar("T")
Word = TypeVar("Word", bound=str)

GONE: Final = {
    "aspiration": "there is none any more, it saved nothing; leave it out",
    "practise": "there is none any more; `ggp learn GAME` makes a network before a match",
    "select": "there is none any more, mcts selects by UCT; leave it out",
}
"""What to do instead of an option that was dropped."""


class PlayerSpecError(GgpError):
    """A player, or an option of one, that cannot be: the message names it and what would be."""


@dataclass(frozen=True, slots=True)
class OptionKind(Generic[T]):
    """Conversion of an option's text to a value. `parse` raises ValueError for any other text."""

    expects: str
    """In words: "a whole number from 1 on"."""
    parse: Callable[[str], T]
    is_file: bool = False
    """Whether the value names a file, which nobody on another machine may choose."""
    words: tuple[str, ...] = ()
    """Values that name no file all the same."""

    def names_file(self, text: str) -> bool:
        """Whether a value is the name of a file."""
        return self.is_file and text not in self.words


@dataclass(frozen=True, slots=True)
class Option(Generic[T]):
    """One option of a player."""

    name: str
    kind: OptionKind[T]
    default: T
    help: str

    def __post_init__(self) -> None:
        # An author who writes `int` for `whole(0)` is to learn it before the first match.
        if not isinstance(self.kind, OptionKind):
            raise TypeError(
                f"option {self.name}: expected number(...), whole(...) or one_of(...), "
                f"got {self.kind!r}"
            )

    def read(self, options: Mapping[str, str]) -> T:
        """The value given in `options`, or the default; PlayerSpecError for no such value."""
        text = options.get(self.name)
        if text is None:
            return self.default
        try:
            return self.kind.parse(text)
        except ValueError:
            raise PlayerSpecError(
                f"option {self.name}: expected {self.kind.expects}, got {text!r}"
            ) from None


def number(minimum: float) -> OptionKind[float]:
    """A number that is not below `minimum`."""

    def parse(text: str) -> float:
        value = float(text)
        if not math.isfinite(value) or value < minimum:
            raise ValueError(text)
        return value

    return OptionKind(f"a number from {minimum:g} on", parse)


def file_name(expects: str, *words: str) -> OptionKind[str]:
    """The name of a file, or one of some words."""
    return OptionKind(" or ".join([*words, expects]), str, is_file=True, words=words)


def share(maximum: float) -> OptionKind[float]:
    """A number from 0 to `maximum`."""
    numbers = number(0)

    def parse(text: str) -> float:
        value = numbers.parse(text)
        if value > maximum:
            raise ValueError(text)
        return value

    return OptionKind(f"a number from 0 to {maximum:g}", parse)


def or_word(numbers: OptionKind[float], word: str) -> OptionKind[float | str]:
    """A number of some kind, or one word."""

    def parse(text: str) -> float | str:
        return word if text == word else numbers.parse(text)

    return OptionKind(f"{word} or {numbers.expects}", parse)


def whole(minimum: int, maximum: int | None = None) -> OptionKind[int]:
    """A whole number that is not below `minimum`, and not above `maximum` if there is one."""

    def parse(text: str) -> int:
        value = int(text)
        if value < minimum or (maximum is not None and value > maximum):
            raise ValueError(text)
        return value

    end = "on" if maximum is None else f"to {maximum}"
    return OptionKind(f"a whole number from {minimum} {end}", parse)


def one_of(words: Sequence[Word]) -> OptionKind[Word]:
    """One of the given words."""

    def parse(text: str) -> Word:
        for word in words:
            if word == text:
                return word
        raise ValueError(text)

    return OptionKind("one of " + ", ".join(words), parse)


def check_options(options: Mapping[str, str], known: Sequence[Option[Any]]) -> None:
    """Refuse options that the player does not have, and values that they cannot have.

    Raises:
        PlayerSpecError: For the first unknown name, with the nearest known one; or for the first
            value that is none.
    """
    names = [option.name for option in known]
    for name in options:
        if name not in names:
            gone = f"option {name}: {GONE[name]}" if name in GONE else ""
            raise PlayerSpecError(gone or str(UnknownNameError("option", name, names)))
    for option in known:
        option.read(options)
