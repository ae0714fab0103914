"""A manager's report of the turn that is over, in the three forms that managers use.

Moves and percepts are KIF text as the message had it; whoever knows the rules reads them.

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
    """The term with one blank between items and none beside parentheses; case is kept."""
    return _BLANKS_INSIDE.sub("", _BLANKS.sub(" ", text.strip()))


def _spelled(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(map(one_spelling, texts))


@dataclass(frozen=True, slots=True)
class JointMove:
    """One move per role, in role order: GGP-Base and Dresden."""

    moves: tuple[str, ...]
    answered: str | None = None
    """Our role's own answer: in GDL-II some managers send percepts in the place of moves."""
    must_be_legal: bool = field(default=False, compare=False)
    """Whether to refuse it unless each move is legal: it may be what came before."""
    missed: tuple[str, ...] | None = field(default=None, compare=False)
    """The joint move of a turn before it that was not told, as far as that is known."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "moves", _spelled(self.moves))


@dataclass(frozen=True, slots=True)
class SingleMove:
    """The one move that the role in control made: Gamemaster."""

    move: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "move", one_spelling(self.move))

    def as_joint(self, num_roles: int) -> tuple[str, ...] | None:
        """Return a move for each role if the text can be a list of them; None if it cannot.

        Only the rules tell whether `(rock paper)` is one move or two.
        """
        try:
            moves = words_of(self.move)
        except ValueError:  # a parenthesis within quotes
            return None
        return moves if len(moves) == num_roles else None


@dataclass(frozen=True, slots=True)
class Percepts:
    """The percepts of our role in the turn, in a game of incomplete information (GDL-II)."""

    percepts: tuple[str, ...]
    own_move: str | None = None
    """The move made for our role; None if the message does not say: then our last answer."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "percepts", _spelled(self.percepts))
        if self.own_move is not None:
            object.__setattr__(self, "own_move", one_spelling(self.own_move))


Step = JointMove | SingleMove | Percepts
