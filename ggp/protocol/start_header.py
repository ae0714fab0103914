"""Beginning of a text, before its rules: enough to refuse a START without reading half a megabyte.

>>> start_header("( START m.1 xplayer ( ( role xplayer ) ... ")
Start(match='m.1', role='xplayer', rules='', startclock=0, playclock=0, ...)
>>> start_header("( PLAY m.1 NIL )") is None
True
"""

from __future__ import annotations

import re

from ggp.protocol.messages import Notation, Start

_PREFIX = re.compile(
    r"\s*+\(\s*+start\s++([^\s();]++)\s++([^\s();\[]++)\s*+(\(\s*+[();]|.)", re.IGNORECASE
)
_INFIX = re.compile(r'\s*+start\s*+\(\s*+([^\s()\[\],"]++)\s*+,', re.IGNORECASE)


def start_header(text: str) -> Start | None:
    """The START that a text seems to be, without rules and clocks; None if that is not clear."""
    if (found := _PREFIX.match(text)) is not None:
        is_kif = len(found[3]) > 1
        rules = Notation.PREFIX if is_kif else Notation.INFIX
        return Start(found[1], found[2], "", 0, 0, Notation.PREFIX, rules)
    if (found := _INFIX.match(text)) is not None:
        return Start(found[1], "", "", 0, 0, Notation.INFIX, Notation.INFIX)
    return None
