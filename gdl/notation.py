"""Either notation of GDL: which one a text is written in, and reading it."""

from __future__ import annotations

import re

from gdl.epilog.rules import read_epilog, read_faulty_epilog
from gdl.errors import GdlSyntaxError
from gdl.kif import read_faulty_kif, read_kif
from gdl.rulesheet import Rulesheet

# Blanks and the comments of both notations.
_NOTHING = re.compile(r"(?:[\s\ufeff]+|;[^\r\n]*|%[^\r\n]*|//[^\r\n]*|/\*[\s\S]*?\*/)*")


def is_epilog(text: str) -> bool:
    """Whether a text is Epilog: its first character outside comments is no parenthesis."""
    skipped = _NOTHING.match(text)
    start = skipped.end() if skipped else 0
    return start < len(text) and text[start] not in "()"


def read_rules(text: str, name: str = "<text>") -> Rulesheet:
    """The rulesheet that a text describes, in prefix KIF or in Epilog; see `read_epilog`."""
    return read_epilog(text, name) if is_epilog(text) else read_kif(text, name)


def read_faulty_rules(text: str, name: str) -> tuple[Rulesheet, tuple[GdlSyntaxError, ...]]:
    """The readable part of a text in either notation, and its faults in order."""
    read = read_faulty_epilog if is_epilog(text) else read_faulty_kif
    return read(text, name)
