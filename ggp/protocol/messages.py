"""The messages of game managers and the dialects they come in, as plain data.

Terms and rules are text here: a START of half a megabyte must not be parsed by the process that
speaks HTTP. `codec.decode` makes messages of text, `codec.encode` the reverse:

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
    """Whose words a match is spoken in."""

    GGP_BASE = "GGP-Base"
    """Prefix; PLAY tells the joint move of the last turn."""
    DRESDEN = "Dresden"
    """Prefix, compact, upper case; with GDL-II, PLAY tells percepts."""
    GAMEMASTER = "Gamemaster"
    """One role moves at a time and PLAY tells its single move; who is not in control is silent."""


class Notation(Enum):
    """Notation of terms, in a message or in a rulesheet."""

    PREFIX = "prefix"
    """`(mark 1 1)`: KIF."""
    INFIX = "infix"
    """`mark(1,1)`: Epilog."""


@dataclass(frozen=True, slots=True)
class Happened:
    """Report of the last turn in a PLAY or STOP. What it means depends on the match's dialect.

    Attributes:
        term: The whole argument, as KIF.
        items: Its elements as KIF if it is a list, else None.
    """

    term: str
    items: tuple[str, ...] | None

    def joint_move(self) -> tuple[str, ...] | None:
        """The moves in role order; None if there were none: any atom says so to GGP-Base."""
        return self.items or None

    def single_move(self) -> str | None:
        """The one move that was made, as Gamemaster tells it; None if there was none."""
        return None if self.items == () or self.term.lower() == "nil" else self.term


NOTHING = Happened("NIL", None)


@dataclass(frozen=True, slots=True)
class Turn:
    """Additions of the later GDL-II protocol to a PLAY or STOP.

    Attributes:
        number: The turn, counted from 0.
        own_move: The move that was executed for our role, as KIF; None in the first turn.
    """

    number: int
    own_move: str | None


@dataclass(frozen=True, slots=True)
class Info:
    """The question who a player is, and whether it is free."""

    notation: Notation = Notation.PREFIX
    identifier: str | None = None


@dataclass(frozen=True, slots=True)
class Ping:
    """Are you there? Gamemaster adds an identifier."""

    notation: Notation = Notation.PREFIX
    identifier: str | None = None


@dataclass(frozen=True, slots=True)
class Preview:
    """A game that may be played soon, and `previewclock` seconds to look at it."""

    rules: str
    previewclock: int


@dataclass(frozen=True, slots=True)
class Start:
    """A match begins.

    Attributes:
        match: Its name; case matters.
        role: The role that we play.
        rules: The rulesheet's text, one rule after the other.
        startclock: Seconds until the first turn.
        playclock: Seconds for each turn.
        notation: How the message was written.
        rules_notation: How the rules are written.
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
        """Gamemaster if anything is infix, else GGP-Base, whose replies suit Dresden too."""
        infix = Notation.INFIX in {self.notation, self.rules_notation}
        return Dialect.GAMEMASTER if infix else Dialect.GGP_BASE


@dataclass(frozen=True, slots=True)
class Play:
    """The last turn is over; say your next move."""

    match: str
    last: Happened = NOTHING
    turn: Turn | None = None
    notation: Notation = Notation.PREFIX


@dataclass(frozen=True, slots=True)
class Stop:
    """The match is over; this was its last turn."""

    match: str
    last: Happened = NOTHING
    turn: Turn | None = None
    notation: Notation = Notation.PREFIX


@dataclass(frozen=True, slots=True)
class Abort:
    """The match ends here, without a result."""

    match: str
    notation: Notation = Notation.PREFIX


@dataclass(frozen=True, slots=True)
class Unknown:
    """A well-formed infix message of a kind nobody has told us about."""

    word: str
    notation: Notation = Notation.INFIX


Message = Info | Ping | Preview | Start | Play | Stop | Abort | Unknown


@dataclass(frozen=True, slots=True)
class MessageLimits:
    """Bounds of one message; the rules inside a START have bounds of their own in `gdl`."""

    num_characters: int = 2_000_000
    """Length of the whole message; the largest real START known has 455,000 characters."""
    startclock: int = 3600
    """Seconds."""
    playclock: int = 3600
    """Seconds."""
    num_word_characters: int = 500
    """Length of a match's or a role's name."""
    num_moves_characters: int = 100_000
    """Length of what a PLAY or STOP tells of the last turn."""
    num_arguments: int = 64
    """Arguments of a message in prefix notation."""
    depth: int = 200
    """Nesting depth of the terms of a PLAY or STOP."""


DEFAULT_LIMITS = MessageLimits()
