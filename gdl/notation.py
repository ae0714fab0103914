"""Parsing of texts in either notation of GDL, prefix KIF or Epilog."""

from __future__ import annotations

from gdl.epilog.rules import read_epilog, read_faulty_epilog
from gdl.errors import GdlSyntaxError
from gdl.kif import read_faulty_kif, read_kif
from gdl.rulesheet import Rulesheet
from gdl.syntax import is_epilog

__all__ = ["is_epilog", "read_faulty_rules", "read_rules"]


def read_rules(text: str, name: str = "<text>") -> Rulesheet:
    """Parse a rulesheet in prefix KIF or in Epilog, whichever the text seems to be."""
    return read_epilog(text, name) if is_epilog(text) else read_kif(text, name)


def read_faulty_rules(text: str, name: str) -> tuple[Rulesheet, tuple[GdlSyntaxError, ...]]:
    """Return the readable part of a text in either notation, and its syntax errors in order."""
    read = read_faulty_epilog if is_epilog(text) else read_faulty_kif
    return read(text, name)
