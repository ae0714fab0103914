"""Meaning of the facts of a state: whose turn it is, and what is in a square."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from gdl.rulesheet import Relation


@dataclass(frozen=True, slots=True)
class CellForm:
    """Meaning of the arguments of a fact about a square. Arguments are numbered from 0.

    Attributes:
        place: The argument for the square, such as `h2`, or those for its column and row.
        content: Arguments for the content. Empty if the fact only says that the square is marked.
        blank: The content of an empty square, or "" if there is none.
    """

    place: tuple[int, ...]
    content: tuple[int, ...]
    blank: str = ""


def _nameless(_kind: str, _words: tuple[str, ...]) -> str:
    return ""


@dataclass(frozen=True, slots=True)
class Wording:
    """Words for facts of the state and for moves.

    Attributes:
        turn: The relation whose only argument is the role to move, or None.
        cells: The relations that describe squares.
        name_of: Function that returns the author's name for a move or a fact, or "" if it has none.
            Its arguments are `move` or `fact`, and the words.
        words: The author's names of constants.
    """

    turn: Relation | None = None
    cells: Mapping[Relation, CellForm] = field(default_factory=dict)
    name_of: Callable[[str, tuple[str, ...]], str] = _nameless
    words: Mapping[str, str] = field(default_factory=dict)

    def named(self, kind: str, name: str, args: Sequence[str]) -> str:
        """Return a fact or a move in KIF, followed by the author's name if it has one."""
        known = self.name_of(kind, (name, *args))
        return f"{written(name, args)} ({known})" if known else written(name, args)

    def fact(self, relation: Relation, args: Sequence[str], *, holds: bool = True) -> str:
        """Return a clause that says whether a fact is true."""
        if relation == self.turn:
            mine = (
                f"the turn of {args[0][1:-1]}" if args[0].startswith("[") else f"{args[0]}'s turn"
            )
            return f"it is {'' if holds else 'not '}{mine}"
        form = self.cells.get(relation)
        if form is None:
            is_in = "is in the position" if holds else "is not in the position"
            return f"{self.named('fact', relation.name, args)} {is_in}"
        return f"the square {place_text(form, args)} {held(form, args, holds=holds)}"


def written(name: str, args: Sequence[str]) -> str:
    """Return a fact or a move in KIF, in backquotes."""
    return f"`({name} {' '.join(args)})`" if args else f"`{name}`"


def place_text(form: CellForm, args: Sequence[str]) -> str:
    """Return the name of a square."""
    places = [args[at] for at in form.place]
    return places[0] if len(places) == 1 else f"({', '.join(places)})"


def held(form: CellForm, args: Sequence[str], *, holds: bool = True, many: bool = False) -> str:
    """Return the verb phrase about the content of one square or, if `many`, of several."""
    content = " ".join(args[at] for at in form.content)
    is_blank = bool(form.blank) and content == form.blank
    if is_blank or not content:
        word = f"empty ({content})" if is_blank else "marked"
        verb = "are" if many else "is"
        return f"{verb} {word}" if holds else f"{verb} not {word}"
    if many:
        return f"hold {content}" if holds else f"do not hold {content}"
    return f"holds {content}" if holds else f"does not hold {content}"
