"""Epilog, the infix notation of Stanford's Gamemaster: read and printed."""

from gdl.epilog.printer import write_epilog, write_term
from gdl.epilog.reader import read_forms
from gdl.epilog.rules import read_epilog, read_faulty_epilog, read_term

__all__ = [
    "read_epilog",
    "read_faulty_epilog",
    "read_forms",
    "read_term",
    "write_epilog",
    "write_term",
]
