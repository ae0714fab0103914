"""A manager's report of the last turn, in the three forms that managers use.

Moves and percepts are KIF text as in the message. Callers that know the rules parse it.

    >>> JointMove(("( mark 1 1 )", "NOOP")) == JointMove(("(mark 1 1)", "NOOP"))
    True
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from ggp.term_text import words_of

_BLANKS = re.compile(r"\s+")
_BLANKS_INSIDE = re.compile(r"(?<=\() | (?=\))")


def one_spelling(text: str) -> str:
    """Return a term with one blank between items and none next to parentheses. Keep its case."""
    return _BLANKS_INSIDE.sub("", _BLANKS.sub(" ", text.strip()))


def _spelled(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(map(one_spelling, texts))


@dataclass(frozen=True, slots=True)
class JointMove:
    """One move per role, in role order, as GGP-Base and Dresden send it."""

    moves: tuple[str, ...]
    answered: str | None = None
    """Our own answer in that turn, if known. In GDL-II, some managers send percepts as `moves`."""
    must_be_legal: bool = field(default=False, compare=False)
    """Whether to refuse the step unless every move is legal, because the message may be a
    repetition.
    """
    missed: tuple[str, ...] | None = field(default=None, compare=False)
    """The joint move of an earlier turn that was not reported, if known."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "moves", _spelled(self.moves))


@dataclass(frozen=True, slots=True)
class SingleMove:
    """The single move of the role in control, as Gamemaster sends it."""

    move: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "move", one_spelling(self.move))

    def as_joint(self, num_roles: int) -> tuple[str, ...] | None:
        """Return the text as one move per role, or None if it is not a list of `num_roles` terms.

        Only the rules decide whether `(rock paper)` is one move or two.
        """
        try:
            moves = words_of(self.move)
        except ValueError:  # a parenthesis inside quotes
            return None
        return moves if len(moves) == num_roles else None


@dataclass(frozen=True, slots=True)
class Percepts:
    """The percepts of our role in a turn of a game of incomplete information (GDL-II)."""

    percepts: tuple[str, ...]
    own_move: str | None = None
    """The move made for our role. If None, the message does not name it, so use our last answer."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "percepts", _spelled(self.percepts))
        if self.own_move is not None:
            object.__setattr__(self, "own_move", one_spelling(self.own_move))


Step = JointMove | SingleMove | Percepts
