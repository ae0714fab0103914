"""Spelling of GDL's symbols and variables in Epilog, and back.

An Epilog symbol starts with no upper-case letter and holds few special characters; everything else
is written as a string in double quotes. So a string stands for the symbol of its characters:

    >>> write_symbol("cell"), write_symbol("+"), write_symbol("Mark")
    ('cell', '"+"', '"Mark"')
    >>> read_string('"Mark"')
    'Mark'

A KIF symbol cannot hold blanks, parentheses or semicolons. In a string that has them they are
written with a percent sign and two digits, as in an address of the web: `"a b"` is `a%20b`.
"""

from __future__ import annotations

import re
from collections.abc import Callable

SYMBOL = r"(?:-?\d+\.\d+|-?[\w](?:[\w+*-]|\.(?=\w))*)"  # variables have this form as well
_PLAIN_SYMBOL = re.compile(r"-?[0-9]+|[a-z0-9][A-Za-z0-9_]*")  # what every Epilog reader takes

_ESCAPES = {
    " ": "%20",
    "\t": "%09",
    "\n": "%0A",
    "\v": "%0B",
    "\f": "%0C",
    "\r": "%0D",
    "(": "%28",
    ")": "%29",
    ";": "%3B",
    "\xa0": "%A0",
    "\ufeff": "%FE",
}
_EMPTY = "%00"  # the symbol that the empty string stands for
_QUESTION_MARK = "%3F"  # escaped only where it would make the symbol a variable
_CHARACTERS = {code: char for char, code in _ESCAPES.items()} | {"%25": "%"}
_CODES = "|".join([*_CHARACTERS, _EMPTY, _QUESTION_MARK])
_ESCAPED = re.compile(_CODES)
_TO_ESCAPE = re.compile(rf"[{''.join(map(re.escape, _ESCAPES))}]|%(?={_CODES.replace('%', '')})")


def is_variable(text: str) -> bool:
    """Whether a word of Epilog is a variable: it starts with an upper-case letter, or is `_`."""
    return text == "_" or text[0].isupper()


def read_string(quoted: str) -> str:
    """The symbol that a string stands for; the argument includes the quotes."""
    text = re.sub(r"\\(.)", r"\1", quoted[1:-1], flags=re.DOTALL)
    if not text:
        return _EMPTY
    text = _TO_ESCAPE.sub(lambda match: _ESCAPES.get(match[0], "%25"), text)
    return _QUESTION_MARK + text[1:] if text[0] == "?" else text


def write_symbol(text: str) -> str:
    """The Epilog spelling of a symbol: as it is, or as a string in double quotes."""
    if _PLAIN_SYMBOL.fullmatch(text):
        return text
    plain = _ESCAPED.sub(lambda match: _unescaped(match[0]), text)
    escaped = plain.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _unescaped(code: str) -> str:
    if code == _EMPTY:
        return ""
    return "?" if code == _QUESTION_MARK else _CHARACTERS[code]


class Renaming:
    """New names for the variables of one sentence: different ones stay different.

    Epilog tells `XY` from `Xy`, the variables of GDL have no case; the second gets a number.
    """

    def __init__(self, translate: Callable[[str], str]) -> None:
        self._translate = translate
        self._found: dict[str, str] = {}
        self._taken: set[str] = set()

    def of(self, name: str) -> str:
        """The new name of a variable."""
        found = self._found.get(name)
        if found is None:
            plain = found = self._translate(name)
            number = 2
            while found.lower() in self._taken:
                found = f"{plain}_{number}"
                number += 1
            self._taken.add(found.lower())
            self._found[name] = found
        return found


def kif_variable(name: str) -> str:
    """The KIF variable for an Epilog variable, `?x` for `X`."""
    return "?" + name.lower()


def epilog_variable(name: str) -> str:
    """The Epilog variable for a KIF variable, `X` for `?x`; other characters become `_`."""
    letters = re.sub(r"[^A-Za-z0-9_]", "_", name[1:])
    return letters[0].upper() + letters[1:] if letters[:1].isalpha() else "V" + letters
