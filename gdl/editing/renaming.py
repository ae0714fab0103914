"""Edits of a text, and renaming of symbols and variables."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from gdl.editing.draft import Draft
from gdl.editing.index import Occurrence, Space
from gdl.epilog.builtins import BUILTINS
from gdl.epilog.tables import FUNCTIONS
from gdl.epilog.tokens import SYMBOL, is_variable, write_symbol
from gdl.errors import GdlError, Source
from gdl.rulesheet import KEYWORDS, RESERVED
from gdl.rulesheet.rules import ARROWS
from gdl.tokens import NUMBER

# Words end at all blanks of Unicode here, because words of terms in messages do.
_KIF_WORD = re.compile(r"[^\s\ufeff();?][^\s\ufeff();]*")
_KIF_VARIABLE = re.compile(r"\?[^\s\ufeff();]+")
_EPILOG_WORD = re.compile(SYMBOL)


class Edit(NamedTuple):
    """Replacement of the characters from `start` to `end` by `text`."""

    start: int
    end: int
    text: str


def edited(text: str, edits: Iterable[Edit]) -> str:
    """Apply edits that do not overlap to a text.

    >>> edited("(p a)", [Edit(1, 2, "q"), Edit(3, 4, "b")])
    '(q b)'
    """
    parts: list[str] = []
    last = 0
    for edit in sorted(edits):
        parts += [text[last : edit.start], edit.text]
        last = edit.end
    return "".join([*parts, text[last:]])


def symbol_text(name: str, *, is_epilog: bool) -> str:
    """Return the spelling of a symbol in KIF or Epilog, or "" if the name is not valid.

    >>> symbol_text("b c", is_epilog=False), symbol_text("Mark", is_epilog=True)
    ('', '"Mark"')
    """
    if is_epilog:
        is_plain = _EPILOG_WORD.fullmatch(name) and not is_variable(name)
        return name if is_plain else write_symbol(name) if _KIF_WORD.fullmatch(name) else ""
    return name if _KIF_WORD.fullmatch(name) else ""


def variable_text(name: str, *, is_epilog: bool) -> str:
    """Return the spelling of a variable, or "" if the name is not valid. In KIF `?` is optional.

    >>> variable_text("x", is_epilog=False), variable_text("x", is_epilog=True)
    ('?x', '')
    """
    if is_epilog:
        is_name = _EPILOG_WORD.fullmatch(name) and is_variable(name) and name != "_"
        return name if is_name else ""
    written = name if name.startswith("?") else f"?{name}"
    return written if _KIF_VARIABLE.fullmatch(written) else ""


_MEANT = "its name has a special meaning"


class RenamingError(GdlError):
    """There is nothing to rename, or the new name is not valid or would change the game."""


def renameable(draft: Draft, offset: int) -> Occurrence:
    """Return the symbol at an offset, provided that it can be renamed.

    Raises:
        RenamingError: There is no symbol, or its name has a fixed meaning.
    """
    one = draft.at(offset)
    if one is None:
        raise RenamingError("there is no name here; expected a word of the rules")
    reason = _reason_against(draft, one)
    if reason:
        raise RenamingError(f"'{draft.text[one.start : one.end]}' cannot be renamed: {reason}")
    return one


def _reason_against(draft: Draft, one: Occurrence) -> str:
    symbol = one.symbol
    if symbol.space is Space.VARIABLE:
        return ""
    if symbol.space is Space.KEYWORD or symbol.name in KEYWORDS:
        return _MEANT
    if draft.is_epilog and _is_given(symbol.name):
        return _MEANT
    if NUMBER.fullmatch(symbol.name) and _may_be_goal(draft, one):
        return "it may be a goal value"
    return ""


def _is_given(name: str) -> bool:
    return bool(NUMBER.fullmatch(name)) or name in BUILTINS or name in FUNCTIONS


def _may_be_goal(draft: Draft, number: Occurrence) -> bool:
    for one in draft.index.occurrences:
        if one.is_argument_of("goal", 1) and one.part.value == "head":
            if one.symbol == number.symbol:
                return True
            if one.symbol.space is Space.VARIABLE:
                return True
    return False


def rename(draft: Draft, offset: int, name: str) -> list[Edit]:
    """Return the edits that rename the symbol at an offset.

    Raises:
        RenamingError: The new name is not valid, or would change the game.
    """
    one = renameable(draft, offset)
    is_variable = one.symbol.space is Space.VARIABLE
    write = variable_text if is_variable else symbol_text
    written = write(name.strip(), is_epilog=draft.is_epilog)
    if not written:
        kind = "variable" if is_variable else "symbol"
        raise RenamingError(f"'{name}' is not a valid name of a {kind}")
    _check_free(draft, one, written)
    places = draft.index.places(one.symbol)
    return [Edit(place.start, place.end, written) for place in places]


def _check_free(draft: Draft, one: Occurrence, written: str) -> None:
    name = written.strip('"').lower()
    old = draft.text[one.start : one.end].strip('"').lower()
    if name == old:
        return  # only the case differs
    is_variable = one.symbol.space is Space.VARIABLE
    if not is_variable and _is_taken(draft, name):
        raise RenamingError(f"'{name}' has a special meaning; expected another name")
    for other in draft.index.occurrences:
        is_near = not is_variable or other.statement == one.statement
        if is_near and draft.text[other.start : other.end].strip('"').lower() == name:
            line = Source("", draft.text).position(other.start)[0]
            raise RenamingError(f"'{written}' is taken, see line {line}; expected another name")


def _is_taken(draft: Draft, name: str) -> bool:
    if name in KEYWORDS or name in RESERVED or name in ARROWS:
        return True
    return draft.is_epilog and _is_given(name)
