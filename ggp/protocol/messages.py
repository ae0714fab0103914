"""The messages of game managers and their dialects, as plain data.

Terms and rules are text here, because the process that speaks HTTP must not parse a START of half a
megabyte. `codec.decode` parses a text into a message, and `codec.encode` does the reverse:

    >>> from ggp.protocol import Dialect, Play, decode, encode
    >>> message = decode("(PLAY m.1 ((mark 1 1) noop))")
    >>> message.last.joint_move()
    ('(mark 1 1)', 'noop')
    >>> encode(message, Dialect.GGP_BASE)
    '( PLAY m.1 (( mark 1 1 ) noop ) )'
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Dialect(Enum):
    """The dialect of a match's manager."""

    GGP_BASE = "GGP-Base"
    """Prefix notation. PLAY reports the joint move of the last turn."""
    DRESDEN = "Dresden"
    """Prefix notation, compact and in upper case. In GDL-II, PLAY reports percepts."""
    GAMEMASTER = "Gamemaster"
    """One role moves at a time, and PLAY reports its move. Roles not in control stay silent."""


class Notation(Enum):
    """A notation for terms, in a message or rulesheet."""

    PREFIX = "prefix"
    """KIF, as in `(mark 1 1)`."""
    INFIX = "infix"
    """Epilog, as in `mark(1,1)`."""


@dataclass(frozen=True, slots=True)
class Happened:
    """The argument of a PLAY or STOP that reports the last turn, as moves or percepts.

    Which of them it has depends on the dialect and the game.

    Attributes:
        term: The whole argument, as KIF.
        items: The elements of the argument as KIF if it is a list, else None.
    """

    term: str
    items: tuple[str, ...] | None

    def joint_move(self) -> tuple[str, ...] | None:
        """Return the moves in role order, or None if an atom such as NIL stands in their place."""
        return self.items or None

    def single_move(self) -> str | None:
        """Return the single move that Gamemaster reports, or None if there was none."""
        return None if self.items == () or self.term.lower() == "nil" else self.term


EMPTY_TURN = Happened("NIL", None)


@dataclass(frozen=True, slots=True)
class Turn:
    """The fields that the later GDL-II protocol adds to a PLAY or STOP.

    Attributes:
        number: Number of the turn, counted from 0.
        own_move: The move made for our role, as KIF. None in the first turn.
    """

    number: int
    own_move: str | None


@dataclass(frozen=True, slots=True)
class Info:
    """A request for information about a player, such as whether it is free."""

    notation: Notation = Notation.PREFIX
    identifier: str | None = None


@dataclass(frozen=True, slots=True)
class Ping:
    """A request that checks whether a player responds. Gamemaster adds an identifier."""

    notation: Notation = Notation.PREFIX
    identifier: str | None = None


@dataclass(frozen=True, slots=True)
class Preview:
    """An announcement of a game that may be played soon.

    The player has `previewclock` seconds to study it.
    """

    rules: str
    previewclock: int


@dataclass(frozen=True, slots=True)
class Start:
    """A message that begins a match.

    Attributes:
        match: The name of the match, case-sensitive.
        role: The role that we play.
        rules: The text of the rulesheet, one rule after another.
        startclock: Seconds until the first turn.
        playclock: Seconds for each turn.
        notation: Notation of the message.
        rules_notation: Notation of the rules.
    """

    match: str
    role: str
    rules: str
    startclock: int
    playclock: int
    notation: Notation = Notation.PREFIX
    rules_notation: Notation = Notation.PREFIX

    @property
    def dialect(self) -> Dialect:
        """The dialect of the manager, as far as it matters for replies.

        It is Gamemaster if the message or its rules are infix, else GGP-Base, whose replies suit
        Dresden too.
        """
        infix = Notation.INFIX in {self.notation, self.rules_notation}
        return Dialect.GAMEMASTER if infix else Dialect.GGP_BASE


@dataclass(frozen=True, slots=True)
class Play:
    """A request for the next move, with a report on the last turn."""

    match: str
    last: Happened = EMPTY_TURN
    turn: Turn | None = None
    notation: Notation = Notation.PREFIX


@dataclass(frozen=True, slots=True)
class Stop:
    """A message that ends a match, with a report on its last turn."""

    match: str
    last: Happened = EMPTY_TURN
    turn: Turn | None = None
    notation: Notation = Notation.PREFIX


@dataclass(frozen=True, slots=True)
class Abort:
    """A message that ends a match without a result."""

    match: str
    notation: Notation = Notation.PREFIX


@dataclass(frozen=True, slots=True)
class Unknown:
    """A well-formed infix message of an unknown kind."""

    word: str
    notation: Notation = Notation.INFIX


Message = Info | Ping | Preview | Start | Play | Stop | Abort | Unknown


@dataclass(frozen=True, slots=True)
class MessageLimits:
    """Upper limits for a message. The rules inside a START have their own limits in `gdl`."""

    num_characters: int = 2_000_000
    """Maximum length of the whole message. The longest known real START has 455,000 characters."""
    startclock: int = 3600
    """Longest startclock, in seconds."""
    playclock: int = 3600
    """Longest playclock, in seconds."""
    num_word_characters: int = 500
    """Maximum length of the name of a match or role."""
    num_moves_characters: int = 100_000
    """Maximum length of the report on the last turn in a PLAY or STOP."""
    num_arguments: int = 64
    """Maximum number of arguments of a message in prefix notation."""
    depth: int = 200
    """Maximum nesting depth of the terms of a PLAY or STOP."""


DEFAULT_LIMITS = MessageLimits()
