"""Another name for a symbol or a variable, at all its places, and the same game after it."""

from __future__ import annotations

import re

from gdl.editing.draft import Draft
from gdl.editing.occurrences import Occurrence, Space
from gdl.editing.writing import Edit, symbol_text, variable_text
from gdl.epilog.arithmetic import FUNCTIONS
from gdl.epilog.builtins import BUILTINS
from gdl.errors import GdlError, Source
from gdl.rulesheet import KEYWORDS, RESERVED
from gdl.rulesheet.words import ARROWS

_NUMBER = re.compile(r"[+-]?[0-9]+")
_MEANT = "its name has a meaning of its own"


class RenamingError(GdlError):
    """There is nothing to rename, or the new name would change the game."""


def renameable(draft: Draft, offset: int) -> Occurrence:
    """The symbol at an offset, which may have another name.

    Raises:
        RenamingError: There is none, or its name has a meaning.
    """
    one = draft.at(offset)
    if one is None:
        raise RenamingError("there is no name here")
    reason = _reason_against(draft, one)
    if reason:
        raise RenamingError(f"'{draft.text[one.start : one.end]}' stays as it is: {reason}")
    return one


def _reason_against(draft: Draft, one: Occurrence) -> str:
    symbol = one.symbol
    if symbol.space is Space.VARIABLE:
        return ""
    if symbol.space is Space.KEYWORD or symbol.name in KEYWORDS:
        return _MEANT
    if draft.is_epilog and _is_given(one):
        return _MEANT
    if _NUMBER.fullmatch(symbol.name) and _may_be_goal(draft, one):
        return "it may be a goal value"
    return ""


def _is_given(one: Occurrence) -> bool:
    """Whether Epilog itself knows a name: numbers, relations and functions that are built in."""
    name = one.symbol.name
    return bool(_NUMBER.fullmatch(name)) or name in BUILTINS or name in FUNCTIONS


def _may_be_goal(draft: Draft, number: Occurrence) -> bool:
    """Whether a number is a goal value, or goal values are worked out."""
    for one in draft.index.occurrences:
        if one.is_argument_of("goal", 1) and one.part.value == "head":
            if one.symbol == number.symbol:
                return True
            if one.symbol.space is Space.VARIABLE:
                return True
    return False


def rename(draft: Draft, offset: int, name: str) -> list[Edit]:
    """The changes that give the symbol at an offset another name, and nothing else.

    Raises:
        RenamingError: This would change the game, or is no name.
    """
    one = renameable(draft, offset)
    is_variable = one.symbol.space is Space.VARIABLE
    write = variable_text if is_variable else symbol_text
    written = write(name.strip(), is_epilog=draft.is_epilog)
    if not written:
        raise RenamingError(f"'{name}' is no name of {_kind(one)}")
    _check_free(draft, one, written)
    places = draft.index.places(one.symbol)
    return [Edit(place.start, place.end, written) for place in places]


def _kind(one: Occurrence) -> str:
    return "a variable" if one.symbol.space is Space.VARIABLE else "a symbol"


def _check_free(draft: Draft, one: Occurrence, written: str) -> None:
    name = written.strip('"').lower()
    old = draft.text[one.start : one.end].strip('"').lower()
    if name == old:
        return  # another case
    is_variable = one.symbol.space is Space.VARIABLE
    if not is_variable and _is_taken(draft, name):
        raise RenamingError(f"'{name}' has a meaning of its own; expected another name")
    for other in draft.index.occurrences:
        is_near = not is_variable or other.statement == one.statement
        if is_near and draft.text[other.start : other.end].strip('"').lower() == name:
            line = Source("", draft.text).position(other.start)[0]
            raise RenamingError(f"'{written}' is taken, see line {line}; expected another name")


def _is_taken(draft: Draft, name: str) -> bool:
    if name in KEYWORDS or name in RESERVED or name in ARROWS:
        return True
    if not draft.is_epilog:
        return False
    return name in BUILTINS or name in FUNCTIONS or bool(_NUMBER.fullmatch(name))
