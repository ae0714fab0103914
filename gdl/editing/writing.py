"""Changes of a text, and how words are written in either notation."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from gdl.epilog.symbols import SYMBOL, is_variable, write_symbol

_KIF_WORD = re.compile(r"[^\s\ufeff();?][^\s\ufeff();]*")
_KIF_VARIABLE = re.compile(r"\?[^\s\ufeff();]+")
_EPILOG_WORD = re.compile(SYMBOL)


class Edit(NamedTuple):
    """A text that takes the place of the characters from `start` to `end`."""

    start: int
    end: int
    text: str


def edited(text: str, edits: Iterable[Edit]) -> str:
    """A text after changes, none of which overlap.

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
    """How a symbol is written; empty if it cannot be one.

    >>> symbol_text("b c", is_epilog=False), symbol_text("Mark", is_epilog=True)
    ('', '"Mark"')
    """
    if is_epilog:
        is_plain = _EPILOG_WORD.fullmatch(name) and not is_variable(name)
        return name if is_plain else write_symbol(name) if _KIF_WORD.fullmatch(name) else ""
    return name if _KIF_WORD.fullmatch(name) else ""


def variable_text(name: str, *, is_epilog: bool) -> str:
    """How a variable is written; empty if it cannot be one. In KIF the `?` may be left out.

    >>> variable_text("x", is_epilog=False), variable_text("x", is_epilog=True)
    ('?x', '')
    """
    if is_epilog:
        is_name = _EPILOG_WORD.fullmatch(name) and is_variable(name) and name != "_"
        return name if is_name else ""
    written = name if name.startswith("?") else f"?{name}"
    return written if _KIF_VARIABLE.fullmatch(written) else ""
