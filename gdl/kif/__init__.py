"""Prefix KIF, the notation of the GDL specification: read and printed."""

from gdl.kif.printer import format_kif, write_form
from gdl.kif.reader import (
    Comment,
    read_faulty_kif,
    read_forms,
    read_kif,
    read_scanned_kif,
    read_term,
    scan,
)
from gdl.kif.rescanning import Tokens, rescan

__all__ = [
    "Comment",
    "Tokens",
    "format_kif",
    "read_faulty_kif",
    "read_forms",
    "read_kif",
    "read_scanned_kif",
    "read_term",
    "rescan",
    "scan",
    "write_form",
]
