"""Options of players. Each has a name, a type, a default and a help text.

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
    "aspiration": "removed, because it saved nothing; leave it out",
    "practise": "removed; train a network before the match with `ggp learn GAME`",
    "select": "removed, because mcts always selects by UCT; leave it out",
}
"""Removed options, by name, with advice on what to do instead."""


class PlayerSpecError(GgpError):
    """A player or an option is wrong. The message names it and says what was expected."""


@dataclass(frozen=True, slots=True)
class OptionKind(Generic[T]):
    """The type of an option: `parse` converts its text to a value, or raises ValueError."""

    expects: str
    """A description of allowed texts, such as "a whole number of at least 1"."""
    parse: Callable[[str], T]
    is_file: bool = False
    """Whether the value names a file. Clients on other machines may not set such an option."""
    words: tuple[str, ...] = ()
    """Values that do not name a file although `is_file` is set."""

    def names_file(self, text: str) -> bool:
        """Return whether `text` names a file."""
        return self.is_file and text not in self.words


@dataclass(frozen=True, slots=True)
class Option(Generic[T]):
    """One option of a player."""

    name: str
    kind: OptionKind[T]
    default: T
    help: str

    def __post_init__(self) -> None:
        # An author who writes `int` instead of `whole(0)` should get the error before the first
        # match.
        if not isinstance(self.kind, OptionKind):
            raise TypeError(
                f"option {self.name}: expected number(...), whole(...) or one_of(...), "
                f"got {self.kind!r}"
            )

    def read(self, options: Mapping[str, str]) -> T:
        """Return the value in `options`, or the default. Raise PlayerSpecError for a bad value."""
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
    """Return the kind of options whose values are numbers of at least `minimum`."""

    def parse(text: str) -> float:
        value = float(text)
        if not math.isfinite(value) or value < minimum:
            raise ValueError(text)
        return value

    return OptionKind(f"a number of at least {minimum:g}", parse)


def file_name(expects: str, *words: str) -> OptionKind[str]:
    """Return the kind of options whose values are the name of a file or one of `words`."""
    return OptionKind(" or ".join([*words, expects]), str, is_file=True, words=words)


def share(maximum: float) -> OptionKind[float]:
    """Return the kind of options whose values are numbers from 0 to `maximum`."""
    numbers = number(0)

    def parse(text: str) -> float:
        value = numbers.parse(text)
        if value > maximum:
            raise ValueError(text)
        return value

    return OptionKind(f"a number from 0 to {maximum:g}", parse)


def or_word(numbers: OptionKind[float], word: str) -> OptionKind[float | str]:
    """Return the kind of options whose values are of the kind `numbers`, or the word `word`."""

    def parse(text: str) -> float | str:
        return word if text == word else numbers.parse(text)

    return OptionKind(f"{word} or {numbers.expects}", parse)


def whole(minimum: int, maximum: int | None = None) -> OptionKind[int]:
    """Return the kind of options whose values are whole numbers from `minimum` to `maximum`."""

    def parse(text: str) -> int:
        value = int(text)
        if value < minimum or (maximum is not None and value > maximum):
            raise ValueError(text)
        return value

    limits = f"of at least {minimum}" if maximum is None else f"from {minimum} to {maximum}"
    return OptionKind(f"a whole number {limits}", parse)


def one_of(words: Sequence[Word]) -> OptionKind[Word]:
    """Return the kind of options whose values are one of `words`."""

    def parse(text: str) -> Word:
        for word in words:
            if word == text:
                return word
        raise ValueError(text)

    return OptionKind("one of " + ", ".join(words), parse)


def check_options(options: Mapping[str, str], known: Sequence[Option[Any]]) -> None:
    """Refuse unknown options and wrong values.

    Raises:
        PlayerSpecError: An option is unknown (the message names the closest known one), or a value
            is wrong.
    """
    names = [option.name for option in known]
    for name in options:
        if name not in names:
            gone = f"option {name}: {GONE[name]}" if name in GONE else ""
            raise PlayerSpecError(gone or str(UnknownNameError("option", name, names)))
    for option in known:
        option.read(options)
