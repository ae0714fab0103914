"""Meaning of facts of a state for readers: whose turn it is, and what a square holds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from gdl.rulesheet import Relation


@dataclass(frozen=True, slots=True)
class CellForm:
    """Meaning of the arguments of a fact about the content of a square. They count from 0.

    Attributes:
        place: One argument, such as `h2`, or those of column and row.
        content: What is there. Empty if the fact says that the square is marked.
        blank: The content that means that the square is empty, or "" if there is none.
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
        turn: The relation whose one argument is the role to move.
        cells: The relations of squares.
        name_of: The author's name of a `move` or `fact`, from its words, or "" if there is none.
        words: The author's names of constants.
    """

    turn: Relation | None = None
    cells: Mapping[Relation, CellForm] = field(default_factory=dict)
    name_of: Callable[[str, tuple[str, ...]], str] = _nameless
    words: Mapping[str, str] = field(default_factory=dict)

    def named(self, kind: str, name: str, args: Sequence[str]) -> str:
        """Return a fact or a move as in answers and positions, followed by its author's name."""
        known = self.name_of(kind, (name, *args))
        return f"{written(name, args)} ({known})" if known else written(name, args)

    def fact(self, relation: Relation, args: Sequence[str], *, holds: bool = True) -> str:
        """Return a clause that says that a fact is true, or that it is not."""
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
    """Return a fact or a move as in answers and positions."""
    return f"`({name} {' '.join(args)})`" if args else f"`{name}`"


def place_text(form: CellForm, args: Sequence[str]) -> str:
    """Return the name of a square."""
    places = [args[at] for at in form.place]
    return places[0] if len(places) == 1 else f"({', '.join(places)})"


def held(form: CellForm, args: Sequence[str], *, holds: bool = True, many: bool = False) -> str:
    """Return the words for the content of a square, or of several."""
    content = " ".join(args[at] for at in form.content)
    is_blank = bool(form.blank) and content == form.blank
    if is_blank or not content:
        word = f"empty ({content})" if is_blank else "marked"
        verb = "are" if many else "is"
        return f"{verb} {word}" if holds else f"{verb} not {word}"
    if many:
        return f"hold {content}" if holds else f"do not hold {content}"
    return f"holds {content}" if holds else f"does not hold {content}"
