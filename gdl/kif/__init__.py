"""Prefix KIF, the notation of the GDL specification: read and printed."""

from gdl.kif.printer import format_kif, write_form
from gdl.kif.reader import Comment, read_faulty_kif, read_forms, read_kif, read_term, scan

__all__ = [
    "Comment",
    "format_kif",
    "read_faulty_kif",
    "read_forms",
    "read_kif",
    "read_term",
    "scan",
    "write_form",
]
